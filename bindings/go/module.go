package hcl

import (
	"context"
	"maps"
	"runtime/cgo"
	"slices"
	"weak"

	"libhcl.dev/go/internal/chcl"
)

// ModuleConfig says where the files of a module come from and which values its variables have.
type ModuleConfig struct {
	// Dialect names the product: "terraform", "opentofu", "packer", "nomad", or one of them with a release, as in
	// "terraform-1.11". Empty for "terraform".
	Dialect string
	// Folder is the module's, as path.module shows it; empty for ".". It is a path in the Texts, or else in the Files of the
	// Host, where paths do not begin with a slash. A template of Packer is a folder or a file, a job of Nomad is a file.
	Folder string
	// Texts are the files by path. With one or more, the host is not asked for files of the module.
	Texts map[string][]byte
	// Host opens the files of the module, and what functions may ask when it evaluates. Its environment may have values
	// of variables.
	Host *Host
	// Given are values of the root's variables and of resources, the weakest first. They count more than the environment and than
	// files of values that are read by themselves.
	Given []Given
	// Planned gives resources and data sources the values that a plan gives them, as far as their blocks tell: an object
	// with the attributes of the block, a tuple of such objects by count, an object of them by for_each. Otherwise they
	// are unknown, as in the product's console.
	Planned bool
	// Limits bound each evaluation.
	Limits Limits
}

// Given is a value for a variable of a module or for a resource, or several.
type Given func(*chcl.ModuleLoader) error

// GiveValue gives a variable a value of Go, by the rules of [ValueOf].
func GiveValue(name string, value any) Given {
	return func(loader *chcl.ModuleLoader) error {
		v, err := ValueOf(value)
		if err != nil {
			return atStep("var."+name, err)
		}
		defer v.Close()
		return asError(chcl.ModuleLoaderSet(loader, name, v.object))
	}
}

// GiveText gives a variable a text as -var of the product's commands does: the type of the variable decides whether it is
// taken literally or as an expression.
func GiveText(name, text string) Given {
	return func(loader *chcl.ModuleLoader) error {
		return asError(chcl.ModuleLoaderSetText(loader, name, text, false))
	}
}

// GiveLiteral gives a variable a text that is its value, whatever its type.
func GiveLiteral(name, text string) Given {
	return func(loader *chcl.ModuleLoader) error {
		return asError(chcl.ModuleLoaderSetText(loader, name, text, true))
	}
}

// GiveResource gives a resource or data source a value of Go, by the rules of [ValueOf], as a test does in place of a
// provider. The address is TYPE.NAME, data.TYPE.NAME or ephemeral.TYPE.NAME, with module.NAME. before it for each call on
// the way and an index behind it for one instance; in a template of Packer it is data.TYPE.NAME. With Planned the
// attributes of an object count more than those of the block.
func GiveResource(address string, value any) Given {
	return func(loader *chcl.ModuleLoader) error {
		v, err := ValueOf(value)
		if err != nil {
			return atStep(address, err)
		}
		defer v.Close()
		return asError(chcl.ModuleLoaderResource(loader, address, v.object))
	}
}

// GiveFile gives variables the values of a file, as -var-file does. Its path begins where relative paths begin.
func GiveFile(path string) Given {
	return func(loader *chcl.ModuleLoader) error { return asError(chcl.ModuleLoaderValues(loader, path)) }
}

// Module is a folder of configuration files, with the local modules that it calls. It is immutable; any number of
// goroutines evaluate in it. Variables, locals and outputs are evaluated when they are first needed, and kept.
type Module struct {
	h      *handle[chcl.Module]
	host   *Host
	limits Limits
}

// LoadModule reads the files of a module, those of the local modules that it calls and the values of its variables. The
// error speaks of all files at once. The context ends the reading.
func LoadModule(ctx context.Context, config ModuleConfig, all ...Option) (*Module, error) {
	o, err := gather(append([]Option{WithContext(ctx)}, all...))
	if err != nil {
		return nil, err
	}
	dialect := config.Dialect
	if dialect == "" {
		dialect = "terraform"
	}
	made := chcl.ModuleLoaderNew(dialect)
	if made.Status != chcl.OK {
		return nil, failure(background, made.Status, made.Diags, nil)
	}
	loader := made.Object
	defer chcl.ModuleLoaderFree(loader)
	m := &Module{host: config.Host, limits: config.Limits}
	if err := m.prepare(loader, config); err != nil {
		return nil, err
	}
	object, err := within(m, ctx, func(number uintptr) (*chcl.Module, error) {
		return parsing(o, 0, func(opts *chcl.ParseOptions) chcl.Made[chcl.Module] {
			return chcl.ModuleLoad(loader, opts, number)
		})
	})
	if err != nil {
		return nil, err
	}
	m.h = newSharedHandle(object, chcl.ModuleFree)
	return m, nil
}

