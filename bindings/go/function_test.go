package hcl_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	hcl "libhcl.dev/go"
)

type ctxKey struct{}

func TestGoFunctions(t *testing.T) {
	type person struct {
		Name string `hcl:"name"`
		Age  int    `hcl:"age,optional"`
	}
	scope := must(hcl.NewScope(
		hcl.WithFunction("repeat", func(s string, n int) (string, error) {
			if n < 0 {
				return "", &hcl.ArgumentError{Index: 1, Err: errors.New("must not be negative")}
			}
			return strings.Repeat(s, n), nil
		}),
		hcl.WithFunction("sum", func(all ...float64) float64 {
			total := 0.0
			for _, one := range all {
				total += one
			}
			return total
		}),
		hcl.WithFunction("who", func(ctx context.Context) string { return ctx.Value(ctxKey{}).(string) }),
		hcl.WithFunction("older", func(p person) person { p.Age++; return p }),
		hcl.WithFunction("isnull", func(s *string) bool { return s == nil }),
		hcl.WithFunction("kind", func(v hcl.Value) string { return v.Kind().String() }),
		hcl.WithFunction("keys_of", func(m map[string]any) int { return len(m) }),
		hcl.WithFunction("same", func(v any) any { return v }),
		hcl.WithVariables("x"),
	))(t)
	defer scope.Close()
	ctx := context.WithValue(ctx, ctxKey{}, "me")
	for source, want := range map[string]string{
		`repeat("ab", "2")`:                  `"abab"`,
		`sum()`:                              `0`,
		`sum(1, 2.5, "3")`:                   `6.5`,
		`who()`:                              `"me"`,
		`older({ name = "a" })`:              `{"age":1,"name":"a"}`,
		`isnull(null)`:                       `true`,
		`isnull("")`:                         `false`,
		`kind([])`:                           `"tuple"`,
		`kind(null)`:                         `"null"`,
		`keys_of({ a = 1, b = [] })`:         `2`,
		`same({ a = [1, null, "x"] })`:       `{"a":[1,null,"x"]}`,
		`[for n in [1, 2] : repeat("x", n)]`: `["x","xx"]`,
	} {
		v := must(must(scope.Compile(source))(t).Eval(ctx, nil))(t)
		if got := must(v.MarshalJSON())(t); string(got) != want {
			t.Errorf("%s = %s", source, got)
		}
	}
	secret := must(must(hcl.ValueOf("s"))(t).Mark("sensitive"))(t)
	v := must(must(scope.Compile("repeat(x, 2)"))(t).Eval(ctx, map[string]any{"x": secret}))(t)
	if !v.HasMark("sensitive") {
		t.Error("the mark of the argument is lost")
	}
	unknown := must(hcl.Unknown("string"))(t)
	v = must(must(scope.Compile("repeat(x, 2)"))(t).Eval(ctx, map[string]any{"x": unknown}))(t)
	if v.Kind() != hcl.KindUnknown || v.Type() != "string" {
		t.Errorf("%s %s", v.Kind(), v.Type())
	}
	for source, at := range map[string]string{`repeat("a", -1)`: "1,13-14", `repeat("a", [])`: "1,13-14", `repeat(null, 1)`: "1,8-12"} {
		_, err := must(scope.Compile(source))(t).Eval(ctx, nil)
		var diags hcl.Diagnostics
		if !errors.As(err, &diags) || !strings.HasSuffix(diags[0].Subject.String(), at) {
			t.Errorf("%s: %v", source, err)
		}
	}
}

func TestErrorsOfFunctionsAreFound(t *testing.T) {
	missing := errors.New("no such secret")
	p := must(hcl.Compile(`secret(name)`, hcl.WithFunction("secret", func(name string) (string, error) {
		if name == "panic" {
			panic("out of secrets")
		}
		return "", fmt.Errorf("looking up %s: %w", name, missing)
	})))(t)
	_, err := p.Eval(ctx, map[string]any{"name": "db"})
	if !errors.Is(err, missing) || !errors.Is(err, hcl.ErrDiagnostics) || !strings.Contains(err.Error(), "looking up db: no such secret") {
		t.Error(err)
	}
	_, err = p.Eval(ctx, map[string]any{"name": "panic"})
	var panicked *hcl.PanicError
	if !errors.As(err, &panicked) || panicked.Value != "out of secrets" || errors.Is(err, missing) ||
		!strings.Contains(string(panicked.Stack), "function_test.go") || !strings.Contains(err.Error(), "secret panicked: out of secrets") {
		t.Error(err)
	}
	// The program goes on as if nothing had happened.
	if _, err := p.Eval(ctx, map[string]any{"name": "db"}); !errors.Is(err, missing) || errors.As(err, &panicked) && panicked.Value == nil {
		t.Error(err)
	}
}

