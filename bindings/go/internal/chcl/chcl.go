// Package chcl is the C interface of libhcl as Go sees it: one Go function for one crossing.
//
// It knows nothing of lifetimes: pointers are valid as hcl.h says, and keeping them so is package hcl's task. Texts
// pass as the bytes of Go strings, without a copy; nothing in C keeps a pointer to Go memory.
//
// Calls that can't reach a callback are marked noescape and nocallback. The others, which evaluate, or release what
// may hold a Go function, are given no pointers to Go memory.
package chcl

/*
#cgo CFLAGS: -std=gnu11
#include "glue.h"

#cgo noescape hclgo_expr_parse
#cgo nocallback hclgo_expr_parse
#cgo nocallback hclgo_scope_new
#cgo nocallback hclgo_scope_ref
#cgo noescape hcl_scope_slot
#cgo nocallback hcl_scope_slot
#cgo noescape hcl_scope_const
#cgo nocallback hcl_scope_const
#cgo nocallback hcl_scope_builtins
#cgo noescape hcl_scope_dialect
#cgo nocallback hcl_scope_dialect
#cgo nocallback hcl_dialect_name
#cgo nocallback hcl_scope_flags
#cgo nocallback hcl_scope_seal
#cgo nocallback hclgo_frame_new
#cgo noescape hclgo_frame_fill
#cgo nocallback hclgo_frame_fill
#cgo nocallback hcl_frame_reset
#cgo nocallback hclgo_frame_limits
#cgo noescape hclgo_frame_used
#cgo nocallback hclgo_frame_used
#cgo nocallback hcl_frame_set_cancel
#cgo noescape hcl_frame_set_str
#cgo nocallback hcl_frame_set_str
#cgo nocallback hcl_frame_set_i64
#cgo nocallback hcl_frame_set_f64
#cgo nocallback hcl_frame_set_bool
#cgo nocallback hcl_frame_set
#cgo nocallback hclgo_cancel_new
#cgo nocallback hcl_cancel_trigger
#cgo nocallback hcl_cancel_free
#cgo nocallback hcl_program_needs_count
#cgo nocallback hcl_program_needs_at
#cgo nocallback hcl_expr_free
#cgo nocallback hclgo_expr_variables
#cgo nocallback hclgo_expr_functions
#cgo nocallback hclgo_expr_reference
#cgo nocallback hclgo_expr_place
#cgo nocallback hclgo_expr_static
#cgo nocallback hcl_value_free
#cgo nocallback hcl_value_kind
#cgo nocallback hcl_value_is_null
#cgo nocallback hcl_value_is_known
#cgo nocallback hcl_value_is_wholly_known
#cgo nocallback hcl_value_is_marked
#cgo nocallback hcl_value_contains_marks
#cgo noescape hcl_value_has_mark
#cgo nocallback hcl_value_has_mark
#cgo nocallback hcl_value_identical
#cgo nocallback hclgo_value_ref
#cgo noescape hclgo_value_mark
#cgo nocallback hclgo_value_mark
#cgo nocallback hclgo_value_unmark
#cgo noescape hclgo_value_unknown
#cgo nocallback hclgo_value_unknown
#cgo noescape hclgo_value_convert
#cgo nocallback hclgo_value_convert
#cgo noescape hclgo_value_decode
#cgo nocallback hclgo_value_decode
#cgo nocallback hclgo_value_equal
#cgo nocallback hclgo_value_encode
#cgo nocallback hclgo_value_type
#cgo noescape hclgo_value_build
#cgo nocallback hclgo_value_build
#cgo nocallback hclgo_value_dump
#cgo noescape hcl_value_as_bool
#cgo nocallback hcl_value_as_bool
#cgo noescape hcl_value_as_i64
#cgo nocallback hcl_value_as_i64
#cgo noescape hcl_value_as_f64
#cgo nocallback hcl_value_as_f64
#cgo noescape hcl_value_as_str
#cgo nocallback hcl_value_as_str
#cgo noescape hcl_value_len
#cgo nocallback hcl_value_len
#cgo nocallback hcl_value_at
#cgo noescape hcl_value_get
#cgo nocallback hcl_value_get
#cgo noescape hcl_value_key_at
#cgo nocallback hcl_value_key_at
#cgo nocallback hclgo_diags_dump
#cgo nocallback hclgo_diags_render
#cgo nocallback hcl_diags_free
#cgo nocallback hclgo_free
#cgo noescape hclgo_call_return
#cgo nocallback hclgo_call_return
#cgo noescape hcl_call_fail
#cgo nocallback hcl_call_fail
*/
import "C"

import "unsafe"

// Objects of the library. They are never made or copied in Go.
type (
	Expr    struct{ _ [0]func() }
	File    struct{ _ [0]func() }
	Scope   struct{ _ [0]func() }
	Program struct{ _ [0]func() }
	Frame   struct{ _ [0]func() }
	Value   struct{ _ [0]func() }
	Diags   struct{ _ [0]func() }
	Cancel  struct{ _ [0]func() }
	Call    struct{ _ [0]func() }
)

