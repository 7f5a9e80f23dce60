package hcl

import (
	"context"
	"runtime/cgo"
	"slices"
	"strings"
	"weak"

	"libhcl.dev/go/internal/chcl"
)

// Builtins are the functions of a product.
type Builtins uint32

// The libraries of functions.
const (
	FunctionsHCL       = Builtins(chcl.BuiltinsHCL)
	FunctionsTerraform = Builtins(chcl.BuiltinsTerraform)
	FunctionsOpenTofu  = Builtins(chcl.BuiltinsOpenTofu)
	FunctionsPacker    = Builtins(chcl.BuiltinsPacker)
	FunctionsNomad     = Builtins(chcl.BuiltinsNomad)

	// FunctionsTerraform111 are those of Terraform 1.11; FunctionsTerraform are those of the newest release.
	FunctionsTerraform111 = Builtins(chcl.BuiltinsTerraform111)
)

// Option says what names mean in a scope, or how a source is read.
type Option func(*options)

type options struct {
	parent    *Scope
	builtins  []Builtins
	dialects  []string
	unknown   unknownNames
	variables []string
	constants []constant
	functions []Func
	limits    *Limits
	host      *Host
	defined   []definitions
	source    SourceLimits
	ctx       context.Context
	resolver  *Resolver
	filename  string
	template  bool
	err       error
}

type constant struct {
	name  string
	value any
}

// WithBuiltins adds the functions of a product.
func WithBuiltins(set Builtins) Option {
	return func(o *options) { o.builtins = append(o.builtins, set) }
}

// WithDialect adds the functions of a dialect by its name, such as "terraform-1.11" or "nomad", and takes its rule for names
// that mean nothing: "nomad" has runtime references, see [WithRuntimeReferences]. [Dialects] are the names that there are.
func WithDialect(name string) Option {
	return func(o *options) {
		o.dialects = append(o.dialects, name)
		if product, _, _ := strings.Cut(name, "-"); product == "nomad" {
			o.unknown = runtimeReferences
		}
	}
}

// Dialects are the names of the dialects that [WithDialect] takes: each product in its newest release, and behind it its
// releases in order.
func Dialects() []string {
	var names []string
	for name := chcl.DialectName(0); name != ""; name = chcl.DialectName(len(names)) {
		names = append(names, name)
	}
	return names
}

// unknownNames says what becomes of references to names that mean nothing.
type unknownNames uint32

const (
	refused           unknownNames = 0
	runtimeReferences              = unknownNames(chcl.ScopeRuntimeReferences)
	leftAsWritten                  = unknownNames(chcl.ScopeLeaveUnknown)
)

// WithRuntimeReferences takes references to names that mean nothing for texts, as Nomad does: node.class is the
// string "${node.class}", and everything around it works on that string. [Compile] then declares var and local only.
func WithRuntimeReferences() Option {
	return func(o *options) { o.unknown = runtimeReferences }
}

// WithUnknownLeft leaves interpolations that use names which mean nothing as they are written; other references to such
// names become interpolations. [Compile] then declares nothing by itself.
func WithUnknownLeft() Option {
	return func(o *options) { o.unknown = leftAsWritten }
}

// declaresBySelf says whether [Compile] declares a name that an expression uses.
func (o *options) declaresBySelf(name string) bool {
	rule := o.unknown
	if rule == refused && o.parent != nil {
		rule = o.parent.unknown
	}
	switch rule {
	case runtimeReferences:
		return name == "var" || name == "local"
	case leftAsWritten:
		return false
	default:
		return true
	}
}

// WithVariables declares names whose values are given at each evaluation: root names, such as "request", or static
// paths, such as "each.key". [Compile] declares what an expression needs by itself.
func WithVariables(names ...string) Option {
	return func(o *options) { o.variables = append(o.variables, names...) }
}

// WithConstant gives a name a value that never changes.
func WithConstant(name string, value any) Option {
	return func(o *options) { o.constants = append(o.constants, constant{name, value}) }
}

