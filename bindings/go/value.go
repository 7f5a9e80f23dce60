package hcl

import (
	"iter"
	"math/big"

	"libhcl.dev/go/internal/chcl"
)

// Kind is what a value is.
type Kind uint32

// The kinds of values.
const (
	KindNull    = Kind(chcl.KindNull)
	KindBool    = Kind(chcl.KindBool)
	KindNumber  = Kind(chcl.KindNumber)
	KindString  = Kind(chcl.KindString)
	KindList    = Kind(chcl.KindList)    // elements of one type, in order
	KindSet     = Kind(chcl.KindSet)     // distinct elements of one type, sorted
	KindMap     = Kind(chcl.KindMap)     // elements of one type by key
	KindTuple   = Kind(chcl.KindTuple)   // elements of any types, in order
	KindObject  = Kind(chcl.KindObject)  // attributes of any types by name
	KindUnknown = Kind(chcl.KindUnknown) // not known yet
	KindInvalid = Kind(chcl.KindInvalid) // no value at all: closed, or the zero Value
)

var kindNames = map[Kind]string{KindNull: "null", KindBool: "bool", KindNumber: "number", KindString: "string",
	KindList: "list", KindSet: "set", KindMap: "map", KindTuple: "tuple", KindObject: "object", KindUnknown: "unknown"}

func (k Kind) String() string {
	if name, ok := kindNames[k]; ok {
		return name
	}
	return "invalid"
}

// Value is a value of HCL. It is immutable and may be used by any number of goroutines. The zero Value is none.
//
// What Index and Get give is part of the value that it came from, and ends with it when that is closed; Clone makes a
// value of its own.
type Value struct {
	h      *handle[chcl.Value]
	object *chcl.Value
}

func newValue(object *chcl.Value) Value { return Value{newHandle(object, chcl.ValueFree), object} }

// refValue is a value of its own for a borrowed one.
func refValue(object *chcl.Value) (Value, error) {
	m := chcl.ValueRef(object)
	if m.Status != chcl.OK {
		return Value{}, Status(m.Status)
	}
	return newValue(m.Object), nil
}

func (v Value) acquire() (*chcl.Value, error) {
	if _, err := v.h.acquire(); err != nil {
		return nil, err
	}
	return v.object, nil
}

// read calls a function with the object, which it keeps alive meanwhile; the zero value of T if there is none.
func read[T any](v Value, body func(*chcl.Value) T) T {
	object, err := v.acquire()
	if err != nil {
		var none T
		return none
	}
	defer v.h.release()
	return body(object)
}

// ask is read for what may fail.
func ask[T any](v Value, body func(*chcl.Value) (T, chcl.Status)) (T, error) {
	object, err := v.acquire()
	if err != nil {
		var none T
		return none, err
	}
	defer v.h.release()
	answer, status := body(object)
	return answer, asError(status)
}

// derive makes a value of another one.
func derive(v Value, body func(*chcl.Value) chcl.Made[chcl.Value]) (Value, error) {
	object, err := v.acquire()
	if err != nil {
		return Value{}, err
	}
	defer v.h.release()
	m := body(object)
	if m.Status != chcl.OK {
		dropDiags(m.Diags)
		return Value{}, Status(m.Status)
	}
	return newValue(m.Object), nil
}

// ValueOf makes a value of a Go value.
//
// Bools, strings (also []byte) and numbers are what they are; *big.Int, *big.Float and json.Number are exact. A slice
// whose elements have one type is a list, a []any a tuple; a map with string keys is a map or, with any inside, an
// object; a struct is an object of its fields with `hcl:"name"` tags. Nil is null, of the type that Go's type says.
// What implements encoding.TextMarshaler is its text.
func ValueOf(v any) (Value, error) {
	if err := checkLibrary(); err != nil {
		return Value{}, err
	}
	var e encoder
	defer e.done()
	if err := e.value(v); err != nil {
		return Value{}, err
	}
	m := chcl.ValueBuild(e.wire)
	if m.Status != chcl.OK {
		return Value{}, Status(m.Status)
	}
	return newValue(m.Object), nil
}

