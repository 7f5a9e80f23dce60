package hcl

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"libhcl.dev/go/internal/chcl"
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
	// What was taken of the body keeps what it needs.
	defer body.Close()
	return body.Decode(ctx, frame, target)
}

// Decode fills a struct, to which target points, with a body of either syntax. Tags say what goes where:
//
//	Port    int         `hcl:"port"`            an attribute that must be there; also `hcl:"port,attr"`
//	Host    string      `hcl:"host,optional"`   one that may be missing; so may one whose field is a pointer
//	When    *Expression `hcl:"when"`            an attribute that is not evaluated; it must be there, unless with optional
//	Odd     *Attribute  `hcl:"odd"`             an attribute as it stands in the body, which may be missing
//	Server  Server      `hcl:"server,block"`    one block; a pointer: at most one; a slice: any number
//	Relays  map[string]Relay `hcl:"relay,block"` blocks by their first label; of a map in a map, by their first two
//	Name    string      `hcl:"name,label"`      a label of the block, in order
//	Rest    *Body       `hcl:",remain"`         what no other field asks for: a *Body, or what a body is decoded to
//	All     *Body       `hcl:",body"`           the body itself: likewise
//	Header  Range       `hcl:",def_range"`      where the block's type and labels stand, or by type_range its type
//	NameAt  Range       `hcl:"name,label_range"` where the label of that name stands
//	PortAt  Range       `hcl:"port,attr_range"`  where the attribute of that name stands; attr_name_range, attr_value_range
//
// Fields of an embedded struct without a tag are those of the struct around it. A map, to which target points, gets the
// attributes of a body without blocks: values, *Expression or *Attribute. A [BodyUnmarshaler] reads a body itself, an
// [Unmarshaler] a value, an [encoding.TextUnmarshaler] a text.
//
// Fields that the body does not set stay as they are; pointers to structs and elements of slices that are there already are
// filled, not replaced. Attributes are evaluated in the scope and with the values of the frame, without one in no scope at all,
// and converted as by [Value.Decode]. All that is wrong is said at once, in an [*Error], at its place in the source.
func (b *Body) Decode(ctx context.Context, frame *Frame, target any) error {
	pointer := reflect.ValueOf(target)
	if pointer.Kind() != reflect.Pointer || pointer.IsNil() || !takesBody(pointer.Type().Elem()) {
		return valueErrorf(ErrArgument, "the target is a %T, not a pointer to a struct or a map", target)
	}
	p := planOf(pointer.Type().Elem())
	if p.err != nil {
		return p.err
	}
	object, err := b.h.acquire()
	if err != nil {
		return err
	}
	defer b.h.release()
	d := &bodyDecoder{ctx: ctx, frame: frame, found: &Error{Status: ErrDiagnostics}}
	read, err := d.read(object, p)
	defer read.Free()
	if err != nil {
		return err
	}
	d.run.bytes = read.View()
	if err := d.body(p, object, pointer.Elem()); err != nil {
		return err
	}
	if d.found.Diagnostics.HasErrors() {
		return d.found
	}
	return nil
}

// bodyDecoder reads what the library made of a body by a plan, and gathers what is wrong.
type bodyDecoder struct {
	ctx   context.Context
	frame *Frame
	found *Error
	run   words
	one   decoder // of the value that is being read
}

// read lets the library read the body, evaluating it.
func (d *bodyDecoder) read(object *chcl.Body, p *plan) (read chcl.Read, err error) {
	err = d.frame.run(d.ctx, nil, func(_ *chcl.Program, frame *chcl.Frame, env uintptr) (chcl.Status, *chcl.Diags) {
		read = chcl.BodyRead(object, p.object, frame, env)
		if d.frame != nil && d.frame.env != nil {
			d.found.causes = d.frame.env.causes
		}
		return read.Status, read.Diags
	})
	if read.Status == chcl.Limit && read.Diags == nil {
		err = valueErrorf(ErrLimit, "blocks nest more than %d deep", maxDepth)
	}
	return read, err
}

// lent is a place that the library holds until the decoding ends.
type lent chcl.Place

func (p lent) with(use func(chcl.Place) error) error { return use(chcl.Place(p)) }

// bodyContent is what of a body the attributes are in.
type bodyContent struct {
	object *chcl.Body
	h      *handle[chcl.Body]
}

// handle keeps the content for attributes that are given away.
func (c *bodyContent) handle() (*handle[chcl.Body], error) {
	if c.h == nil {
		body, err := newBody(chcl.BodyRef(c.object))
		if err != nil {
			return nil, err
		}
		c.h = body.h
	}
	return c.h, nil
}

