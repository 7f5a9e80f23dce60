package main

import (
	"encoding/json"
	"strings"
)

// makeMarkedUnknown is about what is left of marks where nothing is known: at the top, inside, and beside what is.
func makeMarkedUnknown(g *gen, _ *corpus) *Input {
	g.careless = g.chance(20)
	ty := g.kind(2)
	marks := func(text string) string { return "marked(" + text + ", " + pick(g, `"m"`, `"n"`) + ")" }
	g.vars["u"] = marks(g.unknown(ty))
	g.vars["p"] = g.unknown(pick(g, ty, &kind{name: "any"}))
	g.vars["k"] = marks(g.literal(ty, 2))
	g.vars["d"] = pick(g, "["+marks(g.unknown(ty))+", "+g.literal(ty, 1)+"]", "{a = "+marks(g.unknown(ty))+", b = "+g.made(ty, 1)+"}", "{a = "+marks("1")+", b = "+g.unknown(ty)+"}")
	g.vars["c"] = pick(g, "unknown(bool)", marks("unknown(bool)"), marks("true"), "true", "false")
	g.vars["i"] = pick(g, "unknown(number)", marks("unknown(number)"), marks("0"), marks(`"a"`), `"a"`, "0", "unknown(string)")
	a, b := pick(g, "u", "p", "k", "d"), pick(g, "u", "p", "k", "d")
	expr := pick(g,
		"c ? "+a+" : "+b, "c ? ["+a+"] : ["+b+"]", "c ? {a = "+a+"} : {a = "+b+"}", "c ? null : "+a, "c ? d : d", a+" == "+b, a+" != null", "["+a+"] == ["+b+"]", "!c", "c && (u == p)", "(k == p) || c",
		"d[i]", "d.a", "[u, k][i]", "{a = u, b = k}[i]", "u[i]", "p[i]", "d[*]", "u[*]", "u.*.a", "[u, k][*].a", "[for v in "+a+" : v]", "[for x, v in d : [x, v] if c]", "{for x, v in d : x => v}", "{for v in [k, u] : \"a\" => v...}", "{(i) = u, b = k}", "{a = 1}[i]",
		`"${u}"`, `"x${k}${p}"`, `"%{ if c }${k}%{ else }y%{ endif }"`, `"%{ for v in `+a+` }${v}%{ endfor }"`, `"x-${u}" == "y"`, "u + 1", "i < 3", "-i", "try(u.x, k)", "can(u.x)", "try(d[i], u)",
		g.function()+"("+a+", "+b+")", g.function()+"("+a+")", g.function()+"(d...)", "length("+a+")", "tolist(["+a+", "+b+"])", "toset(["+a+", "+b+"])", "tomap({a = "+a+", b = "+b+"})", "merge({a = u}, p)", "concat([u], [k])", "lookup({a = u}, i, k)", "element([u, k], i)", "coalesce("+a+", "+b+")", "keys(d)", "values(d)", "jsonencode("+a+")", "flatten(["+a+", "+b+"])", "format(\"%s-%v\", "+a+", "+b+")")
	return g.evaluated(expr)
}

// makeTuples brings tuples to one type: element by element, with nulls, unknowns and other lengths, also as conversions.
func makeTuples(g *gen, _ *corpus) *Input {
	g.careless = g.chance(10)
	first := g.tuple(g.IntN(5), func() *kind { return g.kind(g.IntN(3)) })
	other := func() *kind {
		ty := *first
		ty.elements = g.alteredAll(first.elements)
		switch {
		case g.chance(20) && len(ty.elements) > 0:
			ty.elements = ty.elements[1:]
		case g.chance(15):
			ty.elements = append(append([]*kind{}, ty.elements...), g.kind(1))
		case g.chance(15):
			return g.altered(first)
		}
		return &ty
	}
	part := func(ty *kind) string {
		return g.items(ty, 3, func(element *kind, depth int) string {
			return pick(g, "null", g.unknown(element), g.made(element, depth), g.made(element, depth), g.literal(element, depth))
		})
	}
	write := func(ty *kind) string {
		if ty.name != "tuple" {
			return g.made(ty, 3)
		}
		return pick(g, part(ty), part(ty), g.made(ty, 3))
	}
	g.vars["a"], g.vars["b"], g.vars["z"] = write(first), write(other()), write(other())
	g.vars["t"] = pick(g, "true", "false", "unknown(bool)", `marked(true, "m")`)
	input := g.evaluated(pick(g, "t ? a : b", "t ? a : b", "t ? a : b", "t ? [a] : [b]", "t ? {x = a} : {x = b}", "t ? {x = a} : {y = b}", "t ? (t ? a : b) : z", "t ? a : tolist(b)", "t ? [] : a", "t ? [null] : a", "t ? [a, b] : [b, a]", "t ? [a, b] : [z]", "tolist([a, b])", "toset([a, b])", "tomap({x = a, y = b})", "concat(a, b)", "a == b", "[for v in [a, b] : v]", "a"))
	input.Context, input.OuterVars = "", nil
	if g.chance(25) {
		input.As = g.typeText(g.altered(g.altered(first)), g.chance(50))
	}
	return input
}