// Status is what became of a call; the numbers of hcl.h.
type Status int32

// The statuses of hcl.h.
const (
	OK          Status = C.HCL_OK
	Argument    Status = C.HCL_ERR_ARGUMENT
	Diagnosed   Status = C.HCL_ERR_DIAGNOSTICS
	Type        Status = C.HCL_ERR_TYPE
	Range       Status = C.HCL_ERR_RANGE
	NotFound    Status = C.HCL_ERR_NOT_FOUND
	Unknown     Status = C.HCL_ERR_UNKNOWN
	Unbound     Status = C.HCL_ERR_UNBOUND
	Limit       Status = C.HCL_ERR_LIMIT
	Cancelled   Status = C.HCL_ERR_CANCELLED
	Deadline    Status = C.HCL_ERR_DEADLINE
	Busy        Status = C.HCL_ERR_BUSY
	Callback    Status = C.HCL_ERR_CALLBACK
	Unsupported Status = C.HCL_ERR_UNSUPPORTED
	Internal    Status = C.HCL_ERR_INTERNAL
	Marked      Status = C.HCL_ERR_MARKED
	Memory      Status = C.HCL_ERR_MEMORY
)

// Kinds of values.
const (
	KindNull    = C.HCL_KIND_NULL
	KindBool    = C.HCL_KIND_BOOL
	KindNumber  = C.HCL_KIND_NUMBER
	KindString  = C.HCL_KIND_STRING
	KindList    = C.HCL_KIND_LIST
	KindSet     = C.HCL_KIND_SET
	KindMap     = C.HCL_KIND_MAP
	KindTuple   = C.HCL_KIND_TUPLE
	KindObject  = C.HCL_KIND_OBJECT
	KindUnknown = C.HCL_KIND_UNKNOWN
	KindInvalid = C.HCL_KIND_INVALID
)

// Flags, formats and sets of functions.
const (
	ExprTemplate = C.HCL_EXPR_TEMPLATE

	StaticCall    = C.HCL_STATIC_CALL
	StaticList    = C.HCL_STATIC_LIST
	StaticMap     = C.HCL_STATIC_MAP
	StaticKeyword = C.HCL_STATIC_KEYWORD

	FormatJSON      = C.HCL_FORMAT_JSON
	FormatTypedJSON = C.HCL_FORMAT_TYPED_JSON
	FormatConsole   = C.HCL_FORMAT_CONSOLE
	FormatCanonical = C.HCL_FORMAT_CANONICAL

	BuiltinsHCL       = C.HCL_BUILTINS_HCL
	BuiltinsTerraform = C.HCL_BUILTINS_TERRAFORM
	BuiltinsOpenTofu  = C.HCL_BUILTINS_OPENTOFU
	BuiltinsPacker    = C.HCL_BUILTINS_PACKER
	BuiltinsNomad     = C.HCL_BUILTINS_NOMAD

	ScopeRuntimeReferences = C.HCL_SCOPE_RUNTIME_REFERENCES
	ScopeLeaveUnknown      = C.HCL_SCOPE_LEAVE_UNKNOWN

	BuiltinsTerraform111 = C.HCL_BUILTINS_TERRAFORM_1_11

	RenderColor = C.HCL_RENDER_COLOR
	RenderASCII = C.HCL_RENDER_ASCII

	ParamNull     = C.HCL_PARAM_NULL
	ParamUnknown  = C.HCL_PARAM_UNKNOWN
	ParamMarked   = C.HCL_PARAM_MARKED
	ParamVariadic = C.HCL_PARAM_VARIADIC

	FunctionPure     = C.HCL_FUNCTION_PURE
	FunctionThreaded = C.HCL_FUNCTION_THREADED
)

// NoArgument is the index in CallFail when the call as a whole failed.
const NoArgument = ^uint(0)

// HeaderVersion is the version of the header that this package was compiled with.
const HeaderVersion = C.HCL_VERSION

// Compatible tells whether the loaded library fits the header.
func Compatible() bool { return bool(C.hcl_compatible(C.HCL_VERSION)) }

// VersionString is the loaded library's name and version.
func VersionString() string { return text(C.hcl_version_string()) }

// StatusName is the name of a status.
func StatusName(s Status) string { return text(C.hcl_status_name(C.int32_t(s))) }

// chars are the bytes of a Go string, for the duration of a call.
func chars(s string) (*C.char, C.size_t) {
	return (*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.size_t(len(s))
}

func bytePtr(b []byte) (*C.char, C.size_t) {
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(b))), C.size_t(len(b))
}

// text is a copy of a borrowed text.
func text(s C.hcl_str) string {
	return string(unsafe.Slice((*byte)(unsafe.Pointer(s.ptr)), int(s.len)))
}

