package main

import (
	"fmt"
	"strings"
)

// valueType is a type constraint, with what its values are made of.
type valueType struct {
	text string
	// The type of elements, or those of attributes and members.
	element    *valueType
	attributes []attributeType
	members    []*valueType
}

type attributeType struct {
	name       string
	ty         *valueType
	isOptional bool
}

func (t *valueType) isPrimitive() bool {
	return t.text == "string" || t.text == "number" || t.text == "bool"
}

// valueType makes a type constraint.
func (g *moduleGen) valueType(depth int) *valueType {
	if depth == 0 || g.chance(45) {
		return &valueType{text: pick(g.gen, "string", "string", "number", "number", "bool", "bool", "any")}
	}
	switch g.IntN(6) {
	case 0, 1, 2:
		collection := pick(g.gen, "list", "set", "map", "map")
		element := g.valueType(depth - 1)
		if strings.Contains(element.text, "any") && !g.careless {
			// Elements of any type have to agree, which those of a sober module always do.
			element = &valueType{text: "number"}
		}
		return &valueType{text: collection + "(" + element.text + ")", element: element}
	case 3:
		tuple, texts := &valueType{}, []string{}
		for range g.IntN(3) {
			one := g.valueType(depth - 1)
			tuple.members, texts = append(tuple.members, one), append(texts, one.text)
		}
		tuple.text = "tuple([" + strings.Join(texts, ", ") + "])"
		return tuple
	default:
		object, texts := &valueType{}, []string{}
		for _, name := range []string{"a", "b", "c"}[:1+g.IntN(3)] {
			one := attributeType{name: name, ty: g.valueType(depth - 1), isOptional: g.chance(50)}
			text := one.ty.text
			if one.isOptional && g.chance(60) {
				text = "optional(" + text + ", " + native(g.constantOf(one.ty)) + ")"
			} else if one.isOptional {
				text = "optional(" + text + ")"
			}
			object.attributes, texts = append(object.attributes, one), append(texts, name+" = "+text)
		}
		object.text = "object({ " + strings.Join(texts, ", ") + " })"
		return object
	}
}

// constantOf is a constant that can be converted to a type.
func (g *moduleGen) constantOf(ty *valueType) any {
	if g.chance(4) && (g.careless || ty.isPrimitive()) {
		return nil
	}
	switch {
	case ty.text == "string":
		return pick[any](g.gen, "", "a", "b c", "ß", "12", "true", number("7"), true, "${x}", "%{if}", "a\nb", "\"q\"")
	case ty.text == "number":
		return pick[any](g.gen, number("0"), number("1"), number("-2.5"), number("42"), number("1e3"), "3", number("0.1"))
	case ty.text == "bool":
		return pick[any](g.gen, true, false, "true", "false")
	case ty.text == "any":
		return g.constantOf(g.valueType(1))
	case ty.element != nil && strings.HasPrefix(ty.text, "map"):
		made := members{}
		for _, key := range []string{"a", "b", "k-1"}[:g.IntN(4)] {
			made = append(made, member{key, g.constantOf(ty.element)})
		}
		return made
	case ty.element != nil:
		made := []any{}
		for range g.IntN(4) {
			made = append(made, g.constantOf(ty.element))
		}
		return made
	case strings.HasPrefix(ty.text, "tuple"):
		made := []any{}
		for _, one := range ty.members {
			made = append(made, g.constantOf(one))
		}
		return made
	}
	made := members{}
	for _, one := range ty.attributes {
		if !one.isOptional || g.chance(50) {
			made = append(made, member{one.name, g.constantOf(one.ty)})
		}
	}
	if g.chance(10) {
		made = append(made, member{"more", true})
	}
	return made
}

// value is an expression of a type, or nearly.
func (g *moduleGen) value(ty *valueType) string {
	if ty == nil {
		return g.anything()
	}
	if g.chance(45) || g.depth <= 0 {
		for _, candidate := range g.references {
			if candidate.ty != nil && candidate.ty.text == ty.text && g.chance(60) {
				return candidate.text
			}
		}
	}
	if g.chance(30) && g.depth > 0 {
		return g.deeper(func() string { return g.made(ty) })
	}
	return native(g.constantOf(ty))
}

// made is an expression of a type that works something out.
func (g *moduleGen) made(ty *valueType) string {
	some := func() string { return g.anything() }
	switch {
	case ty.text == "string":
		return pick(g.gen,
			func() string { return `"x-${try(tostring(` + some() + `), "?")}"` },
			func() string { return "jsonencode(" + some() + ")" },
			func() string { return "format(\"%s/%v\", \"f\", " + some() + ")" },
			func() string { return "upper(try(tostring(" + some() + "), \"none\"))" },
			func() string { return `"%{ for x in [1, 2] }${x};%{ endfor }"` },
		)()
	case ty.text == "number":
		return pick(g.gen,
			func() string {
				return "length(" + g.value(&valueType{text: "list(any)", element: &valueType{text: "any"}}) + ")"
			},
			func() string { return "try(" + some() + " + 1, 0)" },
			func() string { return "max(1, try(length(" + some() + "), 0))" },
		)()
	case ty.text == "bool":
		return pick(g.gen,
			func() string { return some() + " == " + some() },
			func() string { return "can(" + some() + ".a)" },
			func() string { return "try(" + some() + " > 1, false)" },
			func() string { return "issensitive(" + some() + ")" },
		)()
	case ty.element != nil && strings.HasPrefix(ty.text, "map"):
		return "{ for k in [\"a\", \"b\"] : k => " + g.value(ty.element) + " }"
	case ty.element != nil:
		return "[for x in [1, 2] : " + g.value(ty.element) + "]"
	}
	return native(g.constantOf(ty))
}

// anything is an expression on the references, of no particular type.
func (g *moduleGen) anything() string {
	if len(g.references) == 0 || g.depth <= 0 && g.chance(50) {
		return native(g.constantOf(g.valueType(2)))
	}
	about := pick(g.gen, g.references...).text
	if g.depth <= 0 {
		return about
	}
	return g.deeper(func() string {
		other := func() string { return g.anything() }
		return pick(g.gen,
			func() string { return about },
			func() string { return about },
			func() string { return "[" + about + ", " + other() + "]" },
			func() string { return "{ k = " + about + ", l = " + other() + " }" },
			func() string {
				return "try(" + about + pick(g.gen, ".a", "[0]", `["a"]`, ".b.c", "[*].a") + ", " + other() + ")"
			},
			func() string { return "can(" + about + ".a)" },
			func() string { return "{ for k, v in try(tomap(" + about + "), {}) : k => v }" },
			func() string { return "[for v in try(tolist(" + about + "), []) : v]" },
			func() string {
				return fmt.Sprintf("try(%s(%s), null)", pick(g.gen, "length", "keys", "values", "tostring", "toset", "flatten", "sort", "sum", "one", "distinct", "nonsensitive", "compact"), about)
			},
			func() string { return "merge(" + "{ z = " + other() + " }, try(tomap(" + about + "), {}))" },
			func() string { return "sensitive(" + about + ")" },
			func() string { return "issensitive(" + about + ")" },
			func() string { return about + " == null ? " + pick(g.gen, "null", about, other()) + " : " + about },
			func() string { return "jsonencode(" + about + ")" },
			func() string { return about + "[*]" },
			func() string { return "try(coalesce(" + about + ", " + other() + "), 0)" },
			func() string { return "lookup({ a = " + other() + " }, " + pick(g.gen, `"a"`, `"b"`) + ", null)" },
		)()
	})
}
