package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
)

// Input is what both engines are asked.
type Input struct {
	// Kind names the generator.
	Kind string `json:"kind"`
	// Verb is eval, check or vars.
	Verb      string            `json:"verb"`
	Expr      string            `json:"expr,omitempty"`
	Source    []byte            `json:"-"`
	Vars      map[string]string `json:"vars,omitempty"`
	OuterVars map[string]string `json:"outer_vars,omitempty"`
	Context   string            `json:"context,omitempty"`
	Dialect   string            `json:"dialect,omitempty"`
	As        string            `json:"as,omitempty"`
	// Syntax is json for a value of JSON syntax, else empty.
	Syntax string `json:"syntax,omitempty"`
}

func (i *Input) text() string {
	if i.Verb == "check" {
		return string(i.Source)
	}
	return i.Expr
}

func (i *Input) withText(text string) *Input {
	changed := *i
	if i.Verb == "check" {
		changed.Source = []byte(text)
	} else {
		changed.Expr = text
	}
	return &changed
}

// Place is a position as both engines count it.
type Place struct{ Line, Column, Byte int }

// Span is a range; its end is exclusive.
type Span struct{ Start, End Place }

func (s *Span) String() string {
	if s == nil {
		return "-"
	}
	return fmt.Sprintf("%d:%d(%d)-%d:%d(%d)", s.Start.Line, s.Start.Column, s.Start.Byte, s.End.Line, s.End.Column, s.End.Byte)
}

// Diagnostic is what is compared of a diagnostic, and its detail for whoever reads the report.
type Diagnostic struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
	Subject  *Span  `json:"range"`
	Context  *Span  `json:"context"`
}

func (d Diagnostic) String() string {
	return fmt.Sprintf("%s %s in %s: %s", d.Summary, d.Subject, d.Context, d.Detail)
}

// Answer is what an engine says to an input.
type Answer struct {
	Panic string
	// Refused: there is no value, because the variables or the type make no sense.
	Refused     bool
	RefusedVars bool
	HasValue    bool
	Value       any
	Type        string
	Unknown     bool
	Refinements string
	Marks       []string
	DeepMarks   [][2]string
	Diagnostics []Diagnostic
	Variables   []string
	Body        any
}

// Difference is one aspect in which two answers differ. Kind groups; Reference and Ours show.
type Difference struct {
	Kind      string
	Reference string
	Ours      string
}

func differences(reference, ours Answer) []Difference {
	if ours.Panic != "" {
		return []Difference{{"crash", reference.Panic, ours.Panic}}
	}
	for _, diagnostic := range reference.Diagnostics {
		if strings.Contains(diagnostic.Detail, "panic in function implementation") {
			reference.Panic = diagnostic.Detail
		}
	}
	if reference.Panic != "" {
		return []Difference{{"reference crashed", reference.Panic, short(ours)}}
	}
	if reference.Refused != ours.Refused {
		return []Difference{{"refused", short(reference), short(ours)}}
	}
	if reference.RefusedVars {
		return nil
	}
	var found []Difference
	add := func(kind, reference, ours string) { found = append(found, Difference{kind, reference, ours}) }
	diagnosticDifferences(reference.Diagnostics, ours.Diagnostics, add)
	if reference.Refused {
		return found
	}
	if reference.Type != ours.Type {
		add("type", reference.Type, ours.Type)
	} else if reference.Unknown != ours.Unknown {
		add("known", short(reference), short(ours))
	} else if reference.Refinements != ours.Refinements {
		add("refinements", reference.Refinements, ours.Refinements)
	} else if !same(reference.Value, ours.Value) {
		add("value", show(reference.Value), show(ours.Value))
	}
	if missing := missingMarks(reference, ours); len(missing) > 0 {
		add("marks", fmt.Sprint(reference.DeepMarks), fmt.Sprint(ours.DeepMarks))
	}
	if !slices.Equal(reference.Variables, ours.Variables) {
		add("variables", strings.Join(reference.Variables, " "), strings.Join(ours.Variables, " "))
	}
	if path, theirs, mine := bodyDifference(reference.Body, ours.Body, ""); path != "" {
		// One kind for every depth.
		for strings.HasPrefix(path, "/blocks/body") {
			path = strings.TrimPrefix(path, "/blocks/body")
		}
		add("body "+path, theirs, mine)
	}
	return found
}

