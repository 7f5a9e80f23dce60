package hcl

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/cgo"
	"runtime/debug"
	"weak"

	"libhcl.dev/go/internal/chcl"
)

// Func is a function of Go that handles values itself.
type Func struct {
	Name        string  // with :: between parts if it has several
	Description string  // one sentence
	Params      []Param // the last may be variadic
	Result      string  // the type of results as a type expression; empty for any
	// Pure says that equal arguments give equal results and nothing else happens; calls with constant arguments may
	// then be made when a program is compiled.
	Pure bool
	// Call answers a call. The arguments are lent: they end with the call, Clone keeps one. The result is a Value or
	// anything that ValueOf takes. An *Error with diagnostics, perhaps of NewDiagnostic or of another file, is reported as it
	// is; those of its diagnostics that have no place get that of the call, or of the argument of an ArgumentError. It may be
	// called by several goroutines at once. A panic is an error, a PanicError. It must not end its goroutine (runtime.Goexit,
	// which FailNow of a test calls): frames of C below wait for it, so that the whole program panics.
	Call func(ctx context.Context, arguments []Value) (any, error)
}

// Param is a parameter. Without flags null is an error, an unknown argument makes the result unknown without a call,
// and marks go from the arguments to the result.
type Param struct {
	Name         string
	Type         string // a type expression; empty for any
	AllowNull    bool
	AllowUnknown bool
	AllowMarked  bool
	Variadic     bool // takes all further arguments
}

// ArgumentError says that one argument is at fault; a function returns it so that the diagnostic points there.
type ArgumentError struct {
	Index int
	Err   error
}

func (e *ArgumentError) Error() string {
	if e.Err == nil {
		return "no reason is given"
	}
	return e.Err.Error()
}

// Unwrap gives the reason.
func (e *ArgumentError) Unwrap() error { return e.Err }

// PanicError is the reason of an evaluation's error when a function of Go panicked.
type PanicError struct {
	Function string
	Value    any
	Stack    []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("the function %s panicked: %v", e.Function, e.Value)
}

func (f Func) spec() chcl.FunctionSpec {
	spec := chcl.FunctionSpec{Name: f.Name, Description: f.Description, Result: f.Result, Flags: chcl.FunctionThreaded}
	if f.Pure {
		spec.Flags |= chcl.FunctionPure
	}
	for _, p := range f.Params {
		var flags uint32
		for flag, set := range map[uint32]bool{chcl.ParamNull: p.AllowNull, chcl.ParamUnknown: p.AllowUnknown,
			chcl.ParamMarked: p.AllowMarked, chcl.ParamVariadic: p.Variadic} {
			if set {
				flags |= flag
			}
		}
		spec.Params = append(spec.Params, chcl.FunctionParam{Name: p.Name, Type: p.Type, Flags: flags})
	}
	return spec
}

func init() {
	chcl.OnCall, chcl.OnLookup = onCall, onLookup
	chcl.OnDrop = func(user uintptr) { cgo.Handle(user).Delete() }
}

// onCall answers a call that the library makes.
func onCall(user, number uintptr, object *chcl.Call, wire []byte) chcl.Status {
	function := cgo.Handle(user).Value().(weak.Pointer[Func]).Value()
	at := &env{ctx: background}
	if number != 0 {
		at = cgo.Handle(number).Value().(*env)
	}
	if function == nil {
		return at.fail(object, ErrClosed)
	}
	call := func() error {
		arguments, loan := lend(wire)
		defer closeAll(loan)
		result, err := function.Call(at.ctx, arguments)
		if err != nil {
			return err
		}
		return giveResult(object, result)
	}
	return answering(function.Name, call, func(err error) chcl.Status { return at.fail(object, err) })
}

// fail says why a callback has no result.
func (at *env) fail(object *chcl.Call, err error) chcl.Status {
	why := err.Error()
	index := uint(chcl.NoArgument)
	var fault *ArgumentError
	if errors.As(err, &fault) && fault.Index >= 0 {
		index = uint(fault.Index)
	}
	if !diagnosed(err, func(why *chcl.Diags) chcl.Status { return chcl.CallFailWith(object, index, why) }) {
		chcl.CallFail(object, index, why)
	}
	at.causes = append(at.causes, err)
	return chcl.Callback
}

// diagnosed tells the diagnostics of an error about an input, such as that of another file or of [NewDiagnostic].
func diagnosed(err error, tell func(*chcl.Diags) chcl.Status) bool {
	var problem *Error
	if !errors.As(err, &problem) || problem.Status != ErrDiagnostics {
		return false
	}
	why, err := problem.source.acquire()
	if err != nil {
		return false
	}
	defer problem.source.release()
	return tell(why) == chcl.OK
}

// Resolver gives the value of a variable, by the name or path that it was declared under, as anything that ValueOf
// takes. ErrNotFound says that there is no such variable.
type Resolver func(ctx context.Context, name string) (any, error)

