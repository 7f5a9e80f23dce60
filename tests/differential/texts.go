package main

import (
	"fmt"
	"strings"
)

// number is a number literal, mostly of moderate size.
func (g *gen) number() string {
	switch g.IntN(24) {
	case 0:
		return g.digits(1+g.IntN(40)) + "." + g.digits(1+g.IntN(60))
	case 1:
		return g.digits(140 + g.IntN(40))
	case 2:
		return fmt.Sprintf("%de%d", g.IntN(100), g.IntN(330))
	case 3:
		return fmt.Sprintf("%d.%de-%d", g.IntN(10), g.IntN(1000), g.IntN(330))
	case 4:
		return pick(g, "1e999999999", "1e-999999999", "0e5", "00012", "1.50", "1e3", "9223372036854775807", "9223372036854775808", "18446744073709551616", "0.0", "1E5", "1e+5", "340282366920938463463374607431768211456")
	case 5, 6, 7:
		return fmt.Sprintf("%d.%d", g.IntN(20), g.IntN(100))
	default:
		return fmt.Sprint(g.IntN(12))
	}
}

func (g *gen) digits(count int) string {
	var text strings.Builder
	for range count {
		text.WriteByte(byte('0' + g.IntN(10)))
	}
	return text.String()
}

// makeNumbers is arithmetic at the precision of literals.
func makeNumbers(g *gen, _ *corpus) *Input {
	g.depth = 1 + g.IntN(4)
	var operation func() string
	operation = func() string {
		if g.depth <= 0 || g.chance(15) {
			return pick(g, "", "", "", "", "-") + g.number()
		}
		return g.deeper(func() string {
			if g.chance(10) {
				return "-(" + operation() + ")"
			}
			return "(" + operation() + " " + pick(g, "+", "-", "*", "/", "%") + " " + operation() + ")"
		})
	}
	expr := operation()
	switch g.IntN(8) {
	case 0:
		expr += " " + pick(g, "==", "!=", "<", "<=", ">", ">=") + " " + operation()
	case 1:
		expr = `"${` + expr + `}x"`
	case 2:
		expr = "toset([" + expr + ", " + operation() + ", " + operation() + "])"
	case 3:
		expr = pick(g, "min", "max") + "(" + expr + ", " + operation() + ")"
	}
	return g.evaluated(expr)
}

// makePrecisions mixes numbers of other precisions into arithmetic.
func makePrecisions(g *gen, _ *corpus) *Input {
	g.depth = 1 + g.IntN(3)
	var operation func() string
	leaf := func() string {
		switch g.IntN(9) {
		case 0:
			return fmt.Sprintf("length([%s])", g.join(g.IntN(6), ", ", func() string { return "1" }))
		case 1:
			return fmt.Sprintf("pow(%s, %s)", pick(g, "2", "3", "0.5", "10", "1.1", "101", "7.25"), pick(g, "2", "0.5", "-3", "8", "64", "100", "1.7"))
		case 2:
			return fmt.Sprintf("log(%s, %s)", pick(g, "2", "10", "3", "0.1", "1000", "7.5"), pick(g, "2", "10", "8", "3"))
		case 3:
			return fmt.Sprintf("parseint(%q, %d)", g.digits(1+g.IntN(200)), 10)
		case 4:
			return fmt.Sprintf("parseint(%q, 16)", strings.Repeat(pick(g, "f", "a7", "10", "3c1"), 1+g.IntN(90)))
		case 5:
			return fmt.Sprintf("range(%d)[%d]", 3+g.IntN(3), g.IntN(3))
		case 6:
			return fmt.Sprintf("[for i, v in [5, 6, 7] : i][%d]", g.IntN(3))
		case 7:
			return pick(g, "strlen", "abs", "ceil", "floor", "signum") + "(" + pick(g, "5", "-7", "2", "0") + ")"
		default:
			return pick(g, "", "-") + g.number()
		}
	}
	operation = func() string {
		if g.depth <= 0 || g.chance(15) {
			return leaf()
		}
		return g.deeper(func() string {
			if g.chance(12) {
				return pick(g, "-", "abs", "ceil", "floor") + "(" + operation() + ")"
			}
			return "(" + operation() + " " + pick(g, "+", "-", "*", "/", "%") + " " + operation() + ")"
		})
	}
	expr := operation()
	if g.chance(30) {
		expr += " " + pick(g, "==", "!=", "<", "<=", ">") + " " + operation()
	} else if g.chance(20) {
		expr = "toset([" + expr + ", " + operation() + ", " + operation() + "])"
	}
	input := g.evaluated(expr)
	input.Dialect, input.Context, input.OuterVars = "hcl", "", nil
	return input
}

var snippets = []string{
	"a", "b", "abc", " ", "  ", "é", "e\u0301", "ñ", "\u1100\u1161", "가", "日本", "🇩🇪🇫🇷", "👨‍👩‍👧", "\u00a0", "-", ":", "/", "x-", "true", "1", "null", ".", "'", "`", "#", "//", "{", "}", "[", "(",
	"$", "%", "$$", "%%", "$${a}", "%%{a}", "$${", "%%{", "~", "\u2028", "ß", "Ⅷ", "ﬁ", "\u212b", "\u0301", "\t", "&<>", "z\u0323\u0307", "\u0915\u094d\u0937", "٣", "İ",
}

// text is literal text that may stand in any template.
func (g *gen) text() string {
	return g.join(g.IntN(4), "", func() string { return pick(g, snippets...) })
}

