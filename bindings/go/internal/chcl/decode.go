package chcl

/*
#include "decode.h"

#cgo nocallback hclgo_plan_new
#cgo noescape hclgo_plan_fill
#cgo nocallback hclgo_plan_fill
#cgo nocallback hclgo_body_ref
#cgo nocallback hclgo_diags_detail
#cgo nocallback hclgo_block_definition
#cgo noescape hcl_body_attr_find
#cgo nocallback hcl_body_attr_find
*/
import "C"

import "unsafe"

// Plan is how a struct type reads bodies; there is no end to one.
type Plan struct{ _ [0]func() }

// The wishes of a plan for an attribute or the blocks of a type; the numbers of decode.c.
const (
	WantValue     = 1  // the value
	WantPointers  = 2  // pointers to the value and to all that is in it
	WantRanges    = 4  // the places
	MayBeNull     = 8  // null of any type will do
	OnlyOne       = 16 // of several blocks only the first two are told
	WantAttribute = 32 // the attribute itself
)

// IsPlain tells whether no more than the plain value of an attribute is wanted.
func IsPlain(flags uint64) bool {
	return flags&(WantValue|WantPointers|WantRanges|WantAttribute) == WantValue
}

// PlanNew makes a plan that is not described yet.
func PlanNew() *Plan { return (*Plan)(unsafe.Pointer(C.hclgo_plan_new())) }

// PlanFill describes a plan, which takes the schema.
func PlanFill(p *Plan, s *Schema, wire []byte) Status {
	at, n := bytePtr(wire)
	return Status(C.hclgo_plan_fill((*C.hclgo_plan)(unsafe.Pointer(p)), (*C.hcl_schema)(unsafe.Pointer(s)), at, n))
}

// Read is what a plan made of a body, until Free.
type Read struct {
	Bytes
	held  unsafe.Pointer
	Diags *Diags
}

// BodyRead reads a body and the blocks in it by a plan.
func BodyRead(b *Body, p *Plan, f *Frame, env uintptr) Read {
	r := C.hclgo_body_read(cBody(b), (*C.hclgo_plan)(unsafe.Pointer(p)), cFrame(f), C.uintptr_t(env))
	return Read{Bytes{r.bytes, r.len, Status(r.status)}, r.held, (*Diags)(unsafe.Pointer(r.diags))}
}

// Free releases what was read. It may hold a scope, and so functions of Go.
func (r Read) Free() {
	if r.held != nil {
		C.hclgo_read_free(r.at, r.held)
	}
}

// BodyRef is another handle to a body.
func BodyRef(b *Body) Made[Body] { return made[Body](C.hclgo_body_ref(cBody(b))) }

// DiagsDetail is what the first of the diagnostics says in full.
func DiagsDetail(d *Diags) Bytes { return takenBytes(C.hclgo_diags_detail(cDiags(d))) }

// BlockDefinition is the place of the header of a block, with the name of its file.
func BlockDefinition(b *Block) Bytes {
	return takenBytes(C.hclgo_block_definition((*C.hcl_block)(unsafe.Pointer(b))))
}

// BodyAttrFind is the attribute of a name, borrowed.
func BodyAttrFind(b *Body, name string) *Attr {
	n, nl := chars(name)
	return (*Attr)(unsafe.Pointer(C.hcl_body_attr_find(cBody(b), n, nl)))
}
