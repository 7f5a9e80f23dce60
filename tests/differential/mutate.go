package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// corpus is what others wrote: inputs to take apart.
type corpus struct {
	expressions []*Input
	documents   []string
}

func readCorpus(folder string) (*corpus, error) {
	known := &corpus{}
	for _, name := range []string{"head_eval.jsonl", "language.jsonl", "variables.jsonl", "documents.jsonl"} {
		file, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var one struct {
				Expr    string            `json:"expr"`
				Source  string            `json:"source"`
				Vars    map[string]string `json:"vars"`
				Outer   map[string]string `json:"outer_vars"`
				Context string            `json:"context"`
			}
			if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
				return nil, err
			}
			switch {
			case one.Source != "":
				known.documents = append(known.documents, one.Source)
			case len(one.Expr) < 400 && !hasOtherMakers(one.Vars):
				known.expressions = append(known.expressions, &Input{
					Verb: "eval", Dialect: "hcl-test", Expr: one.Expr, Vars: one.Vars, OuterVars: one.Outer, Context: one.Context,
				})
			}
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// Terraform's own makers mean nothing to the language's library.
func hasOtherMakers(vars map[string]string) bool {
	for _, text := range vars {
		if strings.Contains(text, "sensitive(") || strings.Contains(text, "ephemeral(") {
			return true
		}
	}
	return false
}

func makeFromCorpus(g *gen, known *corpus) *Input {
	first, second := *pick(g, known.expressions...), pick(g, known.expressions...)
	vars := map[string]string{}
	for _, from := range []*Input{second, &first} {
		for name, text := range from.Vars {
			vars[name] = text
		}
	}
	first.Vars = vars
	first.Expr = g.splice(first.Expr, second.Expr)
	if first.Context != "child" {
		first.OuterVars = nil
	}
	return &first
}

func makeMutated(g *gen, known *corpus) *Input {
	var input *Input
	switch g.IntN(4) {
	case 0:
		input = makeFromCorpus(g, known)
	case 1:
		input = makeTemplate(g, known)
	case 2:
		input = makeOperators(g, known)
	default:
		input = makeExpression(g, known)
	}
	input.Expr = g.mutate(input.Expr, 1+g.IntN(2))
	if g.chance(3) && strings.ToValidUTF8(input.Expr, "") == input.Expr {
		input.Expr = strings.ToValidUTF8(g.corrupt(input.Expr), "\u00a0")
	}
	return input
}

// pieces are the tokens of a text with the blanks before them; together they are the text.
func pieces(text string) []string {
	tokens, _ := hclsyntax.LexConfig([]byte(text), "", start)
	list := make([]string, 0, len(tokens))
	at := 0
	for _, token := range tokens {
		if end := token.Range.End.Byte; end > at {
			list = append(list, text[at:end])
			at = end
		}
	}
	if at < len(text) {
		list = append(list, text[at:])
	}
	return list
}

// splice puts a part of one text in place of a part of another, or joins the two.
func (g *gen) splice(text, other string) string {
	a, b := pieces(text), pieces(other)
	if len(a) == 0 || len(b) == 0 || g.chance(30) {
		return pick[pattern](g, "[%, @]", "{a = %, b = @}", "true ? % : @", "% == @", "try(%, @)", "(%)[@]", "[for x in % : @]", "\"${%}${@}\"", "% && @", "% + @", "(%)[*]", "length(%)", "tolist([%, @])", "toset([%, @])", "(%).a", "%").fill(text, other)
	}
	from := g.IntN(len(a))
	to := min(len(a), from+g.IntN(3)+1)
	start := g.IntN(len(b))
	end := min(len(b), start+1+g.IntN(5))
	return strings.Join(a[:from], "") + strings.Join(b[start:end], "") + strings.Join(a[to:], "")
}

type pattern string

func (p pattern) fill(first, second string) string {
	return strings.NewReplacer("%", first, "@", second).Replace(string(p))
}

var tokensToInsert = []string{
	"{", "}", "[", "]", "(", ")", ",", ".", "...", "*", "[*]", ".*", "=", "==", "=>", ":", "::", "?", "\"", "${", "%{", "}", "~}", "~", "\n", "\r\n", "\r", " ", "\t", "for", "in", "if", "endif", "else", "endfor", "%{ endif }", "%{ else }", "null", "true", "1",
	"a", "-", "!", "&&", "||", "<<E\n", "E\n", "<<", "#", "//", "/*", "*/", "&", "|", "'", "`", ";", "^", "$", "\\", "\\n", "é", "“", "\u00a0", "<", ">", "%", "/", "+", "0.1", "1e", "a.", ".a", "\u0301", "\ufeff", "\x00", "$${", "%%{", "1.", "😀", "\f",
}

// mutate changes tokens: deletes, doubles, swaps, replaces or puts in.
func (g *gen) mutate(text string, times int) string {
	for range times {
		list := pieces(text)
		if len(list) == 0 {
			return pick(g, tokensToInsert...)
		}
		at := g.IntN(len(list))
		switch g.IntN(8) {
		case 0, 1:
			list[at] = ""
		case 2:
			list[at] += list[at]
		case 3:
			other := g.IntN(len(list))
			list[at], list[other] = list[other], list[at]
		case 4, 5:
			list[at] = pick(g, tokensToInsert...)
		case 6:
			list[at] += pick(g, tokensToInsert...)
		default:
			from := []rune(text)
			cut := g.IntN(len(from) + 1)
			text = string(from[:cut]) + pick(g, tokensToInsert...) + string(from[cut:])
			if g.chance(30) {
				text = string(from[:cut])
			}
			continue
		}
		text = strings.Join(list, "")
	}
	return text
}

// noisy puts blanks, comments and line breaks between tokens, sometimes.
func (g *gen) noisy(text string) string {
	if !g.chance(15) {
		return text
	}
	list := pieces(text)
	for i := range list {
		if g.chance(20) {
			list[i] = pick(g, " ", "  ", "\t", "\n", " /* c */ ", "# c\n", "// c\r\n", "\r\n", "/*\n*/") + list[i]
		}
	}
	return strings.Join(list, "")
}