// makePrefixes is about strings of which the beginning is known.
func makePrefixes(g *gen, _ *corpus) *Input {
	start := func() string {
		return pick(g, `"a"`, `"ab-"`, `"é"`, `"e"`, `"x$"`, `"{"`, `"tr"`, `"1"`, `"-"`, `"."`, `" "`, `"\""`, `"["`, `"https://"`, `"a\u0301"`, `"\U0001F468\u200D"`, `"\r"`, `"true"`, `"null"`, `""`, `"0x"`, `"$${"`)
	}
	facts := func() string {
		return pick(g, "", "not_null = true, ") + "prefix = " + start()
	}
	unknown := func() string { return "refine(unknown(string), {" + facts() + "})" }
	g.vars["u"], g.vars["w"], g.vars["m"] = unknown(), unknown(), "marked("+unknown()+`, "m")`
	g.vars["c"] = pick(g, "unknown(bool)", "true", "false")
	g.vars["s"] = start()
	a, b := pick(g, "u", "w", "m", "s"), pick(g, "u", "w", "m", "s")
	input := g.evaluated(pick(g,
		`"${`+a+`}"`, `"x${`+a+`}"`, `"${s}${`+a+`}"`, `"`+strings.Trim(start(), `"`)+`${u}"`, `"${u}x"`, `"x-${u}" == "y-${w}"`, `"${s}${u}" == "${s}${w}"`, a+" == "+b, a+" != "+b, "u == "+start(), "u == null", "c ? "+a+" : "+b, `c ? "ab-${u}" : "abc${w}"`, "c ? "+start()+" : "+a, "[u] == ["+start()+"]", "{a = u} == {a = s}",
		`"%{ if c }ab${u}%{ else }a%{ endif }"`, `"%{ for x in [u, w] }${x}%{ endfor }"`, "<<E\nab${u}\n${w}\nE\n", "upper(u)", "lower("+a+")", "substr(u, 0, 1)", "length(u)", "join(s, [u, w])", "join(u, [s, s])", "split(s, u)", "jsonencode("+a+")", "jsonencode([u])", "format(\"a-%s\", u)", "format(u, 1)", "coalesce(u, w)", "try(u, w)", "can("+a+")", "tolist([u, w])", "toset([u, s])", "u + 1", "u ? 1 : 2", "[1][u]", "{a = 1}[u]", "lookup({ab = 1}, u, 2)", "tonumber(u)", "tobool(u)", "tostring(u)", "concat([u], [w])", "[for x in [u, w] : x if x == s]", "{(u) = 1}"))
	input.Context, input.OuterVars = "", nil
	if g.chance(20) {
		input.As = pick(g, "string", "number", "bool", "list(string)", "any", "object({a = string})")
	}
	if g.chance(30) {
		call := pick(g, "jsondecode(u)", "regex(\"a\", u)", "trimprefix(u, s)", "trimspace(u)", "strlen(u)", "reverse(u)", "replace(u, s, \"b\")", "title(u)", "indent(1, u)", "chomp(u)", "formatlist(\"a-%s\", [u])", "parseint(u, 10)", "csvdecode(u)", "timeadd(u, \"1h\")", "contains([u], s)", "zipmap([u], [1])", "sort([u, w])", "distinct([u, w])", "compact([u, s])")
		input.Expr, input.Dialect = call, "hcl"
	}
	return input
}

// makeJSON is a value of JSON syntax whose strings are templates.
func makeJSON(g *gen, known *corpus) *Input {
	g.declare(1 + g.IntN(3))
	g.careless = g.chance(40)
	input := g.evaluated(g.jsonValue(known, 2))
	input.Syntax = "json"
	if input.Context == "child" {
		input.Context, input.OuterVars = "", nil
	}
	return input
}

func (g *gen) jsonValue(known *corpus, depth int) string {
	if depth > 0 && g.chance(45) {
		if g.chance(50) {
			return "[" + g.join(g.IntN(4), ", ", func() string { return g.jsonValue(known, depth-1) }) + "]"
		}
		return "{" + g.join(g.IntN(4), ", ", func() string {
			return g.jsonString(known, true) + ": " + g.jsonValue(known, depth-1)
		}) + "}"
	}
	if g.chance(20) {
		return pick(g, "1", "-2.5e2", "true", "null", "1e400", "0.10", "false")
	}
	return g.jsonString(known, false)
}

// jsonString is a template, or a key.
func (g *gen) jsonString(known *corpus, isKey bool) string {
	g.depth = 1 + g.IntN(2)
	text := ""
	switch at := g.IntN(12); {
	case isKey && at < 6:
		text = pick(g, "a", "b", "é", "e\u0301", "x y", "", "a${1}", "${null}", "$${a}")
	case at < 4:
		text = "${" + g.expression(g.kind(1)) + "}"
	case at < 6:
		text = pick(g, "x", "  ", "é", "\n", "\r", "\r\n", "$", "%%") + "${" + g.expression(g.kind(0)) + "}" + pick(g, "", "y", " ${1} ", "\n${~ 2 ~}\n", "$${", "%{")
	case at < 8:
		text = "%{ if " + g.expression(primitives[2]) + pick(g, " }", " ~}") + g.words() + pick(g, "%{ else }b", "") + pick(g, "%{ endif }", "%{~ endif }", "")
	case at < 9:
		text = "%{ for x in " + g.expression(g.iterable()) + " }${x}%{ endfor }"
	case at < 11:
		text = g.words()
	default:
		text = strings.Trim(makeTemplate(g, known).Expr, `"`)
	}
	written, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(written)
}

func (g *gen) words() string {
	return pick(g, "plain", "two words", " a ", "\n", "a\nb", "\\n", "\"q\"", "$", "$$", "$${x}", "%%{x}", "é", "e\u0301", "~", "", "${", "${}", "%{ endif }", "${1", "}")
}