// ValueFromJSON reads a value from JSON: objects, tuples, strings, exact numbers, bools and null.
func ValueFromJSON(text []byte) (Value, error) { return valueFrom(chcl.FormatJSON, string(text)) }

// ValueFromTypedJSON reads what [Value.TypedJSON] wrote.
func ValueFromTypedJSON(text []byte) (Value, error) {
	return valueFrom(chcl.FormatTypedJSON, string(text))
}

func valueFrom(format uint32, text string) (Value, error) {
	if err := checkLibrary(); err != nil {
		return Value{}, err
	}
	m := chcl.ValueDecode(format, text)
	if m.Status != chcl.OK {
		return Value{}, conversionFailure(m)
	}
	return newValue(m.Object), nil
}

// Unknown is a value of a type, such as "list(string)", that is not known yet.
func Unknown(typ string) (Value, error) {
	if err := checkLibrary(); err != nil {
		return Value{}, err
	}
	m := chcl.ValueUnknown(typ)
	if m.Status != chcl.OK {
		return Value{}, failure(background, m.Status, m.Diags, nil)
	}
	return newValue(m.Object), nil
}

// Close releases the value, unless it is part of another one.
func (v Value) Close() error {
	if v.h != nil && v.object == v.h.object {
		v.h.close()
	}
	return nil
}

// Clone is the same value with a life of its own. Nothing is copied.
func (v Value) Clone() (Value, error) { return derive(v, chcl.ValueRef) }

// Kind is what the value is.
func (v Value) Kind() Kind {
	object, err := v.acquire()
	if err != nil {
		return KindInvalid
	}
	defer v.h.release()
	return Kind(chcl.ValueKind(object))
}

// Type is the value's type as a type expression, for example list(string).
func (v Value) Type() string {
	return read(v, func(object *chcl.Value) string { return chcl.ValueTypeText(object).Take() })
}

// IsNull tells whether the value is null.
func (v Value) IsNull() bool { return read(v, chcl.ValueIsNull) }

// IsKnown tells whether the value is known; something inside it may be unknown.
func (v Value) IsKnown() bool { return read(v, chcl.ValueIsKnown) }

// IsWhollyKnown tells whether the value and everything inside it is known.
func (v Value) IsWhollyKnown() bool { return read(v, chcl.ValueIsWhollyKnown) }

// IsMarked tells whether the value itself is marked.
func (v Value) IsMarked() bool { return read(v, chcl.ValueIsMarked) }

// ContainsMarks tells whether the value or anything inside it is marked.
func (v Value) ContainsMarks() bool { return read(v, chcl.ValueContainsMarks) }

// HasMark tells whether the value itself carries a mark.
func (v Value) HasMark(name string) bool {
	return read(v, func(object *chcl.Value) bool { return chcl.ValueHasMark(object, name) })
}

// Mark is the value with a mark, for example "sensitive". Marks follow values through evaluations.
func (v Value) Mark(name string) (Value, error) {
	return derive(v, func(object *chcl.Value) chcl.Made[chcl.Value] { return chcl.ValueMark(object, name) })
}

// Unmark is the value without any marks, its own or inside: what was sensitive becomes readable.
func (v Value) Unmark() (Value, error) { return derive(v, chcl.ValueUnmark) }

// Convert is the value as another type, by HCL's rules: Convert("list(string)").
func (v Value) Convert(typ string) (Value, error) {
	object, err := v.acquire()
	if err != nil {
		return Value{}, err
	}
	defer v.h.release()
	m := chcl.ValueConvert(object, typ)
	if m.Status != chcl.OK {
		return Value{}, conversionFailure(m)
	}
	return newValue(m.Object), nil
}

// AsBool reads a bool.
func (v Value) AsBool() (bool, error) { return ask(v, chcl.ValueAsBool) }

// AsInt reads a whole number; [ErrRange] if it is none, or does not fit.
func (v Value) AsInt() (int64, error) { return ask(v, chcl.ValueAsInt) }

// AsFloat reads the float64 nearest to a number.
func (v Value) AsFloat() (float64, error) {
	return ask(v, func(object *chcl.Value) (float64, chcl.Status) {
		x, _, status := chcl.ValueAsFloat(object)
		return x, status
	})
}

