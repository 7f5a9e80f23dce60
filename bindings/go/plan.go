package hcl

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"libhcl.dev/go/internal/chcl"
)

// plan is what a type asks of a body. The library has it too, so that it reads a whole body, with the blocks in it, in one call.
type plan struct {
	kind        planKind
	attributes  []attributePlan // of a map the one for all
	blocks      []blockPlan
	labels      []labelPlan
	rest, whole *bodyPlan
	places      [2]*field // of the header and the type of the block
	schema      string    // as text
	object      *chcl.Plan
	err         error
}

type planKind uint8

const (
	asStruct planKind = iota
	asMap             // a body of attributes only
	asItIs            // a *Body, or a type that reads itself
)

// attributePlan is a field for an attribute.
type attributePlan struct {
	field
	how    attributeKind
	flags  uint64
	places [3]*field // of all of it, the name and the value
}

type attributeKind uint8

const (
	asValue attributeKind = iota
	asExpression
	asAttribute
)

// blockPlan is a field for blocks of a type.
type blockPlan struct {
	field
	inner  *plan
	flags  uint64
	single bool // at most one, and exactly one if it is not a pointer
}

// labelPlan is a field for a label.
type labelPlan struct {
	field
	place *field
}

// bodyPlan is a field for a body, or for what is left of one.
type bodyPlan struct {
	field
	inner *plan
}

// BodyUnmarshaler is a type that reads itself from the body of a block, of what remains or of a file. A struct that is one still
// gets its labels and places by tags, before the call.
type BodyUnmarshaler interface {
	UnmarshalHCLBody(ctx context.Context, body *Body, frame *Frame) error
}

var (
	expressionType = reflect.TypeFor[*Expression]()
	attributeType  = reflect.TypeFor[*Attribute]()
	bodyType       = reflect.TypeFor[*Body]()
	rangeType      = reflect.TypeFor[Range]()
	bodyReaderType = reflect.TypeFor[BodyUnmarshaler]()
)

func readsBody(t reflect.Type) bool { return reflect.PointerTo(t).Implements(bodyReaderType) }

// takesBody tells whether a body can be read into a type, and not only a value. Maps whose elements take bodies are of blocks.
func takesBody(t reflect.Type) bool {
	switch {
	case readsBody(t):
		return true
	case t.Kind() == reflect.Struct:
		return !isScalar(t) && t != expressionType.Elem() && t != attributeType.Elem() && t != bodyType.Elem()
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		return !holdsBlocks(t.Elem(), 1)
	}
	return false
}

// holdsBlocks tells whether maps and slices, one in the other, lead to what takes a body; they may lead to themselves.
func holdsBlocks(t reflect.Type, depth int) bool {
	t = behind(t)
	if depth < 10 && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map) && !readsBody(t) {
		return holdsBlocks(t.Elem(), depth+1)
	}
	return (t.Kind() == reflect.Struct || readsBody(t)) && takesBody(t)
}

// behind is the type that a pointer points to.
func behind(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

var (
	plans    sync.Map // by type, for good: there are as many as the program has such types
	planning sync.Mutex
)

// planOf is the plan of a type, which is a struct, a map or a BodyUnmarshaler.
func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	planning.Lock()
	defer planning.Unlock()
	made := planner{}
	p := made.plan(t)
	for _, other := range made {
		if p.err == nil && other.err == nil {
			other.err = other.give()
		}
		p.err = cmp.Or(p.err, other.err)
	}
	if p.err != nil {
		made = planner{t: p}
	}
	for t, p := range made {
		plans.Store(t, p)
	}
	return p
}

// planner makes the plans of types that refer to each other.
type planner map[reflect.Type]*plan