// onLookup answers for a variable that an evaluation needs and was not given.
func onLookup(number uintptr, name string, object *chcl.Call) chcl.Status {
	at := cgo.Handle(number).Value().(*env)
	resolver := at.resolver.Value()
	if resolver == nil {
		return chcl.NotFound
	}
	call := func() error {
		result, err := (*resolver)(at.ctx, name)
		if err != nil {
			return err
		}
		return giveResult(object, result)
	}
	return answering("resolver", call, func(err error) chcl.Status {
		if errors.Is(err, ErrNotFound) {
			return chcl.NotFound
		}
		return at.fail(object, err)
	})
}

// lend makes values of arguments, which end when the call does.
func lend(wire []byte) ([]Value, []*handle[chcl.Value]) {
	d := decoder{words{wire}, true}
	var arguments []Value
	var loan []*handle[chcl.Value]
	for len(d.bytes) > 0 {
		n := d.head()
		d.skip(n)
		h := lendHandle(n.value)
		loan = append(loan, h)
		arguments = append(arguments, Value{h, n.value})
	}
	return arguments, loan
}

func closeAll(loan []*handle[chcl.Value]) {
	for _, h := range loan {
		h.close()
	}
}

// answering makes a call and, if it fails, lets tell say so. An error's own methods may panic as well; then that is told.
func answering(name string, call func() error, tell func(error) chcl.Status) (status chcl.Status) {
	err := guarded(name, call)
	if err == nil {
		return chcl.OK
	}
	again := guarded(name, func() error {
		status = tell(err)
		return nil
	})
	if again != nil {
		status = tell(again)
	}
	return status
}

// guarded makes a call; a panic is an error.
func guarded(name string, call func() error) (err error) {
	hasReturned := false
	defer func() {
		if hasReturned {
			return
		}
		value := recover()
		if value == nil {
			// Nothing can stop the end of a goroutine, and the frames of C that wait below would never be left.
			panic(fmt.Sprintf("hcl: %s ended its goroutine (runtime.Goexit, FailNow of a test), which no callback may", name))
		}
		err = &PanicError{name, value, debug.Stack()}
	}()
	err = call()
	hasReturned = true
	return err
}

func giveResult(object *chcl.Call, result any) error {
	var e encoder
	defer e.done()
	if err := e.value(result); err != nil {
		return err
	}
	if status := chcl.CallReturn(object, e.wire); status != chcl.OK {
		return Status(status)
	}
	return nil
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// reflectFunc makes a function of HCL from any function of Go.
func reflectFunc(name string, function any) (Func, error) {
	made := Func{Name: name}
	v := reflect.ValueOf(function)
	if v.Kind() != reflect.Func || v.IsNil() {
		return made, valueErrorf(ErrArgument, "the function %q is a %T", name, function)
	}
	t := v.Type()
	outs := t.NumOut()
	if outs == 0 || outs > 2 || (outs == 2 && t.Out(1) != errorType) || t.Out(0) == errorType {
		return made, valueErrorf(ErrArgument, "the function %q gives neither a result nor a result and an error", name)
	}
	first := 0
	if t.NumIn() > 0 && t.In(0) == contextType {
		first = 1
	}
	for i := first; i < t.NumIn(); i++ {
		in, variadic := t.In(i), t.IsVariadic() && i == t.NumIn()-1
		if variadic {
			in = in.Elem()
		}
		nullable := in == valueType || in.Kind() == reflect.Pointer || in.Kind() == reflect.Interface
		made.Params = append(made.Params, Param{Name: fmt.Sprintf("argument%d", i-first+1), Type: known(in),
			AllowNull: nullable, Variadic: variadic})
	}
	made.Result = known(t.Out(0))
	made.Call = func(ctx context.Context, arguments []Value) (any, error) {
		return callReflected(v, first == 1, ctx, arguments)
	}
	return made, nil
}

// known is the type text of a Go type, empty for any.
func known(t reflect.Type) string {
	if text := typeText(t); text != anyType {
		return text
	}
	return ""
}

func callReflected(v reflect.Value, wantsContext bool, ctx context.Context, arguments []Value) (any, error) {
	t := v.Type()
	var in []reflect.Value
	if wantsContext {
		in = append(in, reflect.ValueOf(ctx))
	}
	for i, argument := range arguments {
		parameter := min(len(in), t.NumIn()-1)
		kind := t.In(parameter)
		if t.IsVariadic() && parameter == t.NumIn()-1 {
			kind = kind.Elem()
		}
		if kind == valueType {
			in = append(in, reflect.ValueOf(argument))
			continue
		}
		target := reflect.New(kind).Elem()
		if err := argument.decodeTo(target); err != nil {
			return nil, &ArgumentError{i, err}
		}
		in = append(in, target)
	}
	out := v.Call(in)
	if len(out) == 2 && !out[1].IsNil() {
		return nil, out[1].Interface().(error)
	}
	return out[0].Interface(), nil
}

func (v Value) decodeTo(target reflect.Value) error {
	object, err := v.acquire()
	if err != nil {
		return err
	}
	defer v.h.release()
	return decodeInto(object, target)
}
