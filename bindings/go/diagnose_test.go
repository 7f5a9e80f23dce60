package hcl_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	hcl "libhcl.dev/go"
)

const gateway = "listen \"public\" {\n  port = 70000\n}\nname = missing\n"

func portOf(t *testing.T, body *hcl.Body) (*hcl.Block, *hcl.Attribute) {
	t.Helper()
	blocks, err := body.Blocks()
	if err != nil {
		t.Fatal(err)
	}
	inner, err := blocks[0].Body()
	if err != nil {
		t.Fatal(err)
	}
	attributes, err := inner.Attributes()
	if err != nil {
		t.Fatal(err)
	}
	return blocks[0], attributes[0]
}

func TestOwnDiagnosticsStandBesideTheLibrarys(t *testing.T) {
	body, err := hcl.ParseFile("gateway.hcl", []byte(gateway))
	if err != nil {
		t.Fatal(err)
	}
	block, port := portOf(t, body)
	own := hcl.NewDiagnostic("gatewayd.port", "Port out of range", "The port must be below 65536.",
		hcl.At(port.ValuePlace()), hcl.Within(block), hcl.Extra("port", "70000"))
	var target struct {
		Name string    `hcl:"name"`
		Rest *hcl.Body `hcl:",remain"`
	}
	theirs := body.Decode(context.Background(), nil, &target)
	body.Close()

	all := hcl.Join(fmt.Errorf("reload: %w", theirs), errors.Join(own, nil))
	var problem *hcl.Error
	if !errors.As(all, &problem) || len(problem.Diagnostics) != 2 || !errors.Is(all, hcl.ErrDiagnostics) {
		t.Fatalf("not one error of two diagnostics: %v", all)
	}
	mine := problem.Diagnostics[0]
	if mine.Code != "gatewayd.port" || mine.Expression != "70000" || mine.Extra["port"] != "70000" || mine.Subject.Start.Line != 2 {
		t.Errorf("%+v", mine)
	}
	drawn := problem.Render(hcl.RenderOptions{ASCII: true})
	for _, part := range []string{"  2 |   port = 70000\n    |          ^^^^^\n", "(gatewayd.port)", "4 | name = missing"} {
		if !strings.Contains(drawn, part) {
			t.Errorf("%q is not in\n%s", part, drawn)
		}
	}
	text, err := problem.JSON()
	var list []struct{ Code string }
	if err != nil || json.Unmarshal(text, &list) != nil || len(list) != 2 {
		t.Errorf("%v: %s", err, text)
	}
	log, err := problem.SARIF("gatewayd", "1.2")
	if err != nil || !strings.Contains(string(log), `"name":"gatewayd","version":"1.2"`) || !json.Valid(log) {
		t.Errorf("%v: %s", err, log)
	}
	if err := hcl.Join(nil, errors.Join()); err != nil {
		t.Error(err)
	}
}

func TestEveryPlaceOfADiagnostic(t *testing.T) {
	body, err := hcl.ParseFile("gateway.hcl", []byte(gateway))
	if err != nil {
		t.Fatal(err)
	}
	block, port := portOf(t, body)
	expression, err := port.Expression()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		place hcl.Place
		want  string
	}{
		{port, "port = 70000"}, {port.ValuePlace(), "70000"}, {port.NamePlace(), "port"}, {block.HeaderPlace(), `listen "public"`},
		{block, "listen \"public\" {\n  port = 70000\n}"}, {expression, "70000"}, {body, ""}, {body.RangeIn(port.ExprRange), "70000"},
		{port.ExprRange, ""},
	} {
		problem := hcl.NewDiagnostic("test", "Test", "", hcl.At(c.place))
		if d := problem.Diagnostics[0]; d.Expression != c.want || d.Subject.Filename != "gateway.hcl" {
			t.Errorf("%q: %+v", c.want, d)
		}
	}
	expression.Close()
	body.Close()
	// A closed object has no place any more; the complaint is not lost.
	for _, option := range []hcl.DiagnosticOption{hcl.At(expression), hcl.Within(block), hcl.At(body)} {
		problem := hcl.NewDiagnostic("test", "Test", "", option, hcl.AsWarning())
		if d := problem.Diagnostics[0]; d.Code != "test" || d.Severity != hcl.SeverityWarning || !d.Subject.Empty() {
			t.Errorf("%+v", d)
		}
	}
	plain := errors.New("no such host")
	joined := hcl.Join(plain)
	if !errors.Is(joined, plain) || joined.(*hcl.Error).Diagnostics[0].Summary != "no such host" {
		t.Errorf("%v", joined)
	}
}
