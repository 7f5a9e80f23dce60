package hcl_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	hcl "libhcl.dev/go"
)

type site struct {
	Name   string            `hcl:"name,label"`
	Port   uint16            `hcl:"port"`
	Host   string            `hcl:"host,optional"`
	Tags   map[string]string `hcl:"tags,optional"`
	Weight *float64          `hcl:"weight"`
}

type settings struct {
	Title string          `hcl:"title"`
	Log   *logging        `hcl:"log,block"`
	Sites []site          `hcl:"site,block"`
	Allow *hcl.Expression `hcl:"allow,optional"`
	Raw   hcl.Value       `hcl:"raw,optional"`
}

type logging struct {
	Level string    `hcl:"level"`
	Rest  *hcl.Body `hcl:",remain"`
}

const native = `
title = "${env} settings"
allow = user.age > 17
raw   = [1, "two"]

log {
  level = "debug"
  file  = "/var/log/x"
}

site "a" {
  port   = 80 + 1
  tags   = { tier = 1 }
  weight = 0.5
}
site "b" { port = "443" }
`

const asJSON = `{
  "title": "${env} settings",
  "allow": "${user.age > 17}",
  "raw": [1, "two"],
  "log": { "level": "debug", "file": "/var/log/x" },
  "site": { "a": { "port": "${80 + 1}", "tags": { "tier": 1 }, "weight": 0.5 }, "b": { "port": 443 } }
}`

func TestBodiesOfBothSyntaxesFillStructs(t *testing.T) {
	for name, source := range map[string]string{"main.hcl": native, "main.hcl.json": asJSON} {
		var got settings
		if err := hcl.DecodeFile(ctx, name, []byte(source), &got, hcl.WithConstant("env", "test")); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		half := 0.5
		want := []site{{Name: "a", Port: 81, Tags: map[string]string{"tier": "1"}, Weight: &half}, {Name: "b", Port: 443}}
		if got.Title != "test settings" || !reflect.DeepEqual(got.Sites, want) || got.Log.Level != "debug" || got.Raw.Type() != "tuple([number,string])" {
			t.Errorf("%s: %+v", name, got)
		}
		rest := must(got.Log.Rest.JustAttributes())(t)
		if len(rest) != 1 || rest[0].Name != "file" || rest[0].ExprRange.Start.Line == 0 || rest[0].Range.Filename != name {
			t.Errorf("%s: what remains: %+v", name, rest)
		}
		scope := must(hcl.NewScope(hcl.WithVariables("user")))(t)
		allow := must(scope.CompileExpression(got.Allow))(t)
		if ok := must(allow.EvalBool(ctx, map[string]any{"user": map[string]int{"age": 18}}))(t); !ok {
			t.Errorf("%s: not allowed", name)
		}
	}
}

func TestAllThatIsWrongWithABodyIsSaid(t *testing.T) {
	source := "title = nothing\nport = 80\nlog {}\nlog {\n  level = \"x\"\n}\nsite \"a\" {\n  port = 70000\n}\nsite {\n  port = 1\n}\n"
	var got settings
	err := hcl.DecodeFile(ctx, "broken.hcl", []byte(source), &got)
	var problem *hcl.Error
	if !errors.As(err, &problem) || !errors.Is(err, hcl.ErrDiagnostics) {
		t.Fatal(err)
	}
	var said []string
	for _, d := range problem.Diagnostics {
		said = append(said, d.Subject.String()+" "+d.Summary)
	}
	want := []string{
		"broken.hcl:10,6-7 Missing name for site",
		"broken.hcl:2,1-5 Unsupported argument",
		"broken.hcl:1,9-16 Unknown variable",
		"broken.hcl:4,1-4 Duplicate log block",
		"broken.hcl:8,10-15 Unsuitable value type",
	}
	if !reflect.DeepEqual(said, want) {
		t.Errorf("said:\n%s", strings.Join(said, "\n"))
	}
	drawn := problem.Render(hcl.RenderOptions{ASCII: true})
	for _, d := range problem.Diagnostics {
		if !strings.Contains(drawn, d.Summary) {
			t.Errorf("%s is not drawn:\n%s", d.Summary, drawn)
		}
	}
	if drawn := problem.Render(hcl.RenderOptions{Max: 1}); strings.Contains(drawn, "Duplicate") || !strings.Contains(drawn, "Missing name for site") {
		t.Errorf("one was asked for:\n%s", drawn)
	}
	var need struct {
		Log logging `hcl:"log,block"`
	}
	if err := hcl.DecodeFile(ctx, "empty.hcl", nil, &need); err == nil || !strings.Contains(err.Error(), "Missing log block") {
		t.Error(err)
	}
	if _, err := hcl.ParseFile("torn.hcl", []byte("a = \nb {")); !errors.Is(err, hcl.ErrDiagnostics) {
		t.Error(err)
	}
	if _, err := hcl.ParseJSON("torn.json", []byte("{")); !errors.Is(err, hcl.ErrDiagnostics) {
		t.Error(err)
	}
}