// body reads a body, which is the next in the run, into a variable.
func (d *bodyDecoder) body(p *plan, object *chcl.Body, target reflect.Value) error {
	if p.kind == asItIs {
		return d.alone(object, target)
	}
	d.complaints()
	d.run.pointer()
	content := &bodyContent{object: (*chcl.Body)(d.run.pointer())}
	if p.kind == asMap {
		return d.mapping(p, content, target)
	}
	if p.whole != nil {
		if err := d.inner(p.whole, object, target); err != nil {
			return err
		}
	}
	if p.rest != nil {
		if err := d.inner(p.rest, (*chcl.Body)(d.run.pointer()), target); err != nil {
			return err
		}
	}
	for i := range p.attributes {
		a := &p.attributes[i]
		if d.run.byte() == '-' {
			continue
		}
		if err := d.attribute(a, a.name, content, a.in(target), target); err != nil {
			return err
		}
	}
	for i := range p.blocks {
		if err := d.blocks(&p.blocks[i], object, target); err != nil {
			return err
		}
	}
	return nil
}

// complaints takes over diagnostics of the library.
func (d *bodyDecoder) complaints() {
	if diags := (*chcl.Diags)(d.run.pointer()); diags != nil {
		if m := chcl.DiagsCopy(diags); m.Status == chcl.OK {
			d.found.add(m.Object)
		}
	}
}

// inner reads a body into a field for it.
func (d *bodyDecoder) inner(b *bodyPlan, object *chcl.Body, target reflect.Value) error {
	field := b.in(target)
	if b.typ != bodyType {
		field = made(field)
	}
	return d.body(b.inner, object, field)
}

// made is what a pointer points to, which is made if it points to nothing; any other variable itself.
func made(target reflect.Value) reflect.Value {
	if target.Kind() != reflect.Pointer {
		return target
	}
	if target.IsNil() {
		target.Set(reflect.New(target.Type().Elem()))
	}
	return target.Elem()
}

// alone gives away a body as it is, or lets a type read it.
func (d *bodyDecoder) alone(object *chcl.Body, target reflect.Value) error {
	if object == nil {
		return nil
	}
	body, err := newBody(chcl.BodyRef(object))
	if err != nil {
		return err
	}
	if target.Type() == bodyType {
		target.Set(reflect.ValueOf(body))
		return nil
	}
	return d.gather(target.Addr().Interface().(BodyUnmarshaler).UnmarshalHCLBody(d.ctx, body, d.frame), lent{Body: object})
}

// gather keeps complaints about the input, those of the program too; what else is wrong ends the decoding.
func (d *bodyDecoder) gather(err error, at Place) error {
	var problem *Error
	var status Status
	switch {
	case err == nil:
		return nil
	case errors.As(err, &problem):
		if problem.Status != ErrDiagnostics {
			return err
		}
		d.found.merge(problem)
	case errors.As(err, &status):
		return err
	default:
		d.found.say("decode.unsuitable_body", "Unsuitable body", sentence(err.Error()), At(at))
		d.found.causes = append(d.found.causes, err)
	}
	return nil
}

// sentence ends a text as one.
func sentence(text string) string { return strings.TrimSuffix(text, ".") + "." }

// mapping fills a map with the attributes of a body.
func (d *bodyDecoder) mapping(p *plan, content *bodyContent, target reflect.Value) error {
	n := int(d.run.word())
	all := reflect.MakeMapWithSize(target.Type(), n)
	for range n {
		name := d.run.text()
		d.run.byte()
		one := reflect.New(target.Type().Elem()).Elem()
		if err := d.attribute(&p.attributes[0], name, content, one, reflect.Value{}); err != nil {
			return err
		}
		all.SetMapIndex(reflect.ValueOf(name).Convert(target.Type().Key()), one)
	}
	target.Set(all)
	return nil
}

// attribute fills a variable with an attribute that is there, and the fields of the struct around it with its places.
func (d *bodyDecoder) attribute(a *attributePlan, name string, content *bodyContent, target, around reflect.Value) error {
	if chcl.IsPlain(a.flags) {
		return d.value(a, name, content, target)
	}
	object := (*chcl.Attr)(d.run.pointer())
	var places [3]Range
	if a.flags&chcl.WantRanges != 0 {
		filename := d.run.text()
		for i := range places {
			places[i] = d.run.placeIn(filename)
			if a.places[i] != nil {
				a.places[i].in(around).Set(reflect.ValueOf(places[i]))
			}
		}
	}
	switch a.how {
	case asExpression:
		m := chcl.AttrExpr(object)
		if m.Status != chcl.OK {
			return Status(m.Status)
		}
		target.Set(reflect.ValueOf(&Expression{newHandle(m.Object, chcl.ExprFree)}))
		return nil
	case asAttribute:
		h, err := content.handle()
		if err != nil {
			return err
		}
		target.Set(reflect.ValueOf(&Attribute{Name: name, Range: places[0], NameRange: places[1], ExprRange: places[2], body: h, object: object}))
		return nil
	}
	return d.value(a, name, content, target)
}

