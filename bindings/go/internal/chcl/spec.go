package chcl

/*
#include "glue.h"

#cgo noescape hclgo_spec_parse
#cgo nocallback hclgo_spec_parse
#cgo nocallback hclgo_spec_type
#cgo nocallback hcl_spec_free
#cgo noescape hclgo_body_expand
#cgo nocallback hclgo_body_expand
#cgo noescape hclgo_format
#cgo nocallback hclgo_format
#cgo nocallback hclgo_buf_take
#cgo nocallback hclgo_file_to_native
*/
import "C"

import "unsafe"

// Spec is a specification.
type Spec struct{ _ [0]func() }

// Buf is bytes of the library.
type Buf struct{ _ [0]func() }

// Styles of formatting.
const (
	StyleHCL       = C.HCL_STYLE_HCL
	StyleTerraform = C.HCL_STYLE_TERRAFORM
)

func cSpec(s *Spec) *C.hcl_spec { return (*C.hcl_spec)(unsafe.Pointer(s)) }

// SpecParse reads a specification.
func SpecParse(name string, src []byte, o *ParseOptions) Made[Spec] {
	n, nl := chars(name)
	s, sl := bytePtr(src)
	return made[Spec](C.hclgo_spec_parse(n, nl, s, sl, o.native()))
}

// SpecFree releases a specification.
func SpecFree(s *Spec) { C.hcl_spec_free(cSpec(s)) }

// SpecType is the type of what a specification gives.
func SpecType(s *Spec) Bytes { return takenBytes(C.hclgo_spec_type(cSpec(s))) }

// SpecDecode decodes a body.
func SpecDecode(s *Spec, b *Body, f *Frame, env uintptr) Made[Value] {
	return made[Value](C.hclgo_spec_decode(cSpec(s), cBody(b), cFrame(f), C.uintptr_t(env)))
}

// BodyExpand lets dynamic blocks be expanded.
func BodyExpand(b *Body, s *Scope, only []string) Made[Body] {
	var texts []byte
	lens := make([]C.size_t, 0, len(only)+1)
	for _, one := range only {
		texts = append(texts, one...)
		lens = append(lens, C.size_t(len(one)))
	}
	at, _ := bytePtr(texts)
	return made[Body](C.hclgo_body_expand(cBody(b), cScope(s), at, unsafe.SliceData(lens), C.size_t(len(only))))
}

// Format writes native syntax in its canonical form.
func Format(name string, src []byte, style uint32, o *ParseOptions) Made[Buf] {
	n, nl := chars(name)
	s, sl := bytePtr(src)
	return made[Buf](C.hclgo_format(n, nl, s, sl, C.uint32_t(style), o.native()))
}

// FileToJSON writes a file of native syntax as JSON syntax.
func FileToJSON(f *File, frame *Frame, env uintptr) Made[Buf] {
	return made[Buf](C.hclgo_file_to_json((*C.hcl_file)(unsafe.Pointer(f)), cFrame(frame), C.uintptr_t(env)))
}

// FileToNative writes a file of JSON syntax as native syntax.
func FileToNative(f *File, s *Schema) Made[Buf] {
	return made[Buf](C.hclgo_file_to_native((*C.hcl_file)(unsafe.Pointer(f)), (*C.hcl_schema)(unsafe.Pointer(s))))
}

// BufTake is the bytes of a buffer, which it releases.
func BufTake(b *Buf) Bytes { return takenBytes(C.hclgo_buf_take((*C.hcl_buf)(unsafe.Pointer(b)))) }

// DecodedRange is where a part of a decoded value comes from: the name of a file, and the range. The path is copied, as
// Go may be called back.
func DecodedRange(s *Spec, b *Body, f *Frame, path string, part uint32, env uintptr) Bytes {
	text := C.CString(path)
	defer C.hclgo_free(unsafe.Pointer(text))
	return takenBytes(C.hclgo_decoded_range(cSpec(s), cBody(b), cFrame(f), text, C.size_t(len(path)), C.uint32_t(part), C.uintptr_t(env)))
}