func (made planner) plan(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	if p, ok := made[t]; ok {
		return p
	}
	p := &plan{object: chcl.PlanNew()}
	made[t] = p
	switch {
	case t == bodyType:
		p.kind = asItIs
	case !takesBody(t):
		p.err = valueErrorf(ErrArgument, "a body can't be read into a %s", t)
	case t.Kind() == reflect.Map:
		p.kind = asMap
		p.attributes = []attributePlan{{field: field{typ: t.Elem(), goName: t.String(), optional: t.Elem().Kind() == reflect.Pointer}}}
		p.attributes[0].complete()
		p.attributes[0].flags |= chcl.WantAttribute
	case t.Kind() == reflect.Struct:
		p.err = p.ask(fields(t), made)
	}
	if readsBody(t) {
		p.kind = asItIs
	}
	return p
}

// ask reads the tags of a struct.
func (p *plan) ask(all []field, made planner) error {
	for _, f := range all {
		var err error
		switch f.option {
		case "", "attr", "optional":
			if p.attribute(f.name) != nil {
				err = f.wrong("is a second field for the attribute %q", f.name)
			}
			p.attributes = append(p.attributes, attributePlan{field: f})
		case "block":
			err = p.askBlocks(f, made)
		case "label":
			if f.typ.Kind() != reflect.String && !isText(f.typ) {
				err = f.wrong("is a %s, and a label is a text", f.typ)
			}
			p.labels = append(p.labels, labelPlan{field: f})
		case "remain":
			p.rest, err = f.forBody(p.rest, made)
		case "body":
			p.whole, err = f.forBody(p.whole, made)
		case "def_range", "type_range", "label_range", "attr_range", "attr_name_range", "attr_value_range":
			if f.typ != rangeType {
				err = f.wrong("is a %s, not a Range", f.typ)
			}
		default:
			err = f.wrong("has a tag with the option %q", f.option)
		}
		if err != nil {
			return err
		}
	}
	return p.askPlaces(all)
}

func (f *field) wrong(format string, arguments ...any) error {
	return valueErrorf(ErrArgument, "%s %s", f.goName, fmt.Sprintf(format, arguments...))
}

func (f field) forBody(before *bodyPlan, made planner) (*bodyPlan, error) {
	if before != nil {
		return nil, f.wrong("is a second field with the option %q", f.option)
	}
	t := f.typ
	if t != bodyType {
		t = behind(t)
	}
	return &bodyPlan{f, made.plan(t)}, nil
}

func (p *plan) askBlocks(f field, made planner) error {
	t := f.typ
	b := blockPlan{field: f, single: true}
	for !takesBody(behind(t)) {
		switch {
		case t.Kind() == reflect.Slice, t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
			t, b.single = t.Elem(), false
		default:
			return f.wrong("is no place for blocks, but a %s", f.typ)
		}
	}
	if b.single {
		b.flags |= chcl.OnlyOne
	}
	b.inner = made.plan(behind(t))
	p.blocks = append(p.blocks, b)
	return nil
}

func (p *plan) attribute(name string) *attributePlan {
	for i := range p.attributes {
		if p.attributes[i].name == name {
			return &p.attributes[i]
		}
	}
	return nil
}

// askPlaces gives the fields for places to what they are the places of.
func (p *plan) askPlaces(all []field) error {
	for i := range all {
		f := &all[i]
		switch f.option {
		case "def_range":
			p.places[0] = f
		case "type_range":
			p.places[1] = f
		case "label_range":
			for l := range p.labels {
				if p.labels[l].name == f.name {
					p.labels[l].place = f
				}
			}
		case "attr_range", "attr_name_range", "attr_value_range":
			a := p.attribute(f.name)
			if a == nil {
				return f.wrong("is for the place of the attribute %q, which has no field", f.name)
			}
			a.places[map[string]int{"attr_range": 0, "attr_name_range": 1, "attr_value_range": 2}[f.option]] = f
		}
	}
	for i := range p.attributes {
		p.attributes[i].complete()
	}
	return nil
}

