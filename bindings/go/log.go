package hcl

import (
	"log/slog"
	"maps"
	"slices"
	"strconv"
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

// LogValue shows a value in a log: bools, texts and numbers as such, others as a console shows them. In place of what is
// marked, such as sensitive, stands a remark.
func (v Value) LogValue() slog.Value {
	if v.ContainsMarks() {
		return slog.StringValue(v.String())
	}
	switch v.Kind() {
	case KindBool:
		if b, err := v.AsBool(); err == nil {
			return slog.BoolValue(b)
		}
	case KindString:
		if text, err := v.AsString(); err == nil {
			return slog.StringValue(text)
		}
	case KindNumber:
		if i, err := v.AsInt(); err == nil {
			return slog.Int64Value(i)
		}
	}
	return slog.StringValue(v.String())
}