// value fills a variable with the value of an attribute, or tells why it can't.
func (d *bodyDecoder) value(a *attributePlan, name string, content *bodyContent, target reflect.Value) error {
	var err error
	switch d.run.byte() {
	case 'D':
		d.complaints()
		return nil
	case 'C':
		err = unconverted(chcl.Status(d.run.word()), (*chcl.Diags)(d.run.pointer()))
	default:
		d.one = decoder{words{d.run.view()}, a.flags&chcl.WantPointers != 0}
		if a.flags&chcl.MayBeNull != 0 && d.one.isNull() {
			return nil
		}
		err = d.one.into(target)
	}
	if err == nil {
		return nil
	}
	return d.unfit(err, name, chcl.BodyAttrFind(content.object, name))
}

// unfit keeps the complaint that a value does not fit; what else is wrong ends the decoding.
func (d *bodyDecoder) unfit(err error, name string, object *chcl.Attr) error {
	var problem *Error
	var unfit *valueError
	switch {
	case errors.As(err, &problem) && problem.Status == ErrDiagnostics:
		d.found.merge(problem)
	case errors.As(err, &unfit):
		d.found.say("decode.unsuitable_value", "Unsuitable value type",
			fmt.Sprintf("The value of %q does not fit: %s", name, sentence(strings.TrimPrefix(unfit.Error(), "hcl: "))),
			At(lent{Attr: object, Part: chcl.PlaceStart}), Within(lent{Attr: object, Part: chcl.PlaceValue}))
		if unfit.cause != nil {
			d.found.causes = append(d.found.causes, unfit.cause)
		}
	default:
		return err
	}
	return nil
}

// Decode evaluates the attribute as [Attribute.Eval] does and fills a variable, to which target points, as [Value.Decode] does.
// That the value does not fit is said at its place.
func (a *Attribute) Decode(ctx context.Context, frame *Frame, target any) error {
	pointer := reflect.ValueOf(target)
	if pointer.Kind() != reflect.Pointer || pointer.IsNil() {
		return valueErrorf(ErrArgument, "the target is a %T, not a pointer to a variable", target)
	}
	value, err := a.Eval(ctx, frame)
	if err != nil {
		return err
	}
	defer value.Close()
	if err = value.decodeTo(pointer.Elem()); err == nil {
		return nil
	}
	if _, err := a.body.acquire(); err != nil {
		return err
	}
	defer a.body.release()
	d := &bodyDecoder{found: &Error{Status: ErrDiagnostics}}
	if err := d.unfit(err, a.Name, a.object); err != nil {
		return err
	}
	return d.found
}

// unconverted says why there is no value of the type that was asked for.
func unconverted(status chcl.Status, diags *chcl.Diags) error {
	if diags == nil {
		return Status(status)
	}
	detail := chcl.DiagsDetail(diags)
	return valueErrorf(Status(status), "%s", strings.TrimSuffix(detail.Take(), "."))
}

// blocks fills a field of a struct with the blocks of its type. The body is where one that is missing should be.
func (d *bodyDecoder) blocks(b *blockPlan, body *chcl.Body, around reflect.Value) error {
	n := int(d.run.word())
	if n == 0 {
		if b.single && b.typ.Kind() != reflect.Pointer && b.typ.Kind() != reflect.Map {
			d.found.say("decode.missing_block", "Missing "+b.name+" block",
				fmt.Sprintf("A %q block is required here. Add one.", b.name), At(lent{Body: body}))
		}
		return nil
	}
	switch target := b.in(around); {
	case n > 1 && b.single:
		first, second := (*chcl.Block)(d.run.pointer()), (*chcl.Block)(d.run.pointer())
		d.twice(b, second, chcl.BlockDefinition(first), "Only one %q block is allowed here; the first is at %s. Remove this one.", b.name)
		return nil
	case target.Kind() == reflect.Slice && takesBody(behind(b.typ.Elem())):
		return d.slice(b, n, target)
	default:
		known := map[string]*chcl.Block{}
		for range n {
			head := d.head(b)
			if err := d.store(b, head, 0, target, known); err != nil {
				return err
			}
		}
	}
	return nil
}

