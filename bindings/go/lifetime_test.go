package hcl_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	hcl "libhcl.dev/go"
)

// settle collects garbage until the number of objects that are held is what it should be.
func settle(t *testing.T, want int) {
	t.Helper()
	for range 200 {
		runtime.GC()
		if hcl.Live() <= want {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("%d objects are held, not %d", hcl.Live(), want)
}

// work makes one of everything; with a function that refers to the program that calls it, the cycle that must not
// keep itself alive.
func work(t *testing.T, finish bool) {
	var program *hcl.Program
	payload := make([]byte, 1<<16)
	program = must(hcl.Compile("[self(x), y]",
		hcl.WithFunction("self", func(n int) int { return n + len(program.Needs()) + len(payload)*0 })))(t)
	canceled, cancel := context.WithCancel(ctx)
	defer cancel()
	v := must(program.Eval(canceled, map[string]any{"x": 1, "y": []string{"a"}}))(t)
	part := must(v.Index(1).Clone())(t)
	scope := must(hcl.NewScope(hcl.WithVariables("x")))(t)
	frame := must(scope.NewFrame())(t)
	if err := frame.Set("x", part); err != nil {
		t.Fatal(err)
	}
	e := must(hcl.ParseExpression("x"))(t)
	if _, err := program.Eval(canceled, nil); err == nil {
		t.Fatal("no variables were enough")
	}
	if finish {
		for _, one := range []interface{ Close() error }{program, v, part, scope, frame, e} {
			one.Close()
		}
	}
}

func TestWhatIsUnreachableIsReleased(t *testing.T) {
	settle(t, 0)
	for range 200 {
		work(t, false)
	}
	settle(t, 0)
}

func TestCloseReleasesAtOnce(t *testing.T) {
	settle(t, 0)
	p := must(hcl.Compile("x"))(t)
	v := must(p.Eval(ctx, map[string]any{"x": []int{1}}))(t)
	before := hcl.Live()
	v.Close()
	if hcl.Live() != before-1 {
		t.Errorf("%d objects before Close, %d after", before, hcl.Live())
	}
	p.Close()
	work(t, true)
	settle(t, 0)
}

func TestCloseWhileInUse(t *testing.T) {
	for range 50 {
		p := must(hcl.Compile("length(x) + f()", hcl.WithBuiltins(hcl.FunctionsTerraform), hcl.WithFunction("f", func() int { return 1 })))(t)
		v := must(hcl.ValueOf([]int{1, 2}))(t)
		var group sync.WaitGroup
		for range 8 {
			group.Add(1)
			go func() {
				defer group.Done()
				for {
					got, err := p.EvalInt(ctx, map[string]any{"x": v})
					if errors.Is(err, hcl.ErrClosed) || errors.Is(err, hcl.ErrArgument) {
						return
					}
					if err != nil || got != 3 {
						t.Errorf("%d %v", got, err)
						return
					}
				}
			}()
		}
		for range 2 {
			group.Add(1)
			go func() {
				defer group.Done()
				time.Sleep(100 * time.Microsecond)
				p.Close()
				v.Close()
			}()
		}
		group.Wait()
	}
	settle(t, 0)
}

func TestCollectingGarbageAllTheTime(t *testing.T) {
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	p := must(hcl.Compile(`{ for k, v in m : k => join("-", [v, tag(v)]) }`, hcl.WithBuiltins(hcl.FunctionsTerraform),
		hcl.WithFunction("tag", func(s string) string { runtime.GC(); return s + "!" })))(t)
	for range 20 {
		v := must(p.Eval(ctx, map[string]any{"m": map[string]string{"a": "x", "b": "y"}}))(t)
		if got := must(v.MarshalJSON())(t); string(got) != `{"a":"x-x!","b":"y-y!"}` {
			t.Error(string(got))
		}
	}
	close(stop)
	group.Wait()
}

func TestManyCancelAtRandom(t *testing.T) {
	p := slow(t)
	x := map[string]any{"x": make([]int, 500)}
	var group sync.WaitGroup
	for g := range 16 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range 10 {
				mine, cancel := context.WithTimeout(ctx, time.Duration(g*i)*20*time.Microsecond)
				if _, err := p.EvalInt(mine, x); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v", err)
				}
				cancel()
			}
		}()
	}
	group.Wait()
}
