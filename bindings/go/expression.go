package hcl

import (
	"context"

	"libhcl.dev/go/internal/chcl"
)

// background is for calls that can't be cancelled.
var background = context.Background()

// Expression is a parsed expression. It is immutable.
type Expression struct {
	h *handle[chcl.Expr]
}

// ParseExpression parses an expression, or with [AsTemplate] a template.
func ParseExpression(source string, all ...Option) (*Expression, error) {
	o, err := gather(all)
	if err != nil {
		return nil, err
	}
	return parseExpression(source, o)
}

func parseExpression(source string, o *options) (*Expression, error) {
	var flags uint32
	if o.template {
		flags = chcl.ExprTemplate
	}
	object, err := parsing(o, 0, func(opts *chcl.ParseOptions) chcl.Made[chcl.Expr] {
		return chcl.ExprParse(o.filename, source, flags, opts)
	})
	if err != nil {
		return nil, err
	}
	return &Expression{newHandle(object, chcl.ExprFree)}, nil
}

// Close releases the expression.
func (e *Expression) Close() error {
	e.h.close()
	return nil
}

// Reference is a place where an expression needs a variable.
type Reference struct {
	Root  string // the root name, for example local
	Text  string // all of it, for example local.ports["http"]
	Range Range
}

// Variables are the variables that the expression refers to, in the order of the source. Names that a for introduces
// are left out.
func (e *Expression) Variables() ([]Reference, error) { return e.references(chcl.ExprVariables) }

func (e *Expression) references(list func(*chcl.Expr) chcl.Bytes) ([]Reference, error) {
	object, err := e.h.acquire()
	if err != nil {
		return nil, err
	}
	defer e.h.release()
	dump := list(object)
	defer dump.Free()
	if dump.Status != chcl.OK {
		return nil, Status(dump.Status)
	}
	w := words{dump.View()}
	all := make([]Reference, w.word())
	for i := range all {
		all[i] = Reference{Root: w.text(), Text: w.text(), Range: w.place()}
	}
	return all, nil
}
