package hcl

import (
	"cmp"
	"encoding"
	"reflect"
	"slices"
	"strings"

	"libhcl.dev/go/internal/chcl"
)

// EncodeBody replaces what is in a block, or with an empty address in the document, by what a struct holds, or what one holds
// that v points to. The tags are those of [Body.Decode]; attributes and blocks stand in the order of the fields. Pointers that
// are nil and empty Values are left out, and so are labels, places and what remains of a body. Expressions and attributes are
// written as they are, what implements [encoding.TextMarshaler] as its text. Of a map the elements are written as attributes.
func (d *Document) EncodeBody(container string, v any) error {
	text, err := encodedBody(v)
	if err != nil {
		return err
	}
	return d.hold(func(object *chcl.Document) error {
		var before []Item
		if err := readDocument(object, chcl.ReadList, container, &before); err != nil {
			return err
		}
		for _, item := range slices.Backward(before) {
			if _, err := edited(chcl.DocumentEdit(object, chcl.EditRemove, item.Address, "", 0, nil, 0)); err != nil {
				return err
			}
		}
		if text == "" {
			return nil
		}
		_, err := edited(chcl.DocumentEdit(object, chcl.EditAppend, container, text, 0, nil, 0))
		return err
	})
}

// EncodeBlock adds a block of a type at the end of a block or, with an empty address, of the document. Its labels are the
// fields of the struct with such tags, its body is as by [Document.EncodeBody].
func (d *Document) EncodeBlock(container, blockType string, v any) error {
	target, err := structOrMap(v)
	if err != nil {
		return err
	}
	w := &bodyWriter{}
	defer w.close()
	if err := w.block(blockType, nil, target); err != nil {
		return atStep("."+blockType, err)
	}
	text, err := w.formatted()
	if err != nil {
		return err
	}
	return d.Append(container, text)
}

// structOrMap is what is written as a body.
func structOrMap(v any) (reflect.Value, error) {
	target := reflect.ValueOf(v)
	if target.Kind() == reflect.Pointer && !target.IsNil() {
		target = target.Elem()
	}
	if !target.IsValid() || !takesBody(target.Type()) || target.Kind() == reflect.Pointer {
		return target, valueErrorf(ErrArgument, "a %T is no struct that a body can be made of", v)
	}
	return target, nil
}

func encodedBody(v any) (string, error) {
	target, err := structOrMap(v)
	if err != nil {
		return "", err
	}
	w := &bodyWriter{}
	defer w.close()
	if err := w.body(target); err != nil {
		return "", err
	}
	return w.formatted()
}

// bodyWriter writes bodies as text; the library writes values.
type bodyWriter struct {
	text       strings.Builder
	attributes *Document // those that have not been copied to the text yet
	inBlocks   bool      // whether a block stands last
	newField   bool      // whether an empty line comes before the next block
	depth      int
}

// body writes what a struct or a map holds.
func (w *bodyWriter) body(v reflect.Value) error {
	if w.depth++; w.depth > maxDepth {
		return valueErrorf(ErrLimit, "blocks nest more than %d deep, or contain themselves", maxDepth)
	}
	defer func() { w.depth-- }()
	p := planOf(v.Type())
	if p.err != nil {
		return p.err
	}
	w.inBlocks = false
	if v.Kind() == reflect.Map {
		for _, key := range sortedKeys(v) {
			if err := w.attribute(key.String(), v.MapIndex(key)); err != nil {
				return atStep("."+key.String(), err)
			}
		}
		return w.flush()
	}
	if p.kind != asStruct {
		return valueErrorf(ErrArgument, "a %s reads itself from a body, but can't be written as one", v.Type())
	}
	for _, f := range fields(v.Type()) {
		field := f.of(v)
		if !field.IsValid() {
			continue
		}
		var err error
		switch f.option {
		case "", "attr", "optional":
			err = w.attribute(f.name, field)
		case "block":
			if err = w.flush(); err == nil {
				w.newField = true
				err = w.blocks(f.name, nil, field)
			}
		}
		if err != nil {
			return atStep("."+f.name, err)
		}
	}
	return w.flush()
}

// formatted is the text, which has no indentation, in canonical form.
func (w *bodyWriter) formatted() (string, error) {
	text, err := Format("", []byte(w.text.String()), StyleHCL)
	return strings.TrimSuffix(string(text), "\n"), err
}

