package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// kind is the type that a generated thing is meant to have. "any" means that anything will do.
type kind struct {
	name     string
	element  *kind
	names    []string
	elements []*kind
}

func sorted(list []string) []string {
	sort.Strings(list)
	return list
}

var primitives = []*kind{{name: "string"}, {name: "number"}, {name: "bool"}}

var words = []string{"a", "b", "c", "d", "name", "id"}

// kind makes a type of a depth.
func (g *gen) kind(depth int) *kind {
	if depth <= 0 || g.chance(35) {
		if g.chance(4) {
			return &kind{name: "any"}
		}
		return pick(g, primitives...)
	}
	inner := func() *kind { return g.kind(depth - 1) }
	switch g.IntN(10) {
	case 0, 1, 2:
		return &kind{name: "list", element: inner()}
	case 3, 4:
		return &kind{name: "set", element: inner()}
	case 5, 6:
		return &kind{name: "map", element: inner()}
	case 7:
		return g.tuple(g.IntN(4), inner)
	default:
		return g.object(g.IntN(4), inner)
	}
}

func (g *gen) tuple(count int, inner func() *kind) *kind {
	tuple := &kind{name: "tuple"}
	for range count {
		tuple.elements = append(tuple.elements, inner())
	}
	return tuple
}

func (g *gen) object(count int, inner func() *kind) *kind {
	object := &kind{name: "object"}
	for _, at := range g.Perm(len(words))[:count] {
		object.names = append(object.names, words[at])
		object.elements = append(object.elements, inner())
	}
	return object
}

// kindOf is the kind for a parameter.
func (g *gen) kindOf(ty cty.Type) *kind {
	switch {
	case ty == cty.DynamicPseudoType:
		return g.kind(2)
	case ty.IsListType():
		return &kind{name: "list", element: g.kindOf(ty.ElementType())}
	case ty.IsSetType():
		return &kind{name: "set", element: g.kindOf(ty.ElementType())}
	case ty.IsMapType():
		return &kind{name: "map", element: g.kindOf(ty.ElementType())}
	case ty.IsPrimitiveType():
		return &kind{name: ty.FriendlyName()}
	default:
		return g.kind(1)
	}
}

// altered is a type that things of another may convert to.
func (g *gen) altered(from *kind) *kind {
	to := *from
	if g.chance(15) {
		return &kind{name: "any"}
	}
	switch from.name {
	case "string", "number", "bool", "any":
		return pick(g, primitives...)
	case "list", "set", "map":
		to.element = g.altered(from.element)
		if from.name == "map" && g.chance(30) {
			return g.object(g.IntN(4), func() *kind { return g.altered(from.element) })
		}
		if from.name != "map" && g.chance(40) {
			to.name = pick(g, "list", "set")
		}
	case "tuple":
		if g.chance(60) {
			return &kind{name: pick(g, "list", "set"), element: g.common(from)}
		}
		to.elements = g.alteredAll(from.elements)
	case "object":
		if g.chance(40) {
			return &kind{name: "map", element: g.common(from)}
		}
		to.elements = g.alteredAll(from.elements)
		if g.chance(50) && len(to.names) < 5 {
			extra := g.object(1, func() *kind { return g.kind(1) })
			known := strings.Join(to.names, " ")
			if !strings.Contains(known, extra.names[0]) {
				to.names = append(append([]string{}, to.names...), extra.names...)
				to.elements = append(to.elements, extra.elements...)
			}
		}
	}
	return &to
}

func (g *gen) alteredAll(list []*kind) []*kind {
	changed := make([]*kind, len(list))
	for i, one := range list {
		changed[i] = g.altered(one)
	}
	return changed
}

func (g *gen) common(structure *kind) *kind {
	if len(structure.elements) == 0 || g.chance(30) {
		return pick(g, &kind{name: "any"}, &kind{name: "string"}, g.kind(1))
	}
	return g.altered(pick(g, structure.elements...))
}

// typeText writes a type; attributes of constraints may be optional.
func (g *gen) typeText(ty *kind, optional bool) string {
	switch ty.name {
	case "list", "set", "map":
		return ty.name + "(" + g.typeText(ty.element, optional) + ")"
	case "tuple":
		parts := []string{}
		for _, element := range ty.elements {
			parts = append(parts, g.typeText(element, optional))
		}
		return "tuple([" + strings.Join(parts, ", ") + "])"
	case "object":
		parts := []string{}
		for i, name := range ty.names {
			text := g.typeText(ty.elements[i], optional)
			if optional && g.chance(45) {
				if g.chance(40) {
					text += ", " + g.literal(ty.elements[i], 2)
				}
				text = "optional(" + text + ")"
			}
			parts = append(parts, name+" = "+text)
		}
		return "object({" + strings.Join(parts, ", ") + "})"
	default:
		return ty.name
	}
}