// WithFunction adds a Go function. Its signature says what it takes and gives:
//
//	func(name string, n int) string
//	func(ctx context.Context, ports ...int) (map[string]string, error)
//
// Arguments are converted by HCL's rules. Null is passed only where a parameter is a pointer, a [Value] or any; unknown
// arguments make the result unknown without a call; marks go around the function, from the arguments to the result.
// It may be called by several goroutines at once. An error that it returns becomes a diagnostic at the argument or
// the call, and errors.Is finds it in the evaluation's error; a panic becomes an error too. It must not call
// runtime.Goexit, as t.FailNow does. For more say [WithFunc].
func WithFunction(name string, function any) Option {
	return func(o *options) {
		made, err := reflectFunc(name, function)
		if err != nil && o.err == nil {
			o.err = err
		}
		o.functions = append(o.functions, made)
	}
}

// WithFunc adds a function that handles values itself.
func WithFunc(function Func) Option {
	return func(o *options) { o.functions = append(o.functions, function) }
}

// WithParent puts a scope around the new one: names that it does not know are looked up there.
func WithParent(scope *Scope) Option { return func(o *options) { o.parent = scope } }

// definitions are functions that a configuration defines.
type definitions struct {
	body      *Body
	blockType string
	base      *Scope
	caller    bool
}

// WithUserFunctions adds the functions that a configuration defines: blocks of a type, usually "function", with params,
// variadic_param and result. Besides their parameters, results can use what is in base, which may be nil, and all
// functions that the call sees. Other blocks and attributes of the body are left alone.
func WithUserFunctions(body *Body, blockType string, base *Scope) Option {
	return func(o *options) { o.defined = append(o.defined, definitions{body, blockType, base, true}) }
}

// WithLimits bounds each evaluation.
func WithLimits(limits Limits) Option { return func(o *options) { o.limits = &limits } }

// WithResolver looks variables up that an evaluation needs and was not given. Each is asked for at most once in an
// evaluation.
func WithResolver(resolver Resolver) Option { return func(o *options) { o.resolver = &resolver } }

// WithFilename says what diagnostics call the source.
func WithFilename(name string) Option { return func(o *options) { o.filename = name } }

// AsTemplate says that the source is a template, as in a template file, not an expression.
func AsTemplate() Option { return func(o *options) { o.template = true } }

func gather(all []Option) (*options, error) {
	o := &options{filename: "expression", ctx: background}
	for _, option := range all {
		option(o)
	}
	if o.err == nil {
		o.err = checkLibrary()
	}
	return o, o.err
}

// Scope is what names mean: variables, constants, functions. It is immutable; any number of programs and goroutines
// share it.
type Scope struct {
	h         *handle[chcl.Scope]
	slots     []string // the names of slots by index, those of the parents first
	constants []string
	limits    Limits
	functions []*Func // those of Go, the parents' too
	host      *Host
	resolver  *Resolver
	unknown   unknownNames
}

// NewScope makes a scope.
func NewScope(all ...Option) (*Scope, error) {
	o, err := gather(all)
	if err != nil {
		return nil, err
	}
	return newScope(o)
}

func newScope(o *options) (*Scope, error) {
	s := &Scope{unknown: o.unknown}
	var parent *chcl.Scope
	if o.parent != nil {
		if s.unknown == refused {
			s.unknown = o.parent.unknown
		}
		acquired, err := o.parent.h.acquire()
		if err != nil {
			return nil, err
		}
		defer o.parent.h.release()
		parent = acquired
		s.slots = slices.Clone(o.parent.slots)
		s.constants = slices.Clone(o.parent.constants)
		s.functions = slices.Clone(o.parent.functions)
		s.limits, s.resolver, s.host = o.parent.limits, o.parent.resolver, o.parent.host
	}
	if o.limits != nil {
		s.limits = *o.limits
	}
	if o.resolver != nil {
		s.resolver = o.resolver
	}
	if o.host != nil {
		s.host = o.host
	}
	m := chcl.ScopeNew(parent)
	if m.Status != chcl.OK {
		return nil, Status(m.Status)
	}
	s.h = newHandle(m.Object, chcl.ScopeFree)
	if err := s.fill(m.Object, o); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Scope) fill(object *chcl.Scope, o *options) error {
	for _, set := range o.builtins {
		if status := chcl.ScopeBuiltins(object, uint32(set)); status != chcl.OK {
			return valueErrorf(Status(status), "there is no set of functions %d", set)
		}
	}
	for _, name := range o.dialects {
		if status := chcl.ScopeDialect(object, name); status != chcl.OK {
			return valueErrorf(Status(status), "there is no dialect %q; there are %s", name, strings.Join(Dialects(), ", "))
		}
	}
	if o.unknown != refused {
		if status := chcl.ScopeFlags(object, uint32(o.unknown)); status != chcl.OK {
			return valueErrorf(Status(status), "the scope can't be made")
		}
	}
	for _, f := range o.functions {
		if err := s.function(object, f); err != nil {
			return err
		}
	}
	for _, d := range o.defined {
		if err := s.define(object, d); err != nil {
			return err
		}
	}
	for _, c := range o.constants {
		if err := s.constant(object, c); err != nil {
			return err
		}
	}
	for _, name := range o.variables {
		slot, status := chcl.ScopeSlot(object, name)
		if status != chcl.OK {
			return valueErrorf(Status(status), "%q is no name for a variable", name)
		}
		if slot == len(s.slots) {
			s.slots = append(s.slots, name)
		}
	}
	return asError(chcl.ScopeSeal(object))
}

