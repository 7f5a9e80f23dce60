package hcl

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func expression(t *testing.T, source string) *Expression {
	t.Helper()
	e, err := ParseExpression(source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func TestExpressionsTakenLiterally(t *testing.T) {
	name, arguments, err := expression(t, `object({a = 1}, [b])`).AsCall()
	if err != nil || name != "object" || len(arguments) != 2 || arguments[1].Source() != "[b]" {
		t.Fatal(name, arguments, err)
	}
	pairs, err := arguments[0].AsMap()
	if err != nil || len(pairs) != 1 || pairs[0].Value.Source() != "1" {
		t.Fatal(pairs, err)
	}
	if key, err := pairs[0].Key.AsKeyword(); err != nil || key != "a" {
		t.Error(key, err)
	}
	elements, err := arguments[1].AsList()
	if err != nil || len(elements) != 1 {
		t.Fatal(elements, err)
	}
	reference, err := expression(t, `local.ports["http"]`).AsReference()
	if err != nil || reference.Root != "local" || reference.Text != `local.ports["http"]` {
		t.Error(reference, err)
	}
	place := elements[0].Range()
	if place.Start.Line != 1 || place.Start.Column != 18 || place.Filename != "expression" {
		t.Error(place)
	}
	if functions, err := expression(t, `f(g(1))`).Functions(); err != nil || len(functions) != 2 || functions[1].Root != "g" {
		t.Error(functions, err)
	}
	closed := expression(t, `f(1)`)
	closed.Close()
	for _, err := range []error{
		func() error { _, _, err := expression(t, `1 + 2`).AsCall(); return err }(),
		func() error { _, err := expression(t, `f()`).AsList(); return err }(),
		func() error { _, err := expression(t, `[]`).AsMap(); return err }(),
		func() error { _, err := expression(t, `a.b`).AsKeyword(); return err }(),
		func() error { _, err := expression(t, `a + b`).AsReference(); return err }(),
	} {
		if !errors.Is(err, ErrType) {
			t.Error(err)
		}
	}
	if _, _, err := closed.AsCall(); !errors.Is(err, ErrClosed) || closed.Source() != "" || !closed.Range().Empty() {
		t.Error(err)
	}
}

func TestBodiesBySchema(t *testing.T) {
	schema, err := ParseSchema("schema", "region = required\nservice \"name\" {\n  port = required\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	defer schema.Close()
	ctx := context.Background()
	for name, source := range map[string]string{
		"native": "region = \"north\"\nservice \"web\" {\n  port = 80\n}\nextra = 1\n",
		"json":   `{"region": "north", "service": {"web": {"port": 80}}, "extra": 1}`,
	} {
		parse := ParseFile
		if name == "json" {
			parse = ParseJSON
		}
		body, err := parse(name, []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		if found, err := body.Content(ctx, nil, schema); !errors.Is(err, ErrDiagnostics) || len(found.Attributes) != 1 {
			t.Error(found, err)
		}
		found, err := body.PartialContent(ctx, nil, schema)
		if err != nil || len(found.Blocks) != 1 || found.Blocks[0].Labels[0] != "web" || found.Missing.Empty() {
			t.Fatal(found, err)
		}
		if v, err := found.Attributes[0].Eval(ctx, nil); err != nil || v.String() != `"north"` {
			t.Error(v, err)
		}
		extra, err := ParseSchema("schema", "extra = optional\n")
		if err != nil {
			t.Fatal(err)
		}
		defer extra.Close()
		if rest, err := found.Rest.Content(ctx, nil, extra); err != nil || len(rest.Attributes) != 1 || rest.Rest != nil {
			t.Error(rest, err)
		}
	}
	if _, err := ParseSchema("schema", "a = 7\n"); !errors.Is(err, ErrDiagnostics) {
		t.Error(err)
	}
}

const functions = `
function "greet" {
  params         = [name]
  variadic_param = more
  result         = upper(join(" and ", concat([name], more)))
}
function "twice" {
  params = [name]
  result = greet(name, shout(name))
}
`

func TestFunctionsOfAConfiguration(t *testing.T) {
	body, err := ParseFile("functions.hcl", []byte(functions))
	if err != nil {
		t.Fatal(err)
	}
	base, err := NewScope(WithBuiltins(FunctionsTerraform), WithFunction("shout", func(s string) string { return s + "!" }))
	if err != nil {
		t.Fatal(err)
	}
	p := compiled(t, `twice(who)`, WithUserFunctions(body, "function", base))
	base.Close()
	if text, err := p.EvalString(context.Background(), map[string]any{"who": "you"}); err != nil || text != "YOU AND YOU!" {
		t.Error(text, err)
	}
	wrong, err := ParseFile("functions.hcl", []byte("function \"f\" {\n  params = [1]\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewScope(WithUserFunctions(wrong, "function", nil)); !errors.Is(err, ErrDiagnostics) {
		t.Error(err)
	}
}

func TestSyntaxesBecomeEachOther(t *testing.T) {
	ctx := context.Background()
	scope, err := NewScope(WithBuiltins(FunctionsTerraform))
	if err != nil {
		t.Fatal(err)
	}
	frame, err := scope.NewFrame()
	if err != nil {
		t.Fatal(err)
	}
	text, err := ToJSON(ctx, "f", []byte("size = max(2, 3)\nname = \"${who}.x\"\n"), frame)
	if err != nil || !strings.Contains(string(text), `"size": 3`) || !strings.Contains(string(text), "${who}.x") {
		t.Errorf("%s, %v", text, err)
	}
	if text, err := ToJSON(ctx, "f", []byte("a = 1\n"), nil); err != nil || !strings.Contains(string(text), "1") {
		t.Errorf("%s, %v", text, err)
	}
	text, err = ToNative("f", []byte(`{"a": [1, "x"], "b": {"c": true}}`), nil)
	if err != nil || !strings.Contains(string(text), `a = [1, "x"]`) {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := ToNative("f", []byte("{"), nil); !errors.Is(err, ErrDiagnostics) {
		t.Error(err)
	}
}

func TestDiagnosticsTellTheExpression(t *testing.T) {
	p := compiled(t, `1 + name`)
	_, err := p.Eval(context.Background(), map[string]any{"name": "x"})
	var problem *Error
	if !errors.As(err, &problem) || problem.Diagnostics[0].Expression != "name" {
		t.Error(err)
	}
}
