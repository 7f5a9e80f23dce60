package hcl

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"libhcl.dev/go/internal/chcl"
)

// ParseFile parses a configuration file in native syntax. Name is what diagnostics call it; nothing is opened. The
// body needs no Close: it goes when nobody has it. The options are [WithContext] and [WithSourceLimits].
func ParseFile(name string, source []byte, all ...Option) (*Body, error) {
	return parseBody(name, source, 0, all)
}

// ParseJSON is ParseFile for the JSON syntax.
func ParseJSON(name string, source []byte, all ...Option) (*Body, error) {
	return parseBody(name, source, chcl.ParseJSON, all)
}

// ReadFile reads and parses a file: of JSON syntax if its name ends in .json, else of native syntax.
func ReadFile(name string, all ...Option) (*Body, error) {
	source, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(filepath.Ext(name), ".json") {
		return ParseJSON(name, source, all...)
	}
	return ParseFile(name, source, all...)
}

func parseFile(name string, source []byte, flags uint32, all []Option) (*chcl.File, error) {
	o, err := gather(all)
	if err != nil {
		return nil, err
	}
	return parsing(o, flags, func(opts *chcl.ParseOptions) chcl.Made[chcl.File] {
		return chcl.FileParse(name, source, opts)
	})
}

func parseBody(name string, source []byte, flags uint32, all []Option) (*Body, error) {
	file, err := parseFile(name, source, flags, all)
	if err != nil {
		return nil, err
	}
	defer chcl.FileFree(file)
	return newBody(chcl.FileBody(file))
}

// Body is the content of a file or a block. It is immutable.
type Body struct {
	h *handle[chcl.Body]
}

func newBody(m chcl.Made[chcl.Body]) (*Body, error) {
	if m.Status != chcl.OK {
		return nil, failure(background, m.Status, m.Diags, nil)
	}
	dropDiags(m.Diags)
	return &Body{newHandle(m.Object, chcl.BodyFree)}, nil
}

// Close releases the body. Attributes and blocks that were taken from it keep what they need.
func (b *Body) Close() error {
	b.h.close()
	return nil
}

// Attribute is a name and an expression.
type Attribute struct {
	Name      string
	Range     Range // from the name to the end of the expression
	NameRange Range
	ExprRange Range
	body      *handle[chcl.Body]
	object    *chcl.Attr
}

// Block is a type, labels and a body.
type Block struct {
	Type     string
	Labels   []string
	Range    Range // from the type to the closing brace
	DefRange Range // the header
	// TypeRange and LabelRanges are where the type and the labels stand.
	TypeRange   Range
	LabelRanges []Range
	body        *handle[chcl.Body]
	object      *chcl.Block
}

// content is what a body holds.
type content struct {
	attributes []*Attribute
	blocks     []*Block
	missing    Range // where something that is missing is said to be missing
	body       *Body
}

// list reads what is in a body that can be looked at.
func (b *Body) list() (*content, error) {
	object, err := b.h.acquire()
	if err != nil {
		return nil, err
	}
	defer b.h.release()
	dump := chcl.BodyDump(object)
	defer dump.Free()
	if dump.Status != chcl.OK {
		return nil, Status(dump.Status)
	}
	w := words{dump.View()}
	c := &content{missing: w.place(), body: b}
	for range w.word() {
		a := &Attribute{body: b.h, object: (*chcl.Attr)(w.pointer()), Name: w.text()}
		name := w.text()
		a.Range, a.NameRange, a.ExprRange = w.placeIn(name), w.placeIn(name), w.placeIn(name)
		c.attributes = append(c.attributes, a)
	}
	for range w.word() {
		block := &Block{body: b.h, object: (*chcl.Block)(w.pointer()), Type: w.text()}
		name := w.text()
		block.Range, block.DefRange, block.TypeRange = w.placeIn(name), w.placeIn(name), w.placeIn(name)
		for range w.word() {
			block.Labels = append(block.Labels, w.text())
			block.LabelRanges = append(block.LabelRanges, w.placeIn(name))
		}
		c.blocks = append(c.blocks, block)
	}
	return c, nil
}