type unspeakable struct{}

func (unspeakable) Error() string { panic("no words") }

func TestErrorsWhoseTextsPanicAreErrors(t *testing.T) {
	var none *hcl.Error
	why := map[string]error{"text": unspeakable{}, "nil": none, "argument": &hcl.ArgumentError{Index: -5},
		"argument's": &hcl.ArgumentError{Index: 0, Err: unspeakable{}}}
	p := must(hcl.Compile(`f(name)`, hcl.WithFunction("f", func(name string) (string, error) { return "done", why[name] })))(t)
	for name := range why {
		_, err := p.Eval(ctx, map[string]any{"name": name})
		var panicked *hcl.PanicError
		if isPanic := name != "argument"; !errors.Is(err, hcl.ErrDiagnostics) || errors.As(err, &panicked) != isPanic {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The program goes on as if nothing had happened.
	if got, err := p.EvalString(ctx, map[string]any{"name": ""}); got != "done" {
		t.Error(got, err)
	}
}

func TestFunctionsMustNotEndTheirGoroutine(t *testing.T) {
	if os.Getenv("HCL_TEST_GOEXIT") != "" {
		p := must(hcl.Compile(`f()`, hcl.WithFunction("f", func() string { runtime.Goexit(); return "" })))(t)
		go func() { _, _ = p.Eval(ctx, nil) }()
		select {}
	}
	program := exec.Command(os.Args[0], "-test.run=^TestFunctionsMustNotEndTheirGoroutine$")
	program.Env = append(os.Environ(), "HCL_TEST_GOEXIT=1")
	told, err := program.CombinedOutput()
	if err == nil || !strings.Contains(string(told), "f ended its goroutine (runtime.Goexit") {
		t.Errorf("%v: %s", err, told)
	}
}

func TestFunctionsThatHandleValues(t *testing.T) {
	var kept, lent hcl.Value
	f := hcl.Func{
		Name: "ns::describe", Description: "What a value is.", Result: "string",
		Params: []hcl.Param{{Name: "value", AllowNull: true, AllowUnknown: true, AllowMarked: true}, {Name: "more", Type: "number", Variadic: true}},
		Call: func(_ context.Context, arguments []hcl.Value) (any, error) {
			lent = arguments[0]
			var err error
			kept, err = lent.Clone()
			return fmt.Sprintf("%s %v %d", arguments[0].Kind(), arguments[0].IsMarked(), len(arguments)-1), err
		},
	}
	p := must(hcl.Compile("ns::describe(x, 1, 2)", hcl.WithFunc(f)))(t)
	secret := must(must(hcl.ValueOf(5))(t).Mark("sensitive"))(t)
	if got := must(p.EvalString(ctx, map[string]any{"x": secret}))(t); got != "number true 2" {
		t.Error(got)
	}
	if _, err := lent.AsInt(); !errors.Is(err, hcl.ErrClosed) {
		t.Errorf("an argument after its call: %v", err)
	}
	if !kept.HasMark("sensitive") {
		t.Error("a clone is gone")
	}
	if got := must(p.EvalString(ctx, map[string]any{"x": must(hcl.Unknown("bool"))(t)}))(t); got != "unknown false 2" {
		t.Error(got)
	}
}

func TestPureFunctionsAreFolded(t *testing.T) {
	var calls atomic.Int32
	count := hcl.Func{Name: "count", Pure: true, Call: func(context.Context, []hcl.Value) (any, error) { return calls.Add(1), nil }}
	p := must(hcl.Compile("count() + x", hcl.WithFunc(count)))(t)
	for range 3 {
		if got := must(p.EvalInt(ctx, map[string]any{"x": 1}))(t); got != 2 {
			t.Error(got)
		}
	}
	if calls.Load() != 1 {
		t.Error(calls.Load())
	}
}

func TestFunctionsEvaluateInside(t *testing.T) {
	inner := must(hcl.Compile("who() == 1 ? n * 2 : 0", hcl.WithFunction("who", func(ctx context.Context) int { return ctx.Value(ctxKey{}).(int) })))(t)
	outer := must(hcl.Compile("double(n) + who()",
		hcl.WithFunction("double", func(ctx context.Context, n int) (int64, error) {
			return inner.EvalInt(context.WithValue(ctx, ctxKey{}, 1), map[string]any{"n": n})
		}),
		hcl.WithFunction("who", func(ctx context.Context) int { return ctx.Value(ctxKey{}).(int) })))(t)
	if got := must(outer.EvalInt(context.WithValue(ctx, ctxKey{}, 100), map[string]any{"n": 4}))(t); got != 108 {
		t.Error(got)
	}
}

func TestAFrameInUseIsBusy(t *testing.T) {
	var frame *hcl.Frame
	var program *hcl.Program
	scope := must(hcl.NewScope(hcl.WithFunction("again", func(ctx context.Context) (hcl.Value, error) { return program.Eval(ctx, frame) })))(t)
	program = must(scope.Compile("again()"))(t)
	frame = must(scope.NewFrame())(t)
	if _, err := program.Eval(ctx, frame); !errors.Is(err, hcl.ErrBusy) {
		t.Error(err)
	}
}

func TestFunctionsThatAreNone(t *testing.T) {
	for _, function := range []any{nil, 5, func() {}, func() error { return nil }, func() (int, int) { return 1, 2 }} {
		if _, err := hcl.Compile("f()", hcl.WithFunction("f", function)); !errors.Is(err, hcl.ErrArgument) {
			t.Errorf("%T: %v", function, err)
		}
	}
	if _, err := hcl.Compile("f()", hcl.WithFunc(hcl.Func{Name: "f", Result: "nonsense(", Call: func(context.Context, []hcl.Value) (any, error) { return nil, nil }})); !errors.Is(err, hcl.ErrType) {
		t.Error(err)
	}
	p := must(hcl.Compile("f()", hcl.WithFunction("f", func() any { return make(chan int) })))(t)
	if _, err := p.Eval(ctx, nil); err == nil || !strings.Contains(err.Error(), "a chan int has no HCL value") {
		t.Error(err)
	}
}

func TestRows(t *testing.T) {
	p := must(hcl.Compile(`level > limit ? "${path}!" : null`))(t)
	cells := must(p.EvalRows(ctx, map[string]any{"limit": 3}, hcl.Columns{"level": []int{1, 5, 4}, "path": []string{"/a", "/b\x00", ""}, "unused": []bool{true, false, true}}))(t)
	if cells[0].Kind() != hcl.KindNull || cells[1].Text() != "/b\x00!" || cells[2].Text() != "!" {
		t.Errorf("%+v", cells)
	}
	mixed := must(hcl.Compile(`x`))(t)
	in := []any{1, -2.5, "s", true, nil, []int{1}, uint64(1 << 63), must(must(hcl.ValueOf("k"))(t).Mark("sensitive"))(t)}
	cells = must(mixed.EvalRows(ctx, nil, hcl.Columns{"x": in}))(t)
	kinds := []hcl.Kind{hcl.KindNumber, hcl.KindNumber, hcl.KindString, hcl.KindBool, hcl.KindNull, hcl.KindList, hcl.KindNumber, hcl.KindString}
	for i, cell := range cells {
		if cell.Kind() != kinds[i] || cell.Err != nil {
			t.Errorf("%v: %+v", in[i], cell)
		}
	}
	if i, ok := cells[0].Int(); !ok || i != 1 || !cells[3].Bool() || !cells[7].Value().HasMark("sensitive") {
		t.Errorf("%+v", cells)
	}
	if x, ok := cells[1].Float(); !ok || x != -2.5 {
		t.Error(x)
	}
	if got := must(cells[5].Any())(t); !reflect.DeepEqual(got, []any{int64(1)}) {
		t.Error(got)
	}
	half := must(hcl.Compile(`1 / x + f(x)`, hcl.WithFunction("f", func(ctx context.Context, x float64) float64 { return x + ctx.Value(ctxKey{}).(float64) })))(t)
	cells = must(half.EvalRows(context.WithValue(ctx, ctxKey{}, 1.0), nil, hcl.Columns{"x": []any{2, "none", 4.0}}))(t)
	var diags hcl.Diagnostics
	if x, _ := cells[0].Float(); x != 3.5 || cells[2].Err != nil || !errors.As(cells[1].Err, &diags) || len(diags) != 2 {
		t.Errorf("%+v", cells)
	}
	if cells := must(p.EvalRows(ctx, map[string]any{"limit": 1}, hcl.Columns{"level": []int{}, "path": []string{}}))(t); len(cells) != 0 {
		t.Error(cells)
	}
	for _, columns := range []hcl.Columns{{"level": 1}, {"level": []int{1}, "path": []string{}}} {
		if _, err := p.EvalRows(ctx, map[string]any{"limit": 1}, columns); !errors.Is(err, hcl.ErrArgument) {
			t.Errorf("%v: %v", columns, err)
		}
	}
	if _, err := p.EvalRows(ctx, map[string]any{"limit": 1}, hcl.Columns{"level": []any{1, make(chan int)}, "path": []string{"", ""}}); err == nil || !strings.Contains(err.Error(), "level[1]") {
		t.Error(err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := mixed.EvalRows(cancelled, nil, hcl.Columns{"x": in}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestOneProgramOnManyGoroutines(t *testing.T) {
	p := must(hcl.Compile(`twice(n) + length(list)`, hcl.WithBuiltins(hcl.FunctionsTerraform), hcl.WithConstant("list", []int{1, 2, 3}),
		hcl.WithFunction("twice", func(ctx context.Context, n int) int { return 2 * n })))(t)
	var group sync.WaitGroup
	for g := range 24 {
		group.Add(1)
		go func() {
			defer group.Done()
			mine, cancel := context.WithCancel(ctx)
			defer cancel()
			for i := range 200 {
				n := g*1000 + i
				if got, err := p.EvalInt(mine, map[string]any{"n": n}); err != nil || got != int64(2*n+3) {
					t.Errorf("%d: %d %v", n, got, err)
					return
				}
			}
		}()
	}
	group.Wait()
}

func TestVariablesAreLookedUpWhenNeeded(t *testing.T) {
	var asked []string
	broken := errors.New("the inventory is down")
	p := must(hcl.Compile(`a ? b + b : c`, hcl.WithResolver(func(ctx context.Context, name string) (any, error) {
		asked = append(asked, name)
		switch name {
		case "a":
			return ctx.Value(ctxKey{}), nil
		case "b":
			return 21, nil
		}
		return nil, broken
	})))(t)
	if got := must(p.EvalInt(context.WithValue(ctx, ctxKey{}, true), nil))(t); got != 42 || !reflect.DeepEqual(slices.Sorted(slices.Values(asked)), []string{"a", "b", "c"}) {
		t.Error(got, asked)
	}
	if got := must(p.EvalInt(ctx, map[string]any{"a": true, "b": 1}))(t); got != 2 || !reflect.DeepEqual(asked[3:], []string{"c"}) {
		t.Error(got, asked)
	}
	if _, err := p.Eval(context.WithValue(ctx, ctxKey{}, false), nil); !errors.Is(err, broken) {
		t.Error(err)
	}
	missing := must(hcl.Compile("x", hcl.WithResolver(func(context.Context, string) (any, error) { return nil, hcl.ErrNotFound })))(t)
	if _, err := missing.Eval(ctx, nil); err == nil || errors.Is(err, hcl.ErrCallback) {
		t.Error(err)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	p := must(hcl.Compile("[for a in x : [for b in x : a]]", hcl.WithLimits(hcl.Limits{Memory: 10_000})))(t)
	if _, err := p.Eval(ctx, map[string]any{"x": make([]int, 100)}); !errors.Is(err, hcl.ErrLimit) {
		t.Error(err)
	}
}
