package main

import (
	"strings"
)

func makeDocument(g *gen, _ *corpus) *Input {
	return &Input{Verb: "check", Source: []byte(g.document())}
}

func (g *gen) document() string {
	g.depth = 2 + g.IntN(2)
	g.careless = g.chance(50)
	text := g.body("")
	if g.chance(12) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if g.chance(4) {
		text = "\ufeff" + text
	}
	if g.chance(10) {
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}

func (g *gen) body(indent string) string {
	return g.join(g.IntN(5), "", func() string { return g.item(indent) })
}

func (g *gen) item(indent string) string {
	end := pick(g, "\n", "\n", "\n", "\n\n", " # note\n", " // note\n", " /* note */\n", "\t\n")
	switch g.IntN(20) {
	case 0:
		return indent + pick(g, "# comment\n", "// comment\n", "/* a\nb */\n", "#\n", "/**/\n", "/* open\n")
	case 1, 2, 3, 4, 5, 6:
		return indent + g.header() + g.block(indent) + end
	case 7:
		if g.careless {
			return indent + g.odd() + end
		}
	}
	return indent + g.attributeName() + pick(g, " = ", "=", "  =  ", "\t= ") + g.attributeValue() + end
}

func (g *gen) attributeName() string {
	return pick(g, "a", "b", "name", "é", "a-b", "_x", "true", "for", "null", "if")
}

func (g *gen) header() string {
	return pick(g, "job", "group", "resource", "a", "dynamic") + g.join(g.IntN(3), "", func() string {
		return pick(g, " ", " ", "") + pick(g, `"x"`, `"x y"`, "label", `"$${a}"`, `"é\n"`, `""`, `"a${b}"`, `"\q"`, `"%{x}"`, `"a$"`)
	}) + pick(g, " ", " ", " ", "")
}

func (g *gen) block(indent string) string {
	if g.depth <= 0 || g.chance(20) {
		return pick(g, "{}", "{ }", "{ a = 1 }", "{a=[]}", "{\n"+indent+"}", "{ x = <<E\na\nE\n }", "{ a = 1\n}", "{ b {} }", "{ a = 1, b = 2 }", "{ # c\n}")
	}
	return g.deeper(func() string { return "{\n" + g.body(indent+"  ") + indent + "}" })
}

func (g *gen) attributeValue() string {
	depth := g.depth
	g.depth = g.IntN(3)
	text := g.expression(g.kind(1))
	g.depth = depth
	if g.chance(25) {
		return pick(g, "[\n 1,\n 2\n]", "{\n a = 1\n b = 2\n}", "f(\n1\n)", "a.b[0].c", "a[*].b", "<<EOT\n  x ${y}\nEOT", "<<-EOT\n  x\n EOT", `"a${b}c"`, "a ? b : c", "x[1]", "ns::f(1, 2...)", "for", "null", "-1", "!a", "a.0.b", "{ for k, v in x : k => v }")
	}
	return text
}

// odd is a line that is no item, or nearly one.
func (g *gen) odd() string {
	return pick(g, "a", "a = ", "= 1", `"x" = 1`, "a b c", "}", "{", "a = 1 2", "a = 1,", "a {", "a = [1, 2", "a = {b = 1", `a = "x`, "a = (1", "a = f(1", "a.b = 1", "a: 1", "a = \"${x\"", "a = <<E", "a = 1 +", "a = ?", "a += 1",
		"a \"b\"", "a {} b {}", "a = b.", "a = b..c", "a = b[", "a = b[*", "a = b.*.*", "; a = 1", "a = 'x'", "a = `x`", "a = 1 & 2", "a = x | y", "a = ~1", "a = “x”", "a = 1.2.3", "a = \"%{ if x }\"", "a = \"%{ endif }\"", "a = [for x in y: x", "a = {for x in y: x}", "a = [for x y: z]",
		"a = \"\\q\"", "a = \"\\ud800\"", "a = ${b}", "a \"${b}\" {}", "a { b = 1 } c", "\u00a0a = 1", "a = 1 \f", "a=1;b=2", "a = :: b", "a = b::c", "a = b::c::(1)", "a = f(1...,)", "a = f(,)", "a = {,}", "a = [,]", "a = {a = 1,, b = 2}", "a = \"${}\"", "a = ()", "a = x[]", "a = {x}", "a = {x = }")
}

func makeMutatedDocument(g *gen, known *corpus) *Input {
	text := ""
	if g.chance(50) && len(known.documents) > 0 {
		text = pick(g, known.documents...)
		if len(text) > 1500 {
			at := g.IntN(len(text) - 1000)
			text = text[at : at+1000]
		}
	} else {
		text = g.document()
	}
	text = g.mutate(text, 1+g.IntN(3))
	if g.chance(12) {
		text = g.corrupt(text)
	}
	return &Input{Verb: "check", Source: []byte(text)}
}

// corrupt puts bytes where they may be no UTF-8.
func (g *gen) corrupt(text string) string {
	bytes := []byte(text)
	for range 1 + g.IntN(3) {
		at := g.IntN(len(bytes) + 1)
		what := []byte(pick(g, "\xff", "\x80", "\xc3", "\xe2\x82", "\xf0\x9f", "\xc0\x80", "\xed\xa0\x80", "\x00", "\r", "\ufeff", "\u2028", "\x7f", "\xf4\x90\x80\x80"))
		bytes = append(bytes[:at], append(what, bytes[at:]...)...)
	}
	return string(bytes)
}
