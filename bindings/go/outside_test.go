package hcl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
)

func compiled(t *testing.T, source string, all ...Option) *Program {
	t.Helper()
	p, err := Compile(source, all...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func fakeHost() Host {
	return Host{
		Files: fstest.MapFS{"greeting.tmpl": {Data: []byte("Hello, ${name}!")}, "conf.d/a.hcl": {Data: []byte("a = 1")},
			"conf.d/b.hcl": {Data: []byte("b = 2")}},
		WorkingDirectory: "/srv/app",
		HomeDirectory:    "/home/me",
		Now:              func() time.Time { return time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC) },
		Random:           bytes.NewReader(make([]byte, 1024)),
		Store: func(ctx context.Context, function string, arguments []Value) (any, error) {
			key, err := arguments[0].AsString()
			switch {
			case err != nil:
				return nil, err
			case key == "later":
				return nil, ErrUnknown
			case key == "slow":
				<-ctx.Done()
				return nil, ctx.Err()
			case key == "panic":
				panic("store")
			case key != "known":
				return nil, ErrNotFound
			}
			return function + ":" + key, nil
		},
	}
}

func TestHostAnswersFunctions(t *testing.T) {
	for source, want := range map[string]string{
		`templatefile("greeting.tmpl", {name = "you"})`: "Hello, you!",
		`file("/srv/app/conf.d/a.hcl")`:                 "a = 1",
		`join(",", fileset("conf.d", "*.hcl"))`:         "a.hcl,b.hcl",
		`tostring(fileexists("missing"))`:               "false",
		`tostring(fileexists("../outside"))`:            "false",
		`pathexpand("~/x")`:                             "/home/me/x",
		`timestamp()`:                                   "2026-02-03T04:05:06Z",
		`uuid()`:                                        "00000000-0000-0000-0000-000000000000",
	} {
		host := fakeHost()
		host.Random = bytes.NewReader(make([]byte, 64))
		p := compiled(t, source, WithBuiltins(FunctionsTerraform), WithHost(host))
		if got, err := p.EvalString(context.Background(), nil); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", source, got, err, want)
		}
	}
}

func TestWhatAHostDoesNotOfferIsRefused(t *testing.T) {
	ctx := context.Background()
	for _, source := range []string{`file("a")`, `timestamp()`, `uuid()`, `pathexpand("~")`} {
		p := compiled(t, source, WithBuiltins(FunctionsTerraform), WithHost(Host{}))
		if _, err := p.EvalString(ctx, nil); !errors.Is(err, ErrDiagnostics) || !strings.Contains(err.Error(), "allow") {
			t.Errorf("%s: %v", source, err)
		}
	}
	for _, source := range []string{`file("missing")`, `file("../secret")`, `file("/etc/passwd")`, `file("conf.d")`} {
		p := compiled(t, source, WithBuiltins(FunctionsTerraform), WithHost(fakeHost()))
		if text, err := p.EvalString(ctx, nil); !errors.Is(err, ErrDiagnostics) {
			t.Errorf("%s is %q, %v", source, text, err)
		}
	}
}

func TestStoresOfGo(t *testing.T) {
	p := compiled(t, `consul_key(key)`, WithBuiltins(FunctionsPacker), WithHost(fakeHost()))
	ctx := context.Background()
	if text, err := p.EvalString(ctx, map[string]any{"key": "known"}); err != nil || text != "consul_key:known" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := p.EvalString(ctx, map[string]any{"key": "later"}); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	var panicked *PanicError
	if _, err := p.EvalString(ctx, map[string]any{"key": "panic"}); !errors.As(err, &panicked) {
		t.Error(err)
	}
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if _, err := p.EvalString(short, map[string]any{"key": "slow"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestHostIsAskedFromManyGoroutines(t *testing.T) {
	host := fakeHost()
	host.Random = nil
	p := compiled(t, `"${file("conf.d/a.hcl")}${timestamp()}"`, WithBuiltins(FunctionsTerraform), WithHost(host))
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 50 {
				if _, err := p.EvalString(context.Background(), nil); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	all.Wait()
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

func TestErrorsOfAHostAreFound(t *testing.T) {
	wrong := errors.New("no entropy")
	for _, random := range []io.Reader{broken{wrong}} {
		p := compiled(t, `uuid()`, WithBuiltins(FunctionsTerraform), WithHost(Host{Random: random}))
		if _, err := p.EvalString(context.Background(), nil); !errors.Is(err, wrong) || !strings.Contains(err.Error(), "no entropy") {
			t.Error(err)
		}
	}
}

func TestContextsEndParsing(t *testing.T) {
	cancelled, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	cancel(why)
	source := []byte("a = 1\n")
	for name, parse := range map[string]func(Option) error{
		"file":       func(o Option) error { _, err := ParseFile("f", source, o); return err },
		"document":   func(o Option) error { _, err := ParseDocument("f", source, o); return err },
		"json":       func(o Option) error { _, err := ParseJSON("f", []byte("{}"), o); return err },
		"expression": func(o Option) error { _, err := ParseExpression("1", o); return err },
		"compile":    func(o Option) error { _, err := Compile("1", o); return err },
		"schema":     func(o Option) error { _, err := ParseSchema("s", "a = required\n", o); return err },
		"spec":       func(o Option) error { _, err := ParseSpec("s", []byte("literal {\n value = 1\n}\n"), o); return err },
		"format":     func(o Option) error { _, err := Format("f", source, StyleHCL, o); return err },
		"native":     func(o Option) error { _, err := ToNative("f", []byte("{}"), nil, o); return err },
	} {
		if err := parse(WithContext(context.Background())); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := parse(WithContext(cancelled)); !errors.Is(err, ErrCanceled) || !errors.Is(err, why) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := DecodeFile(cancelled, "f", source, &struct{}{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestParsingEndsInTheMiddle(t *testing.T) {
	source := bytes.Repeat([]byte("b {\n  a = [1, \"${c}\"]\n}\n"), 200_000)
	begun := time.Now()
	if _, err := ParseFile("f", source); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(begun)
	short, cancel := context.WithTimeout(context.Background(), whole/10)
	defer cancel()
	begun = time.Now()
	_, err := ParseFile("f", source, WithContext(short))
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrDeadline) {
		t.Error(err)
	}
	if took := time.Since(begun); took > whole*2/3+20*time.Millisecond {
		t.Errorf("%v of %v", took, whole)
	}
	later, cancelLater := context.WithCancel(context.Background())
	time.AfterFunc(whole/10, cancelLater)
	for err = nil; err == nil; {
		_, err = ParseFile("f", source, WithContext(later))
	}
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestSourcesAreBounded(t *testing.T) {
	few := WithSourceLimits(SourceLimits{Depth: 3, Diagnostics: 1, Bytes: 40})
	for _, source := range []string{"a = [[[[[[1]]]]]]\n", strings.Repeat("# long\n", 10)} {
		if _, err := ParseFile("f", []byte(source), few); !errors.Is(err, ErrLimit) {
			t.Error(err)
		}
	}
	_, err := ParseFile("f", []byte("a = = )\nb = = )\nc = = )\n"), few)
	var problem *Error
	if !errors.As(err, &problem) || len(problem.Diagnostics) > 2 {
		t.Error(err)
	}
}
