package chcl

// #include "glue.h"
import "C"

import "unsafe"

// ValueFree releases a value.
func ValueFree(v *Value) { C.hcl_value_free(cValue(v)) }

// ValueRef is another handle to a value.
func ValueRef(v *Value) Made[Value] { return made[Value](C.hclgo_value_ref(cValue(v))) }

// ValueKind is the kind of a value.
func ValueKind(v *Value) uint32 { return uint32(C.hcl_value_kind(cValue(v))) }

// ValueIsNull tells whether a value is null.
func ValueIsNull(v *Value) bool { return bool(C.hcl_value_is_null(cValue(v))) }

// ValueIsKnown tells whether a value is known.
func ValueIsKnown(v *Value) bool { return bool(C.hcl_value_is_known(cValue(v))) }

// ValueIsWhollyKnown tells whether all of a value is known.
func ValueIsWhollyKnown(v *Value) bool { return bool(C.hcl_value_is_wholly_known(cValue(v))) }

// ValueIsMarked tells whether a value is marked.
func ValueIsMarked(v *Value) bool { return bool(C.hcl_value_is_marked(cValue(v))) }

// ValueContainsMarks tells whether anything in a value is marked.
func ValueContainsMarks(v *Value) bool { return bool(C.hcl_value_contains_marks(cValue(v))) }

// ValueHasMark tells whether a value carries a mark.
func ValueHasMark(v *Value, name string) bool {
	n, nl := chars(name)
	return bool(C.hcl_value_has_mark(cValue(v), n, nl))
}

// ValueMark adds a mark.
func ValueMark(v *Value, name string) Made[Value] {
	n, nl := chars(name)
	return made[Value](C.hclgo_value_mark(cValue(v), n, nl))
}

// ValueUnmark takes all marks off.
func ValueUnmark(v *Value) Made[Value] { return made[Value](C.hclgo_value_unmark(cValue(v))) }

// ValueUnknown makes an unknown value of a type.
func ValueUnknown(typ string) Made[Value] {
	t, tl := chars(typ)
	return made[Value](C.hclgo_value_unknown(t, tl))
}

// ValueConvert converts to a type.
func ValueConvert(v *Value, typ string) Made[Value] {
	t, tl := chars(typ)
	return made[Value](C.hclgo_value_convert(cValue(v), t, tl))
}

// ValueDecode reads a value from JSON.
func ValueDecode(format uint32, json string) Made[Value] {
	t, tl := chars(json)
	return made[Value](C.hclgo_value_decode(C.uint32_t(format), t, tl))
}

// ValueEncode writes a value as text.
func ValueEncode(v *Value, format uint32) Bytes {
	return takenBytes(C.hclgo_value_encode(cValue(v), C.uint32_t(format)))
}

// ValueTypeText is the type of a value as text.
func ValueTypeText(v *Value) Bytes { return takenBytes(C.hclgo_value_type(cValue(v))) }

// ValueEqual is HCL's ==.
func ValueEqual(a, b *Value) Made[Value] {
	return made[Value](C.hclgo_value_equal(cValue(a), cValue(b)))
}

// ValueIdentical tells whether two values are the same in every respect.
func ValueIdentical(a, b *Value) bool { return bool(C.hcl_value_identical(cValue(a), cValue(b))) }

// ValueBuild makes a value of a run of bytes.
func ValueBuild(wire []byte) Made[Value] {
	at, n := bytePtr(wire)
	return made[Value](C.hclgo_value_build(at, n))
}

// ValueDump writes a value as a run of bytes.
func ValueDump(v *Value, withPointers bool) Bytes {
	return takenBytes(C.hclgo_value_dump(cValue(v), C.bool(withPointers)))
}

// ValueAsBool reads a bool.
func ValueAsBool(v *Value) (bool, Status) {
	var b C.bool
	status := C.hcl_value_as_bool(cValue(v), &b)
	return bool(b), Status(status)
}

// ValueAsInt reads a whole number.
func ValueAsInt(v *Value) (int64, Status) {
	var i C.int64_t
	status := C.hcl_value_as_i64(cValue(v), &i)
	return int64(i), Status(status)
}

// ValueAsFloat reads the nearest double.
func ValueAsFloat(v *Value) (x float64, exact bool, status Status) {
	var d C.double
	var e C.bool
	s := C.hcl_value_as_f64(cValue(v), &d, &e)
	return float64(d), bool(e), Status(s)
}

// ValueAsString reads a text; it is copied.
func ValueAsString(v *Value) (string, Status) {
	var s C.hcl_str
	if status := Status(C.hcl_value_as_str(cValue(v), &s)); status != OK {
		return "", status
	}
	return text(s), OK
}

// ValueLen is the number of elements.
func ValueLen(v *Value) (int, Status) {
	var n C.size_t
	status := C.hcl_value_len(cValue(v), &n)
	return int(n), Status(status)
}

// ValueAt is an element, borrowed.
func ValueAt(v *Value, i int) *Value {
	return (*Value)(unsafe.Pointer(C.hcl_value_at(cValue(v), C.size_t(i))))
}

// ValueGet is the element of a key, borrowed.
func ValueGet(v *Value, key string) *Value {
	k, kl := chars(key)
	return (*Value)(unsafe.Pointer(C.hcl_value_get(cValue(v), k, kl)))
}

// ValueKeyAt is a key; it is copied.
func ValueKeyAt(v *Value, i int) (string, Status) {
	var s C.hcl_str
	if status := Status(C.hcl_value_key_at(cValue(v), C.size_t(i), &s)); status != OK {
		return "", status
	}
	return text(s), OK
}
