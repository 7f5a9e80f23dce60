package hcl

import (
	"encoding"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"libhcl.dev/go/internal/chcl"
)

// decoder reads the run of bytes that glue.c writes of a value, with a pointer before each node where wanted:
//
//	n null   t true   f false   i int64   d float64, exactly   N decimal text   s text   u unknown   M marked
//	l list, e set, p tuple: the number of elements, then those    m map, o object: the same, a key before each
//	c something without a form in Go
type decoder struct {
	words
	pointers bool
}

// node is the head of a value.
type node struct {
	tag   byte
	value *chcl.Value
}

func (d *decoder) head() node {
	var n node
	if d.pointers {
		n.value = (*chcl.Value)(d.pointer())
	}
	n.tag = d.byte()
	return n
}

// skip passes over what follows the head of a value.
func (d *decoder) skip(n node) {
	switch n.tag {
	case 'i', 'd':
		d.word()
	case 'N', 's':
		d.view()
	case 'l', 'e', 'p':
		for range d.word() {
			d.skip(d.head())
		}
	case 'm', 'o':
		for range d.word() {
			d.view()
			d.skip(d.head())
		}
	}
}

// any makes the Go value that stands for a value by itself.
func (d *decoder) any(n node) (any, error) {
	switch n.tag {
	case 'n':
		return nil, nil
	case 't', 'f':
		return n.tag == 't', nil
	case 'i':
		return int64(d.word()), nil
	case 'd':
		x := math.Float64frombits(d.word())
		if x == math.Trunc(x) && !math.IsInf(x, 0) {
			whole, _ := big.NewFloat(x).Int(nil)
			return whole, nil
		}
		return x, nil
	case 'N':
		text := d.text()
		if whole, ok := new(big.Int).SetString(text, 10); ok {
			return whole, nil
		}
		x, _ := strconv.ParseFloat(text, 64)
		return x, nil
	case 's':
		return d.text(), nil
	case 'l', 'e', 'p':
		return d.anySlice()
	case 'm', 'o':
		return d.anyMap()
	default:
		return nil, unreadable(n)
	}
}

func unreadable(n node) error {
	switch n.tag {
	case 'u':
		return valueErrorf(ErrUnknown, "the value is not known")
	case 'M':
		return valueErrorf(ErrMarked, "the value is marked; Unmark shows it")
	default:
		return valueErrorf(ErrType, "the value has no form in Go")
	}
}

func (d *decoder) anySlice() (any, error) {
	all := make([]any, d.word())
	for i := range all {
		one, err := d.any(d.head())
		if err != nil {
			return nil, atStep("["+strconv.Itoa(i)+"]", err)
		}
		all[i] = one
	}
	return all, nil
}

func (d *decoder) anyMap() (any, error) {
	n := d.word()
	all := make(map[string]any, n)
	for range n {
		key := d.text()
		one, err := d.any(d.head())
		if err != nil {
			return nil, atStep("["+strconv.Quote(key)+"]", err)
		}
		all[key] = one
	}
	return all, nil
}

// Unmarshaler is a type that reads itself from a value, wherever a value of its type is asked for. The value ends with the
// call; Clone keeps it. An error is told at the place of the attribute.
type Unmarshaler interface {
	UnmarshalHCL(value Value) error
}

// own lets a type read itself.
func (d *decoder) own(n node, target reflect.Value) error {
	d.skip(n)
	value, err := refValue(n.value)
	if err != nil {
		return err
	}
	defer value.Close()
	err = target.Addr().Interface().(Unmarshaler).UnmarshalHCL(value)
	var said *valueError
	var problem *Error
	if err == nil || errors.As(err, &said) || errors.As(err, &problem) {
		return err
	}
	return &valueError{status: ErrType, text: err.Error(), cause: err}
}