func (s *Scope) constant(object *chcl.Scope, c constant) error {
	value, err := ValueOf(c.value)
	if err != nil {
		return atStep("."+c.name, err)
	}
	defer value.Close()
	if status := chcl.ScopeConst(object, c.name, value.object); status != chcl.OK {
		return valueErrorf(Status(status), "%q is no name for a constant", c.name)
	}
	s.constants = append(s.constants, c.name)
	return nil
}

func (s *Scope) function(object *chcl.Scope, f Func) error {
	if f.Call == nil {
		return valueErrorf(ErrArgument, "the function %q has nothing to call", f.Name)
	}
	s.functions = append(s.functions, &f)
	// The library drops the number when the last scope with the function goes, or at once if this fails. Behind the
	// number the function is held weakly: a function that refers to a program that calls it would keep both alive.
	// Scopes and programs hold it for as long as they can be evaluated.
	number := cgo.NewHandle(weak.Make(&f))
	if status := chcl.ScopeFunction(object, f.spec(), uintptr(number)); status != chcl.OK {
		return valueErrorf(Status(status), "the function %q is not well described", f.Name)
	}
	return nil
}

// define adds the functions of a configuration. Functions of Go that they call are held by the scope.
func (s *Scope) define(object *chcl.Scope, d definitions) error {
	body, err := d.body.h.acquire()
	if err != nil {
		return err
	}
	defer d.body.h.release()
	var base *chcl.Scope
	if d.base != nil {
		if base, err = d.base.h.acquire(); err != nil {
			return err
		}
		defer d.base.h.release()
		s.functions = append(s.functions, d.base.functions...)
	}
	diags, status := chcl.UserFunctions(object, body, d.blockType, base, d.caller)
	if status != chcl.OK {
		return failure(background, status, diags, nil)
	}
	dropDiags(diags)
	return nil
}

// Close releases the scope. Programs and frames keep what they need of it.
func (s *Scope) Close() error {
	s.h.close()
	return nil
}

// ref is the same scope with a handle of its own.
func (s *Scope) ref(object *chcl.Scope) (*Scope, error) {
	m := chcl.ScopeRef(object)
	if m.Status != chcl.OK {
		return nil, Status(m.Status)
	}
	return &Scope{h: newHandle(m.Object, chcl.ScopeFree), slots: s.slots, constants: s.constants, limits: s.limits,
		functions: s.functions, resolver: s.resolver, host: s.host}, nil
}

// declares tells whether a name has a meaning as a variable.
func (s *Scope) declares(name string) bool {
	return slices.Contains(s.slots, name) || slices.Contains(s.constants, name)
}

// Compile compiles an expression. Names that the scope does not know are errors. The options are [WithFilename],
// [AsTemplate], [WithContext] and [WithSourceLimits]; what names mean is the scope's.
func (s *Scope) Compile(source string, all ...Option) (*Program, error) {
	o, err := gather(all)
	if err != nil {
		return nil, err
	}
	if o.parent != nil || o.unknown != refused || o.limits != nil || o.host != nil || len(o.defined) > 0 || len(o.builtins)+len(o.dialects)+len(o.variables)+len(o.constants)+len(o.functions) > 0 {
		return nil, valueErrorf(ErrArgument, "what names mean is said when the scope is made, not when it compiles")
	}
	e, err := parseExpression(source, o)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return s.compile(e)
}
