package chcl

/*
#include "glue.h"

#cgo nocallback hclgo_diags_copy
#cgo nocallback hclgo_diags_join
#cgo nocallback hclgo_diags_json
#cgo noescape hclgo_diags_sarif
#cgo nocallback hclgo_diags_sarif
#cgo noescape hcl_diags_note
#cgo nocallback hcl_diags_note
#cgo nocallback hcl_diags_sort
#cgo nocallback hcl_diags_cap
#cgo nocallback hcl_call_fail_with
#cgo nocallback hcl_answer_fail_with
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// Parts of places.
const (
	PlaceWhole  = C.HCL_PLACE_WHOLE
	PlaceValue  = C.HCL_PLACE_VALUE
	PlaceName   = C.HCL_PLACE_NAME
	PlaceHeader = C.HCL_PLACE_HEADER
	PlaceStart  = C.HCL_PLACE_START
)

// Place is where something stands: at most one of its objects is set. Without one it is a range of a file of that name.
type Place struct {
	Attr     *Attr
	Block    *Block
	Body     *Body
	Expr     *Expr
	Spec     *Spec  // with Body
	Path     string // with Spec
	Part     uint32
	Filename string
	Words    [6]uint64 // line, column and byte of both ends
}

func (p *Place) native(text func(string) C.hcl_str) C.hclgo_place {
	place := C.hclgo_place{spec: cSpec(p.Spec), path: text(p.Path), attr: cAttr(p.Attr), block: (*C.hcl_block)(unsafe.Pointer(p.Block)), body: cBody(p.Body),
		expr: cExpr(p.Expr), part: C.uint32_t(p.Part)}
	for i, word := range p.Words {
		place.words[i] = C.uint64_t(word)
	}
	return place
}

// DiagsSay makes a list of one diagnostic of the program. To find a place it may evaluate what dynamic blocks iterate over.
func DiagsSay(severity uint32, code, summary, detail string, subject, context Place) Made[Diags] {
	var pinner runtime.Pinner
	defer pinner.Unpin()
	text := func(s string) C.hcl_str {
		ptr, n := chars(s)
		if n > 0 {
			pinner.Pin(unsafe.StringData(s))
		}
		return C.hcl_str{ptr: ptr, len: n}
	}
	said := C.hclgo_said{severity: C.uint32_t(severity), code: text(code), summary: text(summary), detail: text(detail),
		filename: text(subject.Filename)}
	tight, wide := subject.native(text), context.native(text)
	return made[Diags](C.hclgo_diags_say(&said, &tight, &wide))
}

// DiagsNote sets an extra value of the last diagnostic.
func DiagsNote(d *Diags, key, value string) Status {
	k, kl := chars(key)
	v, vl := chars(value)
	return Status(C.hcl_diags_note(cDiags(d), k, kl, v, vl))
}

// DiagsCopy is a list of the same diagnostics.
func DiagsCopy(d *Diags) Made[Diags] { return made[Diags](C.hclgo_diags_copy(cDiags(d))) }

// DiagsJoin adds the diagnostics of another list.
func DiagsJoin(d, more *Diags) Status { return Status(C.hclgo_diags_join(cDiags(d), cDiags(more))) }

// DiagsSort sorts a list by place.
func DiagsSort(d *Diags) { C.hcl_diags_sort(cDiags(d)) }

// DiagsCap shortens a list.
func DiagsCap(d *Diags, most int) { C.hcl_diags_cap(cDiags(d), C.size_t(most)) }

// DiagsJSON writes a list as JSON.
func DiagsJSON(d *Diags) Bytes { return takenBytes(C.hclgo_diags_json(cDiags(d))) }

// DiagsSARIF writes a list as SARIF.
func DiagsSARIF(d *Diags, tool, version string) Bytes {
	t, tl := chars(tool)
	v, vl := chars(version)
	return takenBytes(C.hclgo_diags_sarif(cDiags(d), t, tl, v, vl))
}

// CallFailWith says why a call failed, in diagnostics.
func CallFailWith(c *Call, argument uint, why *Diags) Status {
	return Status(C.hcl_call_fail_with(cCall(c), C.size_t(argument), cDiags(why)))
}

// AnswerFailWith says why there is no answer, in diagnostics.
func AnswerFailWith(a *Answer, why *Diags) Status {
	return Status(C.hcl_answer_fail_with(cAnswer(a), cDiags(why)))
}
