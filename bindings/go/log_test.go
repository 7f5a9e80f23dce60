package hcl_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	hcl "libhcl.dev/go"
)

func logged(arguments ...any) string {
	var out bytes.Buffer
	plain := slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey {
			return slog.Attr{}
		}
		return a
	}}
	slog.New(slog.NewTextHandler(&out, &plain)).Info("", arguments...)
	return strings.TrimSpace(out.String())
}

func TestErrorsAreLogged(t *testing.T) {
	body := must(hcl.ParseFile("a.hcl", []byte("port = 70000\nname = 1\n")))(t)
	attributes := must(body.Attributes())(t)
	one := hcl.NewDiagnostic("gatewayd.port", "Port out of range", "port must be below 65536.", hcl.At(attributes[0].ValuePlace()), hcl.Extra("limit", "65536"))
	const about = `error.severity=error error.code=gatewayd.port error.summary="Port out of range" error.detail="port must be below 65536." error.at=a.hcl:1,8-13 error.limit=65536`
	if got := logged("error", one); got != about {
		t.Error(got)
	}
	if got := logged("error", one.Diagnostics[0]); got != about {
		t.Error(got)
	}
	two := hcl.Join(one, hcl.NewDiagnostic("gatewayd.name", "Odd name", "", hcl.At(attributes[1]), hcl.AsWarning()))
	if got := logged("error", two); !strings.Contains(got, "error.0.code=gatewayd.port") || !strings.Contains(got, "error.1.severity=warning") {
		t.Error(got)
	}
	if got := logged("error", &hcl.Error{Status: hcl.ErrLimit}); got != `error="hcl: a limit was reached"` {
		t.Error(got)
	}
}

func TestValuesAreLogged(t *testing.T) {
	text := must(hcl.ValueOf("a b"))(t)
	secret := must(text.Mark("sensitive"))(t)
	for want, v := range map[string]any{
		`v="a b"`: text, "v=5": 5, "v=0.5": 0.5, "v=true": true, `v="[1, \"x\"]"`: []any{1, "x"}, "v=null": nil,
		`v="(sensitive value)"`: secret,
	} {
		made := must(hcl.ValueOf(v))(t)
		if got := logged("v", made); strings.Join(strings.Fields(strings.ReplaceAll(got, `\n`, "")), " ") != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	inside := must(hcl.ValueOf(map[string]any{"open": 1, "password": secret}))(t)
	if got := logged("v", inside); strings.Contains(got, "a b") || !strings.Contains(got, "(sensitive value)") || !strings.Contains(got, "open") {
		t.Error(got)
	}
	if got := logged("v", hcl.Value{}); strings.Contains(got, "PANIC") {
		t.Error(got)
	}
}

func TestErrorsJoinAndAreFound(t *testing.T) {
	first := hcl.NewDiagnostic("a.one", "One", "", hcl.At(hcl.Range{Filename: "a.hcl", Start: hcl.Pos{Line: 1, Column: 1}, End: hcl.Pos{Line: 1, Column: 2, Byte: 1}}))
	_, second := hcl.ParseFile("b.hcl", []byte("x = "))
	cause := errors.New("disk full")
	all := fmt.Errorf("loading: %w", errors.Join(first, second, cause))
	var problem *hcl.Error
	var list hcl.Diagnostics
	var one hcl.Diagnostic
	if !errors.As(all, &problem) || !errors.As(all, &list) || !errors.As(all, &one) || one.Code != "a.one" || !errors.Is(all, hcl.ErrDiagnostics) || !errors.Is(all, cause) {
		t.Errorf("%v %v %v", problem, list, one)
	}
	joined := hcl.Join(all)
	if !errors.As(joined, &problem) || len(problem.Diagnostics) != 3 || !errors.Is(joined, cause) {
		t.Error(joined)
	}
	if hcl.Join(nil, errors.Join()) != nil {
		t.Error("something of nothing")
	}
}

func TestDiagnosticsAreCapped(t *testing.T) {
	var all []error
	for i := range 5 {
		options := []hcl.DiagnosticOption{}
		if i < 2 {
			options = append(options, hcl.AsWarning())
		}
		all = append(all, hcl.NewDiagnostic(fmt.Sprint("a.", i), "S", "", options...))
	}
	var whole *hcl.Error
	errors.As(hcl.Join(all...), &whole)
	for most, want := range map[int]string{-1: "", 0: "", 1: "a.2", 3: "a.2 a.3 a.4", 4: "a.0 a.2 a.3 a.4", 9: "a.0 a.1 a.2 a.3 a.4"} {
		var codes []string
		fewer := whole.Cap(most)
		for _, d := range fewer.Diagnostics {
			codes = append(codes, d.Code)
		}
		if strings.Join(codes, " ") != want {
			t.Errorf("%d: %q, not %s", most, codes, want)
		}
		if drawn := fewer.Render(hcl.RenderOptions{}); most > 0 && strings.Count(drawn, "(a.") != len(codes) {
			t.Errorf("%d: %s", most, drawn)
		}
	}
	if len(whole.Diagnostics) != 5 {
		t.Error("the whole has become less")
	}
}

func TestBodiesAreGoneThrough(t *testing.T) {
	body := must(hcl.ParseFile("a.hcl", []byte("x = 1\na \"1\" {}\nb {}\na \"2\" {}\ny = 2\n")))(t)
	collect := func(types ...string) (found []string) {
		for block, err := range body.AllBlocks(types...) {
			if err != nil {
				return append(found, err.Error())
			}
			found = append(found, block.TypeRange.String()+" "+strings.Join(block.Labels, ","))
			for _, at := range block.LabelRanges {
				found = append(found, at.String())
			}
		}
		return found
	}
	for want, types := range map[string][]string{
		"a.hcl:2,1-2 1|a.hcl:2,3-6|a.hcl:3,1-2 |a.hcl:4,1-2 2|a.hcl:4,3-6": nil,
		"a.hcl:3,1-2 ": {"b"},
		"":             {"c"},
	} {
		if got := strings.Join(collect(types...), "|"); got != want {
			t.Errorf("%v: %q", types, got)
		}
	}
	for attribute, err := range body.AllAttributes() {
		if err != nil || attribute.Name != "x" {
			t.Error(attribute, err)
		}
		break
	}
	n := 0
	must(hcl.ParseJSON("a.json", []byte("{}")))(t)
	body.Close()
	for _, err := range body.AllAttributes() {
		if n++; !errors.Is(err, hcl.ErrClosed) {
			t.Error(err)
		}
	}
	if n != 1 || strings.Join(collect("b"), "") != hcl.ErrClosed.Error() {
		t.Error(n)
	}
}
