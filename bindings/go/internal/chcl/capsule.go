package chcl

/*
#include "glue.h"

#cgo noescape hclgo_type_capsule
#cgo nocallback hclgo_type_capsule
#cgo nocallback hcl_type_free
#cgo nocallback hclgo_value_capsule
#cgo nocallback hclgo_value_as_capsule
#cgo nocallback hclgo_take_released
*/
import "C"

import (
	"sync/atomic"
	"unsafe"
)

// TypeHandle is a type of capsules; other types are texts here.
type TypeHandle struct{ _ [0]func() }

// TypeCapsule makes a type of capsules.
func TypeCapsule(name string) Made[TypeHandle] {
	n, nl := chars(name)
	return made[TypeHandle](C.hclgo_type_capsule(n, nl))
}

// TypeFree releases a type.
func TypeFree(t *TypeHandle) { C.hcl_type_free((*C.hcl_type)(unsafe.Pointer(t))) }

// ValueCapsule makes a value of what TakeReleased gives once it has gone, also when it fails.
func ValueCapsule(t *TypeHandle, user uintptr) Made[Value] {
	return made[Value](C.hclgo_value_capsule((*C.hcl_type)(unsafe.Pointer(t)), C.uintptr_t(user)))
}

// ValueAsCapsule is what ValueCapsule was given.
func ValueAsCapsule(v *Value, t *TypeHandle) (uintptr, Status) {
	taken := C.hclgo_value_as_capsule(cValue(v), (*C.hcl_type)(unsafe.Pointer(t)))
	return uintptr(taken.user), Status(taken.status)
}

// TakeReleased gives an object that went with its last value, each once; 0 for none. It is cheap if there is none.
func TakeReleased() uintptr {
	if atomic.LoadInt64((*int64)(unsafe.Pointer(&C.hclgo_released_count))) == 0 {
		return 0
	}
	return uintptr(C.hclgo_take_released())
}
