package hcl

import (
	"encoding/binary"
	"fmt"
	"strings"

	"libhcl.dev/go/internal/chcl"
)

// Severity tells errors from warnings.
type Severity uint32

// The severities.
const (
	SeverityError   Severity = 1 // the result is not usable, or only in part
	SeverityWarning Severity = 2 // worth knowing; the result stands
)

func (s Severity) String() string {
	if s == SeverityWarning {
		return "warning"
	}
	return "error"
}

// Pos is a place in a source text: line and column from 1, columns in grapheme clusters, Byte from 0.
type Pos struct {
	Line, Column, Byte int
}

// Range is a piece of a source text; End is after its last byte. The zero Range is no place.
type Range struct {
	Filename   string
	Start, End Pos
}

// Empty tells whether there is no place.
func (r Range) Empty() bool { return r.Start.Line == 0 }

func (r Range) String() string {
	if r.Start.Line == r.End.Line {
		return fmt.Sprintf("%s:%d,%d-%d", r.Filename, r.Start.Line, r.Start.Column, r.End.Column)
	}
	return fmt.Sprintf("%s:%d,%d-%d,%d", r.Filename, r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
}

// NamedValue is a value that takes part in what a diagnostic is about: `var.port`, `is "http"`.
type NamedValue struct {
	Expression, Description string
}

// Diagnostic is one thing that is wrong or worth knowing.
type Diagnostic struct {
	Severity Severity
	Code     string // stable, for example eval.unknown_variable
	Summary  string // the kind of problem in a few words
	Detail   string // full sentences
	Subject  Range  // the tight place
	Context  Range  // a wider place around it
	// Expression is the subject as it is written; empty when there is no place.
	Expression string
	Values     []NamedValue
	// Extra is what a program gave its own diagnostic: see [Extra].
	Extra map[string]string
}

func (d Diagnostic) Error() string {
	text := d.Summary
	if d.Detail != "" {
		text += "; " + d.Detail
	}
	if !d.Subject.Empty() {
		text = d.Subject.String() + ": " + text
	}
	return text
}

// Diagnostics are in the order of detection.
type Diagnostics []Diagnostic

// Error is the first error, and how many more there are.
func (d Diagnostics) Error() string {
	if len(d) == 0 {
		return "no diagnostics"
	}
	first := d[0]
	for _, one := range d {
		if one.Severity == SeverityError {
			first = one
			break
		}
	}
	switch more := len(d) - 1; more {
	case 0:
		return first.Error()
	case 1:
		return first.Error() + " (and 1 other diagnostic)"
	default:
		return fmt.Sprintf("%s (and %d other diagnostics)", first.Error(), more)
	}
}

// Unwrap gives each of them, for errors.As with a [Diagnostic].
func (d Diagnostics) Unwrap() []error {
	all := make([]error, len(d))
	for i, one := range d {
		all[i] = one
	}
	return all
}

// HasErrors tells whether any of them is an error.
func (d Diagnostics) HasErrors() bool {
	for _, one := range d {
		if one.Severity == SeverityError {
			return true
		}
	}
	return false
}

// List is all of them, a line each.
func (d Diagnostics) List() string {
	var all strings.Builder
	for _, one := range d {
		fmt.Fprintf(&all, "%s: %s\n", one.Severity, one.Error())
	}
	return all.String()
}

// words reads what glue.c wrote.
type words struct{ bytes []byte }

func (w *words) byte() byte {
	b := w.bytes[0]
	w.bytes = w.bytes[1:]
	return b
}

func (w *words) word() uint64 {
	word := binary.NativeEndian.Uint64(w.bytes)
	w.bytes = w.bytes[8:]
	return word
}

func (w *words) view() []byte {
	n := w.word()
	view := w.bytes[:n]
	w.bytes = w.bytes[n:]
	return view
}

func (w *words) text() string { return string(w.view()) }

func (w *words) place() Range {
	pos := func() Pos { return Pos{Line: int(w.word()), Column: int(w.word()), Byte: int(w.word())} }
	return Range{Start: pos(), End: pos()}
}

func readDiagnostics(diags *chcl.Diags) Diagnostics {
	dump := chcl.DiagsDump(diags)
	defer dump.Free()
	if dump.Status != chcl.OK {
		return nil
	}
	w := words{dump.View()}
	all := make(Diagnostics, w.word())
	for i := range all {
		d := &all[i]
		d.Severity = Severity(w.word())
		d.Code, d.Summary, d.Detail = w.text(), w.text(), w.text()
		filename := w.text()
		d.Subject, d.Context = w.place(), w.place()
		d.Expression = w.text()
		for _, place := range []*Range{&d.Subject, &d.Context} {
			if !place.Empty() {
				place.Filename = filename
			}
		}
		for range w.word() {
			d.Values = append(d.Values, NamedValue{w.text(), w.text()})
		}
		for range w.word() {
			if d.Extra == nil {
				d.Extra = map[string]string{}
			}
			key := w.text()
			d.Extra[key] = w.text()
		}
	}
	return all
}
