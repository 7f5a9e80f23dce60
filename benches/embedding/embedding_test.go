// What an evaluation costs a Go program: through libhcl, and with the reference's own Go module.
package embedding

import (
	"context"
	"encoding/json"
	"testing"

	reference "github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"libhcl.dev/embedding/inputs"
	hcl "libhcl.dev/go"
)

var background = context.Background()

// ours is a program with a frame that holds the variables.
func ours(b *testing.B, source string) (*hcl.Program, *hcl.Frame) {
	b.Helper()
	scope, err := hcl.NewScope(hcl.WithVariables("var"))
	check(b, err)
	program, err := scope.Compile(source)
	check(b, err)
	frame, err := scope.NewFrame()
	check(b, err)
	check(b, frame.Set("var", inputs.Variables()))
	return program, frame
}

func theirs(b *testing.B, source string) (hclsyntax.Expression, *reference.EvalContext) {
	b.Helper()
	expression, diags := hclsyntax.ParseExpression([]byte(source), "expression", reference.InitialPos)
	if diags.HasErrors() {
		b.Fatal(diags)
	}
	text, err := json.Marshal(inputs.Variables())
	check(b, err)
	typ, err := ctyjson.ImpliedType(text)
	check(b, err)
	value, err := ctyjson.Unmarshal(text, typ)
	check(b, err)
	return expression, &reference.EvalContext{Variables: map[string]cty.Value{"var": value}}
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkBoolCmp(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		program, frame := ours(b, inputs.BoolCmp)
		for b.Loop() {
			if ok, err := program.EvalBool(background, frame); !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	})
	b.Run("theirs", func(b *testing.B) {
		expression, ctx := theirs(b, inputs.BoolCmp)
		for b.Loop() {
			if v, diags := expression.Value(ctx); diags.HasErrors() || v.False() {
				b.Fatal(v, diags)
			}
		}
	})
}

func BenchmarkTemplate5(b *testing.B) {
	const want = "acme-eu-west-1-prod-5.42"
	b.Run("ours", func(b *testing.B) {
		program, frame := ours(b, inputs.Template5)
		for b.Loop() {
			if text, err := program.EvalString(background, frame); text != want || err != nil {
				b.Fatal(text, err)
			}
		}
	})
	b.Run("theirs", func(b *testing.B) {
		expression, ctx := theirs(b, inputs.Template5)
		for b.Loop() {
			if v, diags := expression.Value(ctx); diags.HasErrors() || v.AsString() != want {
				b.Fatal(v, diags)
			}
		}
	})
}

// The result stays a value of the library, as it stays one of cty's there.
func BenchmarkForFilter1000(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		program, frame := ours(b, inputs.ForFilter1000)
		for b.Loop() {
			v, err := program.Eval(background, frame)
			if n, _ := v.Len(); n != 528 || err != nil {
				b.Fatal(n, err)
			}
			v.Close()
		}
	})
	b.Run("theirs", func(b *testing.B) {
		expression, ctx := theirs(b, inputs.ForFilter1000)
		for b.Loop() {
			if v, diags := expression.Value(ctx); diags.HasErrors() || v.LengthInt() != 528 {
				b.Fatal(v.LengthInt(), diags)
			}
		}
	})
}

// The result becomes a []float64.
func BenchmarkForFilter1000Decoded(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		program, frame := ours(b, inputs.ForFilter1000)
		for b.Loop() {
			var sizes []float64
			if err := program.EvalInto(background, frame, &sizes); len(sizes) != 528 || err != nil {
				b.Fatal(len(sizes), err)
			}
		}
	})
	b.Run("theirs", func(b *testing.B) {
		expression, ctx := theirs(b, inputs.ForFilter1000)
		for b.Loop() {
			v, _ := expression.Value(ctx)
			sizes := make([]float64, 0, v.LengthInt())
			for it := v.ElementIterator(); it.Next(); {
				_, one := it.Element()
				size, _ := one.AsBigFloat().Float64()
				sizes = append(sizes, size)
			}
			if len(sizes) != 528 {
				b.Fatal(len(sizes))
			}
		}
	})
}