// literal writes a known value of a type in plain syntax.
func (g *gen) literal(ty *kind, depth int) string {
	if g.chance(5) {
		return "null"
	}
	switch ty.name {
	case "string":
		return g.quoted()
	case "number":
		if g.chance(3) {
			return pick(g, "(1/0)", "(-1/0)", "-0")
		}
		return g.number()
	case "bool":
		return pick(g, "true", "false", "true", "false", `"true"`)
	case "list", "set", "tuple":
		return g.items(ty, depth, g.literal)
	case "map", "object":
		return g.entries(ty, depth, g.literal)
	default:
		return g.literal(g.kind(min(1, depth)), depth-1)
	}
}

type maker func(*kind, int) string

func (g *gen) items(ty *kind, depth int, part maker) string {
	parts := []string{}
	if ty.name == "tuple" {
		for _, element := range ty.elements {
			parts = append(parts, part(element, depth-1))
		}
	} else if depth > 0 {
		for range g.IntN(4) {
			parts = append(parts, part(ty.element, depth-1))
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (g *gen) entries(ty *kind, depth int, part maker) string {
	parts := []string{}
	if ty.name == "object" {
		for i, element := range ty.elements {
			parts = append(parts, ty.names[i]+" = "+part(element, depth-1))
		}
	} else if depth > 0 {
		for range g.IntN(4) {
			parts = append(parts, g.mapKey()+" = "+part(ty.element, depth-1))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (g *gen) mapKey() string {
	return pick(g, "a", "b", "c", "d", `"é"`, `"e\u0301"`, `"x y"`, `"1"`, `"Z"`, "_", `""`)
}

// made writes a value of a type with the makers: also unknown, null, marked and refined ones.
func (g *gen) made(ty *kind, depth int) string {
	switch g.IntN(14) {
	case 0, 1:
		return g.unknown(ty)
	case 2:
		return "null_of(" + g.typeText(ty, false) + ")"
	case 3:
		if depth > 0 {
			return "marked(" + g.made(ty, depth-1) + ", " + pick(g, `"m"`, `"m"`, `"n"`) + ")"
		}
	case 4:
		if g.careless && depth > 0 {
			return g.made(g.kind(1), depth-1)
		}
	}
	switch ty.name {
	case "list", "set", "map":
		text := g.items
		if ty.name == "map" {
			text = g.entries
		}
		made := text(ty, min(depth, 2), g.made)
		if g.chance(70) || made == "[]" || made == "{}" {
			return "typed(" + g.typeText(ty, false) + ", " + made + ")"
		}
		return "to" + ty.name + "(" + made + ")"
	case "tuple":
		return g.items(ty, depth, g.made)
	case "object":
		return g.entries(ty, depth, g.made)
	default:
		return g.literal(ty, depth)
	}
}

func (g *gen) unknown(ty *kind) string {
	unknown := "unknown(" + g.typeText(ty, false) + ")"
	facts := []string{}
	fact := func(text string) {
		if g.chance(45) {
			facts = append(facts, text)
		}
	}
	fact("not_null = true")
	switch ty.name {
	case "any":
		facts = nil
	case "number":
		low := g.IntN(8) - 3
		fact(fmt.Sprintf("%s = %d", pick(g, "min", "above"), low))
		fact(fmt.Sprintf("%s = %d", pick(g, "max", "below"), low+1+g.IntN(5)))
	case "string":
		fact("prefix = " + pick(g, `"a"`, `"ab-"`, `"é"`, `"x$"`, `"{"`, `"tr"`, `"1"`))
	case "list", "set", "map":
		low := g.IntN(3)
		fact(fmt.Sprintf("len_min = %d", low))
		fact(fmt.Sprintf("len_max = %d", low+g.IntN(3)))
	}
	if len(facts) == 0 {
		return unknown
	}
	return "refine(" + unknown + ", {" + strings.Join(facts, ", ") + "})"
}

// declare makes variables.
func (g *gen) declare(count int) {
	for i := range count {
		ty := g.kind(2)
		text := fmt.Sprintf("%s%d", pick(g, "v", "x", "é", "a-b"), i)
		g.vars[text] = g.made(ty, 3)
		g.names = append(g.names, name{text, ty})
	}
}
