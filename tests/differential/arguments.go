package main

import (
	"fmt"
	"strconv"
	"strings"
)

// shaped are arguments that need a form to mean anything, made of what that form is made of.
var shaped = map[string]func(*gen) string{
	"format.format":     (*gen).formatText,
	"formatlist.format": (*gen).formatText,
	"formatdate.format": func(g *gen) string {
		return g.pieced(1+g.IntN(5), "YYYY", "YY", "MM", "MMM", "MMMM", "M", "DD", "D", "EEE", "EEEE", "hh", "h", "HH", "H", "AA", "aa", "mm", "m", "ss", "s", "ZZZZ", "ZZZZZ", "ZZZ", "Z", "-", " ", "'T'", "''", "'", "x", "é", "YYY", "hhh", ".")
	},
	"regex.pattern":         (*gen).pattern,
	"regexall.pattern":      (*gen).pattern,
	"regex_replace.pattern": (*gen).pattern,
	"regex_replace.replace": func(g *gen) string {
		return g.pieced(g.IntN(4), "$1", "$x", "$$", "$0", "${x}", "a", "$", "é", "$2x", "${1}a", "$-")
	},
	"jsondecode.str": func(g *gen) string { return g.mangled(g.json(3)) },
	"csvdecode.str": func(g *gen) string {
		return g.pieced(1+g.IntN(14), "a", "b", ",", ",", "\n", "\n", "\"", "\"\"", "1", " ", "\r\n", "é", "a,b\n")
	},
	"parseint.number": func(g *gen) string {
		return g.pieced(1+g.IntN(6), "0", "1", "f", "Z", "z", "9", "-", "+", "_", "a", "10", "x")
	},
	"timeadd.duration": func(g *gen) string {
		return g.pieced(1+g.IntN(3), "1h", "-", "30m", "1.5s", "100ms", "2us", "7ns", "µs", "1", "+", "0", ".5h", "1h30m", "d")
	},
	"timeadd.timestamp": (*gen).instant,
	"formatdate.time":   (*gen).instant,
	"tonumber.v":        (*gen).numeral,
	"tobool.v": func(g *gen) string {
		return g.pieced(1, "true", "false", "1", "0", "True", "TRUE", "", " true", "yes", "on")
	},
	"title.str":  (*gen).letters,
	"upper.str":  (*gen).letters,
	"lower.str":  (*gen).letters,
	"strrev.str": (*gen).letters,
	"strlen.str": (*gen).letters,
	"substr.str": (*gen).letters,
	"trimspace.str": func(g *gen) string {
		return g.pieced(g.IntN(6), " ", "\t", "\n", "\r\n", "\u00a0", "\u200b", "\u2028", "a", "é", "\u0085", "\ufeff")
	},
	"chomp.str":         func(g *gen) string { return g.pieced(g.IntN(5), "\n", "\r\n", "\r", "a", " ") },
	"indent.str":        func(g *gen) string { return g.pieced(g.IntN(5), "\n", "\r\n", "a", " b", "é") },
	"trim.str":          (*gen).letters,
	"trim.cutset":       (*gen).letters,
	"trimprefix.str":    (*gen).letters,
	"trimprefix.prefix": (*gen).letters,
	"trimsuffix.str":    (*gen).letters,
	"trimsuffix.suffix": (*gen).letters,
	"replace.str":       (*gen).letters,
	"replace.substr":    (*gen).letters,
	"split.str":         (*gen).letters,
	"split.separator":   (*gen).letters,
	"regex.string":      (*gen).letters,
	"regexall.string":   (*gen).letters,
	"regex_replace.str": (*gen).letters,
	"format.args":       func(g *gen) string { return g.member(g.kind(1), 2) },
}

// pieced is a quoted string of some of these pieces.
func (g *gen) pieced(count int, pieces ...string) string {
	return literalOf(g.join(count, "", func() string { return pick(g, pieces...) }))
}

// literalOf writes a text as a string literal of the language.
func literalOf(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out.WriteString("\\" + string(r))
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\r':
			out.WriteString(`\r`)
		case r < ' ':
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(out.String())
}

