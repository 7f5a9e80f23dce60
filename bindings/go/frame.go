package hcl

import (
	"context"
	"reflect"
	"runtime/cgo"
	"strings"
	"sync/atomic"
	"time"
	"weak"

	"libhcl.dev/go/internal/chcl"
)

var now = time.Now

// Limits bound an evaluation; a zero field means the library's default, which is finite for all but Timeout.
type Limits struct {
	Depth       uint32        // how deep expressions, templates and values nest
	Steps       uint64        // how many steps are taken, counted the same on every machine
	Elements    uint64        // how many elements of collections are made
	OutputBytes uint64        // how many bytes of text are made
	Memory      uint64        // how many bytes the values take that are made, added up
	Timeout     time.Duration // how long it takes
}

func (l Limits) native() chcl.Limits {
	return chcl.Limits{Depth: l.Depth, Steps: l.Steps, Elements: l.Elements, Output: l.OutputBytes, Memory: l.Memory,
		TimeoutNanoseconds: uint64(max(0, l.Timeout))}
}

// Frame holds values of a scope's variables from one evaluation to the next, so that only what changes is set. It is
// for one goroutine at a time; an evaluation on a frame that is in use fails with [ErrBusy].
type Frame struct {
	h       *handle[chcl.Frame]
	scope   *Scope
	limits  chcl.Limits // that it should have
	applied chcl.Limits // that it has
	cancel  *handle[chcl.Cancel]
	env     *env
	number  cgo.Handle // of env
	busy    atomic.Bool
	lane    uint32
	encoder encoder
	slots   []uintptr
}

// env is what callbacks know of the evaluation that they run in. C holds its number, so it refers to nothing that
// belongs to C.
type env struct {
	ctx      context.Context
	causes   []error
	resolver weak.Pointer[Resolver]
}

var lanes atomic.Uint32

// NewFrame makes a frame without values.
func (s *Scope) NewFrame() (*Frame, error) {
	scope, err := s.h.acquire()
	if err != nil {
		return nil, err
	}
	defer s.h.release()
	m := chcl.FrameNew(scope)
	if m.Status != chcl.OK {
		return nil, Status(m.Status)
	}
	f := &Frame{scope: s, lane: lanes.Add(1), limits: s.limits.native()}
	free := chcl.FrameFree
	if len(s.functions) > 0 || s.resolver != nil || s.host != nil {
		f.env = &env{resolver: weak.Make(s.resolver)}
		number := cgo.NewHandle(f.env)
		f.number = number
		free = func(frame *chcl.Frame) {
			chcl.FrameFree(frame)
			number.Delete()
		}
	}
	f.h = newHandle(m.Object, free)
	if s.host != nil {
		if err := s.host.giveTo(m.Object); err != nil {
			f.Close()
			return nil, err
		}
	}
	if s.resolver != nil {
		if status := chcl.FrameResolver(m.Object, uintptr(f.number)); status != chcl.OK {
			f.Close()
			return nil, Status(status)
		}
	}
	return f, nil
}

// Close releases the frame and its values.
func (f *Frame) Close() error {
	f.h.close()
	f.cancel.close()
	return nil
}

// SetLimits bounds later evaluations.
func (f *Frame) SetLimits(limits Limits) { f.limits = limits.native() }

// Slot is the number of a variable, for setting it often; -1 if the scope has no such variable.
func (s *Scope) Slot(name string) int {
	for slot, known := range s.slots {
		if known == name {
			return slot
		}
	}
	return -1
}

// set calls a function that changes the frame.
func (f *Frame) set(change func(*chcl.Frame) chcl.Status) error {
	frame, err := f.h.acquire()
	if err != nil {
		return err
	}
	defer f.h.release()
	return asError(change(frame))
}

// Set gives a variable a value, as [ValueOf] makes it.
func (f *Frame) Set(name string, value any) error {
	slot := f.scope.Slot(name)
	if slot < 0 {
		return valueErrorf(ErrNotFound, "the scope has no variable %q", name)
	}
	return f.SetSlot(slot, value)
}