// prepare fills a loader.
func (m *Module) prepare(loader *chcl.ModuleLoader, config ModuleConfig) error {
	if config.Folder != "" {
		if err := asError(chcl.ModuleLoaderFolder(loader, config.Folder)); err != nil {
			return err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(config.Texts)) {
		if err := asError(chcl.ModuleLoaderText(loader, path, config.Texts[path])); err != nil {
			return err
		}
	}
	if m.host != nil {
		made := chcl.HostNew(m.host.allows(), uintptr(cgo.NewHandle(weak.Make(m.host))))
		if made.Status != chcl.OK {
			return Status(made.Status)
		}
		defer chcl.HostFree(made.Object)
		if err := asError(chcl.ModuleLoaderHost(loader, made.Object)); err != nil {
			return err
		}
	}
	if config.Planned {
		if err := asError(chcl.ModuleLoaderPlanned(loader)); err != nil {
			return err
		}
	}
	for _, given := range config.Given {
		if err := given(loader); err != nil {
			return err
		}
	}
	return nil
}

// Close releases the module.
func (m *Module) Close() error {
	m.h.close()
	return nil
}

// within runs a call that may ask the module's host, which then knows the context.
func within[T any](m *Module, ctx context.Context, call func(number uintptr) (T, error)) (T, error) {
	if m.host == nil {
		return call(0)
	}
	number := cgo.NewHandle(&env{ctx: ctx})
	defer number.Delete()
	return call(uintptr(number))
}

// evaluation is one call in C that evaluates in a module.
type evaluation func(*chcl.Module, chcl.Limits, *chcl.Cancel, uintptr) (*chcl.Value, *chcl.Diags, chcl.Status)

// evaluate runs one evaluation: it holds the module and lets the context stop it.
func (m *Module) evaluate(ctx context.Context, body evaluation) (*chcl.Value, error) {
	module, err := m.h.acquire()
	if err != nil {
		return nil, err
	}
	defer m.h.release()
	limits := m.limits.native()
	var switched *chcl.Cancel
	if ctx.Done() != nil {
		if err := ended(ctx); err != nil {
			return nil, err
		}
		if deadline, ok := ctx.Deadline(); ok {
			left := uint64(max(1, deadline.Sub(now())))
			if limits.TimeoutNanoseconds == 0 || left < limits.TimeoutNanoseconds {
				limits.TimeoutNanoseconds = left
			}
		}
		made := chcl.CancelNew()
		if made.Status != chcl.OK {
			return nil, Status(made.Status)
		}
		cancel := newHandle(made.Object, chcl.CancelFree)
		defer cancel.close()
		defer triggers(ctx, cancel)()
		switched = made.Object
	}
	at := &env{ctx: ctx}
	var number uintptr
	if m.host != nil {
		handle := cgo.NewHandle(at)
		defer handle.Delete()
		number = uintptr(handle)
	}
	value, diags, status := body(module, limits, switched, number)
	if status != chcl.OK {
		causes := exceeded(at.causes, status, limits.TimeoutNanoseconds, m.limits.native().TimeoutNanoseconds)
		return nil, failure(ctx, status, diags, causes)
	}
	dropDiags(diags)
	return value, nil
}

// Eval gives the value of an expression, evaluating only what it needs. The value may be unknown, as resources are. The
// options are [WithFilename], [AsTemplate] and [WithSourceLimits].
func (m *Module) Eval(ctx context.Context, source string, all ...Option) (Value, error) {
	o, err := gather(append([]Option{WithContext(ctx)}, all...))
	if err != nil {
		return Value{}, err
	}
	e, err := parseExpression(source, o)
	if err != nil {
		return Value{}, err
	}
	defer e.Close()
	return m.value(ctx, func(module *chcl.Module, limits chcl.Limits, cancel *chcl.Cancel, number uintptr) chcl.Made[chcl.Value] {
		return chcl.ModuleEval(module, e.h.object, limits, cancel, number)
	})
}

// At gives the value at an address: output.x, local.x, var.x, module.a.output.b.
func (m *Module) At(ctx context.Context, address string) (Value, error) {
	return m.value(ctx, func(module *chcl.Module, limits chcl.Limits, cancel *chcl.Cancel, number uintptr) chcl.Made[chcl.Value] {
		return chcl.ModuleValue(module, address, limits, cancel, number)
	})
}

func (m *Module) value(ctx context.Context, call func(*chcl.Module, chcl.Limits, *chcl.Cancel, uintptr) chcl.Made[chcl.Value]) (Value, error) {
	object, err := m.evaluate(ctx, func(module *chcl.Module, limits chcl.Limits, cancel *chcl.Cancel, number uintptr) (*chcl.Value, *chcl.Diags, chcl.Status) {
		made := call(module, limits, cancel, number)
		return made.Object, made.Diags, made.Status
	})
	if err != nil {
		return Value{}, err
	}
	return newValue(object), nil
}

// Evaluated is everything in a template of Packer or a job of Nomad as one value.
//
// Of a template it is an object of sources, pairs of type and name, and builds, each with its name, its description and the
// uses of sources: type, name, source, body, provisioners, post_processors and perhaps error_cleanup. Of a job it is the body
// of the file without declarations. A body is an object of attributes and perhaps blocks, each with type, labels and body.
func (m *Module) Evaluated(ctx context.Context) (Value, error) {
	return m.value(ctx, chcl.ModuleEvaluated)
}

// Check evaluates everything that the module and those that it calls declare. The error speaks of all problems.
func (m *Module) Check(ctx context.Context) error {
	_, err := m.evaluate(ctx, func(module *chcl.Module, limits chcl.Limits, cancel *chcl.Cancel, number uintptr) (*chcl.Value, *chcl.Diags, chcl.Status) {
		diags, status := chcl.ModuleCheck(module, limits, cancel, number)
		return nil, diags, status
	})
	return err
}

// DeclarationKind is the kind of a declaration.
type DeclarationKind uint32

// The kinds of declarations.
const (
	DeclaredVariable  = DeclarationKind(chcl.DeclaredVariable)
	DeclaredLocal     = DeclarationKind(chcl.DeclaredLocal)
	DeclaredOutput    = DeclarationKind(chcl.DeclaredOutput)
	DeclaredModule    = DeclarationKind(chcl.DeclaredModule)
	DeclaredResource  = DeclarationKind(chcl.DeclaredResource)
	DeclaredData      = DeclarationKind(chcl.DeclaredData)
	DeclaredEphemeral = DeclarationKind(chcl.DeclaredEphemeral)
	DeclaredSource    = DeclarationKind(chcl.DeclaredSource)
	DeclaredJob       = DeclarationKind(chcl.DeclaredJob)
)

// Declaration is one declaration of a module.
type Declaration struct {
	Kind      DeclarationKind
	Address   string // as [Module.At] takes it
	Type      string // of a variable, as a type expression
	Range     Range
	Sensitive bool // the declaration says that the value is sensitive
	Missing   bool // a variable with neither a value nor a default
}

// Declarations are the declarations of the module, kind by kind in the order of the files.
func (m *Module) Declarations() ([]Declaration, error) {
	module, err := m.h.acquire()
	if err != nil {
		return nil, err
	}
	defer m.h.release()
	dump := chcl.ModuleDump(module)
	defer dump.Free()
	if dump.Status != chcl.OK {
		return nil, Status(dump.Status)
	}
	w := words{dump.View()}
	all := make([]Declaration, w.word())
	for i := range all {
		kind, flags := w.word(), w.word()
		d := Declaration{Kind: DeclarationKind(kind), Address: w.text(), Type: w.text(),
			Sensitive: flags&chcl.DeclaredSensitive != 0, Missing: flags&chcl.DeclaredMissing != 0}
		d.Range = w.placeIn(w.text())
		all[i] = d
	}
	return all, nil
}