func (g *gen) letters() string {
	return g.pieced(g.IntN(6), "a", "b", "A", "ab", "é", "e\u0301", "ß", "İ", "ﬁ", "ǆ", "Ⅷ", "日本", "👨‍👩‍👧", "🇩🇪", " ", "-", "x", "'", "1", "\n", "\u0301", "σς", "Σ", "ŉ", "ῳ", "_", ".", ",")
}

func (g *gen) formatText() string {
	return literalOf(g.join(1+g.IntN(3), "", func() string {
		if g.chance(20) {
			return pick(g, "a", "é", "%%", " ", "-", "%", "$")
		}
		flags := g.join(g.IntN(3), "", func() string { return pick(g, "-", "+", " ", "#", "0") })
		width := pick(g, "", "", "", "5", "12", "*", "1", "[1]", "[2]", "[9]")
		precision := pick(g, "", "", "", ".", ".0", ".2", ".10", ".*")
		return "%" + flags + width + precision + pick(g, "s", "d", "v", "q", "f", "g", "e", "G", "E", "x", "X", "o", "b", "t", "#v", "z", "[1]s", "[2]d")
	}))
}

func (g *gen) pattern() string {
	return g.pieced(1+g.IntN(6), "a", "b", ".", "*", "+", "?", "(", ")", "(?P<x>", "(?<y>", "(?:", "(?i)", "|", "[", "]", "[a-z]", "[^a]", "\\d", "\\w", "\\b", "\\pL", "\\s", "^", "$", "{2}", "{1,}", "é", "[[:alpha:]]", "\\.", "-", "\\x41", "\\Q", "\\E", "*?", "\\", "(?s)", "\\B", "\\z", "(?m)")
}

func (g *gen) instant() string {
	text := fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d", 1990+g.IntN(50), 1+g.IntN(12), 1+g.IntN(31), g.IntN(25), g.IntN(60), g.IntN(61))
	text += pick(g, "", "", "", ".5", ".123456789", ",5") + pick(g, "Z", "Z", "Z", "+00:00", "-07:30", "+14:00", "", "z", "+25:00")
	return g.mangled(text)
}

func (g *gen) numeral() string {
	return g.pieced(1+g.IntN(5), "1", "0", "12", ".", "e", "E", "-", "+", "p", "5", "_", "0x", " ", "Inf", "inf", "NaN", "1e3", "1.5", "٣", "1e400", "")
}

// mangled is a text, mostly as it is, in a literal.
func (g *gen) mangled(text string) string {
	if g.chance(15) && text != "" {
		at := g.IntN(len(text))
		text = text[:at] + pick(g, "", "x", " ", ",", "\"", "}", "1") + text[at+1:]
	}
	return literalOf(strings.ToValidUTF8(text, "?"))
}

func (g *gen) json(depth int) string {
	space := pick(g, "", "", " ", "\n")
	switch g.IntN(9) {
	case 0:
		return pick(g, "null", "true", "false")
	case 1, 2:
		return pick(g, "0", "-0", "1.50", "1e3", "-12.5e-3", "1E+2", "123456789012345678901234567890", "0.1", "1e400", "01", "1.", ".5", "+1")
	case 3, 4:
		return pick(g, `"a"`, `""`, `"\u00e9"`, `"\ud83d\ude00"`, `"\ud800"`, `"\/"`, `"é"`, `"\n"`, `"a b"`, `"\x"`, `"$`+`{a}"`)
	case 5, 6:
		if depth == 0 {
			return "[]"
		}
		return "[" + space + g.join(g.IntN(4), ","+space, func() string { return g.json(depth - 1) }) + space + "]"
	default:
		if depth == 0 {
			return "{}"
		}
		return "{" + space + g.join(g.IntN(4), ","+space, func() string {
			return strconv.Quote(pick(g, "a", "b", "c", "é", "")) + ":" + space + g.json(depth-1)
		}) + space + "}"
	}
}