// SetSlot gives the variable of a number a value.
func (f *Frame) SetSlot(slot int, value any) error {
	switch value := value.(type) {
	case bool:
		return f.set(func(frame *chcl.Frame) chcl.Status { return chcl.FrameSetBool(frame, slot, value) })
	case int:
		return f.SetInt(slot, int64(value))
	case int64:
		return f.SetInt(slot, value)
	case string:
		return f.SetString(slot, value)
	}
	var e encoder
	defer e.done()
	if err := e.value(value); err != nil {
		return err
	}
	return f.set(func(frame *chcl.Frame) chcl.Status { return chcl.FrameFill(frame, e.wire, []uintptr{uintptr(slot)}) })
}

// SetInt gives the variable of a number a whole number.
func (f *Frame) SetInt(slot int, i int64) error {
	return f.set(func(frame *chcl.Frame) chcl.Status { return chcl.FrameSetInt(frame, slot, i) })
}

// SetFloat gives the variable of a number a number.
func (f *Frame) SetFloat(slot int, x float64) error {
	return f.set(func(frame *chcl.Frame) chcl.Status { return chcl.FrameSetFloat(frame, slot, x) })
}

// SetString gives the variable of a number a text.
func (f *Frame) SetString(slot int, s string) error {
	return f.set(func(frame *chcl.Frame) chcl.Status { return chcl.FrameSetString(frame, slot, s) })
}

// Reset takes all values away.
func (f *Frame) Reset() error { return f.set(chcl.FrameReset) }

// Used tells how much the last evaluation needed.
func (f *Frame) Used() (Limits, error) {
	frame, err := f.h.acquire()
	if err != nil {
		return Limits{}, err
	}
	defer f.h.release()
	used, status := chcl.FrameUsed(frame)
	return Limits{Depth: used.Depth, Steps: used.Steps, Elements: used.Elements, OutputBytes: used.Output, Memory: used.Memory}, asError(status)
}

// fill sets what a program needs. What the variables lack stays empty; the evaluation says so.
func (f *Frame) fill(needs []need, variables any) error {
	if len(needs) == 0 {
		return nil
	}
	look, err := lookup(variables)
	if err != nil {
		return err
	}
	e := &f.encoder
	defer e.reset()
	for _, n := range needs {
		value, ok := look(n.name)
		if !ok {
			continue
		}
		if err := e.value(value); err != nil {
			return atStep("."+n.name, err)
		}
		f.slots = append(f.slots, uintptr(n.slot))
	}
	return asError(chcl.FrameFill(f.h.object, e.wire, f.slots))
}

// lookup finds variables by name in what an evaluation was given.
func lookup(variables any) (func(string) (any, bool), error) {
	switch variables := variables.(type) {
	case nil:
		return func(string) (any, bool) { return nil, false }, nil
	case map[string]any:
		return func(name string) (any, bool) {
			value, ok := variables[name]
			return value, ok
		}, nil
	case map[string]Value:
		return func(name string) (any, bool) {
			value, ok := variables[name]
			return value, ok
		}, nil
	}
	v := reflect.ValueOf(variables)
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch {
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
		return func(name string) (any, bool) {
			found := v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key()))
			if !found.IsValid() {
				return nil, false
			}
			return found.Interface(), true
		}, nil
	case v.Kind() == reflect.Struct:
		return func(name string) (any, bool) {
			for _, f := range valueFields(v.Type()) {
				if found := f.of(v); f.name == name && found.IsValid() {
					return found.Interface(), true
				}
			}
			return nil, false
		}, nil
	}
	return nil, valueErrorf(ErrArgument, "variables are a map with string keys, a struct or a *Frame, not a %T", variables)
}

// call is one evaluation in C.
type call func(program *chcl.Program, frame *chcl.Frame, env uintptr) (chcl.Status, *chcl.Diags)

