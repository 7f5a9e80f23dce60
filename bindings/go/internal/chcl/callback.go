package chcl

// #include "glue.h"
import "C"

import "unsafe"

// OnCall answers a call of a Go function; wire holds its arguments. It returns an error text to fail with, and the
// index of the argument at fault or NoArgument.
var OnCall func(user, env uintptr, call *Call, wire []byte) Status

// OnDrop releases what ScopeFunction was given.
var OnDrop func(user uintptr)

//export hclgo_on_call
func hclgo_on_call(user, env C.uintptr_t, call *C.hcl_call, wire *C.char, n C.size_t) C.int32_t {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(wire)), int(n))
	return C.int32_t(OnCall(uintptr(user), uintptr(env), (*Call)(unsafe.Pointer(call)), bytes))
}

// OnLookup answers for a variable whose slot is empty.
var OnLookup func(user uintptr, name string, call *Call) Status

//export hclgo_on_lookup
func hclgo_on_lookup(user C.uintptr_t, name *C.char, n C.size_t, call *C.hcl_call) C.int32_t {
	return C.int32_t(OnLookup(uintptr(user), C.GoStringN(name, C.int(n)), (*Call)(unsafe.Pointer(call))))
}

//export hclgo_on_drop
func hclgo_on_drop(user C.uintptr_t) { OnDrop(uintptr(user)) }

// CallReturn sets the result of a call.
func CallReturn(c *Call, wire []byte) Status {
	at, n := bytePtr(wire)
	return Status(C.hclgo_call_return(cCall(c), at, n))
}

// CallFail says why a call failed.
func CallFail(c *Call, argument uint, why string) {
	at, n := chars(why)
	C.hcl_call_fail(cCall(c), C.size_t(argument), at, n)
}
