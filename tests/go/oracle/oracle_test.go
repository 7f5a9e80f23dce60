// Package oracle decodes the same texts to the same shapes with gohcl and with libhcl, and compares what they hold, and which
// complaints there are, where.
package oracle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	reference "github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	referencejson "github.com/hashicorp/hcl/v2/json"

	hcl "libhcl.dev/go"
)

// differs says for a text and a shape why the two sides differ, and that they do.
var differs = map[[2]string]string{}

func init() {
	const nullIsMissing = "null for an attribute that may be missing leaves the field as it is; gohcl takes it for an error"
	for _, text := range []string{"name = null\nport = null\nnick = null\ncount = null", `{"name": null, "port": null, "nick": null}`} {
		for _, shape := range []string{"the rest in a struct", "the rest in a map", "the whole in a map", "the rest in a body", "the rest in attributes"} {
			differs[[2]string{text, shape}] = nullIsMissing
		}
	}
}

func TestTextsDecodeAsWithGohcl(t *testing.T) {
	compared := 0
	for file, all := range map[string][]string{"main.hcl": texts, "main.hcl.json": jsonTexts} {
		for _, text := range all {
			for _, shape := range shapes {
				ours, oursSaid := decodeOurs(t, file, text, shape.ours())
				theirs, theirsSaid := decodeTheirs(t, file, text, shape.theirs())
				compared++
				if reason := differs[[2]string{text, shape.name}]; reason != "" {
					if ours == theirs && oursSaid == theirsSaid {
						t.Errorf("%s as %s does not differ: %s", text, shape.name, reason)
					}
					continue
				}
				if oursSaid != theirsSaid {
					t.Errorf("%s\nas %s, we say\n%sthey say\n%s", text, shape.name, oursSaid, theirsSaid)
				}
				if ours != theirs {
					t.Errorf("%s\nas %s is\n%s\ntheirs\n%s", text, shape.name, ours, theirs)
				}
			}
		}
	}
	t.Logf("%d compared, %d differ for a reason", compared, len(differs))
}

func decodeOurs(t *testing.T, file, text string, target any) (held, said string) {
	t.Helper()
	parse := hcl.ParseFile
	if strings.HasSuffix(file, ".json") {
		parse = hcl.ParseJSON
	}
	body, err := parse(file, []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var problem *hcl.Error
	var lines []string
	if err := body.Decode(context.Background(), nil, target); errors.As(err, &problem) {
		for _, d := range problem.Diagnostics {
			lines = append(lines, line(d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column, d.Summary))
		}
	} else if err != nil {
		t.Fatalf("%s to %T: %v", text, target, err)
	}
	return show(t, target), sorted(lines)
}

func decodeTheirs(t *testing.T, file, text string, target any) (held, said string) {
	t.Helper()
	var parsed *reference.File
	var diags reference.Diagnostics
	if strings.HasSuffix(file, ".json") {
		parsed, diags = referencejson.Parse([]byte(text), file)
	} else {
		parsed, diags = hclsyntax.ParseConfig([]byte(text), file, reference.InitialPos)
	}
	if diags.HasErrors() {
		t.Fatalf("%s: %v", text, diags)
	}
	var lines []string
	before := -1
	for _, d := range gohcl.DecodeBody(parsed.Body, nil, target) {
		// That what could not be evaluated does not fit either is not said here.
		if d.Summary == "Unsuitable value type" && before >= d.Context.Start.Byte && before < d.Context.End.Byte {
			continue
		}
		if d.Summary != "Unsuitable value type" {
			before = d.Subject.Start.Byte
		}
		lines = append(lines, line(d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column, d.Summary))
	}
	return show(t, target), sorted(lines)
}

func line(file string, line, column int, summary string) string {
	return fmt.Sprintf("  %s:%d,%d: %s\n", file, line, column, summary)
}

func sorted(lines []string) string {
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// show writes what a variable holds, so that both sides write the same of the same.
func show(t *testing.T, target any) string {
	t.Helper()
	text, err := json.MarshalIndent(plain(reflect.ValueOf(target)), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// plain is a value without types of either package.
func plain(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	switch v := v.Interface().(type) {
	case *hcl.Body:
		attributes, err := v.JustAttributes()
		if err != nil {
			return "more than attributes"
		}
		return names(attributes, func(a *hcl.Attribute) string { return a.Name + " at " + a.Range.String() })
	case reference.Body:
		attributes, diags := v.JustAttributes()
		if diags.HasErrors() {
			return "more than attributes"
		}
		var all []*reference.Attribute
		for _, a := range attributes {
			all = append(all, a)
		}
		return names(all, func(a *reference.Attribute) string { return a.Name + " at " + rangeText(a.Range) })
	case *hcl.Attribute:
		if v == nil {
			return nil
		}
		return fmt.Sprintln(v.Name, v.Range, v.NameRange, v.ExprRange)
	case *reference.Attribute:
		if v == nil {
			return nil
		}
		return fmt.Sprintln(v.Name, rangeText(v.Range), rangeText(v.NameRange), rangeText(v.Expr.Range()))
	case *hcl.Expression:
		if v == nil {
			return nil
		}
		return v.Range().String()
	case reference.Expression:
		// What gohcl makes up for an expression that is missing is nil here.
		if value, diags := v.Value(nil); !diags.HasErrors() && value.IsNull() {
			return nil
		}
		return rangeText(v.Range())
	case reference.Range:
		return rangeText(v)
	case hcl.Range:
		return v.String()
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return plain(v.Elem())
	case reflect.Slice:
		all := []any{}
		for i := range v.Len() {
			all = append(all, plain(v.Index(i)))
		}
		return all
	case reflect.Map:
		all := map[string]any{}
		for _, key := range v.MapKeys() {
			all[key.String()] = plain(v.MapIndex(key))
		}
		return all
	case reflect.Struct:
		all := map[string]any{}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				all[v.Type().Field(i).Name] = plain(v.Field(i))
			}
		}
		return all
	}
	return v.Interface()
}

func names[T any](all []T, name func(T) string) []string {
	lines := []string{}
	for _, one := range all {
		lines = append(lines, name(one))
	}
	slices.Sort(lines)
	return lines
}

// rangeText writes a range of the reference as ours writes itself.
func rangeText(r reference.Range) string {
	return hcl.Range{Filename: r.Filename, Start: hcl.Pos(r.Start), End: hcl.Pos(r.End)}.String()
}