func TestBodiesAreLookedAt(t *testing.T) {
	body := must(hcl.ParseFile("main.hcl", []byte(native)))(t)
	scope := must(hcl.NewScope(hcl.WithVariables("env")))(t)
	frame := must(scope.NewFrame())(t)
	if err := frame.Set("env", "x"); err != nil {
		t.Fatal(err)
	}
	attributes := must(body.Attributes())(t)
	if len(attributes) != 3 || attributes[0].Name != "title" || attributes[0].NameRange.String() != "main.hcl:2,1-6" {
		t.Errorf("%+v", attributes)
	}
	if got := must(must(attributes[0].Eval(ctx, frame))(t).AsString())(t); got != "x settings" {
		t.Error(got)
	}
	blocks := must(body.Blocks())(t)
	if len(blocks) != 3 || blocks[1].Type != "site" || !reflect.DeepEqual(blocks[1].Labels, []string{"a"}) || blocks[1].DefRange.Start.Line != 11 {
		t.Errorf("%+v", blocks)
	}
	inner := must(blocks[1].Body())(t)
	body.Close()
	if got := must(inner.Attributes())(t); len(got) != 3 {
		t.Error(got)
	}
	if _, err := blocks[1].Body(); !errors.Is(err, hcl.ErrClosed) {
		t.Error(err)
	}
	merged := must(hcl.MergeBodies(must(hcl.ParseFile("a.hcl", []byte("a = 1")))(t), must(hcl.ParseJSON("b.json", []byte(`{"b": 2}`)))(t)))(t)
	var both struct {
		A int `hcl:"a"`
		B int `hcl:"b"`
	}
	if err := merged.Decode(ctx, frame, &both); err != nil || both.A != 1 || both.B != 2 {
		t.Error(err, both)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := merged.Decode(cancelled, frame, &both); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	both.A = 0
	if err := merged.Decode(ctx, nil, &both); err != nil || both.A != 1 {
		t.Errorf("without a frame: %v", err)
	}
	if err := merged.Decode(ctx, frame, both); !errors.Is(err, hcl.ErrArgument) {
		t.Error(err)
	}
	var odd struct {
		A chan int `hcl:"a,block"`
	}
	if err := merged.Decode(ctx, frame, &odd); !errors.Is(err, hcl.ErrArgument) {
		t.Error(err)
	}
}

func TestSpecsAndDynamicBlocks(t *testing.T) {
	spec := must(hcl.ParseSpec("spec.hcl", []byte(`object {
  attr "title" {
    type     = string
    required = true
  }
  block_list "port" {
    attr {
      name = "number"
      type = number
    }
  }
}`)))(t)
	defer spec.Close()
	if got := must(spec.Type())(t); got != "object({port=list(number),title=string})" {
		t.Error(got)
	}
	scope := must(hcl.NewScope(hcl.WithVariables("base")))(t)
	frame := must(scope.NewFrame())(t)
	if err := frame.Set("base", 8000); err != nil {
		t.Fatal(err)
	}
	source := "title = 5\nport { number = 80 }\ndynamic \"port\" {\n  for_each = [1, 2]\n  content { number = base + port.value }\n}\n"
	body := must(must(hcl.ParseFile("main.hcl", []byte(source)))(t).ExpandDynamic(scope, "port"))(t)
	v := must(spec.Decode(ctx, body, frame))(t)
	if got := must(v.MarshalJSON())(t); string(got) != `{"port":[80,8001,8002],"title":"5"}` {
		t.Error(string(got))
	}
	var same struct {
		Title string `hcl:"title"`
		Ports []struct {
			Number int `hcl:"number"`
		} `hcl:"port,block"`
	}
	if err := body.Decode(ctx, frame, &same); err != nil || len(same.Ports) != 3 || same.Ports[2].Number != 8002 {
		t.Error(err, same)
	}
	if _, err := spec.Decode(ctx, must(hcl.ParseFile("empty.hcl", nil))(t), frame); !errors.Is(err, hcl.ErrDiagnostics) {
		t.Error(err)
	}
	if _, err := hcl.ParseSpec("spec.hcl", []byte("object {")); !errors.Is(err, hcl.ErrDiagnostics) {
		t.Error(err)
	}
}

func TestFormat(t *testing.T) {
	got := must(hcl.Format("main.hcl", []byte("a=1\nlonger   = 2\n"), hcl.StyleHCL))(t)
	if string(got) != "a      = 1\nlonger = 2\n" {
		t.Errorf("%s", got)
	}
	if _, err := hcl.Format("main.hcl", []byte("a = {"), hcl.StyleTerraform); !errors.Is(err, hcl.ErrDiagnostics) {
		t.Error(err)
	}
}
