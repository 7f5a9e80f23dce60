package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// gen makes inputs from one source of randomness.
type gen struct {
	*rand.Rand
	// Names in scope with the type that they probably have.
	names []name
	vars  map[string]string
	// How much may still be nested.
	depth int
	// Whether things may be wrong.
	careless bool
}

type name struct {
	text string
	ty   *kind
}

func newGen(seed, index uint64) *gen {
	return &gen{Rand: rand.New(rand.NewPCG(seed, index)), vars: map[string]string{}, depth: 4}
}

func (g *gen) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *gen, options ...T) T { return options[g.IntN(len(options))] }

func (g *gen) join(count int, separator string, part func() string) string {
	parts := make([]string, count)
	for i := range parts {
		parts[i] = part()
	}
	return strings.Join(parts, separator)
}

// deeper makes a part one level further down.
func (g *gen) deeper(part func() string) string {
	g.depth--
	text := part()
	g.depth++
	return text
}

// Kinds of input with how often each is made, of a hundred.
var kinds = []struct {
	name   string
	weight int
	make   func(*gen, *corpus) *Input
}{
	{"expression", 10, makeExpression},
	{"agreement", 3, makeAgreement},
	{"operators", 9, makeOperators},
	{"sets", 3, makeSet},
	{"calls", 3, makeCall},
	{"numbers", 4, makeNumbers},
	{"precisions", 4, makePrecisions},
	{"templates", 6, makeTemplate},
	{"literals", 2, makeLiteral},
	{"conversion", 7, makeConversion},
	{"types", 2, makeType},
	{"functions", 6, makeFunctionCall},
	{"corpus", 7, makeFromCorpus},
	{"mutated", 7, makeMutated},
	{"documents", 6, makeDocument},
	{"mutated documents", 7, makeMutatedDocument},
	{"variables", 4, makeVariables},
	{"marked unknowns", 3, makeMarkedUnknown},
	{"json", 3, makeJSON},
	{"tuples", 2, makeTuples},
	{"prefixes", 2, makePrefixes},
}

// generate is the input of a number in the sequence of a seed.
func generate(seed, index uint64, known *corpus, only string) *Input {
	g := newGen(seed, index)
	at := g.IntN(100)
	for _, candidate := range kinds {
		at -= candidate.weight
		if candidate.name == only || only == "" && at < 0 {
			input := candidate.make(g, known)
			input.Kind = candidate.name
			return input
		}
	}
	panic("there is no kind of input called " + only)
}

func (g *gen) evaluated(expr string) *Input {
	input := &Input{Verb: "eval", Expr: expr, Vars: g.vars, Dialect: "hcl-test"}
	if g.chance(4) {
		input.Context = pick(g, "none", "novars", "nofuncs", "child")
		if input.Context == "child" {
			outer := newGen(g.Uint64(), 1)
			outer.declare(2)
			input.OuterVars = outer.vars
		}
	}
	return input
}

func makeExpression(g *gen, _ *corpus) *Input {
	g.declare(g.IntN(5))
	g.careless = g.chance(50)
	g.depth = 2 + g.IntN(3)
	return g.evaluated(g.noisy(g.expression(g.kind(2))))
}

// makeOperators puts variables of every sort into single operations.
func makeOperators(g *gen, _ *corpus) *Input {
	g.careless = true
	g.declare(3)
	g.depth = 1
	operand := func() string {
		if g.chance(75) && len(g.names) > 0 {
			return pick(g, g.names...).text
		}
		return g.expression(g.kind(1))
	}
	a, b, c := operand(), operand(), operand()
	return g.evaluated(pick(g,
		func() string { return a + " " + g.operator() + " " + b },
		func() string { return a + " == " + b },
		func() string { return a + " != " + b },
		func() string { return a + " " + pick(g, "&&", "||") + " " + b },
		func() string { return pick(g, "!", "-") + a },
		func() string { return a + " ? " + b + " : " + c },
		func() string { return a + " ? " + b + " : " + c },
		func() string { return a + "[" + b + "]" },
		func() string { return a + g.steps(2) },
		func() string { return a + "[*]" + g.steps(2) },
		func() string { return a + ".*" + g.steps(2) },
		func() string { return "[for k, v in " + a + " : [k, v]" + pick(g, "", " if "+b) + "]" },
		func() string {
			return "{for k, v in " + a + " : " + pick(g, "k", "v", b) + " => " + pick(g, "v", c, "k") + pick(g, "", "...") + pick(g, "", " if "+b) + "}"
		},
		func() string { return "{(" + a + ") = " + b + ", " + g.key() + " = " + c + "}" },
		func() string {
			return `"` + pick(g, "", "x-", "é") + "${" + a + "}" + pick(g, "", "y", "${"+b+"}") + `"`
		},
		func() string { return "\"%{ for x in " + a + " }${x}%{ endfor }\"" },
		func() string { return "\"%{ if " + a + " }a${" + b + "}%{ else }c%{ endif }\"" },
		func() string { return "[" + a + ", " + b + "] == [" + c + ", " + b + "]" },
		func() string { return "try(" + a + g.steps(1) + ", " + b + ")" },
		func() string { return "can(" + a + " " + g.operator() + " " + b + ")" },
		func() string { return g.function() + "(" + a + pick(g, "", "...", ", "+b, ", "+b+"...") + ")" },
		func() string { return pick(g, "tolist", "toset") + "([" + a + ", " + b + ", " + c + "])" },
		func() string { return "tomap({a = " + a + ", b = " + b + "})" },
	)())
}

