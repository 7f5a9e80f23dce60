package main

import (
	"fmt"
	"strings"
)

func (g *gen) operator() string {
	return pick(g, "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||")
}

func (g *gen) function() string { return pick(g, testNames...) }

func (g *gen) key() string {
	return pick(g, "a", "b", "c", "name", `"a"`, `"x y"`, "1", "(1.50)", "true", "null", "a.b", `"${"a"}"`, "for", "é", "(a)")
}

// steps are further steps of a traversal, likely or not.
func (g *gen) steps(most int) string {
	return g.join(g.IntN(most+1), "", func() string {
		return pick(g, ".a", ".b", ".name", "[0]", "[1]", `["a"]`, ".0", "[*]", ".*", ".1", "[-1]", "[1.5]", `["0"]`, "[null]", "[true]", ".0.1", `["${"a"}"]`, "[9]", ".id", "[(0)]", ".1e0")
	})
}

// expression is an expression that probably has a type.
func (g *gen) expression(ty *kind) string {
	if g.careless && g.chance(6) {
		ty = g.kind(2)
	}
	if g.depth <= 0 {
		return g.leaf(ty)
	}
	return g.deeper(func() string {
		switch g.IntN(16) {
		case 0, 1, 2:
			return g.leaf(ty)
		case 3:
			return g.conditional(ty)
		case 4:
			return "(" + g.expression(ty) + ")"
		case 5:
			return fmt.Sprintf("[%s, %s][%s]", g.expression(ty), g.expression(ty), g.index())
		case 6:
			field := pick(g, words...)
			return fmt.Sprintf("{%s = %s}%s", field, g.expression(ty), pick(g, "."+field, `["`+field+`"]`, g.steps(2)))
		case 7:
			return pick(g,
				"try("+g.expression(ty)+", "+g.expression(ty)+")",
				"try("+g.expression(g.kind(1))+g.steps(2)+", "+g.expression(ty)+")",
				"coalesce("+g.expression(ty)+", "+g.expression(ty)+")",
				"coalesce("+g.expression(ty)+"...)",
				"element(["+g.expression(ty)+"], "+g.index()+")",
				"lookup({a = "+g.expression(ty)+"}, "+pick(g, `"a"`, `"b"`)+", "+g.expression(ty)+")")
		case 8:
			if known := g.ofOther(); known != "" {
				return known + g.steps(3)
			}
		}
		return g.typical(ty)
	})
}

func (g *gen) index() string {
	if g.chance(70) {
		return pick(g, "0", "1", "0", "1", `"0"`, "-0", "1.0", "2", "-1", "null", "0.5")
	}
	return g.expression(primitives[1])
}

func (g *gen) ofOther() string {
	if len(g.names) == 0 {
		return ""
	}
	return pick(g, g.names...).text
}

func (g *gen) leaf(ty *kind) string {
	fitting := []string{}
	for _, name := range g.names {
		if name.ty.name == ty.name || ty.name == "any" {
			fitting = append(fitting, name.text)
		}
	}
	if len(fitting) > 0 && g.chance(65) {
		return pick(g, fitting...)
	}
	if g.careless && g.chance(4) {
		return pick(g, "nope", "v", "null", "missing.a", "upper", "x9")
	}
	switch {
	case ty.name == "list" || ty.name == "set" || ty.name == "map":
		literal := g.literal(ty, 2)
		if g.chance(75) {
			return "to" + ty.name + "(" + literal + ")"
		}
		return literal
	default:
		return g.literal(ty, 2)
	}
}

func (g *gen) conditional(ty *kind) string {
	other := ty
	if g.chance(30) {
		other = g.altered(ty)
	}
	return g.expression(primitives[2]) + " ? " + g.expression(ty) + " : " + pick(g, "null", g.expression(other), g.expression(other), g.expression(other))
}

