package hcl

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"sync"
)

var (
	valueType       = reflect.TypeFor[Value]()
	bigIntType      = reflect.TypeFor[big.Int]()
	bigFloatType    = reflect.TypeFor[big.Float]()
	jsonNumberType  = reflect.TypeFor[json.Number]()
	marshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	ownReaderType   = reflect.TypeFor[Unmarshaler]()
	unmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// field is a struct field with an `hcl:"name,option"` tag.
type field struct {
	index    []int // through embedded structs
	typ      reflect.Type
	goName   string
	name     string
	option   string
	optional bool
}

// in is the field in a struct. Embedded pointers on the way are made.
func (f *field) in(v reflect.Value) reflect.Value {
	for i, index := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(index)
	}
	return v
}

// of is the field in a struct that is only read; the zero Value behind an embedded pointer that is nil.
func (f *field) of(v reflect.Value) reflect.Value {
	for i, index := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = v.Elem()
		}
		v = v.Field(index)
	}
	return v
}

// fields are the tagged fields of a struct type, in order of declaration. Those of embedded structs without a tag are its
// own; of two with one name and option the less deep one counts.
var fields = cached(func(t reflect.Type) []field {
	all := fieldsIn(t, nil, nil)
	depths := map[[2]string]int{}
	for _, f := range all {
		key := [2]string{f.name, f.option}
		if depth, known := depths[key]; !known || len(f.index) < depth {
			depths[key] = len(f.index)
		}
	}
	return slices.DeleteFunc(all, func(f field) bool { return len(f.index) > depths[[2]string{f.name, f.option}] })
})

func fieldsIn(t reflect.Type, path []int, outer []reflect.Type) []field {
	var all []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("hcl")
		index := append(path[:len(path):len(path)], i)
		if inner := embedded(f); !ok && inner != nil && !slices.Contains(outer, inner) {
			all = append(all, fieldsIn(inner, index, append(outer[:len(outer):len(outer)], t, inner))...)
			continue
		}
		if tag == "" || tag == "-" || !f.IsExported() {
			continue
		}
		name, option, _ := strings.Cut(tag, ",")
		optional := option == "optional" || f.Type.Kind() == reflect.Pointer
		all = append(all, field{index, f.Type, t.String() + "." + f.Name, name, option, optional})
	}
	return all
}

// embedded is the struct that a field embeds, if its fields can be set.
func embedded(f reflect.StructField) reflect.Type {
	t := f.Type
	switch {
	case !f.Anonymous:
		return nil
	case t.Kind() == reflect.Pointer && f.IsExported():
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || isScalar(t) {
		return nil
	}
	return t
}

// isScalar tells whether a type stands for one value, whatever it is made of.
func isScalar(t reflect.Type) bool {
	return t == valueType || t == bigIntType || t == bigFloatType || isText(t) || readsItself(t)
}

// valueFields are the fields that are attributes of an object: not labels, not places, not what is left over of a body.
var valueFields = cached(func(t reflect.Type) []field {
	return slices.DeleteFunc(slices.Clone(fields(t)), func(f field) bool {
		return f.name == "" || f.option == "label" || strings.HasSuffix(f.option, "_range")
	})
})

// cached remembers what a function makes of a type.
func cached[T any](make func(reflect.Type) T) func(reflect.Type) T {
	var known sync.Map
	return func(t reflect.Type) T {
		if made, ok := known.Load(t); ok {
			return made.(T)
		}
		made := make(t)
		known.Store(t, made)
		return made
	}
}

// anyType is the type expression of what only the value itself tells.
const anyType = "any"

// typeText is the HCL type that a Go type stands for, as a type expression; "any" where values differ, as in []any.
var typeText = cached(func(t reflect.Type) string { return typeTextIn(t, nil) })

func typeTextIn(t reflect.Type, inside []reflect.Type) string {
	for _, outer := range inside {
		if outer == t {
			return anyType
		}
	}
	inside = append(inside, t)
	switch {
	case t == valueType || readsItself(t):
		return anyType
	case t == bigIntType || t == bigFloatType || t == jsonNumberType:
		return "number"
	case isText(t):
		return "string"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "bool"
	case reflect.String:
		return "string"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr, reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Pointer:
		return typeTextIn(t.Elem(), inside)
	case reflect.Slice, reflect.Array:
		if isBytes(t) {
			return "string"
		}
		return containerText("list", t.Elem(), inside)
	case reflect.Map:
		return containerText("map", t.Elem(), inside)
	case reflect.Struct:
		return objectText(t, inside)
	default:
		return anyType
	}
}

// containerText is a list or map of one static type; of elements that may differ nothing is said.
func containerText(kind string, elem reflect.Type, inside []reflect.Type) string {
	text := typeTextIn(elem, inside)
	if isDynamic(text) {
		return anyType
	}
	return kind + "(" + text + ")"
}

func objectText(t reflect.Type, inside []reflect.Type) string {
	var attributes []string
	for _, f := range valueFields(t) {
		text := typeTextIn(f.typ, inside)
		if f.optional {
			text = "optional(" + text + ")"
		}
		attributes = append(attributes, fmt.Sprintf("%q=%s", f.name, text))
	}
	return "object({" + strings.Join(attributes, ",") + "})"
}

// isDynamic tells whether a type expression leaves something to the value.
func isDynamic(text string) bool {
	for i := strings.Index(text, anyType); i >= 0; {
		before := i == 0 || strings.ContainsRune("(=", rune(text[i-1]))
		if end := i + len(anyType); before && (end == len(text) || strings.ContainsRune("),}", rune(text[end]))) {
			return true
		}
		next := strings.Index(text[i+1:], anyType)
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// readsItself tells whether a type is an Unmarshaler.
func readsItself(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(ownReaderType)
}

// isText tells whether a type writes and reads itself as text, such as time.Time.
func isText(t reflect.Type) bool {
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return false
	}
	return t.Implements(marshalerType) || reflect.PointerTo(t).Implements(unmarshalerType)
}
