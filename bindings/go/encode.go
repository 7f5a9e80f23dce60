package hcl

import (
	"cmp"
	"encoding"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"libhcl.dev/go/internal/chcl"
)

// How much a Go value may hold; the library's own bounds for values that are built.
const (
	maxDepth    = 1000
	maxElements = 10_000_000
)

// encoder writes Go values as the run of bytes that glue.c reads:
//
//	n null   t true   f false   i int64   d float64   N decimal text   s text
//	b kind … x  a container with what is inside   k text  the key of the element that follows
//	v pointer  a value of the library            T text text  a type and JSON
//
// Words are 64 bits in the machine's order, texts a length and bytes.
type encoder struct {
	wire     []byte
	depth    int
	held     []*handle[chcl.Value]
	elements int
}

// done lets go of the values that the run points to.
func (e *encoder) done() {
	for _, h := range e.held {
		h.release()
	}
	e.held = nil
}

func (e *encoder) reset() {
	e.done()
	e.wire, e.depth, e.elements = e.wire[:0], 0, 0
}

func (e *encoder) tag(tag byte)     { e.wire = append(e.wire, tag) }
func (e *encoder) word(word uint64) { e.wire = binary.NativeEndian.AppendUint64(e.wire, word) }

func (e *encoder) text(tag byte, text string) error {
	if !utf8.ValidString(text) {
		return e.fail(ErrArgument, "a text that is not UTF-8")
	}
	e.tag(tag)
	e.bare(text)
	return nil
}

// bare writes a text without a tag.
func (e *encoder) bare(text string) {
	e.word(uint64(len(text)))
	e.wire = append(e.wire, text...)
}

func (e *encoder) fail(status Status, format string, arguments ...any) error {
	return valueErrorf(status, format, arguments...)
}

func (e *encoder) integer(i int64) {
	e.tag('i')
	e.word(uint64(i))
}

func (e *encoder) float(x float64) error {
	if math.IsNaN(x) {
		return e.fail(ErrRange, "NaN is no number in HCL")
	}
	e.tag('d')
	e.word(math.Float64bits(x))
	return nil
}

func (e *encoder) typed(text, json string) error {
	if text == anyType {
		e.tag('n')
		return nil
	}
	if err := e.text('T', text); err != nil {
		return err
	}
	e.bare(json)
	return nil
}

// value writes a Go value.
func (e *encoder) value(v any) error {
	switch v := v.(type) {
	case nil:
		e.tag('n')
		return nil
	case bool:
		e.truth(v)
		return nil
	case string:
		return e.text('s', v)
	case int:
		e.integer(int64(v))
		return nil
	case int64:
		e.integer(v)
		return nil
	case float64:
		return e.float(v)
	case Value:
		return e.own(v)
	default:
		return e.reflected(reflect.ValueOf(v))
	}
}

func (e *encoder) truth(b bool) {
	if b {
		e.tag('t')
	} else {
		e.tag('f')
	}
}

func (e *encoder) own(v Value) error {
	object, err := v.acquire()
	if err != nil {
		return e.fail(ErrArgument, "a Value that is closed or empty")
	}
	e.held = append(e.held, v.h)
	e.tag('v')
	e.word(uint64(uintptr(unsafe.Pointer(object))))
	return nil
}

func (e *encoder) number(text string) error { return e.text('N', text) }

func (e *encoder) bigFloat(f *big.Float) error {
	if x, accuracy := f.Float64(); accuracy == big.Exact {
		return e.float(x)
	}
	// The shortest text that gives the same number when it is read with HCL's 512 bits.
	return e.number(new(big.Float).SetPrec(512).Set(f).Text('e', -1))
}

func (e *encoder) jsonNumber(n json.Number) error {
	if n == "" || !json.Valid([]byte(n)) || (n[0] != '-' && (n[0] < '0' || n[0] > '9')) {
		return e.fail(ErrRange, "%q is no number", string(n))
	}
	return e.number(string(n))
}

// special writes values of types that have a meaning of their own.
func (e *encoder) special(v reflect.Value) (known bool, err error) {
	switch t := v.Type(); {
	case t == valueType:
		return true, e.own(v.Interface().(Value))
	case t == bigIntType:
		i := v.Interface().(big.Int)
		return true, e.number(i.String())
	case t == bigFloatType:
		f := v.Interface().(big.Float)
		return true, e.bigFloat(&f)
	case t == jsonNumberType:
		return true, e.jsonNumber(json.Number(v.String()))
	case t.Implements(marshalerType) && t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface:
		text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return true, e.fail(ErrArgument, "%v", err)
		}
		return true, e.text('s', string(text))
	}
	return false, nil
}