// makeAgreement brings values of different types to one.
func makeAgreement(g *gen, _ *corpus) *Input {
	g.careless = g.chance(20)
	first := g.kind(3)
	other := func() *kind {
		ty := g.altered(first)
		if g.chance(30) {
			ty = g.altered(ty)
		}
		if g.chance(10) {
			ty = g.kind(2)
		}
		return ty
	}
	g.vars["a"], g.vars["b"], g.vars["c"] = g.made(first, 3), g.made(other(), 3), g.made(other(), 3)
	g.vars["t"] = g.made(primitives[2], 2)
	expr := pick(g, "t ? a : b", "t ? a : b", "t ? a : null", "t ? (t ? a : b) : c", "t ? [a] : [b]", "t ? [a, b] : c", "t ? {x = a} : {x = b}", "t ? {x = a} : {y = b}", "t ? [] : a", "t ? {} : a", "t ? [a, null] : [b, c]",
		"tolist([a, b, c])", "toset([a, b, c])", "tomap({x = a, y = b})", "tomap({x = a, y = null})", "concat(a, b)", "concat([a], tolist([b]))", "merge(a, b)", "merge({x = a}, {x = b}, {y = c})", "coalesce(a, b, c)", "coalesce(null, a, b)", "flatten([a, b, c])",
		"element([a, b], 1)", "lookup({x = a}, \"x\", b)", "try(a.x, b)", "[a, b][*].a", "values({x = a, y = b})", "keys(a)", "length(a)", "a == b", "[a, b] == [b, a]", "{x = a} == {x = b}", "a[*]", "a.*", "[for k, v in a : v]", "{for k, v in a : k => v}", "jsonencode(a)", "jsonencode([a, b])", "\"${a}\"", "join(\",\", a)", "a[0]", "a[\"a\"]", "a.a", "max(a...)", "concat(a...)", "setunion(a, b)", "distinct([a, b])", "zipmap(a, b)", "chunklist(a, 2)", "slice(a, 0, 1)", "reverse(a)", "contains(a, b)", "coalescelist(a, b)", "compact(a)", "setproduct(a, b)")
	input := g.evaluated(expr)
	input.Dialect, input.Context, input.OuterVars = "hcl", "", nil
	return input
}

// makeSet makes sets of every sort of element, whose order shows.
func makeSet(g *gen, _ *corpus) *Input {
	g.careless = g.chance(30)
	element := g.kind(2)
	members := func() string {
		return g.join(g.IntN(8), ", ", func() string { return g.member(element, 3) })
	}
	set := "toset([" + members() + "])"
	if g.chance(40) {
		set = "typed(set(" + g.typeText(element, false) + "), [" + members() + "])"
	}
	g.vars["s"] = set
	other := "typed(set(" + g.typeText(g.altered(element), false) + "), [" + members() + "])"
	g.vars["t"] = other
	expr := pick(g, "s", "s", "s", "s[*]", "tolist(s)", "[for k, v in s : v]", "{for v in s : jsonencode(v) => v...}", "s == t", "s != t", "s == s", "jsonencode(s)",
		"toset(concat(tolist(s), tolist(t)))", "[s, t]", "toset([s, t])", "\"%{ for v in s }${v},%{ endfor }\"", "length(s)", "s == toset([for v in t : v])", "true ? s : t", "flatten([s, t])",
		"contains(s, "+g.member(element, 2)+")", "setunion(s, t)", "setintersection(s, t)", "setsubtract(s, t)", "setsymmetricdifference(s, t)", "setproduct(s, t)", "distinct(tolist(s))")
	input := g.evaluated(expr)
	input.Dialect, input.Context, input.OuterVars = "hcl", "", nil
	return input
}