// into fills a Go variable with the next value.
func (d *decoder) into(target reflect.Value) error {
	n := d.head()
	t := target.Type()
	switch {
	case t == valueType:
		d.skip(n)
		owned, err := refValue(n.value)
		target.Set(reflect.ValueOf(owned))
		return err
	case d.pointers && readsItself(t) && target.CanAddr():
		return d.own(n, target)
	case n.tag == 'u' || n.tag == 'M' || n.tag == 'c':
		return unreadable(n)
	case t.Kind() == reflect.Interface && t.NumMethod() == 0:
		made, err := d.any(n)
		if err != nil {
			return err
		}
		if made == nil {
			target.SetZero()
		} else {
			target.Set(reflect.ValueOf(made))
		}
		return nil
	case n.tag == 'n':
		return decodeNull(target)
	case t.Kind() == reflect.Pointer:
		if target.IsNil() {
			target.Set(reflect.New(t.Elem()))
		}
		return d.again(n, target.Elem())
	}
	return d.known(n, target)
}

// again goes on with the same value at another target.
func (d *decoder) again(n node, target reflect.Value) error {
	if d.pointers && readsItself(target.Type()) {
		return d.own(n, target)
	}
	if target.Type() == valueType || target.Kind() == reflect.Pointer {
		return valueErrorf(ErrType, "a pointer to %s is no place for a value", target.Type())
	}
	if target.Kind() == reflect.Interface {
		made, err := d.any(n)
		if err == nil {
			target.Set(reflect.ValueOf(made))
		}
		return err
	}
	return d.known(n, target)
}

func decodeNull(target reflect.Value) error {
	switch target.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		target.SetZero()
		return nil
	}
	return valueErrorf(ErrType, "null has no place in a %s", target.Type())
}

func (d *decoder) known(n node, target reflect.Value) error {
	switch n.tag {
	case 't', 'f':
		if target.Kind() == reflect.Bool {
			target.SetBool(n.tag == 't')
			return nil
		}
	case 'i', 'd', 'N':
		return d.number(n, target)
	case 's':
		return decodeText(d.view(), target)
	case 'l', 'e', 'p':
		return d.sequence(target)
	case 'm', 'o':
		return d.mapping(target)
	}
	return unfit(n, target)
}

var tagNames = map[byte]string{'t': "a bool", 'f': "a bool", 'i': "a number", 'd': "a number", 'N': "a number",
	's': "a string", 'l': "a list", 'e': "a set", 'p': "a tuple", 'm': "a map", 'o': "an object"}

func unfit(n node, target reflect.Value) error {
	return valueErrorf(ErrType, "%s has no place in a %s", tagNames[n.tag], target.Type())
}

func decodeText(view []byte, target reflect.Value) error {
	if target.CanAddr() && isText(target.Type()) {
		if reader, ok := target.Addr().Interface().(encoding.TextUnmarshaler); ok {
			if err := reader.UnmarshalText(view); err != nil {
				return &valueError{status: ErrType, text: err.Error(), cause: err}
			}
			return nil
		}
	}
	switch {
	case target.Kind() == reflect.String && target.Type() != jsonNumberType:
		target.SetString(string(view))
		return nil
	case isBytes(target.Type()):
		target.SetBytes([]byte(string(view)))
		return nil
	}
	return unfit(node{tag: 's'}, target)
}