// AsBigFloat reads a number as exactly as HCL has it.
func (v Value) AsBigFloat() (*big.Float, error) {
	f := new(big.Float)
	if kind := v.Kind(); kind != KindNumber && kind != KindUnknown && kind != KindInvalid {
		return nil, ErrType
	}
	if err := v.Decode(f); err != nil {
		return nil, err
	}
	return f, nil
}

// AsString reads a text.
func (v Value) AsString() (string, error) { return ask(v, chcl.ValueAsString) }

// Len is the number of elements of a list, set, tuple, map or object.
func (v Value) Len() (int, error) { return ask(v, chcl.ValueLen) }

// Index is the element at an index; the zero Value if there is none. Sets are sorted, maps and objects by key.
func (v Value) Index(i int) Value {
	return read(v, func(object *chcl.Value) Value { return v.part(chcl.ValueAt(object, i)) })
}

// Get is the element of a map or attribute of an object; the zero Value if there is none.
func (v Value) Get(key string) Value {
	return read(v, func(object *chcl.Value) Value { return v.part(chcl.ValueGet(object, key)) })
}

func (v Value) part(object *chcl.Value) Value {
	if object == nil {
		return Value{}
	}
	return Value{v.h, object}
}

// Elements are the elements of a list, set or tuple.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		n, _ := v.Len()
		for i := range n {
			if !yield(i, v.Index(i)) {
				return
			}
		}
	}
}

// Entries are the elements of a map or object with their keys, sorted.
func (v Value) Entries() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		n, _ := v.Len()
		for i := range n {
			key, err := ask(v, func(object *chcl.Value) (string, chcl.Status) { return chcl.ValueKeyAt(object, i) })
			if err != nil || !yield(key, v.Index(i)) {
				return
			}
		}
	}
}

// Any is the value as plain Go: nil, bool, string, []any, map[string]any; whole numbers are int64, or *big.Int where
// that is too small, other numbers the nearest float64.
func (v Value) Any() (any, error) {
	var made any
	err := v.Decode(&made)
	return made, err
}

// Decode fills a variable, to which target points: the reverse of [ValueOf]. The value is converted to the type that
// the variable's type stands for, by HCL's rules, so a "5" fills an int. Numbers must fit, only floats take the
// nearest. An attribute may be missing or null where the field is a pointer or its tag is `hcl:"name,optional"`.
func (v Value) Decode(target any) error {
	object, err := v.acquire()
	if err != nil {
		return err
	}
	defer v.h.release()
	return decodeValue(object, target)
}

// Identical tells whether two values are the same in type, content, unknowns and marks.
func (v Value) Identical(other Value) bool {
	return read(v, func(a *chcl.Value) bool {
		return read(other, func(b *chcl.Value) bool { return chcl.ValueIdentical(a, b) })
	})
}

// Equal is what HCL's == says: a bool that may be unknown and carries the marks of both.
func (v Value) Equal(other Value) (Value, error) {
	object, err := other.acquire()
	if err != nil {
		return Value{}, err
	}
	defer other.h.release()
	return derive(v, func(mine *chcl.Value) chcl.Made[chcl.Value] { return chcl.ValueEqual(mine, object) })
}

func (v Value) encode(format uint32) (string, error) {
	object, err := v.acquire()
	if err != nil {
		return "", err
	}
	defer v.h.release()
	text := chcl.ValueEncode(object, format)
	if text.Status != chcl.OK {
		text.Free()
		return "", Status(text.Status)
	}
	return text.Take(), nil
}

// MarshalJSON writes the value as JSON. Unknown, marked and infinite values have no JSON.
func (v Value) MarshalJSON() ([]byte, error) {
	text, err := v.encode(chcl.FormatJSON)
	return []byte(text), err
}

// TypedJSON writes the value as JSON with its type, for [ValueFromTypedJSON].
func (v Value) TypedJSON() ([]byte, error) {
	text, err := v.encode(chcl.FormatTypedJSON)
	return []byte(text), err
}

// String is the value as a console shows it. Sensitive values are not shown.
func (v Value) String() string {
	text, err := v.encode(chcl.FormatConsole)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return text
}
