package hcl

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"libhcl/hcl/internal/chcl"
)

// DecodeFile parses a configuration file and fills a struct, to which target points, as [Body.Decode] does. The
// options say what names mean in it. A name that ends in .json is of JSON syntax.
func DecodeFile(ctx context.Context, name string, source []byte, target any, all ...Option) error {
	scope, err := NewScope(all...)
	if err != nil {
		return err
	}
	defer scope.Close()
	frame, err := scope.NewFrame()
	if err != nil {
		return err
	}
	defer frame.Close()
	parse := ParseFile
	if strings.HasSuffix(strings.ToLower(name), ".json") {
		parse = ParseJSON
	}
	body, err := parse(name, source, append(all[:len(all):len(all)], WithContext(ctx))...)
	if err != nil {
		return err
	}
	return body.Decode(ctx, frame, target)
}

// Decode fills a struct, to which target points, with a body of either syntax. Tags say what goes where:
//
//	Port    int         `hcl:"port"`            an attribute that must be there
//	Host    string      `hcl:"host,optional"`   one that may be missing; so may one whose field is a pointer
//	When    *Expression `hcl:"when"`            an attribute that is not evaluated yet; or an *Attribute
//	Server  Server      `hcl:"server,block"`    one block; a pointer: at most one; a slice: any number
//	Name    string      `hcl:"name,label"`      a label of the block, in order
//	Rest    *Body       `hcl:",remain"`         what no other field asks for; or a map[string]*Attribute
//
// Attributes are evaluated in the scope and with the values of the frame, without one in no scope at all, and converted as by [Value.Decode]. All that
// is wrong is said at once, in an [*Error].
func (b *Body) Decode(ctx context.Context, frame *Frame, target any) error {
	pointer := reflect.ValueOf(target)
	if pointer.Kind() != reflect.Pointer || pointer.IsNil() || pointer.Elem().Kind() != reflect.Struct {
		return valueErrorf(ErrArgument, "the target is a %T, not a pointer to a struct", target)
	}
	d := &bodyDecoder{ctx: ctx, frame: frame, found: &Error{Status: ErrDiagnostics}}
	if err := d.body(b, nil, pointer.Elem()); err != nil {
		return err
	}
	if d.found.Diagnostics.HasErrors() {
		return d.found
	}
	return nil
}

// bodyDecoder gathers what is wrong.
type bodyDecoder struct {
	ctx   context.Context
	frame *Frame
	found *Error
	depth int
}

// plan is what a struct type asks of a body.
type plan struct {
	attributes, blocks, labels []field
	rest                       *field
	schema                     *chcl.Schema
	err                        error
}

var (
	expressionType = reflect.TypeFor[*Expression]()
	attributeType  = reflect.TypeFor[*Attribute]()
	bodyType       = reflect.TypeFor[*Body]()
	attributesType = reflect.TypeFor[map[string]*Attribute]()
)

// plans keeps the schema of each type for good; there are as many as the program has such types.
var plans = cached(makePlan)

func makePlan(t reflect.Type) *plan {
	p := &plan{}
	var text strings.Builder
	for _, f := range fields(t) {
		switch f.option {
		case "", "attr", "optional":
			p.attributes = append(p.attributes, f)
			word := "required"
			kind := t.Field(f.index).Type
			if f.option == "optional" || (f.optional && kind != expressionType && kind != attributeType) {
				word = "optional"
			}
			fmt.Fprintf(&text, "%s = %s\n", f.name, word)
		case "block":
			p.blocks = append(p.blocks, f)
			element := blockStruct(t.Field(f.index).Type)
			if element == nil {
				p.err = valueErrorf(ErrArgument, "%s.%s is no struct, pointer to one or slice of them", t, t.Field(f.index).Name)
				return p
			}
			fmt.Fprintf(&text, "%s%s {}\n", f.name, labelNames(element))
		case "label":
			p.labels = append(p.labels, f)
		case "remain":
			p.rest = &f
		default:
			p.err = valueErrorf(ErrArgument, "%s.%s has a tag with the option %q", t, t.Field(f.index).Name, f.option)
			return p
		}
	}
	m := chcl.SchemaParse("schema", text.String(), nil)
	if m.Status != chcl.OK {
		p.err = failure(background, m.Status, m.Diags, nil)
		return p
	}
	dropDiags(m.Diags)
	p.schema = m.Object
	return p
}

// labelNames are the labels of a block's struct, as a schema writes them.
func labelNames(t reflect.Type) string {
	names := ""
	for _, f := range fields(t) {
		if f.option == "label" {
			names += fmt.Sprintf(" %q", f.name)
		}
	}
	return names
}

