package hcl

import (
	"runtime"
	"sync/atomic"
)

// handle owns one object of the library and frees it once: when Close was called and no call uses it any more, or
// when the garbage collector finds that nobody has the handle.
//
// It holds nothing but the C pointer, so nothing that an object refers to can keep it alive.
type handle[T any] struct {
	object  *T
	free    func(*T)
	cleanup runtime.Cleanup
	closed  atomic.Bool
	freed   atomic.Bool
	lanes   []lane
	first   [1]lane
}

// lane counts calls in progress, on a cache line of its own where there are several.
type lane struct {
	calls atomic.Int64
	_     [56]byte
}

// manyLanes is for what many goroutines use at the same time: they should not meet on one counter. A power of two.
const manyLanes = 16

// live is how many objects of the library are held.
var live atomic.Int64

// Live tells how many objects of the library the program holds: values, programs, scopes, frames and so on. It is
// meant for tests that look for leaks.
func Live() int { return int(live.Load()) }

func newHandle[T any](object *T, free func(*T)) *handle[T] {
	live.Add(1)
	h := &handle[T]{object: object, free: free}
	h.lanes = h.first[:]
	h.cleanup = runtime.AddCleanup(h, func(object *T) { releaseObject(object, free) }, object)
	return h
}

// newSharedHandle is newHandle for objects that many goroutines use at once.
func newSharedHandle[T any](object *T, free func(*T)) *handle[T] {
	h := newHandle(object, free)
	h.lanes = make([]lane, manyLanes)
	return h
}

// lendHandle is a handle of something borrowed: closing it only ends the loan.
func lendHandle[T any](object *T) *handle[T] {
	h := &handle[T]{object: object}
	h.lanes = h.first[:]
	return h
}

// acquire begins a call that uses the object. After it succeeded, release must follow; that also keeps the handle
// reachable until then.
func (h *handle[T]) acquire() (*T, error) { return h.acquireIn(0) }

func (h *handle[T]) release() { h.releaseIn(0) }

func (h *handle[T]) lane(number uint32) *lane { return &h.lanes[int(number)&(len(h.lanes)-1)] }

func (h *handle[T]) acquireIn(number uint32) (*T, error) {
	if h == nil {
		return nil, ErrClosed
	}
	h.lane(number).calls.Add(1)
	if h.closed.Load() {
		h.releaseIn(number)
		return nil, ErrClosed
	}
	return h.object, nil
}

func (h *handle[T]) releaseIn(number uint32) {
	if h.lane(number).calls.Add(-1) == 0 && h.closed.Load() {
		h.freeUnused()
	}
}

// close ends the handle: calls that are in progress finish, later ones fail.
func (h *handle[T]) close() {
	if h != nil && !h.closed.Swap(true) {
		h.freeUnused()
	}
}

// freeUnused frees a closed object if no call uses it. A lane that is empty after closing stays without users, for
// a caller that enters later sees that the handle is closed; so one look at each lane is enough.
func (h *handle[T]) freeUnused() {
	for i := range h.lanes {
		if h.lanes[i].calls.Load() != 0 {
			return
		}
	}
	if h.freed.CompareAndSwap(false, true) && h.free != nil {
		h.cleanup.Stop()
		releaseObject(h.object, h.free)
	}
}

// releaseObject frees an object of the library, and what of Go went with it or with others before.
func releaseObject[T any](object *T, free func(*T)) {
	free(object)
	live.Add(-1)
	dropReleased()
}