// evaluate runs one evaluation: it holds program and frame, lets the context stop it, and makes an error of what went
// wrong.
func (f *Frame) evaluate(ctx context.Context, p *Program, body call) error {
	program, err := p.h.acquireIn(f.lane)
	if err != nil {
		return err
	}
	defer p.h.releaseIn(f.lane)
	return f.run(ctx, program, body)
}

// run is evaluate for what needs no program.
func (f *Frame) run(ctx context.Context, program *chcl.Program, body call) error {
	if f == nil {
		return without(ctx, body)
	}
	frame, err := f.begin()
	if err != nil {
		return err
	}
	defer f.end()
	var stop func() bool
	if ctx.Done() != nil || f.applied != f.limits {
		if stop, err = f.watch(ctx, frame); err != nil {
			return err
		}
	}
	var number uintptr
	if f.env != nil {
		f.env.ctx = ctx
		number = uintptr(f.number)
	}
	status, diags := body(program, frame, number)
	if stop != nil {
		f.unwatch(stop)
	}
	if status == chcl.OK && diags == nil && f.env == nil {
		return nil
	}
	return f.outcome(ctx, status, diags)
}

// without is run for what may go without a frame: nothing can be referred to then, and the default limits hold.
func without(ctx context.Context, body call) error {
	if err := ended(ctx); err != nil {
		return err
	}
	status, diags := body(nil, nil, 0)
	if status == chcl.OK {
		dropDiags(diags)
		return nil
	}
	return failure(ctx, status, diags, nil)
}

// begin takes the frame; end gives it back.
func (f *Frame) begin() (*chcl.Frame, error) {
	if !f.busy.CompareAndSwap(false, true) {
		return nil, ErrBusy
	}
	frame, err := f.h.acquire()
	if err != nil {
		f.busy.Store(false)
	}
	return frame, err
}

func (f *Frame) end() {
	f.h.release()
	f.busy.Store(false)
}

// outcome is the error of an evaluation that has ended, if it is one.
func (f *Frame) outcome(ctx context.Context, status chcl.Status, diags *chcl.Diags) error {
	var causes []error
	if f.env != nil {
		causes = f.env.causes
		f.env.ctx, f.env.causes = nil, nil
	}
	if status == chcl.OK {
		dropDiags(diags)
		return nil
	}
	causes = exceeded(causes, status, f.applied.TimeoutNanoseconds, f.limits.TimeoutNanoseconds)
	return failure(ctx, status, diags, causes)
}

// watch lets a context stop the evaluation that follows. The deadline goes to the library, which looks at the clock
// itself; cancelling throws the frame's switch.
func (f *Frame) watch(ctx context.Context, frame *chcl.Frame) (stop func() bool, err error) {
	limits := f.limits
	if ctx.Done() == nil {
		return nil, f.apply(frame, limits)
	}
	if err := ended(ctx); err != nil {
		return nil, err
	}
	if deadline, ok := ctx.Deadline(); ok {
		left := uint64(max(1, deadline.Sub(now())))
		if limits.TimeoutNanoseconds == 0 || left < limits.TimeoutNanoseconds {
			limits.TimeoutNanoseconds = left
		}
	}
	if err := f.apply(frame, limits); err != nil {
		return nil, err
	}
	if f.cancel == nil {
		m := chcl.CancelNew()
		if m.Status != chcl.OK {
			return nil, Status(m.Status)
		}
		f.cancel = newHandle(m.Object, chcl.CancelFree)
		chcl.FrameSetCancel(frame, m.Object)
	}
	return triggers(ctx, f.cancel), nil
}

func (f *Frame) apply(frame *chcl.Frame, limits chcl.Limits) error {
	if f.applied == limits {
		return nil
	}
	f.applied = limits
	return asError(chcl.FrameLimits(frame, limits))
}

// unwatch ends what watch began. A switch that was thrown, or is about to be, is of no more use.
func (f *Frame) unwatch(stop func() bool) {
	if !stop() {
		f.cancel.close()
		f.cancel = nil
		chcl.FrameSetCancel(f.h.object, nil)
	}
}

// String names the variables, not their values.
func (f *Frame) String() string { return "frame of " + strings.Join(f.scope.slots, ", ") }