// Made is an object that a call made, or why there is none.
type Made[T any] struct {
	Object *T
	Diags  *Diags
	Status Status
}

func made[T any](m C.hclgo_made) Made[T] {
	return Made[T]{(*T)(m.object), (*Diags)(unsafe.Pointer(m.diags)), Status(m.status)}
}

// Bytes are on the C heap until Free.
type Bytes struct {
	at     *C.char
	len    C.size_t
	Status Status
}

func takenBytes(b C.hclgo_bytes) Bytes { return Bytes{b.bytes, b.len, Status(b.status)} }

// View is the bytes themselves, valid until Free.
func (b Bytes) View() []byte { return unsafe.Slice((*byte)(unsafe.Pointer(b.at)), int(b.len)) }

// Free releases the bytes.
func (b Bytes) Free() {
	if b.at != nil {
		C.hclgo_free(unsafe.Pointer(b.at))
	}
}

// Take is a copy of the bytes, which it releases.
func (b Bytes) Take() string {
	s := string(b.View())
	b.Free()
	return s
}

func cExpr(e *Expr) *C.hcl_expr          { return (*C.hcl_expr)(unsafe.Pointer(e)) }
func cScope(s *Scope) *C.hcl_scope       { return (*C.hcl_scope)(unsafe.Pointer(s)) }
func cProgram(p *Program) *C.hcl_program { return (*C.hcl_program)(unsafe.Pointer(p)) }
func cFrame(f *Frame) *C.hcl_frame       { return (*C.hcl_frame)(unsafe.Pointer(f)) }
func cValue(v *Value) *C.hcl_value       { return (*C.hcl_value)(unsafe.Pointer(v)) }
func cDiags(d *Diags) *C.hcl_diags       { return (*C.hcl_diags)(unsafe.Pointer(d)) }
func cCall(c *Call) *C.hcl_call          { return (*C.hcl_call)(unsafe.Pointer(c)) }
func cCancel(c *Cancel) *C.hcl_cancel    { return (*C.hcl_cancel)(unsafe.Pointer(c)) }

// ExprParse parses an expression or a template.
func ExprParse(name, src string, flags uint32, o *ParseOptions) Made[Expr] {
	n, nl := chars(name)
	s, sl := chars(src)
	return made[Expr](C.hclgo_expr_parse(n, nl, s, sl, C.uint32_t(flags), o.native()))
}

// ParseOptions bound a parse; zero in a field means its default.
type ParseOptions struct {
	Flags, Depth, Diagnostics uint32
	Bytes, TimeoutNanoseconds uint64
	Cancel                    *Cancel
}

func (o *ParseOptions) native() *C.hcl_parse_opts {
	if o == nil {
		return nil
	}
	return &C.hcl_parse_opts{size: C.sizeof_hcl_parse_opts, flags: C.uint32_t(o.Flags), max_depth: C.uint32_t(o.Depth),
		max_diagnostics: C.uint32_t(o.Diagnostics), max_source_bytes: C.uint64_t(o.Bytes),
		timeout_ns: C.uint64_t(o.TimeoutNanoseconds), cancel: cCancel(o.Cancel)}
}

// ExprFree releases an expression.
func ExprFree(e *Expr) { C.hcl_expr_free(cExpr(e)) }

// ExprVariables lists the names that an expression needs.
func ExprVariables(e *Expr) Bytes { return takenBytes(C.hclgo_expr_variables(cExpr(e))) }

// ExprFunctions lists the functions that an expression calls.
func ExprFunctions(e *Expr) Bytes { return takenBytes(C.hclgo_expr_functions(cExpr(e))) }

// ExprReference takes an expression as one reference.
func ExprReference(e *Expr) Bytes { return takenBytes(C.hclgo_expr_reference(cExpr(e))) }

// ExprPlace is an expression's source text, file and place.
func ExprPlace(e *Expr) Bytes { return takenBytes(C.hclgo_expr_place(cExpr(e))) }

// ExprStatic takes an expression literally; the expressions in the bytes are owned.
func ExprStatic(e *Expr, kind uint32) Bytes {
	return takenBytes(C.hclgo_expr_static(cExpr(e), C.uint32_t(kind)))
}

// DiagsDump writes diagnostics out.
func DiagsDump(d *Diags) Bytes { return takenBytes(C.hclgo_diags_dump(cDiags(d))) }

// DiagsRender draws diagnostics.
func DiagsRender(d *Diags, flags, width, maxCount uint32) Bytes {
	return takenBytes(C.hclgo_diags_render(cDiags(d), C.uint32_t(flags), C.uint32_t(width), C.uint32_t(maxCount)))
}

// DiagsFree releases diagnostics.
func DiagsFree(d *Diags) { C.hcl_diags_free(cDiags(d)) }
