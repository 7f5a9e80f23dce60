package hcl

import (
	"log/slog"
	"maps"
	"slices"
	"strconv"

	"libhcl.dev/go/internal/chcl"
)

// LogValue shows a diagnostic in a log as a group: severity, code, summary, detail, at and what a program added.
func (d Diagnostic) LogValue() slog.Value {
	all := []slog.Attr{slog.String("severity", d.Severity.String()), slog.String("code", d.Code), slog.String("summary", d.Summary)}
	if d.Detail != "" {
		all = append(all, slog.String("detail", d.Detail))
	}
	if !d.Subject.Empty() {
		all = append(all, slog.String("at", d.Subject.String()))
	}
	for _, key := range slices.Sorted(maps.Keys(d.Extra)) {
		all = append(all, slog.String(key, d.Extra[key]))
	}
	return slog.GroupValue(all...)
}

// LogValue shows diagnostics in a log: one as itself, several by their numbers from 0.
func (d Diagnostics) LogValue() slog.Value {
	if len(d) == 1 {
		return d[0].LogValue()
	}
	all := make([]slog.Attr, len(d))
	for i, one := range d {
		all[i] = slog.Any(strconv.Itoa(i), one)
	}
	return slog.GroupValue(all...)
}

// LogValue shows the diagnostics of an error in a log, or its text if it has none.
func (e *Error) LogValue() slog.Value {
	if len(e.Diagnostics) == 0 {
		return slog.StringValue(e.Error())
	}
	return e.Diagnostics.LogValue()
}

// LogValue shows a value in a log: bools, texts and whole numbers as such, others as an expression in one line. In place of what
// is marked, such as sensitive, stands a remark.
func (v Value) LogValue() slog.Value {
	switch kind := v.Kind(); {
	case v.ContainsMarks():
	case kind == KindBool:
		if b, err := v.AsBool(); err == nil {
			return slog.BoolValue(b)
		}
	case kind == KindString:
		if text, err := v.AsString(); err == nil {
			return slog.StringValue(text)
		}
	case kind == KindNumber:
		if i, err := v.AsInt(); err == nil {
			return slog.Int64Value(i)
		}
	}
	text, err := v.encode(chcl.FormatCanonical)
	if err != nil {
		return slog.StringValue("(" + err.Error() + ")")
	}
	return slog.StringValue(text)
}
