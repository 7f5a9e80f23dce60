package hcl

import (
	"fmt"
	"runtime/cgo"

	"libhcl.dev/go/internal/chcl"
)

// CapsuleType is a type of values that hold values of Go which HCL passes around unseen. It is equal to itself only: make
// it once, and keep it. Expressions pass such a value on, == tells whether it is the same one, and it converts to no other type.
type CapsuleType[T any] struct {
	h    *handle[chcl.TypeHandle]
	name string
}

// NewCapsuleType makes a type, called name in messages.
func NewCapsuleType[T any](name string) (*CapsuleType[T], error) {
	m := chcl.TypeCapsule(name)
	if m.Status != chcl.OK {
		return nil, valueErrorf(Status(m.Status), "%q is no name of a type", name)
	}
	return &CapsuleType[T]{newHandle(m.Object, chcl.TypeFree), name}, nil
}

// Close releases the type; values of it stay what they are.
func (t *CapsuleType[T]) Close() error {
	t.h.close()
	return nil
}

// dropReleased lets go of the values of Go whose last capsule has gone.
func dropReleased() {
	for user := chcl.TakeReleased(); user != 0; user = chcl.TakeReleased() {
		cgo.Handle(user).Delete()
	}
}

// Wrap makes a value that holds v until the last value, frame or scope that has it is closed; v is let go when something of the
// library is closed after that. What v refers to must not lead to that value, or the collector finds neither.
func (t *CapsuleType[T]) Wrap(v T) (Value, error) {
	object, err := t.h.acquire()
	if err != nil {
		return Value{}, err
	}
	defer t.h.release()
	m := chcl.ValueCapsule(object, uintptr(cgo.NewHandle(v)))
	dropReleased()
	if m.Status != chcl.OK {
		return Value{}, Status(m.Status)
	}
	return newValue(m.Object), nil
}

// Unwrap gives what Wrap put in. ErrType says that the value is of another type.
func (t *CapsuleType[T]) Unwrap(value Value) (T, error) {
	var none T
	object, err := t.h.acquire()
	if err != nil {
		return none, err
	}
	defer t.h.release()
	held, err := value.acquire()
	if err != nil {
		return none, err
	}
	defer value.h.release()
	user, status := chcl.ValueAsCapsule(held, object)
	if status != chcl.OK {
		return none, fmt.Errorf("%w: it is no %s", Status(status), t.name)
	}
	return cgo.Handle(user).Value().(T), nil
}