func (w *words) placeIn(filename string) Range {
	place := w.place()
	place.Filename = filename
	return place
}

// Attributes are the attributes of a body of native syntax, in the order of the source. Bodies of JSON syntax are read by
// [Body.JustAttributes] or [Body.Decode].
func (b *Body) Attributes() ([]*Attribute, error) {
	c, err := b.list()
	if err != nil {
		return nil, err
	}
	return c.attributes, nil
}

// Blocks are the blocks of a body of native syntax, in the order of the source.
func (b *Body) Blocks() ([]*Block, error) {
	c, err := b.list()
	if err != nil {
		return nil, err
	}
	return c.blocks, nil
}

// AllAttributes goes through the attributes of a body of native syntax, in the order of the source. An error is the last.
func (b *Body) AllAttributes() iter.Seq2[*Attribute, error] {
	return func(yield func(*Attribute, error) bool) { each(b.Attributes, yield) }
}

// AllBlocks goes through the blocks of a body of native syntax, those of these types only if there are any, in the order of the
// source. An error is the last.
func (b *Body) AllBlocks(types ...string) iter.Seq2[*Block, error] {
	return func(yield func(*Block, error) bool) {
		each(b.Blocks, func(block *Block, err error) bool {
			return err == nil && len(types) > 0 && !slices.Contains(types, block.Type) || yield(block, err)
		})
	}
}

// each goes through a list, or gives the error that there is in place of one.
func each[T any](list func() ([]T, error), yield func(T, error) bool) {
	all, err := list()
	for _, one := range all {
		if !yield(one, nil) {
			return
		}
	}
	if err != nil {
		var none T
		yield(none, err)
	}
}

// JustAttributes are the attributes of a body of either syntax that has no blocks; a block is an error.
func (b *Body) JustAttributes() ([]*Attribute, error) {
	object, err := b.h.acquire()
	if err != nil {
		return nil, err
	}
	defer b.h.release()
	just, err := newBody(chcl.BodyJustAttributes(object))
	if err != nil {
		return nil, err
	}
	return just.Attributes()
}

// MergeBodies reads several bodies as one: an attribute may be in one of them only.
func MergeBodies(first *Body, more ...*Body) (*Body, error) {
	merged := first
	for _, next := range more {
		a, err := merged.h.acquire()
		if err != nil {
			return nil, err
		}
		b, err := next.h.acquire()
		if err != nil {
			merged.h.release()
			return nil, err
		}
		both, err := newBody(chcl.BodyMerge(a, b))
		next.h.release()
		merged.h.release()
		if err != nil {
			return nil, err
		}
		merged = both
	}
	return merged, nil
}

// Body is the body of the block.
func (b *Block) Body() (*Body, error) {
	if _, err := b.body.acquire(); err != nil {
		return nil, err
	}
	defer b.body.release()
	return newBody(chcl.BlockBody(b.object))
}

// Expression is the expression of the attribute, to compile with [Scope.CompileExpression].
func (a *Attribute) Expression() (*Expression, error) {
	if _, err := a.body.acquire(); err != nil {
		return nil, err
	}
	defer a.body.release()
	m := chcl.AttrExpr(a.object)
	if m.Status != chcl.OK {
		return nil, Status(m.Status)
	}
	return &Expression{newHandle(m.Object, chcl.ExprFree)}, nil
}

// Eval evaluates the attribute once, in the scope and with the values of a frame.
func (a *Attribute) Eval(ctx context.Context, frame *Frame) (Value, error) {
	if _, err := a.body.acquire(); err != nil {
		return Value{}, err
	}
	defer a.body.release()
	var result Value
	err := frame.run(ctx, nil, func(_ *chcl.Program, frame *chcl.Frame, env uintptr) (chcl.Status, *chcl.Diags) {
		m := chcl.AttrEval(a.object, frame, env)
		if m.Status == chcl.OK {
			result = newValue(m.Object)
		}
		return m.Status, m.Diags
	})
	return result, err
}