// blockStruct is the struct that a field for blocks is made of.
func blockStruct(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

// body fills a struct.
func (d *bodyDecoder) body(b *Body, labels []string, target reflect.Value) error {
	p := plans(target.Type())
	if p.err != nil {
		return p.err
	}
	if d.depth++; d.depth > maxDepth {
		return valueErrorf(ErrLimit, "blocks nest more than %d deep", maxDepth)
	}
	defer func() { d.depth-- }()
	for i, f := range p.labels {
		if i < len(labels) {
			target.Field(f.index).SetString(labels[i])
		}
	}
	found, rest, err := d.content(b, p)
	if err != nil || found == nil {
		return err
	}
	if p.rest != nil {
		if err := d.rest(rest, target.Field(p.rest.index)); err != nil {
			return err
		}
	}
	named := make(map[string]*Attribute, len(found.attributes))
	for _, a := range found.attributes {
		named[a.Name] = a
	}
	for _, f := range p.attributes {
		if a := named[f.name]; a != nil {
			if err := d.attribute(a, f, target.Field(f.index)); err != nil {
				return err
			}
		}
	}
	for _, f := range p.blocks {
		if err := d.blocks(found, f, target.Field(f.index)); err != nil {
			return err
		}
	}
	return nil
}

// content reads a body by the schema of a plan; nil if nothing could be read.
func (d *bodyDecoder) content(b *Body, p *plan) (found *content, rest *Body, err error) {
	object, err := b.h.acquire()
	if err != nil {
		return nil, nil, err
	}
	defer b.h.release()
	var c chcl.Content
	stopped := d.frame.run(d.ctx, nil, func(_ *chcl.Program, frame *chcl.Frame, env uintptr) (chcl.Status, *chcl.Diags) {
		c = chcl.BodyContent(object, p.schema, p.rest != nil, frame, env)
		if c.Status == chcl.Diagnosed {
			d.found.add(c.Diags)
			return chcl.OK, nil
		}
		return c.Status, c.Diags
	})
	if c.Rest != nil {
		rest = &Body{newHandle(c.Rest, chcl.BodyFree)}
	}
	if c.Content == nil {
		return nil, rest, stopped
	}
	read := &Body{newHandle(c.Content, chcl.BodyFree)}
	if stopped != nil {
		read.Close()
		return nil, rest, stopped
	}
	found, err = read.list()
	return found, rest, err
}

func (d *bodyDecoder) rest(rest *Body, target reflect.Value) error {
	switch {
	case rest == nil:
		return nil
	case target.Type() == bodyType:
		target.Set(reflect.ValueOf(rest))
		return nil
	case target.Type() == attributesType:
		all, err := rest.JustAttributes()
		if err = d.gather(err); err != nil {
			return err
		}
		named := make(map[string]*Attribute, len(all))
		for _, a := range all {
			named[a.Name] = a
		}
		target.Set(reflect.ValueOf(named))
		return nil
	}
	return valueErrorf(ErrArgument, "a %s can't hold what remains of a body", target.Type())
}

// gather keeps complaints about the input; what else is wrong ends the decoding.
func (d *bodyDecoder) gather(err error) error {
	problem, ok := err.(*Error)
	if !ok || problem.Status != ErrDiagnostics {
		return err
	}
	d.found.merge(problem)
	return nil
}

func (d *bodyDecoder) attribute(a *Attribute, f field, target reflect.Value) error {
	switch target.Type() {
	case expressionType:
		e, err := a.Expression()
		target.Set(reflect.ValueOf(e))
		return err
	case attributeType:
		target.Set(reflect.ValueOf(a))
		return nil
	}
	value, err := a.Eval(d.ctx, d.frame)
	if err != nil {
		return d.gather(err)
	}
	defer value.Close()
	if f.optional && value.IsNull() && target.Type() != valueType {
		return nil
	}
	var unfit *valueError
	if err := value.decodeTo(target); errors.As(err, &unfit) {
		d.found.say("decode.unsuitable_value", "Unsuitable value type",
			fmt.Sprintf("The value of %q does not fit: %s.", a.Name, strings.TrimPrefix(unfit.Error(), "hcl: ")),
			At(a.ValuePlace()), Within(a))
	} else if err != nil {
		return err
	}
	return nil
}

// blocks fills a field with the blocks of its type.
func (d *bodyDecoder) blocks(found *content, f field, target reflect.Value) error {
	var mine []*Block
	for _, block := range found.blocks {
		if block.Type == f.name {
			mine = append(mine, block)
		}
	}
	if target.Kind() == reflect.Slice {
		all := reflect.MakeSlice(target.Type(), len(mine), len(mine))
		for i, block := range mine {
			if err := d.block(block, all.Index(i)); err != nil {
				return err
			}
		}
		if len(mine) > 0 {
			target.Set(all)
		}
		return nil
	}
	switch {
	case len(mine) > 1:
		d.found.say("decode.duplicate_block", "Duplicate "+f.name+" block",
			fmt.Sprintf("Only one %q block is allowed here; the first is at %s. Remove this one.", f.name, mine[0].DefRange),
			At(mine[1].HeaderPlace()))
	case len(mine) == 0 && target.Kind() != reflect.Pointer:
		d.found.say("decode.missing_block", "Missing "+f.name+" block",
			fmt.Sprintf("A %q block is required here. Add one.", f.name), At(found.body))
	case len(mine) == 1:
		return d.block(mine[0], target)
	}
	return nil
}

func (d *bodyDecoder) block(block *Block, target reflect.Value) error {
	if target.Kind() == reflect.Pointer {
		target.Set(reflect.New(target.Type().Elem()))
		target = target.Elem()
	}
	body, err := block.Body()
	if err != nil {
		return err
	}
	return d.body(body, block.Labels, target)
}
