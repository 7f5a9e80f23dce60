package main

import (
	"maps"
	"strings"
	"unicode/utf8"
)

// judge asks both engines and compares.
func (e *Engine) judge(input *Input) (reference, ours Answer, found []Difference, err error) {
	answers, err := e.ask(input.Verb, []*Input{input})
	if err != nil {
		return reference, ours, nil, err
	}
	reference, ours = askReference(input), answers[0]
	return reference, ours, differences(reference, ours), nil
}

// shrink makes an input smaller for as long as the difference stays one of the same kind.
func (e *Engine) shrink(input *Input, kind string, budget int) *Input {
	stays := func(candidate *Input) bool {
		if budget <= 0 {
			return false
		}
		budget--
		_, _, found, err := e.judge(candidate)
		for _, difference := range found {
			if err == nil && difference.Kind == kind {
				return true
			}
		}
		return false
	}
	for {
		before := budget
		smaller := shrinkOnce(input, stays)
		if smaller == nil || budget == before || budget <= 0 {
			break
		}
		input = smaller
	}
	return input
}

// shrinkOnce gives a smaller input, or nothing.
func shrinkOnce(input *Input, stays func(*Input) bool) *Input {
	changed := false
	try := func(candidate *Input) bool {
		if stays(candidate) {
			input, changed = candidate, true
			return true
		}
		return false
	}
	if input.Context != "" {
		candidate := *input
		candidate.Context, candidate.OuterVars = "", nil
		try(&candidate)
	}
	for _, name := range sortedKeys(input.Vars) {
		candidate := *input
		candidate.Vars = maps.Clone(input.Vars)
		delete(candidate.Vars, name)
		if try(&candidate) {
			continue
		}
		shrinkText(input.Vars[name], func(text string) bool {
			candidate := *input
			candidate.Vars = maps.Clone(input.Vars)
			candidate.Vars[name] = text
			return try(&candidate)
		})
	}
	shrinkText(input.text(), func(text string) bool { return try(input.withText(text)) })
	if input.As != "" {
		shrinkText(input.As, func(text string) bool {
			candidate := *input
			candidate.As = text
			return text != "" && try(&candidate)
		})
	}
	if !changed {
		return nil
	}
	return input
}

// shrinkText takes out runs of tokens, then of characters, longest first.
func shrinkText(text string, try func(string) bool) {
	cut := func(list []string) []string {
		for length := len(list) - 1; length >= 1; length = next(length) {
			for at := 0; at+length <= len(list); {
				candidate := append(append([]string{}, list[:at]...), list[at+length:]...)
				if try(strings.Join(candidate, "")) {
					list = candidate
				} else {
					at++
				}
			}
		}
		return list
	}
	text = strings.Join(cut(pieces(text)), "")
	if len(text) <= 60 {
		characters := []string{}
		for rest := text; rest != ""; {
			_, size := utf8.DecodeRuneInString(rest)
			characters = append(characters, rest[:size])
			rest = rest[size:]
		}
		cut(characters)
	}
}

func next(length int) int {
	if length > 12 {
		return length * 2 / 3
	}
	return length - 1
}

func sortedKeys(table map[string]string) []string {
	keys := make([]string, 0, len(table))
	for key := range table {
		keys = append(keys, key)
	}
	return sorted(keys)
}