func (e *encoder) reflected(v reflect.Value) error {
	if e.depth > maxDepth {
		return e.fail(ErrLimit, "nested more than %d deep, or containing itself", maxDepth)
	}
	if e.elements++; e.elements > maxElements {
		return e.fail(ErrLimit, "more than %d elements", maxElements)
	}
	if known, err := e.special(v); known {
		return err
	}
	switch v.Kind() {
	case reflect.Bool:
		e.truth(v.Bool())
	case reflect.String:
		return e.text('s', v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.integer(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if u := v.Uint(); u > math.MaxInt64 {
			return e.number(strconv.FormatUint(u, 10))
		}
		e.integer(int64(v.Uint()))
	case reflect.Float32, reflect.Float64:
		return e.float(v.Float())
	case reflect.Pointer, reflect.Interface:
		return e.pointed(v)
	case reflect.Slice, reflect.Array:
		return e.sequence(v)
	case reflect.Map:
		return e.mapping(v)
	case reflect.Struct:
		return e.object(v)
	default:
		return e.fail(ErrType, "a %s has no HCL value", v.Type())
	}
	return nil
}

func (e *encoder) pointed(v reflect.Value) error {
	if v.IsNil() {
		return e.typed(typeText(v.Type()), "null")
	}
	if v.Kind() == reflect.Pointer {
		e.depth++
		defer e.pop()
	}
	return e.reflected(v.Elem())
}

func (e *encoder) pop() { e.depth-- }

// begin opens a container; false says that it has been written, being empty.
func (e *encoder) begin(text string, static, dynamic uint64, n int) (bool, error) {
	if n == 0 && text != anyType {
		if static == chcl.KindMap {
			return false, e.typed(text, "{}")
		}
		return false, e.typed(text, "[]")
	}
	kind := static
	if text == anyType {
		kind = dynamic
	}
	e.tag('b')
	e.word(kind)
	return true, nil
}

func (e *encoder) sequence(v reflect.Value) error {
	if isBytes(v.Type()) {
		return e.text('s', string(v.Bytes()))
	}
	text := typeText(v.Type())
	if v.Kind() == reflect.Slice && v.IsNil() {
		return e.typed(text, "null")
	}
	if open, err := e.begin(text, chcl.KindList, chcl.KindTuple, v.Len()); err != nil || !open {
		return err
	}
	e.depth++
	defer e.pop()
	for i := range v.Len() {
		if err := e.reflected(v.Index(i)); err != nil {
			return atStep("["+strconv.Itoa(i)+"]", err)
		}
	}
	e.tag('x')
	return nil
}

func (e *encoder) key(key string) error { return e.text('k', key) }

func (e *encoder) mapping(v reflect.Value) error {
	text := typeText(v.Type())
	if v.IsNil() {
		return e.typed(text, "null")
	}
	if v.Type().Key().Kind() != reflect.String {
		return e.fail(ErrType, "keys of a map are texts, not %s", v.Type().Key())
	}
	if open, err := e.begin(text, chcl.KindMap, chcl.KindObject, v.Len()); err != nil || !open {
		return err
	}
	e.depth++
	defer e.pop()
	// Keys that are equal once they are normalized must not depend on the order of Go's map.
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	for _, key := range keys {
		err := e.key(key.String())
		if err == nil {
			err = e.reflected(v.MapIndex(key))
		}
		if err != nil {
			return atStep("["+strconv.Quote(key.String())+"]", err)
		}
	}
	e.tag('x')
	return nil
}

func (e *encoder) object(v reflect.Value) error {
	e.depth++
	defer e.pop()
	e.tag('b')
	e.word(chcl.KindObject)
	for _, f := range valueFields(v.Type()) {
		inner := f.of(v)
		err := e.key(f.name)
		switch {
		case err != nil:
		case !inner.IsValid():
			err = e.typed(typeText(f.typ), "null")
		default:
			err = e.reflected(inner)
		}
		if err != nil {
			return atStep("."+f.name, err)
		}
	}
	e.tag('x')
	return nil
}
