package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Explanation is a reason for which a difference is meant to be there. Every pattern that is given must match:
// the kind of difference, the minimised input, and what the two engines say.
type Explanation struct {
	Name      string `json:"name"`
	Reason    string `json:"reason"`
	Kind      string `json:"kind"`
	Verb      string `json:"verb"`
	Input     string `json:"input"`
	Vars      string `json:"vars"`
	Reference string `json:"reference"`
	Ours      string `json:"ours"`
	// Cause and Instead: where what matches the cause is replaced, in the text and in the variables, there must be no
	// difference left.
	Cause   string `json:"cause"`
	Instead string `json:"instead"`

	patterns map[string]*regexp.Regexp
}

func readExplanations(path string) ([]*Explanation, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []*Explanation
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, one := range list {
		one.patterns = map[string]*regexp.Regexp{}
		for part, pattern := range map[string]string{
			"kind": one.Kind, "verb": one.Verb, "input": one.Input, "vars": one.Vars, "reference": one.Reference, "ours": one.Ours, "cause": one.Cause,
		} {
			if pattern == "" {
				continue
			}
			if one.patterns[part], err = regexp.Compile("(?s)" + pattern); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", path, one.Name, err)
			}
		}
	}
	return list, nil
}

// explains tells whether the reason holds for a difference about anything but modules.
func (e *Explanation) explains(engine *Engine, input *Input, difference Difference, reference Answer) bool {
	vars := show(input.Vars) + input.As
	for part, pattern := range e.patterns {
		if part == "cause" {
			continue
		}
		text := map[string]string{
			"kind": difference.Kind, "verb": input.Verb, "input": visible(input.text()), "vars": vars,
			"reference": difference.Reference + "\n" + list(reference.Diagnostics), "ours": difference.Ours,
		}[part]
		if !pattern.MatchString(text) {
			return false
		}
	}
	return e.patterns["cause"] == nil || e.isCause(engine, input, difference.Kind)
}

// isCause tells whether the difference goes away with its cause.
func (e *Explanation) isCause(engine *Engine, input *Input, kind string) bool {
	cause := e.patterns["cause"]
	replace := func(text string) string { return hidden(cause.ReplaceAllString(visible(text), e.Instead)) }
	changed := *input.withText(replace(input.text()))
	changed.As = replace(input.As)
	changed.Vars = map[string]string{}
	for name, text := range input.Vars {
		changed.Vars[replace(name)] = replace(text)
	}
	if changed.text() == input.text() && changed.As == input.As && show(changed.Vars) == show(input.Vars) {
		return false
	}
	_, _, found, err := engine.judge(&changed)
	for _, difference := range found {
		if difference.Kind == kind {
			return false
		}
	}
	return err == nil
}

// visible is a text with its bytes that are no UTF-8 written as private characters, so that patterns see them:
// the byte C0 is U+E0C0.
func visible(text string) string {
	var out strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			r = 0xe000 + rune(text[0])
		}
		out.WriteRune(r)
		text = text[size:]
	}
	return out.String()
}

// hidden undoes visible.
func hidden(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r >= 0xe080 && r <= 0xe0ff {
			out.WriteByte(byte(r - 0xe000))
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}