// close lets go of what an error left behind.
func (w *bodyWriter) close() {
	if w.attributes != nil {
		w.attributes.Close()
	}
}

func sortedKeys(v reflect.Value) []reflect.Value {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	return keys
}

// attribute writes an attribute, unless there is none.
func (w *bodyWriter) attribute(name string, v reflect.Value) (err error) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return nil
		}
		if v.Type() == expressionType || v.Type() == attributeType {
			break
		}
		v = v.Elem()
	}
	if w.attributes == nil {
		if w.attributes, err = NewDocument(""); err != nil {
			return err
		}
	}
	var source string
	switch value := v.Interface().(type) {
	case Value:
		if value.h == nil {
			return nil
		}
		return w.attributes.SetValue(Address(name), value)
	case *Expression:
		source = value.Source()
	case *Attribute:
		expression, err := value.Expression()
		if err != nil {
			return err
		}
		defer expression.Close()
		source = expression.Source()
	default:
		return w.attributes.SetValue(Address(name), value)
	}
	return w.attributes.Set(Address(name), source)
}

// flush copies the attributes to the text.
func (w *bodyWriter) flush() error {
	if w.attributes == nil {
		return nil
	}
	if w.inBlocks {
		w.text.WriteByte('\n')
	}
	w.text.WriteString(w.attributes.String())
	w.attributes.Close()
	w.attributes, w.inBlocks = nil, false
	return nil
}

// blocks writes all blocks that a field holds. Keys of maps are the labels of blocks that have none of their own.
func (w *bodyWriter) blocks(blockType string, keys []string, v reflect.Value) error {
	switch {
	case v.Kind() == reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return w.blocks(blockType, keys, v.Elem())
	case takesBody(v.Type()):
		return w.block(blockType, keys, v)
	case v.Kind() == reflect.Map:
		for _, key := range sortedKeys(v) {
			if err := w.blocks(blockType, append(keys[:len(keys):len(keys)], key.String()), v.MapIndex(key)); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range v.Len() {
		if err := w.blocks(blockType, keys, v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (w *bodyWriter) block(blockType string, keys []string, v reflect.Value) error {
	labels, err := labelsOf(v, keys)
	if err != nil {
		return err
	}
	if (!w.inBlocks || w.newField) && w.text.Len() > 0 && !strings.HasSuffix(w.text.String(), "{\n") {
		w.text.WriteByte('\n')
	}
	head, err := blockHeader(blockType, labels)
	if err != nil {
		return err
	}
	w.text.WriteString(head)
	w.text.WriteString("{\n")
	if err := w.body(v); err != nil {
		return err
	}
	w.text.WriteString("}\n")
	w.inBlocks, w.newField = true, false
	return nil
}

// blockHeader is the header of a block as the library writes it.
func blockHeader(blockType string, labels []string) (string, error) {
	document, err := NewDocument("")
	if err != nil {
		return "", err
	}
	defer document.Close()
	if err := document.AppendBlock("", blockType, labels, nil); err != nil {
		return "", err
	}
	head, _, _ := strings.Cut(document.String(), "{\n")
	return head, nil
}

// labelsOf are the labels of a block: the fields of the struct that are, or the keys where these are empty or not there.
func labelsOf(v reflect.Value, keys []string) ([]string, error) {
	var labels []string
	if v.Kind() == reflect.Struct {
		for _, f := range fields(v.Type()) {
			if f.option != "label" {
				continue
			}
			text := ""
			if field := f.of(v); field.IsValid() && field.Kind() == reflect.String {
				text = field.String()
			} else if field.IsValid() {
				marshaler, ok := field.Interface().(encoding.TextMarshaler)
				if !ok {
					return nil, f.wrong("is no text")
				}
				written, err := marshaler.MarshalText()
				if err != nil {
					return nil, &valueError{status: ErrArgument, text: err.Error(), cause: err}
				}
				text = string(written)
			}
			labels = append(labels, text)
		}
	}
	for i, key := range keys {
		switch {
		case i >= len(labels):
			labels = append(labels, key)
		case labels[i] == "":
			labels[i] = key
		}
	}
	return labels, nil
}
