package chcl

/*
#include "glue.h"

#cgo noescape hclgo_file_parse
#cgo nocallback hclgo_file_parse
#cgo nocallback hcl_file_free
#cgo noescape hclgo_schema_parse
#cgo nocallback hclgo_schema_parse
#cgo nocallback hcl_schema_free
#cgo nocallback hclgo_file_body
#cgo nocallback hclgo_block_body
#cgo nocallback hclgo_body_just_attributes
#cgo nocallback hclgo_body_merge
#cgo nocallback hclgo_body_dump
#cgo nocallback hclgo_attr_expr
#cgo nocallback hcl_body_is_unknown
*/
import "C"

import "unsafe"

// Objects of the library that make up files.
type (
	Body   struct{ _ [0]func() }
	Attr   struct{ _ [0]func() }
	Block  struct{ _ [0]func() }
	Schema struct{ _ [0]func() }
)

// ParseJSON says that a file is of JSON syntax.
const ParseJSON = C.HCL_PARSE_JSON

func cBody(b *Body) *C.hcl_body { return (*C.hcl_body)(unsafe.Pointer(b)) }
func cAttr(a *Attr) *C.hcl_attr { return (*C.hcl_attr)(unsafe.Pointer(a)) }

// FileParse parses a file.
func FileParse(name string, src []byte, o *ParseOptions) Made[File] {
	n, nl := chars(name)
	s, sl := bytePtr(src)
	return made[File](C.hclgo_file_parse(n, nl, s, sl, o.native()))
}

// FileFree releases a file.
func FileFree(f *File) { C.hcl_file_free((*C.hcl_file)(unsafe.Pointer(f))) }

// FileBody is the body of a file, owned.
func FileBody(f *File) Made[Body] {
	return made[Body](C.hclgo_file_body((*C.hcl_file)(unsafe.Pointer(f))))
}

// SchemaParse reads a schema.
func SchemaParse(name, text string, o *ParseOptions) Made[Schema] {
	n, nl := chars(name)
	t, tl := chars(text)
	return made[Schema](C.hclgo_schema_parse(n, nl, t, tl, o.native()))
}

// SchemaFree releases a schema.
func SchemaFree(s *Schema) { C.hcl_schema_free((*C.hcl_schema)(unsafe.Pointer(s))) }

// BlockBody is the body of a block, owned.
func BlockBody(b *Block) Made[Body] {
	return made[Body](C.hclgo_block_body((*C.hcl_block)(unsafe.Pointer(b))))
}

// BodyFree releases a body; it may hold a scope, and so functions of Go.
func BodyFree(b *Body) { C.hcl_body_free(cBody(b)) }

// BodyIsUnknown tells whether a body stands for blocks that are not known.
func BodyIsUnknown(b *Body) bool { return bool(C.hcl_body_is_unknown(cBody(b))) }

// BodyJustAttributes reads a body that has no blocks.
func BodyJustAttributes(b *Body) Made[Body] {
	return made[Body](C.hclgo_body_just_attributes(cBody(b)))
}

// BodyMerge reads two bodies as one.
func BodyMerge(first, second *Body) Made[Body] {
	return made[Body](C.hclgo_body_merge(cBody(first), cBody(second)))
}

// Content is what a schema found in a body.
type Content struct {
	Content, Rest *Body
	Diags         *Diags
	Status        Status
}

// BodyContent reads a body by schema; content is there also with errors.
func BodyContent(b *Body, s *Schema, partial bool, f *Frame, env uintptr) Content {
	c := C.hclgo_body_content(cBody(b), (*C.hcl_schema)(unsafe.Pointer(s)), C.bool(partial), cFrame(f), C.uintptr_t(env))
	return Content{(*Body)(unsafe.Pointer(c.content)), (*Body)(unsafe.Pointer(c.rest)), (*Diags)(unsafe.Pointer(c.diags)),
		Status(c.status)}
}

// BodyDump lists what is in a body.
func BodyDump(b *Body) Bytes { return takenBytes(C.hclgo_body_dump(cBody(b))) }

// AttrEval evaluates an attribute.
func AttrEval(a *Attr, f *Frame, env uintptr) Made[Value] {
	return made[Value](C.hclgo_attr_eval(cAttr(a), cFrame(f), C.uintptr_t(env)))
}

// AttrExpr is the expression of an attribute, owned.
func AttrExpr(a *Attr) Made[Expr] { return made[Expr](C.hclgo_attr_expr(cAttr(a))) }