// number reads a number as what the target takes, exactly but for floats, which take the nearest.
func (d *decoder) number(n node, target reflect.Value) error {
	switch {
	case target.Type() == bigFloatType || target.Type() == bigIntType || target.Type() == jsonNumberType:
		return setBig(d.bigFloat(n), target)
	case n.tag == 'i':
		return setInteger(int64(d.word()), target)
	case n.tag == 'd':
		return setFloat(math.Float64frombits(d.word()), target)
	}
	text := d.text()
	if u, err := strconv.ParseUint(text, 10, 64); err == nil && target.CanUint() {
		if target.OverflowUint(u) {
			return valueErrorf(ErrRange, "the number %s does not fit a %s", text, target.Type())
		}
		target.SetUint(u)
		return nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !target.CanFloat() {
		return unfitNumber(shortened(text), target)
	}
	return setFloat(x, target)
}

func shortened(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}

func unfitNumber(text string, target reflect.Value) error {
	switch {
	case target.CanInt() || target.CanUint() || target.CanFloat():
		return valueErrorf(ErrRange, "the number %s does not fit a %s", text, target.Type())
	}
	return unfit(node{tag: 'N'}, target)
}

func (d *decoder) bigFloat(n node) *big.Float {
	made := new(big.Float).SetPrec(512)
	switch n.tag {
	case 'i':
		return made.SetInt64(int64(d.word()))
	case 'd':
		return made.SetFloat64(math.Float64frombits(d.word()))
	}
	text := d.text()
	if whole, ok := new(big.Int).SetString(text, 10); ok {
		return new(big.Float).SetInt(whole)
	}
	made.SetString(text)
	return made
}

func setBig(f *big.Float, target reflect.Value) error {
	switch {
	case target.Type() == bigFloatType:
		target.Addr().Interface().(*big.Float).Set(f)
	case f.IsInf():
		return valueErrorf(ErrRange, "an infinite number does not fit a %s", target.Type())
	case target.Type() == jsonNumberType:
		target.SetString(f.Text('f', -1))
	case f.IsInt():
		f.Int(target.Addr().Interface().(*big.Int))
	default:
		return valueErrorf(ErrRange, "the number %s is not whole", f.Text('g', 20))
	}
	return nil
}

func setInteger(i int64, target reflect.Value) error {
	switch {
	case target.CanInt() && !target.OverflowInt(i):
		target.SetInt(i)
	case target.CanUint() && i >= 0 && !target.OverflowUint(uint64(i)):
		target.SetUint(uint64(i))
	case target.CanFloat():
		target.SetFloat(float64(i))
	default:
		return unfitNumber(strconv.FormatInt(i, 10), target)
	}
	return nil
}

func setFloat(x float64, target reflect.Value) error {
	if target.CanUint() && x == math.Trunc(x) && x >= 0 && x < 1<<64 && !target.OverflowUint(uint64(x)) {
		target.SetUint(uint64(x))
		return nil
	}
	if !target.CanFloat() || (target.OverflowFloat(x) && !math.IsInf(x, 0)) {
		return unfitNumber(strconv.FormatFloat(x, 'g', -1, 64), target)
	}
	target.SetFloat(x)
	return nil
}

func (d *decoder) sequence(target reflect.Value) error {
	n := int(d.word())
	all := target
	switch target.Kind() {
	case reflect.Slice:
		all = reflect.MakeSlice(target.Type(), n, n)
	case reflect.Array:
		if target.Len() != n {
			return valueErrorf(ErrRange, "%d elements, not the %d of a %s", n, target.Len(), target.Type())
		}
	default:
		return unfit(node{tag: 'l'}, target)
	}
	for i := range n {
		if err := d.into(all.Index(i)); err != nil {
			return atStep("["+strconv.Itoa(i)+"]", err)
		}
	}
	if target.Kind() == reflect.Slice {
		target.Set(all)
	}
	return nil
}

func (d *decoder) mapping(target reflect.Value) error {
	switch {
	case target.Kind() == reflect.Struct:
		return d.object(target)
	case target.Kind() != reflect.Map || target.Type().Key().Kind() != reflect.String:
		return unfit(node{tag: 'm'}, target)
	}
	n := int(d.word())
	all := reflect.MakeMapWithSize(target.Type(), n)
	for range n {
		key := d.text()
		one := reflect.New(target.Type().Elem()).Elem()
		if err := d.into(one); err != nil {
			return atStep("["+strconv.Quote(key)+"]", err)
		}
		all.SetMapIndex(reflect.ValueOf(key).Convert(target.Type().Key()), one)
	}
	target.Set(all)
	return nil
}

// object fills the tagged fields of a struct. Every attribute must have a field, every field that is not optional an
// attribute.
func (d *decoder) object(target reflect.Value) error {
	known := valueFields(target.Type())
	if len(known) == 0 {
		return valueErrorf(ErrType, "%s has no fields with hcl tags", target.Type())
	}
	seen := make([]bool, len(known))
	for range d.word() {
		key := d.text()
		at := -1
		for i, f := range known {
			if f.name == key {
				at = i
				break
			}
		}
		if at < 0 {
			return valueErrorf(ErrNotFound, "%s has no field for the attribute %q", target.Type(), key)
		}
		seen[at] = true
		if err := d.optional(known[at].optional, known[at].in(target)); err != nil {
			return atStep("."+key, err)
		}
	}
	var missing []string
	for i, f := range known {
		if !seen[i] && !f.optional {
			missing = append(missing, strconv.Quote(f.name))
		}
	}
	if len(missing) > 0 {
		return valueErrorf(ErrNotFound, "the attribute %s is missing", strings.Join(missing, ", "))
	}
	return nil
}

// optional leaves a field as it is where an optional attribute is null, unless it has a null of its own.
func (d *decoder) optional(optional bool, target reflect.Value) error {
	if optional && !hasNull(target.Type()) && d.isNull() {
		return nil
	}
	return d.into(target)
}

// hasNull tells whether a type can tell null from what was there before.
func hasNull(t reflect.Type) bool { return t == valueType || t.Kind() == reflect.Pointer }

// isNull passes over the next value if it is null.
func (d *decoder) isNull() bool {
	ahead := *d
	if n := ahead.head(); n.tag != 'n' {
		return false
	}
	d.words = ahead.words
	return true
}

// hasValues tells whether a type has places for values of the library themselves.
var hasValues = cached(func(t reflect.Type) bool { return hasValuesIn(t, map[reflect.Type]bool{}) })

func hasValuesIn(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t == valueType || readsItself(t) {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return hasValuesIn(t.Elem(), seen)
	case reflect.Struct:
		for _, f := range valueFields(t) {
			if hasValuesIn(f.typ, seen) {
				return true
			}
		}
	}
	return false
}

// decodeValue fills *target with a value after HCL's own conversion to the type that the target stands for.
func decodeValue(object *chcl.Value, target any) error {
	pointer := reflect.ValueOf(target)
	if pointer.Kind() != reflect.Pointer || pointer.IsNil() {
		return valueErrorf(ErrArgument, "the target is a %T, not a pointer to a variable", target)
	}
	return decodeInto(object, pointer.Elem())
}

func decodeInto(object *chcl.Value, target reflect.Value) error {
	if text := typeText(target.Type()); text != anyType {
		converted := chcl.ValueConvert(object, text)
		if converted.Status != chcl.OK {
			return conversionFailure(converted)
		}
		defer chcl.ValueFree(converted.Object)
		object = converted.Object
	}
	withPointers := hasValues(target.Type())
	dump := chcl.ValueDump(object, withPointers)
	defer dump.Free()
	if dump.Status != chcl.OK {
		return Status(dump.Status)
	}
	d := decoder{words{dump.View()}, withPointers}
	return d.into(target)
}

// conversionFailure says why there is no value; it takes over the diagnostics.
func conversionFailure(converted chcl.Made[chcl.Value]) error {
	if converted.Diags == nil {
		return Status(converted.Status)
	}
	defer chcl.DiagsFree(converted.Diags)
	said := readDiagnostics(converted.Diags)
	if len(said) == 0 {
		return Status(converted.Status)
	}
	return valueErrorf(Status(converted.Status), "%s", strings.TrimSuffix(said[0].Detail, "."))
}

var _ json.Marshaler = Value{}
