package chcl

/*
#include "glue.h"

#cgo noescape hclgo_module_loader_new
#cgo nocallback hclgo_module_loader_new
#cgo noescape hcl_module_loader_folder
#cgo nocallback hcl_module_loader_folder
#cgo noescape hcl_module_loader_text
#cgo nocallback hcl_module_loader_text
#cgo nocallback hcl_module_loader_host
#cgo noescape hcl_module_loader_set
#cgo nocallback hcl_module_loader_set
#cgo noescape hcl_module_loader_set_text
#cgo nocallback hcl_module_loader_set_text
#cgo noescape hcl_module_loader_resource
#cgo nocallback hcl_module_loader_resource
#cgo nocallback hcl_module_loader_resources
#cgo noescape hcl_module_loader_values
#cgo nocallback hcl_module_loader_values
#cgo nocallback hclgo_module_dump
*/
import "C"

import "unsafe"

// Objects of the library that make up modules.
type (
	Host         struct{ _ [0]func() }
	Module       struct{ _ [0]func() }
	ModuleLoader struct{ _ [0]func() }
)

// The kinds of declarations.
const (
	DeclaredVariable  = C.HCL_DECLARED_VARIABLE
	DeclaredLocal     = C.HCL_DECLARED_LOCAL
	DeclaredOutput    = C.HCL_DECLARED_OUTPUT
	DeclaredModule    = C.HCL_DECLARED_MODULE
	DeclaredResource  = C.HCL_DECLARED_RESOURCE
	DeclaredData      = C.HCL_DECLARED_DATA
	DeclaredEphemeral = C.HCL_DECLARED_EPHEMERAL
	DeclaredSource    = C.HCL_DECLARED_SOURCE
	DeclaredJob       = C.HCL_DECLARED_JOB
)

// The flags of declarations.
const (
	DeclaredSensitive = C.HCL_DECLARED_SENSITIVE
	DeclaredMissing   = C.HCL_DECLARED_MISSING
)

func cHost(h *Host) *C.hcl_host                    { return (*C.hcl_host)(unsafe.Pointer(h)) }
func cModule(m *Module) *C.hcl_module              { return (*C.hcl_module)(unsafe.Pointer(m)) }
func cLoader(l *ModuleLoader) *C.hcl_module_loader { return (*C.hcl_module_loader)(unsafe.Pointer(l)) }

// HostNew is a host of Go; `user` is dropped once, also when it fails.
func HostNew(allows uint32, user uintptr) Made[Host] {
	return made[Host](C.hclgo_host_new(C.uint32_t(allows), C.uintptr_t(user)))
}

// HostFree releases a host.
func HostFree(h *Host) { C.hcl_host_free(cHost(h)) }

// ModuleLoaderNew is a preparation by a product's rules.
func ModuleLoaderNew(dialect string) Made[ModuleLoader] {
	d, n := chars(dialect)
	return made[ModuleLoader](C.hclgo_module_loader_new(d, n))
}

// ModuleLoaderFree releases a preparation; it may hold a host.
func ModuleLoaderFree(l *ModuleLoader) { C.hcl_module_loader_free(cLoader(l)) }

// ModuleLoaderFolder sets the folder.
func ModuleLoaderFolder(l *ModuleLoader, folder string) Status {
	f, n := chars(folder)
	return Status(C.hcl_module_loader_folder(cLoader(l), f, n))
}

// ModuleLoaderText adds a file.
func ModuleLoaderText(l *ModuleLoader, path string, content []byte) Status {
	p, pn := chars(path)
	c, cn := bytePtr(content)
	return Status(C.hcl_module_loader_text(cLoader(l), p, pn, c, cn))
}

// ModuleLoaderHost sets the host.
func ModuleLoaderHost(l *ModuleLoader, h *Host) Status {
	return Status(C.hcl_module_loader_host(cLoader(l), cHost(h)))
}

// ModuleLoaderSet gives a variable a value.
func ModuleLoaderSet(l *ModuleLoader, name string, value *Value) Status {
	n, nl := chars(name)
	return Status(C.hcl_module_loader_set(cLoader(l), n, nl, cValue(value)))
}

// ModuleLoaderSetText gives a variable a text.
func ModuleLoaderSetText(l *ModuleLoader, name, text string, literal bool) Status {
	n, nl := chars(name)
	t, tl := chars(text)
	flags := C.uint32_t(0)
	if literal {
		flags = C.HCL_MODULE_LITERAL
	}
	return Status(C.hcl_module_loader_set_text(cLoader(l), n, nl, t, tl, flags))
}

// ModuleLoaderPlanned gives resources the values of a plan.
func ModuleLoaderPlanned(l *ModuleLoader) Status {
	return Status(C.hcl_module_loader_resources(cLoader(l), C.HCL_MODULE_PLANNED))
}

// ModuleLoaderResource gives a resource a value.
func ModuleLoaderResource(l *ModuleLoader, address string, value *Value) Status {
	a, n := chars(address)
	return Status(C.hcl_module_loader_resource(cLoader(l), a, n, cValue(value)))
}

// ModuleLoaderValues adds a file of values.
func ModuleLoaderValues(l *ModuleLoader, path string) Status {
	p, n := chars(path)
	return Status(C.hcl_module_loader_values(cLoader(l), p, n))
}

// ModuleLoad loads a module.
func ModuleLoad(l *ModuleLoader, o *ParseOptions, env uintptr) Made[Module] {
	return made[Module](C.hclgo_module_load(cLoader(l), *o.native(), C.uintptr_t(env)))
}

// ModuleFree releases a module.
func ModuleFree(m *Module) { C.hcl_module_free(cModule(m)) }

func (l Limits) of(c *Cancel) C.hclgo_limits {
	return C.hclgo_limits{depth: C.uint32_t(l.Depth), steps: C.uint64_t(l.Steps), elements: C.uint64_t(l.Elements),
		output: C.uint64_t(l.Output), memory: C.uint64_t(l.Memory), timeout_ns: C.uint64_t(l.TimeoutNanoseconds),
		cancel: cCancel(c)}
}

// ModuleEval evaluates a parsed expression.
func ModuleEval(m *Module, e *Expr, l Limits, c *Cancel, env uintptr) Made[Value] {
	return made[Value](C.hclgo_module_eval(cModule(m), cExpr(e), l.of(c), C.uintptr_t(env)))
}

// ModuleValue gives the value at an address.
func ModuleValue(m *Module, address string, l Limits, c *Cancel, env uintptr) Made[Value] {
	at := C.CBytes([]byte(address))
	defer C.hclgo_free(at)
	return made[Value](C.hclgo_module_value(cModule(m), (*C.char)(at), C.size_t(len(address)), l.of(c), C.uintptr_t(env)))
}

// ModuleCheck evaluates everything; there is no object.
func ModuleCheck(m *Module, l Limits, c *Cancel, env uintptr) (*Diags, Status) {
	checked := C.hclgo_module_check(cModule(m), l.of(c), C.uintptr_t(env))
	return (*Diags)(unsafe.Pointer(checked.diags)), Status(checked.status)
}

// ModuleEvaluated gives a template or a job as one value.
func ModuleEvaluated(m *Module, l Limits, c *Cancel, env uintptr) Made[Value] {
	return made[Value](C.hclgo_module_evaluated(cModule(m), l.of(c), C.uintptr_t(env)))
}

// ModuleDump lists what is declared.
func ModuleDump(m *Module) Bytes { return takenBytes(C.hclgo_module_dump(cModule(m))) }