func short(answer Answer) string {
	if answer.Panic != "" {
		return "panic: " + answer.Panic
	}
	text := fmt.Sprintf("%s %s %s", answer.Type, answer.Refinements, show(answer.Value))
	if answer.Refused {
		text = "refused"
	}
	for _, diagnostic := range answer.Diagnostics {
		text += "\n      " + diagnostic.String()
	}
	return text
}

func show(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func diagnosticDifferences(reference, ours []Diagnostic, add func(kind, reference, ours string)) {
	for i := 0; i < max(len(reference), len(ours)); i++ {
		switch {
		case i >= len(reference):
			add("more diagnostics: "+ours[i].Summary, list(reference), list(ours))
			return
		case i >= len(ours):
			add("fewer diagnostics: "+reference[i].Summary, list(reference), list(ours))
			return
		case reference[i].Summary == "*":
			// The host's own diagnostic: only its place is the reference's.
		case reference[i].Severity != ours[i].Severity || reference[i].Summary != ours[i].Summary:
			add("title: "+reference[i].Summary+" / "+ours[i].Summary, list(reference), list(ours))
			return
		}
		if !sameSpan(reference[i].Subject, ours[i].Subject) {
			add("subject: "+reference[i].Summary, list(reference), list(ours))
			return
		}
		if !sameSpan(reference[i].Context, ours[i].Context) {
			add("context: "+reference[i].Summary, list(reference), list(ours))
			return
		}
	}
}

func list(diagnostics []Diagnostic) string {
	lines := []string{}
	for _, diagnostic := range diagnostics {
		lines = append(lines, diagnostic.String())
	}
	return strings.Join(lines, "\n      ")
}

// A range of the reference whose end is nowhere is an artefact: only its start means anything.
func sameSpan(reference, ours *Span) bool {
	if reference == nil || ours == nil {
		return reference == nil && ours == nil
	}
	return reference.Start == ours.Start && (reference.End == ours.End || reference.End.Line == 0)
}

// same compares JSON values; numbers are texts that must agree in every digit.
func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// missingMarks are marks of the reference that ours has neither at the same place nor around it.
func missingMarks(reference, ours Answer) []string {
	var missing []string
	for _, wanted := range reference.DeepMarks {
		there := slices.ContainsFunc(ours.DeepMarks, func(got [2]string) bool {
			return got[1] == wanted[1] && (got[0] == "" || got[0] == wanted[0])
		})
		if !there {
			missing = append(missing, strings.Join(wanted[:], " "))
		}
	}
	return missing
}

// bodyDifference is the first place where two bodies differ.
func bodyDifference(reference, ours any, path string) (where, theirs, mine string) {
	switch reference := reference.(type) {
	case map[string]any:
		other, ok := ours.(map[string]any)
		if !ok {
			return path, show(reference), show(ours)
		}
		if strings.HasSuffix(path, "/expr_range") && isArtefact(reference) {
			return "", "", ""
		}
		keys := make([]string, 0, len(reference))
		for key := range reference {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		if artefact, ok := reference["expr_range"].(map[string]any); ok && isArtefact(artefact) {
			keys = []string{"name", "name_range"}
		}
		for _, key := range keys {
			at := path + "/" + key
			if key == "close_brace_range" && same(reference["open_brace_range"], reference["type_range"]) {
				at = path + "/placeholder of " + key
			}
			if where, theirs, mine := bodyDifference(reference[key], other[key], at); where != "" {
				return where, theirs, mine
			}
		}
	case []any:
		other, _ := ours.([]any)
		if len(other) != len(reference) {
			return path + " count", show(reference), show(ours)
		}
		for i := range reference {
			if where, theirs, mine := bodyDifference(reference[i], other[i], path); where != "" {
				return where, theirs, mine
			}
		}
	default:
		if !same(reference, ours) {
			return path, show(reference), show(ours)
		}
	}
	return "", "", ""
}

func isArtefact(span map[string]any) bool {
	end, _ := span["end"].(map[string]any)
	return end["line"] == json.Number("0")
}