// complete says how the attribute is read.
func (a *attributePlan) complete() {
	switch a.typ {
	case expressionType:
		a.how = asExpression
		a.flags |= chcl.WantAttribute
	case attributeType:
		a.how = asAttribute
		a.flags |= chcl.WantRanges
	default:
		a.flags |= chcl.WantValue
		if hasValues(a.typ) {
			a.flags |= chcl.WantPointers
		}
		if a.optional && !hasNull(a.typ) {
			a.flags |= chcl.MayBeNull
		}
	}
	if a.places != [3]*field{} {
		a.flags |= chcl.WantRanges
	}
}

// wantsPlaces tells whether a block of the plan must know where it stands.
func (p *plan) wantsPlaces() bool {
	for _, label := range p.labels {
		if label.place != nil {
			return true
		}
	}
	return p.places != [2]*field{}
}

// give describes the plan to the library: see decode.c. Words and texts are as in encode.go.
func (p *plan) give() error {
	var e encoder
	word := func(is bool) {
		if is {
			e.word(1)
		} else {
			e.word(0)
		}
	}
	inner := func(b *bodyPlan) {
		if b == nil {
			e.word(0)
		} else {
			e.word(uint64(uintptr(unsafe.Pointer(b.inner.object))))
		}
	}
	word(p.kind == asItIs)
	word(p.rest != nil)
	inner(p.whole)
	inner(p.rest)
	e.word(uint64(len(p.attributes)))
	for _, a := range p.attributes {
		e.bare(a.name)
		e.word(a.flags)
		if text := typeText(a.typ); a.how == asValue && text != anyType {
			e.bare(text)
		} else {
			e.bare("")
		}
	}
	e.word(uint64(len(p.blocks)))
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.inner.wantsPlaces() {
			b.flags |= chcl.WantRanges
		}
		e.bare(b.name)
		e.word(b.flags)
		e.word(uint64(uintptr(unsafe.Pointer(b.inner.object))))
	}
	var schema *chcl.Schema
	if p.kind == asStruct {
		p.schema = p.schemaText()
		m := chcl.SchemaParse("schema", p.schema, nil)
		if m.Status != chcl.OK {
			return failure(background, m.Status, m.Diags, nil)
		}
		dropDiags(m.Diags)
		schema = m.Object
	}
	return asError(chcl.PlanFill(p.object, schema, e.wire))
}

// schemaText is what the plan asks for as a schema.
func (p *plan) schemaText() string {
	var text strings.Builder
	for _, a := range p.attributes {
		word := "required"
		if a.option == "optional" || a.optional && a.how != asExpression {
			word = "optional"
		}
		fmt.Fprintf(&text, "%s = %s\n", a.name, word)
	}
	for _, b := range p.blocks {
		text.WriteString(b.name)
		for _, name := range b.labelNames() {
			fmt.Fprintf(&text, " %q", name)
		}
		text.WriteString(" {}\n")
	}
	return text.String()
}

// labelNames are the labels that the blocks have: at least as many as there are maps around them.
func (b *blockPlan) labelNames() []string {
	var names []string
	for _, label := range b.inner.labels {
		names = append(names, label.name)
	}
	for n := b.keys(); len(names) < n; {
		names = append(names, "name")
	}
	return names
}

// keys is how many labels are keys of maps.
func (b *blockPlan) keys() int {
	n := 0
	for t := b.typ; !takesBody(behind(t)); t = t.Elem() {
		if t.Kind() == reflect.Map {
			n++
		}
	}
	return n
}

// ImpliedSchema is the schema of the bodies that a struct, or a pointer to one, is decoded from, and whether what the schema
// does not ask for may be there too.
func ImpliedSchema(v any) (schema *Schema, partial bool, err error) {
	t := reflect.TypeOf(v)
	if t != nil {
		t = behind(t)
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil, false, valueErrorf(ErrArgument, "a %T is no struct", v)
	}
	p := planOf(t)
	if p.err != nil {
		return nil, false, p.err
	}
	schema, err = ParseSchema("schema", p.schemaText())
	return schema, p.rest != nil, err
}