// twice complains about a block for which there is one too many; the first is at a place in the bytes.
func (d *bodyDecoder) twice(b *blockPlan, second *chcl.Block, first chcl.Bytes, detail string, what any) {
	defer first.Free()
	var at Range
	if first.Status == chcl.OK {
		w := words{first.View()}
		name := w.text()
		at = w.placeIn(name)
	}
	d.found.say("decode.duplicate_block", "Duplicate "+b.name+" block", fmt.Sprintf(detail, what, at),
		At(lent{Block: second, Part: chcl.PlaceHeader}))
}

// slice fills a slice with blocks, those elements first that it has.
func (d *bodyDecoder) slice(b *blockPlan, n int, target reflect.Value) error {
	if target.Len() < n {
		all := reflect.MakeSlice(target.Type(), n, n)
		reflect.Copy(all, target)
		target.Set(all)
	} else {
		target.SetLen(n)
	}
	for i := range n {
		if err := d.block(b, d.head(b), target.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// blockHead is a block without its body.
type blockHead struct {
	object *chcl.Block
	body   *chcl.Body
	labels []string
	places [2]Range // as in plan
	at     []Range  // of the labels
}

func (d *bodyDecoder) head(b *blockPlan) blockHead {
	head := blockHead{object: (*chcl.Block)(d.run.pointer()), body: (*chcl.Body)(d.run.pointer())}
	if n := d.run.word(); n > 0 {
		head.labels = make([]string, n)
		for i := range head.labels {
			head.labels[i] = d.run.text()
		}
	}
	if b.flags&chcl.WantRanges != 0 {
		filename := d.run.text()
		head.places = [2]Range{d.run.placeIn(filename), d.run.placeIn(filename)}
		for range head.labels {
			head.at = append(head.at, d.run.placeIn(filename))
		}
	}
	return head
}

// store puts a block where its labels say, in maps and slices inside each other. The blocks are known by the labels that are
// keys.
func (d *bodyDecoder) store(b *blockPlan, head blockHead, level int, target reflect.Value, known map[string]*chcl.Block) error {
	t := target.Type()
	path := strings.Join(head.labels[:min(level, len(head.labels))], "\x00")
	switch {
	case takesBody(behind(t)):
		if first := known[path]; first != nil && level > 0 {
			d.twice(b, head.object, chcl.BlockDefinition(first), "There is a block with the label %q already, at %s. Give this one another.", head.labels[level-1])
			target = reflect.New(t).Elem()
		}
		known[path] = head.object
		return d.block(b, head, target)
	case t.Kind() == reflect.Slice:
		if known[path] == nil {
			target.SetZero()
		}
		known[path] = head.object
		one := reflect.New(t.Elem()).Elem()
		if err := d.store(b, head, level, one, map[string]*chcl.Block{}); err != nil {
			return err
		}
		target.Set(reflect.Append(target, one))
		return nil
	}
	if target.IsNil() {
		target.Set(reflect.MakeMap(t))
	}
	key := reflect.ValueOf(head.labels[level]).Convert(t.Key())
	one := reflect.New(t.Elem()).Elem()
	if before := target.MapIndex(key); before.IsValid() {
		one.Set(before)
	}
	err := d.store(b, head, level+1, one, known)
	target.SetMapIndex(key, one)
	return err
}

// block reads a block into a struct, a pointer to one or a map.
func (d *bodyDecoder) block(b *blockPlan, head blockHead, target reflect.Value) error {
	target = made(target)
	p := b.inner
	for i := range p.labels {
		label := &p.labels[i]
		if i >= len(head.labels) {
			break
		}
		if err := label.set(head.labels[i], target); err != nil {
			d.found.say("decode.unsuitable_label", "Unsuitable label",
				fmt.Sprintf("The label %q does not fit: %s", head.labels[i], sentence(err.Error())), At(lent{Block: head.object, Part: chcl.PlaceHeader}))
			d.found.causes = append(d.found.causes, err)
		}
		if label.place != nil {
			label.place.in(target).Set(reflect.ValueOf(head.at[i]))
		}
	}
	for i, place := range p.places {
		if place != nil {
			place.in(target).Set(reflect.ValueOf(head.places[i]))
		}
	}
	return d.body(p, head.body, target)
}

func (l *labelPlan) set(text string, target reflect.Value) error {
	field := l.in(target)
	if reader, ok := field.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return reader.UnmarshalText([]byte(text))
	}
	field.SetString(text)
	return nil
}
