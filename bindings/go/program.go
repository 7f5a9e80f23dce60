package hcl

import (
	"context"
	"sync"

	"libhcl.dev/go/internal/chcl"
)

// Program is a compiled expression. It is immutable; any number of goroutines evaluate it at the same time.
type Program struct {
	h      *handle[chcl.Program]
	scope  *Scope // a handle of the program's own
	needs  []need
	frames sync.Pool
}

// need is a variable that a program reads.
type need struct {
	name string
	slot int
}

// Compile compiles an expression once, for many evaluations. Variables that no option declares are those that
// evaluations give; [Scope.Compile] is stricter.
func Compile(source string, all ...Option) (*Program, error) {
	o, err := gather(all)
	if err != nil {
		return nil, err
	}
	e, err := parseExpression(source, o)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	references, err := e.Variables()
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool)
	for _, c := range o.constants {
		known[c.name] = true
	}
	for _, reference := range references {
		if !known[reference.Root] && o.declaresBySelf(reference.Root) && (o.parent == nil || !o.parent.declares(reference.Root)) {
			known[reference.Root] = true
			o.variables = append(o.variables, reference.Root)
		}
	}
	scope, err := newScope(o)
	if err != nil {
		return nil, err
	}
	defer scope.Close()
	return scope.compile(e)
}

// MustCompile is Compile for programs that are known to be right; it panics if this one is not.
func MustCompile(source string, all ...Option) *Program {
	p, err := Compile(source, all...)
	if err != nil {
		panic(err)
	}
	return p
}

// CompileExpression compiles a parsed expression, for example of an attribute.
func (s *Scope) CompileExpression(e *Expression) (*Program, error) { return s.compile(e) }

func (s *Scope) compile(e *Expression) (*Program, error) {
	scope, err := s.h.acquire()
	if err != nil {
		return nil, err
	}
	defer s.h.release()
	object, err := e.h.acquire()
	if err != nil {
		return nil, err
	}
	defer e.h.release()
	m := chcl.ProgramCompile(object, scope)
	if m.Status != chcl.OK {
		return nil, failure(background, m.Status, m.Diags, nil)
	}
	dropDiags(m.Diags)
	p := &Program{h: newSharedHandle(m.Object, chcl.ProgramFree)}
	if p.scope, err = s.ref(scope); err != nil {
		p.h.close()
		return nil, err
	}
	for _, slot := range chcl.ProgramNeeds(m.Object) {
		p.needs = append(p.needs, need{s.slots[slot], slot})
	}
	return p, nil
}

// Close releases the program.
func (p *Program) Close() error {
	p.h.close()
	p.scope.h.close()
	for frame, ok := p.frames.Get().(*Frame); ok; frame, ok = p.frames.Get().(*Frame) {
		frame.Close()
	}
	return nil
}

// borrow gives a frame that nobody uses.
func (p *Program) borrow() (*Frame, error) {
	if frame, ok := p.frames.Get().(*Frame); ok {
		return frame, nil
	}
	return p.scope.NewFrame()
}

func (p *Program) giveBack(f *Frame) {
	if len(f.slots) > 0 {
		f.slots = f.slots[:0]
		chcl.FrameReset(f.h.object)
	}
	if p.h.closed.Load() {
		f.Close()
		return
	}
	p.frames.Put(f)
}

// Needs are the names of the variables that an evaluation must give.
func (p *Program) Needs() []string {
	names := make([]string, len(p.needs))
	for i, n := range p.needs {
		names[i] = n.name
	}
	return names
}

// with evaluates in a frame: the caller's, or one with the variables.
func (p *Program) with(ctx context.Context, variables any, call call) error {
	return p.withNeeds(ctx, p.needs, variables, call)
}

// withNeeds is with for some of the program's variables.
func (p *Program) withNeeds(ctx context.Context, needs []need, variables any, call call) error {
	if frame, ok := variables.(*Frame); ok {
		return frame.evaluate(ctx, p, call)
	}
	frame, err := p.borrow()
	if err != nil {
		return err
	}
	defer p.giveBack(frame)
	if err := frame.fill(needs, variables); err != nil {
		return err
	}
	return frame.evaluate(ctx, p, call)
}

// Eval evaluates the program. Variables are a map with string keys, a struct with `hcl:"name"` tags, a [*Frame] of the
// program's scope, or nil.
//
// The context's deadline ends the evaluation, cancelling it stops it. The error is an [*Error] when the input was
// wrong or a limit was reached.
func (p *Program) Eval(ctx context.Context, variables any) (Value, error) {
	var result Value
	err := p.with(ctx, variables, func(program *chcl.Program, frame *chcl.Frame, env uintptr) (chcl.Status, *chcl.Diags) {
		m := chcl.Eval(program, frame, env)
		if m.Status == chcl.OK {
			result = newValue(m.Object)
		}
		return m.Status, m.Diags
	})
	return result, err
}

// EvalInto evaluates the program and fills a variable with the result, as [Value.Decode] does.
func (p *Program) EvalInto(ctx context.Context, variables, target any) error {
	var decoding error
	err := p.with(ctx, variables, func(program *chcl.Program, frame *chcl.Frame, env uintptr) (chcl.Status, *chcl.Diags) {
		m := chcl.Eval(program, frame, env)
		if m.Status == chcl.OK {
			decoding = decodeValue(m.Object, target)
			chcl.ValueFree(m.Object)
		}
		return m.Status, m.Diags
	})
	if err == nil {
		err = decoding
	}
	return err
}

// EvalBool evaluates a condition. The result is converted to bool.
func (p *Program) EvalBool(ctx context.Context, variables any) (bool, error) {
	return scalar(ctx, p, variables, chcl.EvalBool)
}

// EvalInt evaluates to a whole number; [ErrRange] if the result is none, or does not fit.
func (p *Program) EvalInt(ctx context.Context, variables any) (int64, error) {
	return scalar(ctx, p, variables, chcl.EvalInt)
}

// EvalFloat evaluates to the float64 nearest to a number.
func (p *Program) EvalFloat(ctx context.Context, variables any) (float64, error) {
	return scalar(ctx, p, variables, chcl.EvalFloat)
}

// EvalString evaluates to a text.
func (p *Program) EvalString(ctx context.Context, variables any) (string, error) {
	return scalar(ctx, p, variables, chcl.EvalString)
}

// scalar evaluates by one of the calls that need no handle for the result.
func scalar[T any](ctx context.Context, p *Program, variables any, eval func(*chcl.Program, *chcl.Frame, uintptr) (T, chcl.Status, *chcl.Diags)) (T, error) {
	var result T
	err := p.with(ctx, variables, func(program *chcl.Program, frame *chcl.Frame, env uintptr) (status chcl.Status, diags *chcl.Diags) {
		result, status, diags = eval(program, frame, env)
		return status, diags
	})
	return result, err
}