// member is an element of a set, which may be there twice.
func (g *gen) member(ty *kind, depth int) string {
	if g.chance(8) {
		return g.made(ty, depth)
	}
	switch ty.name {
	case "number":
		return pick(g, "1", "2", "10", "9", "-1", "-10", "0", "-0", "1e10", "0.00001", "1.0", "1e-5", "12345678901", "1.00000000001", "0.1", "1e100", "1/0", "-1/0", "0.3", "0.1+0.2", g.number())
	case "string":
		return g.quoted()
	case "list", "set", "tuple":
		return g.items(ty, depth, g.member)
	case "map", "object":
		return g.entries(ty, depth, g.member)
	default:
		return g.literal(ty, depth)
	}
}

// makeCall is about calls: names, numbers of arguments, expansion.
func makeCall(g *gen, _ *corpus) *Input {
	g.declare(2)
	g.careless = true
	g.depth = 1
	function := pick(g, g.function(), g.function(), g.function(), "ns::upper", "ns::nope", "nope", "uper", "a::b::c", "ns :: upper", "lengt", "true", "for", "é", "x::upper")
	arguments := g.join(g.IntN(4), ", ", func() string { return g.expression(g.kind(1)) })
	return g.evaluated(function + pick(g, "(", "(", " (", "(\n") + arguments + pick(g, "", "", "", "...", ",", "... ", ",...", "\n") + ")" + g.steps(1))
}

// makeType is about type expressions, well formed or nearly.
func makeType(g *gen, _ *corpus) *Input {
	input := g.evaluated(pick(g, "null", "1", "{}", "[]", "{a = 1}", "{a = null}", "{a = {}}", "[{}]", "{a = {b = 1}}", "[{a = 1}, {}]", "{x = {a = {}}}"))
	input.Context, input.OuterVars = "", nil
	text := g.typeText(g.kind(3), true)
	for range g.IntN(3) {
		list := append(pieces(text), "")
		at := g.IntN(len(list))
		list[at] = pick(g, "list", "object", "optional", "any", "string", "str", "(", ")", "{", "}", "[", "]", ",", "=", ":", `"a"`, "1", "a.b", "a", "null", "tuple", "map", "optional(string, 1)", "optional(any)", "list()", "list(string, number)", "object([])", "object({a})", "tuple({})", "object({(a) = string})", `object({"a" = string})`, "object({a = string, a = bool})",
			"[for x in y: x]", "{for x in y: x => x}", "optional()", "optional(string, 1, 2)", "set", "ns::list(string)", "list(string...)", "string()", "(string)", "-string", `"${string}"`, "", "object({a = optional(number, true)})", "object({a = optional(list(string), [1])})", "object({a = optional(string, b)})", "object({a = optional(object({b = optional(number, 5)}), {})})")
		text = strings.Join(list, "")
	}
	input.As = text
	if text == "" {
		input.As = "any"
	}
	return input
}

func makeVariables(g *gen, known *corpus) *Input {
	input := pick(g, makeExpression, makeTemplate, makeFromCorpus, makeMutated, makeOperators)(g, known)
	return &Input{Verb: "vars", Expr: input.Expr}
}

func makeConversion(g *gen, _ *corpus) *Input {
	g.careless = g.chance(40)
	from := g.kind(2)
	g.vars["v"] = g.made(from, 3)
	input := g.evaluated(pick(g, "v", "v", "v", "v", "[v]", "{a = v}", `"${v}"`))
	input.Context = ""
	to := from
	if g.chance(60) {
		to = g.kind(2)
	} else {
		to = g.altered(from)
	}
	input.As = g.typeText(to, true)
	if g.chance(4) {
		input.As = g.mutate(input.As, 1)
	}
	return input
}

func makeFunctionCall(g *gen, _ *corpus) *Input {
	g.declare(2)
	g.depth = 2
	call := g.call(pick(g, libraryNames...))
	if g.chance(15) {
		call = g.call(pick(g, libraryNames...)) + g.operator() + call
	}
	input := g.evaluated(call)
	input.Dialect, input.Context, input.OuterVars = "hcl", "", nil
	return input
}

// call is a call whose arguments mostly fit the function's parameters.
func (g *gen) call(function string) string {
	described := library[function]
	arguments := []string{}
	add := func(name string, ty *kind) {
		if shape, ok := shaped[function+"."+name]; ok && g.chance(70) {
			arguments = append(arguments, shape(g))
			return
		}
		if special, ok := particular[function+"."+name]; ok && g.chance(85) {
			arguments = append(arguments, pick(g, special...))
			return
		}
		if g.chance(6) {
			ty = g.kind(1)
		}
		if g.chance(25) {
			// An argument that no expression gives.
			variable := fmt.Sprintf("w%d", len(g.vars))
			g.vars[variable] = g.made(ty, 3)
			arguments = append(arguments, variable)
			return
		}
		arguments = append(arguments, g.deeper(func() string { return g.expression(ty) }))
	}
	for _, parameter := range described.Params() {
		add(parameter.Name, g.kindOf(parameter.Type))
	}
	if more := described.VarParam(); more != nil {
		for range g.IntN(4) {
			add(more.Name, g.kindOf(more.Type))
		}
	}
	if g.chance(2) && len(arguments) > 0 {
		arguments = arguments[:len(arguments)-1]
	}
	return fmt.Sprintf("%s(%s)", function, strings.Join(arguments, ", "))
}

