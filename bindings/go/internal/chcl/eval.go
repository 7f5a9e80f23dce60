package chcl

// #include "glue.h"
import "C"

import "unsafe"

// ScopeNew makes an open scope.
func ScopeNew(parent *Scope) Made[Scope] { return made[Scope](C.hclgo_scope_new(cScope(parent))) }

// ScopeRef is another handle to a sealed scope.
func ScopeRef(s *Scope) Made[Scope] { return made[Scope](C.hclgo_scope_ref(cScope(s))) }

// ScopeSlot declares a slot.
func ScopeSlot(s *Scope, name string) (int, Status) {
	n, nl := chars(name)
	var slot C.size_t
	status := C.hcl_scope_slot(cScope(s), n, nl, &slot)
	return int(slot), Status(status)
}

// ScopeConst gives a name a value.
func ScopeConst(s *Scope, name string, v *Value) Status {
	n, nl := chars(name)
	return Status(C.hcl_scope_const(cScope(s), n, nl, cValue(v)))
}

// ScopeBuiltins adds the functions of a product.
func ScopeBuiltins(s *Scope, set uint32) Status {
	return Status(C.hcl_scope_builtins(cScope(s), C.uint32_t(set)))
}

// ScopeDialect adds the functions of a dialect and takes its rule for names that mean nothing.
func ScopeDialect(s *Scope, name string) Status {
	n, nl := chars(name)
	return Status(C.hcl_scope_dialect(cScope(s), n, nl))
}

// DialectName is the name of a dialect, empty beyond the last.
func DialectName(index int) string { return text(C.hcl_dialect_name(C.size_t(index))) }

// ScopeFlags says what becomes of references to names that mean nothing.
func ScopeFlags(s *Scope, flags uint32) Status {
	return Status(C.hcl_scope_flags(cScope(s), C.uint32_t(flags)))
}

// ScopeSeal ends the making of a scope.
func ScopeSeal(s *Scope) Status { return Status(C.hcl_scope_seal(cScope(s))) }

// ScopeFree releases a scope; functions of Go that only it held are dropped.
func ScopeFree(s *Scope) { C.hcl_scope_free(cScope(s)) }

// FunctionParam describes a parameter of a Go function.
type FunctionParam struct {
	Name, Type string
	Flags      uint32
}

// FunctionSpec describes a Go function.
type FunctionSpec struct {
	Name, Description, Result string
	Params                    []FunctionParam
	Flags                     uint32
}

// ScopeFunction registers a Go function. `user` is dropped once, also when it fails.
func ScopeFunction(s *Scope, spec FunctionSpec, user uintptr) Status {
	var texts []byte
	var lens []C.size_t
	flags := []C.uint32_t{C.uint32_t(spec.Flags)}
	add := func(text string) {
		texts = append(texts, text...)
		lens = append(lens, C.size_t(len(text)))
	}
	add(spec.Name)
	add(spec.Description)
	add(spec.Result)
	for _, p := range spec.Params {
		add(p.Name)
		add(p.Type)
		flags = append(flags, C.uint32_t(p.Flags))
	}
	at, _ := bytePtr(texts)
	return Status(C.hclgo_scope_function(cScope(s), at, &lens[0], &flags[0], C.size_t(len(spec.Params)), C.uintptr_t(user)))
}

// ProgramCompile compiles an expression; pure functions of Go may be called.
func ProgramCompile(e *Expr, s *Scope) Made[Program] {
	return made[Program](C.hclgo_program_compile(cExpr(e), cScope(s)))
}

// ProgramNeeds lists the slots that a program reads.
func ProgramNeeds(p *Program) []int {
	needs := make([]int, int(C.hcl_program_needs_count(cProgram(p))))
	for i := range needs {
		needs[i] = int(C.hcl_program_needs_at(cProgram(p), C.size_t(i)))
	}
	return needs
}

// ProgramFree releases a program.
func ProgramFree(p *Program) { C.hcl_program_free(cProgram(p)) }

// FrameNew makes a frame.
func FrameNew(s *Scope) Made[Frame] { return made[Frame](C.hclgo_frame_new(cScope(s))) }

// FrameFill sets slots to the values of a run.
func FrameFill(f *Frame, wire []byte, slots []uintptr) Status {
	if len(slots) == 0 {
		return OK
	}
	at, n := bytePtr(wire)
	return Status(C.hclgo_frame_fill(cFrame(f), at, n, (*C.size_t)(unsafe.Pointer(&slots[0])), C.size_t(len(slots))))
}

// FrameSet sets a slot to a value; nil empties it.
func FrameSet(f *Frame, slot int, v *Value) Status {
	return Status(C.hcl_frame_set(cFrame(f), C.size_t(slot), cValue(v)))
}

// FrameSetString sets a slot to a text.
func FrameSetString(f *Frame, slot int, s string) Status {
	at, n := chars(s)
	return Status(C.hcl_frame_set_str(cFrame(f), C.size_t(slot), at, n))
}

// FrameSetInt sets a slot to a whole number.
func FrameSetInt(f *Frame, slot int, i int64) Status {
	return Status(C.hcl_frame_set_i64(cFrame(f), C.size_t(slot), C.int64_t(i)))
}