func (g *gen) escaped() string {
	return pick(g, `\n`, `\t`, `\\`, `\"`, `\r`, `\u00e9`, `\u0301`, `\U0001F600`, `\u0000`, `\u001b`, `\u200b`, `\u2028`, `\u0041`, `$${`, `%%{`, `\u00A0`)
}

// quoted is a plain quoted string.
func (g *gen) quoted() string {
	if g.chance(60) {
		return pick(g, `"a"`, `"b"`, `"c"`, `"ab"`, `""`, `"1"`, `"true"`, `"name"`, `"x y"`, `"10"`, `"Z"`, `"1.50"`, `"-0"`, `"1e3"`)
	}
	return `"` + g.join(1+g.IntN(3), "", func() string {
		if g.chance(30) {
			return g.escaped()
		}
		return strings.ReplaceAll(strings.ReplaceAll(g.text(), "{a}", "{"), "${", "$$ {")
	}) + `"`
}

func makeTemplate(g *gen, _ *corpus) *Input {
	g.declare(g.IntN(3))
	g.careless = g.chance(40)
	g.depth = 1 + g.IntN(3)
	expr := g.template()
	if g.chance(20) {
		expr = g.mutate(expr, 1+g.IntN(2))
	}
	return g.evaluated(expr)
}

// makeLiteral is a template of few characters, those that mean something.
func makeLiteral(g *gen, _ *corpus) *Input {
	characters := []string{"$", "%", "{", "}", "~", "a", "\r", "\n", "\r\n", " ", "\\", "\"", "E", "\t", "${1}", "%{if true}", "%{endif}", "é", "\u0301", "\u00a0"}
	text := g.join(g.IntN(9), "", func() string { return pick(g, characters...) })
	switch g.IntN(4) {
	case 0:
		text = `"` + text + `"`
	case 1:
		text = "<<E\n" + text + "\nE\n"
	case 2:
		text = "<<-E\n  " + text + "\n  E\n"
	default:
		text = "<<-E\n" + text + "E" + pick(g, "\n", "\r\n", "\r", "")
	}
	if g.chance(30) {
		for range g.IntN(3) {
			// Bytes that are no UTF-8, alone and in runs.
			at := g.IntN(len(text) + 1)
			text = text[:at] + pick(g, "\xff", "\xc3", "\xff\xfe", "\xe2\x82", "\x80") + text[at:]
		}
		return &Input{Verb: "check", Source: []byte("a = " + text + pick(g, "", "\n", "\nb = 1\n"))}
	}
	return g.evaluated(text)
}

// template is a quoted template or a heredoc.
func (g *gen) template() string {
	if g.chance(45) {
		return g.heredoc()
	}
	return `"` + g.sequences(false) + `"`
}

func (g *gen) heredoc() string {
	marker := pick(g, "EOT", "E", "é", "_", "a-b")
	var text strings.Builder
	text.WriteString(pick(g, "<<", "<<-", "<<-") + marker + pick(g, "\n", "\n", "\n", "\n", "\r\n"))
	for range g.IntN(5) {
		text.WriteString(pick(g, "", "  ", "    ", "\t", "   ", "\u00a0 "))
		text.WriteString(g.sequences(true))
		text.WriteString(pick(g, "\n", "\n", "\n", "\n", "\n", "\r\n", ""))
	}
	if !strings.HasSuffix(text.String(), "\n") {
		text.WriteString("\n")
	}
	text.WriteString(pick(g, "", "  ", "\t") + marker + pick(g, "\n", "\n", "\n", "\n", "  \n", ""))
	return text.String()
}

// sequences is what stands in a template.
func (g *gen) sequences(lines bool) string {
	return g.join(g.IntN(4), "", func() string { return g.part(lines) })
}

func (g *gen) part(lines bool) string {
	if g.depth <= 0 || g.chance(40) {
		if !lines && g.chance(30) {
			return g.escaped()
		}
		return g.text()
	}
	return g.deeper(func() string {
		open := func(word string) string {
			return "%{" + pick(g, "", "", "~") + pick(g, " ", " ", "") + word
		}
		shut := func() string { return pick(g, " ", " ", "") + pick(g, "", "", "~") + "}" }
		nextLine := ""
		if lines && g.chance(40) {
			nextLine = pick(g, "\n", "\n  ", "\n    ")
		}
		body := func() string { return nextLine + g.sequences(lines) + nextLine }
		switch g.IntN(8) {
		case 0, 1:
			otherwise := ""
			if g.chance(50) {
				otherwise = open("else") + shut() + body()
			}
			return open("if ") + g.expression(primitives[2]) + shut() + body() + otherwise + open("endif") + shut()
		case 2, 3:
			names := pick(g, "x", "k, x", "x")
			text := open("for "+names+" in ") + g.expression(g.iterable()) + shut()
			g.names = append(g.names, name{"x", g.kind(0)})
			text += body()
			g.names = g.names[:len(g.names)-1]
			return text + open("endfor") + shut()
		default:
			ty := g.kind(0)
			if g.chance(10) {
				ty = g.kind(1)
			}
			space := pick(g, "", " ")
			return "${" + pick(g, "", "", "", "~") + space + g.expression(ty) + space + pick(g, "", "", "", "~") + "}"
		}
	})
}

func (g *gen) iterable() *kind {
	ty := g.kind(2)
	for ty.element == nil && ty.elements == nil && !g.chance(10) {
		ty = g.kind(2)
	}
	return ty
}