const rows = 1000

// A condition over 1000 rows of two variables; the figure is for all rows.
func BenchmarkRows1000(b *testing.B) {
	levels, paths := make([]int, rows), make([]string, rows)
	for i := range rows {
		levels[i], paths[i] = i%8, []string{"/", "/metrics", "/admin/users"}[i%3]
	}
	want := 0
	for i := range rows {
		if levels[i] > 3 && paths[i] != "/" {
			want++
		}
	}
	b.Run("ours", func(b *testing.B) {
		program, err := hcl.Compile(inputs.RowCondition)
		check(b, err)
		for b.Loop() {
			cells, err := program.EvalRows(background, nil, hcl.Columns{"level": levels, "path": paths})
			check(b, err)
			n := 0
			for _, cell := range cells {
				if cell.Bool() {
					n++
				}
			}
			if n != want {
				b.Fatal(n)
			}
		}
	})
	b.Run("theirs", func(b *testing.B) {
		expression, _ := theirs(b, inputs.RowCondition)
		for b.Loop() {
			n := 0
			for i := range rows {
				v, _ := expression.Value(&reference.EvalContext{Variables: map[string]cty.Value{
					"level": cty.NumberIntVal(int64(levels[i])), "path": cty.StringVal(paths[i])}})
				if v.True() {
					n++
				}
			}
			if n != want {
				b.Fatal(n)
			}
		}
	})
}

// Variables that are given with each evaluation.
func BenchmarkBoolWithVariables(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		program, err := hcl.Compile(inputs.RowCondition)
		check(b, err)
		for b.Loop() {
			if ok, err := program.EvalBool(background, map[string]any{"level": 5, "path": "/a"}); !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	})
	b.Run("theirs", func(b *testing.B) {
		expression, _ := theirs(b, inputs.RowCondition)
		for b.Loop() {
			v, _ := expression.Value(&reference.EvalContext{Variables: map[string]cty.Value{
				"level": cty.NumberIntVal(5), "path": cty.StringVal("/a")}})
			if v.False() {
				b.Fatal(v)
			}
		}
	})
}

// Compiling, or parsing, a condition.
func BenchmarkCompile(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		scope, err := hcl.NewScope(hcl.WithVariables("var"))
		check(b, err)
		for b.Loop() {
			program, err := scope.Compile(inputs.BoolCmp)
			check(b, err)
			program.Close()
		}
	})
	b.Run("theirs", func(b *testing.B) {
		for b.Loop() {
			if _, diags := hclsyntax.ParseExpression([]byte(inputs.BoolCmp), "expression", reference.InitialPos); diags.HasErrors() {
				b.Fatal(diags)
			}
		}
	})
}

type server struct {
	Name   string  `hcl:"name,label"`
	Host   string  `hcl:"host"`
	Port   int     `hcl:"port"`
	TLS    bool    `hcl:"tls"`
	Weight float64 `hcl:"weight"`
}

type servers struct {
	Servers []server `hcl:"server,block"`
}

// A file of 500 blocks with four attributes each becomes structs.
func BenchmarkStructs500(b *testing.B) {
	source := inputs.Servers(500)
	right := func(got servers) bool {
		last := server{Name: "s499", Host: "10.0.1.243", Port: 8499, Weight: 9.5}
		return len(got.Servers) == 500 && got.Servers[499] == last
	}
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var got servers
			if err := hcl.DecodeFile(background, "servers.hcl", source, &got); err != nil || !right(got) {
				b.Fatal(err, got)
			}
		}
	})
	b.Run("theirs", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			file, diags := hclsyntax.ParseConfig(source, "servers.hcl", reference.InitialPos)
			if diags.HasErrors() {
				b.Fatal(diags)
			}
			var got servers
			if diags := gohcl.DecodeBody(file.Body, nil, &got); diags.HasErrors() || !right(got) {
				b.Fatal(diags, got)
			}
		}
	})
}