// typical is what makes values of a type.
func (g *gen) typical(ty *kind) string {
	number, text, truth := primitives[1], primitives[0], primitives[2]
	switch ty.name {
	case "number":
		switch g.IntN(6) {
		case 0:
			return "-" + g.expression(number)
		case 1:
			return "length(" + g.expression(g.iterable()) + ")"
		case 2:
			return pick(g, "min", "max") + "(" + g.join(1+g.IntN(3), ", ", func() string { return g.expression(number) }) + pick(g, "", "", "...") + ")"
		case 3:
			return "tonumber(" + g.expression(text) + ")"
		default:
			return g.expression(number) + pick(g, " + ", " - ", " * ", " / ", " % ", "+", "*") + g.expression(number)
		}
	case "string":
		switch g.IntN(6) {
		case 0:
			return pick(g, "upper", "lower", "ns::upper", "tostring", "jsonencode") + "(" + g.expression(g.kind(g.IntN(2))) + ")"
		case 1:
			return "join(" + g.quoted() + ", " + g.expression(&kind{name: "list", element: text}) + ")"
		case 2:
			return "format(" + pick(g, particular["format.format"]...) + g.join(g.IntN(3), "", func() string { return ", " + g.expression(g.kind(0)) }) + ")"
		case 3:
			return "substr(" + g.expression(text) + ", " + g.index() + ", " + g.index() + ")"
		default:
			return g.template()
		}
	case "bool":
		switch g.IntN(7) {
		case 0:
			return "!" + g.expression(truth)
		case 1:
			return "can(" + g.expression(g.kind(2)) + ")"
		case 2, 3:
			some := g.kind(2)
			return g.expression(some) + pick(g, " == ", " != ") + g.expression(pick(g, some, some, g.altered(some), g.kind(1)))
		case 4:
			return g.expression(number) + pick(g, " < ", " <= ", " > ", " >= ") + g.expression(number)
		default:
			return g.expression(truth) + pick(g, " && ", " || ") + g.expression(truth)
		}
	case "list":
		switch g.IntN(7) {
		case 0:
			return "concat(" + g.join(1+g.IntN(2), ", ", func() string { return g.expression(ty) }) + pick(g, "", "", "...") + ")"
		case 1:
			return g.loop(ty.element, true)
		case 2:
			return g.expression(&kind{name: pick(g, "list", "set"), element: ty.element}) + pick(g, "[*]", ".*", "[*]"+g.steps(2), ".*"+g.steps(2))
		case 3:
			return pick(g, "keys", "values", "flatten") + "(" + g.expression(g.kind(2)) + ")"
		case 4:
			return pick(g, "range("+g.index()+")", "split(\"a\", "+g.expression(text)+")")
		default:
			return "tolist([" + g.join(g.IntN(4), ", ", func() string { return g.expression(ty.element) }) + "])"
		}
	case "set":
		return "toset([" + g.join(g.IntN(5), ", ", func() string { return g.expression(ty.element) }) + "])"
	case "map":
		switch g.IntN(4) {
		case 0:
			return "merge(" + g.expression(ty) + ", " + g.expression(ty) + ")"
		case 1:
			return g.loop(ty.element, false)
		default:
			return "tomap(" + g.braces(g.IntN(4), func() string { return g.expression(ty.element) }) + ")"
		}
	case "tuple":
		if g.chance(25) {
			return g.loop(g.kind(1), true)
		}
		parts := []string{}
		for _, element := range ty.elements {
			parts = append(parts, g.expression(element))
		}
		return "[" + strings.Join(parts, pick(g, ", ", ",", ",\n")) + pick(g, "", "", ",") + "]"
	case "object":
		if g.chance(25) {
			return g.loop(g.kind(1), false)
		}
		at := -1
		return g.braces(len(ty.elements), func() string { at++; return g.expression(ty.elements[at]) }, ty.names...)
	default:
		return g.expression(g.kind(2))
	}
}

// braces is an object constructor.
func (g *gen) braces(count int, value func() string, names ...string) string {
	at := -1
	separator := pick(g, ", ", ",", "\n", ",\n")
	text := g.join(count, separator, func() string {
		at++
		key := g.key()
		if at < len(names) && !(g.careless && g.chance(10)) {
			key = pick(g, names[at], names[at], `"`+names[at]+`"`, `("`+names[at]+`")`)
		} else if !g.careless {
			key = g.mapKey()
		} else if g.chance(15) {
			key = "(" + g.expression(g.kind(0)) + ")"
		}
		return key + pick(g, " = ", "=", ":", " : ") + value()
	})
	return "{" + pick(g, "", " ", "\n") + text + pick(g, "", ",", "\n") + "}"
}

// loop is a for expression.
func (g *gen) loop(element *kind, brackets bool) string {
	collection := g.expression(g.iterable())
	names := pick(g, "x", "k, x", "k, x")
	g.names = append(g.names, name{"x", g.kind(1)})
	if names != "x" {
		g.names = append(g.names, name{"k", primitives[0]})
	}
	depth := len(g.names)
	condition := ""
	if g.chance(30) {
		condition = " if " + g.expression(primitives[2])
	}
	value := pick(g, "x", g.expression(element), "x"+g.steps(2))
	text := "[for " + names + " in " + collection + " : " + value + condition + "]"
	if !brackets {
		key := pick(g, "x", "k", g.expression(primitives[0]), `"${x}"`)
		text = "{for " + names + " in " + collection + " : " + key + " => " + value + pick(g, "", "", "...") + condition + "}"
	}
	g.names = g.names[:depth-strings.Count(names, ",")-1]
	return text
}
