package chcl

// #include "glue.h"
import "C"

import "unsafe"

// Flags of EvalArrow.
const (
	ArrowFirstErrorEnds = uint32(C.HCL_ARROW_FIRST_ERROR_ENDS)
	ArrowTimesAsNumbers = uint32(C.HCL_ARROW_TIMES_AS_NUMBERS)
)

// EvalArrow evaluates a program once for each row of a table, and writes the results. Rows may call back.
func EvalArrow(p *Program, f *Frame, env uintptr, array, schema unsafe.Pointer, flags uint32, format string, outArray, outSchema unsafe.Pointer) (failed uint64, status Status, diags *Diags) {
	text, n := chars(format)
	r := C.hclgo_eval_arrow(cProgram(p), cFrame(f), C.uintptr_t(env), (*C.struct_ArrowArray)(array), (*C.struct_ArrowSchema)(schema),
		C.uint32_t(flags), text, n, (*C.struct_ArrowArray)(outArray), (*C.struct_ArrowSchema)(outSchema))
	return uint64(r.failed), Status(r.status), (*Diags)(unsafe.Pointer(r.diags))
}

// ArrowRelease releases what the structs hold.
func ArrowRelease(array, schema unsafe.Pointer) {
	C.hclgo_arrow_release((*C.struct_ArrowArray)(array), (*C.struct_ArrowSchema)(schema))
}
