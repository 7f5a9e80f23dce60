package hcl_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	hcl "libhcl.dev/go"
)

type connection struct{ fd int }

func TestCapsulesPassThroughExpressions(t *testing.T) {
	before := hcl.Live()
	kind, err := hcl.NewCapsuleType[*connection]("connection")
	if err != nil {
		t.Fatal(err)
	}
	other, err := hcl.NewCapsuleType[*connection]("connection")
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan bool)
	object := &connection{7}
	runtime.AddCleanup(object, func(int) { close(gone) }, 0)
	value, err := kind.Wrap(object)
	object = nil
	if err != nil {
		t.Fatal(err)
	}
	if found, err := kind.Unwrap(value); err != nil || found.fd != 7 {
		t.Errorf("%v, %v", found, err)
	}
	if _, err := other.Unwrap(value); !errors.Is(err, hcl.ErrType) {
		t.Errorf("%v", err)
	}
	fd := hcl.Func{Name: "fd", Params: []hcl.Param{{Name: "connection"}},
		Call: func(_ context.Context, arguments []hcl.Value) (any, error) {
			found, err := kind.Unwrap(arguments[0])
			if err != nil {
				return nil, &hcl.ArgumentError{Index: 0, Err: err}
			}
			return found.fd, nil
		}}
	program, err := hcl.Compile("[c == c, fd([c][0])]", hcl.WithFunc(fd), hcl.WithVariables("c"))
	if err != nil {
		t.Fatal(err)
	}
	result, err := program.Eval(context.Background(), map[string]any{"c": value})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := result.MarshalJSON(); err != nil || string(text) != "[true,7]" {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := program.Eval(context.Background(), map[string]any{"c": 1}); err == nil || !strings.Contains(err.Error(), "it is no connection") {
		t.Errorf("%v", err)
	}
	for _, closer := range []interface{ Close() error }{result, program, value, kind, other} {
		closer.Close()
	}
	for range 100 {
		runtime.GC()
		select {
		case <-gone:
			gone = nil
		case <-time.After(time.Millisecond):
		}
		if gone == nil {
			break
		}
	}
	if gone != nil {
		t.Error("what was wrapped is held for ever")
	}
	if _, err := kind.Wrap(nil); !errors.Is(err, hcl.ErrClosed) {
		t.Errorf("%v", err)
	}
	if _, err := hcl.NewCapsuleType[int](""); !errors.Is(err, hcl.ErrArgument) {
		t.Errorf("%v", err)
	}
	settle(t, before)
}

func TestFunctionsFailWithDiagnostics(t *testing.T) {
	sign := func(n int) (int, error) {
		return 0, &hcl.ArgumentError{Index: 0, Err: hcl.NewDiagnostic("host.sign", "Not positive", "Give a positive number.")}
	}
	include := func(name string) (int, error) {
		_, err := hcl.ParseFile(name, []byte("a = \n"))
		return 0, err
	}
	resolver := func(context.Context, string) (any, error) {
		return nil, hcl.NewDiagnostic("host.absent", "Absent", "It is not there.")
	}
	host := hcl.Host{Env: func(string) (string, bool) { return "", false }, Store: func(context.Context, string, []hcl.Value) (any, error) {
		return nil, hcl.NewDiagnostic("host.store", "No store", "")
	}}
	for _, c := range []struct {
		source string
		want   []string // code, file and subject of each
	}{
		{"sign(12)", []string{"host.sign expression 12"}},
		{"include(\"other.hcl\")", []string{"parse.expression_invalid other.hcl \n", "eval.call.failed expression include("}},
		{"absent", []string{"host.absent expression absent"}},
		{"consul_key(\"x\")", []string{"host.store expression consul_key("}},
	} {
		program, err := hcl.Compile(c.source, hcl.WithFunction("sign", sign), hcl.WithFunction("include", include),
			hcl.WithVariables("absent"), hcl.WithResolver(resolver), hcl.WithBuiltins(hcl.FunctionsPacker), hcl.WithHost(host))
		if err != nil {
			t.Fatal(err)
		}
		_, err = program.Eval(context.Background(), nil)
		var problem *hcl.Error
		if !errors.As(err, &problem) || len(problem.Diagnostics) != len(c.want) {
			t.Errorf("%s: %v", c.source, err)
			continue
		}
		for i, d := range problem.Diagnostics {
			if got := d.Code + " " + d.Subject.Filename + " " + d.Expression; got != c.want[i] {
				t.Errorf("%s: %q, not %q", c.source, got, c.want[i])
			}
		}
		program.Close()
	}
}