// What arguments of single functions look like, where any value of their type would only be refused.
var particular = map[string][]string{
	"formatdate.format":     {`"YYYY-MM-DD'T'hh:mm:ssZ"`, `"EEEE, DD MMM YY"`, `"h:m:s aa"`, `"H AA ZZZZ ZZZZZ"`, `"'x''y' D"`, `"EEE M"`, `"YYYYY"`, `"'x"`, `"hhh"`},
	"formatdate.time":       {`"2020-02-29T23:59:59Z"`, `"2006-01-02T15:04:05+02:30"`, `"1999-12-31T00:00:00-07:00"`, `"2020-02-30T00:00:00Z"`, `"2020-01-01"`, `"2020-01-01T00:00:60Z"`},
	"timeadd.timestamp":     {`"2020-02-29T23:59:59Z"`, `"2006-01-02T15:04:05.5+02:30"`, `"x"`},
	"timeadd.duration":      {`"1h"`, `"-36h10m"`, `"1.5s"`, `"1d"`, `"100000h"`, `""`},
	"regex.pattern":         {`"a+"`, `"(a)(b)?"`, `"(?P<x>[a-z]+)-(?P<y>\\d+)"`, `"[[:alpha:]]*"`, `"("`, `"^$"`, `"é|e"`, `"\\pL+"`, `"(?i)AB"`, `"a{2,3}"`},
	"regexall.pattern":      {`"a+"`, `"(a)(b)?"`, `"(?P<x>[a-z]+)"`, `""`, `"\\b"`, `"[^ ]"`, `"("`},
	"regex_replace.pattern": {`"a"`, `"(a+)(b)"`, `"(?P<x>.)"`, `""`, `"("`},
	"regex_replace.replace": {`"$1"`, `"<$${x}>"`, `"$$"`, `"b"`, `"$0$0"`, `"$1x"`},
	"parseint.base":         {"2", "8", "10", "16", "36", "62", "63", "1"},
	"parseint.number":       {`"ff"`, `"-101"`, `"zz"`, `"9999999999999999999999"`, `"Zz"`, `"+7"`, `"0x1f"`, `""`},
	"jsondecode.str":        {`"[1,2.50,\"a\"]"`, `"{\"a\":1,\"a\":2}"`, `"{\"a\":1,\"a\":\"x\"}"`, `"1e400"`, `"-0"`, `"01"`, `"null"`, `"{\"é\":[true,null]}"`, `"[1"`, `"\"\\ud800\""`, `"1 2"`, `""`},
	"csvdecode.str":         {`"a,b\n1,2\n"`, `"a,a\n1,2"`, `"a\n\"x\"\"y\"\n"`, `"a,b\n1"`, `"\"a"`, `""`},
	"format.format":         {`"%s-%d"`, `"%#v"`, `"%v %v"`, `"%5.2f|%-5s|%05d"`, `"%q"`, `"%x %X %o %b"`, `"%e %g"`, `"%[2]s %[1]s"`, `"%*d"`, `"%%"`, `"%t"`, `"%+d"`, `"%z"`, `"%"`, `"%s"`, `"%.3s"`, `"%6.1s"`},
	"formatlist.format":     {`"%s-%d"`, `"%v"`, `"%s %s"`, `"%d"`},
	"range.params":          {"0", "1", "3", "-2", "0.5", "10", "1e2", "length([1])"},
	"pow.num":               {"2", "0.5", "-3", "10", "101", "1e10", "0"},
	"pow.power":             {"2", "0.5", "-1", "8", "64", "0", "3.3"},
	"log.num":               {"2", "10", "0.5", "100", "0", "-1", "1e100"},
	"log.base":              {"2", "10", "0.5", "1", "0"},
	"indent.spaces":         {"0", "1", "4", "-1", "1.5"},
	"substr.offset":         {"0", "1", "-2", "3"},
	"substr.length":         {"0", "1", "-1", "5"},
	"slice.start_index":     {"0", "1", "2", "-1"},
	"slice.end_index":       {"0", "1", "2", "3"},
	"element.index":         {"0", "1", "5", "-1", "-7", "1.5"},
	"chunklist.size":        {"0", "1", "2", "-1"},
}

var libraryNames = sortedNames()

func sortedNames() []string {
	names := make([]string, 0, len(library))
	for name := range library {
		names = append(names, name)
	}
	return sorted(names)
}