// FrameSetFloat sets a slot to a number.
func FrameSetFloat(f *Frame, slot int, x float64) Status {
	return Status(C.hcl_frame_set_f64(cFrame(f), C.size_t(slot), C.double(x)))
}

// FrameSetBool sets a slot to a bool.
func FrameSetBool(f *Frame, slot int, b bool) Status {
	return Status(C.hcl_frame_set_bool(cFrame(f), C.size_t(slot), C.bool(b)))
}

// FrameReset empties all slots.
func FrameReset(f *Frame) Status { return Status(C.hcl_frame_reset(cFrame(f))) }

// Limits are those of a frame, zero for a default.
type Limits struct {
	Depth                      uint32
	Steps, Elements, Output    uint64
	Memory, TimeoutNanoseconds uint64
}

// FrameLimits sets limits.
func FrameLimits(f *Frame, l Limits) Status {
	return Status(C.hclgo_frame_limits(cFrame(f), C.uint32_t(l.Depth), C.uint64_t(l.Steps), C.uint64_t(l.Elements),
		C.uint64_t(l.Output), C.uint64_t(l.Memory), C.uint64_t(l.TimeoutNanoseconds)))
}

// FrameUsed tells what the last evaluation used.
func FrameUsed(f *Frame) (Limits, Status) {
	var used C.hcl_limits
	status := C.hclgo_frame_used(cFrame(f), &used)
	return Limits{Depth: uint32(used.max_depth), Steps: uint64(used.max_steps), Elements: uint64(used.max_elements),
		Output: uint64(used.max_output_bytes), Memory: uint64(used.max_memory)}, Status(status)
}

// FrameSetCancel gives a frame its switch.
func FrameSetCancel(f *Frame, c *Cancel) Status {
	return Status(C.hcl_frame_set_cancel(cFrame(f), cCancel(c)))
}

// FrameResolver lets OnLookup answer for slots that are empty.
func FrameResolver(f *Frame, user uintptr) Status {
	return Status(C.hclgo_frame_resolver(cFrame(f), C.uintptr_t(user)))
}

// FrameFree releases a frame.
func FrameFree(f *Frame) { C.hcl_frame_free(cFrame(f)) }

// CancelNew makes a switch.
func CancelNew() Made[Cancel] { return made[Cancel](C.hclgo_cancel_new()) }

// CancelTrigger throws a switch.
func CancelTrigger(c *Cancel) { C.hcl_cancel_trigger(cCancel(c)) }

// CancelFree releases a switch.
func CancelFree(c *Cancel) { C.hcl_cancel_free(cCancel(c)) }

// Eval evaluates a program.
func Eval(p *Program, f *Frame, env uintptr) Made[Value] {
	return made[Value](C.hclgo_eval(cProgram(p), cFrame(f), C.uintptr_t(env)))
}

// ExprEval evaluates an expression once.
func ExprEval(e *Expr, f *Frame, env uintptr) Made[Value] {
	return made[Value](C.hclgo_expr_eval(cExpr(e), cFrame(f), C.uintptr_t(env)))
}

// EvalBool evaluates a program to a bool.
func EvalBool(p *Program, f *Frame, env uintptr) (bool, Status, *Diags) {
	s := C.hclgo_eval_bool(cProgram(p), cFrame(f), C.uintptr_t(env))
	return bool(s.truth), Status(s.status), (*Diags)(unsafe.Pointer(s.diags))
}

// EvalInt evaluates a program to a whole number.
func EvalInt(p *Program, f *Frame, env uintptr) (int64, Status, *Diags) {
	s := C.hclgo_eval_i64(cProgram(p), cFrame(f), C.uintptr_t(env))
	return int64(s.integer), Status(s.status), (*Diags)(unsafe.Pointer(s.diags))
}

// EvalFloat evaluates a program to the nearest double.
func EvalFloat(p *Program, f *Frame, env uintptr) (float64, Status, *Diags) {
	s := C.hclgo_eval_f64(cProgram(p), cFrame(f), C.uintptr_t(env))
	return float64(s.real), Status(s.status), (*Diags)(unsafe.Pointer(s.diags))
}

// EvalString evaluates a program to a text, which is copied out of the frame.
func EvalString(p *Program, f *Frame, env uintptr) (string, Status, *Diags) {
	s := C.hclgo_eval_str(cProgram(p), cFrame(f), C.uintptr_t(env))
	if Status(s.status) != OK {
		return "", Status(s.status), (*Diags)(unsafe.Pointer(s.diags))
	}
	return text(s.text), OK, (*Diags)(unsafe.Pointer(s.diags))
}

// EvalRows evaluates a program once for each row. Rows may call back, so the run of bytes is on the Go heap.
func EvalRows(p *Program, f *Frame, env uintptr, wire []byte, slots []uintptr, rows int) (Bytes, *Diags) {
	at, n := bytePtr(wire)
	r := C.hclgo_eval_rows(cProgram(p), cFrame(f), C.uintptr_t(env), at, n,
		(*C.size_t)(unsafe.Pointer(unsafe.SliceData(slots))), C.size_t(len(slots)), C.size_t(rows))
	return Bytes{r.bytes, r.len, Status(r.status)}, (*Diags)(unsafe.Pointer(r.diags))
}
