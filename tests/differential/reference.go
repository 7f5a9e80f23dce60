package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

var start = hcl.Pos{Line: 1, Column: 1, Byte: 0}

// askReference is the reference's answer; a panic in it is an answer too.
func askReference(input *Input) (answer Answer) {
	defer func() {
		if problem := recover(); problem != nil {
			answer = Answer{Panic: fmt.Sprint(problem)}
		}
	}()
	switch input.Verb {
	case "check":
		return checkReference(input)
	case "vars":
		return needsReference(input)
	default:
		return evalReference(input)
	}
}

func evalReference(input *Input) Answer {
	var expression hcl.Expression
	var diags hcl.Diagnostics
	if input.Syntax == "json" {
		expression, diags = hcljson.ParseExpression([]byte(input.Expr), "expression")
	} else {
		expression, diags = hclsyntax.ParseExpression([]byte(input.Expr), "expression", start)
	}
	if diags.HasErrors() {
		return describe(cty.DynamicVal, diags)
	}
	scope, err := scopeOf(input)
	if err != nil {
		return Answer{Refused: true, RefusedVars: true}
	}
	value, more := expression.Value(scope)
	diags = append(diags, more...)
	if input.As == "" {
		return describe(value, diags)
	}
	target, typeDiags := hclsyntax.ParseExpression([]byte(input.As), "type", start)
	if typeDiags.HasErrors() {
		return Answer{Refused: true, Diagnostics: diagnosticsOf(typeDiags)}
	}
	ty, defaults, typeDiags := typeexpr.TypeConstraintWithDefaults(target)
	if len(typeDiags) > 0 {
		return Answer{Refused: true, Diagnostics: diagnosticsOf(typeDiags)}
	}
	completed := value
	if defaults != nil {
		completed = defaults.Apply(value)
	}
	converted, err := convert.Convert(completed, ty)
	if err != nil {
		rng := expression.Range()
		diags = append(diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "*", Subject: &rng})
		return describe(value, diags)
	}
	return describe(converted, diags)
}

type definition struct {
	value cty.Value
	err   error
}

// Definitions repeat themselves, most of all while an input is made smaller.
var known sync.Map

func definitions(texts map[string]string, functions map[string]function.Function) (map[string]cty.Value, error) {
	values := make(map[string]cty.Value, len(texts))
	for name, text := range texts {
		found, ok := known.Load(text)
		if !ok {
			value, err := define(text, functions)
			found = definition{value, err}
			known.Store(text, found)
		}
		made := found.(definition)
		if made.err != nil {
			return nil, made.err
		}
		values[name] = made.value
	}
	return values, nil
}

func define(text string, functions map[string]function.Function) (cty.Value, error) {
	expression, diags := hclsyntax.ParseExpression([]byte(text), "variable", start)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	scope := (&hcl.EvalContext{Functions: functions}).NewChild()
	scope.Functions = makers
	value, diags := expression.Value(scope)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	return value, nil
}

func needsReference(input *Input) Answer {
	expression, diags := hclsyntax.ParseExpression([]byte(input.Expr), "expression", start)
	answer := Answer{Diagnostics: diagnosticsOf(diags)}
	for _, traversal := range hclsyntax.Variables(expression) {
		answer.Variables = append(answer.Variables, traversalText(traversal))
	}
	return answer
}

func traversalText(traversal hcl.Traversal) string {
	var text strings.Builder
	for _, step := range traversal {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			text.WriteString(step.Name)
		case hcl.TraverseAttr:
			text.WriteString("." + step.Name)
		case hcl.TraverseIndex:
			text.WriteString("[" + keyText(step.Key) + "]")
		case hcl.TraverseSplat:
			text.WriteString("[*]")
		}
	}
	return text.String()
}

// asLiteral turns a text of JSON into a literal of HCL, which has fewer escapes and needs one for its markers.
var asLiteral = strings.NewReplacer(`\\`, `\\`, `\b`, `\u0008`, `\f`, `\u000c`, "${", "$${", "%{", "%%{")

func keyText(key cty.Value) string {
	switch {
	case !key.IsKnown():
		return "?"
	case key.IsNull():
		return "null"
	case key.Type() == cty.String:
		return asLiteral.Replace(quote(key.AsString()))
	case key.Type() == cty.Number:
		return numberText(key)
	case key.Type() == cty.Bool:
		return fmt.Sprint(key.True())
	default:
		return "..."
	}
}

func checkReference(input *Input) Answer {
	file, diags := hclsyntax.ParseConfig(input.Source, "main.hcl", start)
	return Answer{
		Diagnostics: diagnosticsOf(diags),
		Body:        bodyOf(file.Body.(*hclsyntax.Body), input.Source),
	}
}

func bodyOf(body *hclsyntax.Body, source []byte) any {
	attributes := []any{}
	list := make([]*hclsyntax.Attribute, 0, len(body.Attributes))
	for _, attribute := range body.Attributes {
		list = append(list, attribute)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].SrcRange.Start.Byte < list[j].SrcRange.Start.Byte })
	for _, attribute := range list {
		expression := attribute.Expr.Range()
		text := ""
		if expression.End.Line > 0 {
			text = toText(expression.SliceBytes(source))
		}
		attributes = append(attributes, map[string]any{
			"name": attribute.Name, "range": rangeOf(&attribute.SrcRange), "name_range": rangeOf(&attribute.NameRange),
			"expr_range": rangeOf(&expression), "expr": text,
		})
	}
	blocks := []any{}
	for _, block := range body.Blocks {
		labels, labelRanges := []any{}, []any{}
		for i, label := range block.Labels {
			labels = append(labels, toText([]byte(label)))
			labelRanges = append(labelRanges, rangeOf(&block.LabelRanges[i]))
		}
		definition := block.DefRange()
		blocks = append(blocks, map[string]any{
			"type": block.Type, "labels": labels, "label_ranges": labelRanges, "range": rangeOf(&definition),
			"type_range": rangeOf(&block.TypeRange), "open_brace_range": rangeOf(&block.OpenBraceRange),
			"close_brace_range": rangeOf(&block.CloseBraceRange), "body": bodyOf(block.Body, source),
		})
	}
	return map[string]any{"attributes": attributes, "blocks": blocks}
}

// toText is the text of bytes, with a replacement for what is no UTF-8.
func toText(bytes []byte) string {
	return string([]rune(string(bytes)))
}

func diagnosticsOf(diags hcl.Diagnostics) []Diagnostic {
	list := make([]Diagnostic, 0, len(diags))
	for _, diag := range diags {
		severity := "error"
		if diag.Severity == hcl.DiagWarning {
			severity = "warning"
		}
		list = append(list, Diagnostic{
			Severity: severity, Summary: diag.Summary, Detail: diag.Detail,
			Subject: spanOf(diag.Subject), Context: spanOf(diag.Context),
		})
	}
	return list
}

func spanOf(rng *hcl.Range) *Span {
	if rng == nil {
		return nil
	}
	return &Span{Start: Place(rng.Start), End: Place(rng.End)}
}

func rangeOf(rng *hcl.Range) any {
	place := func(pos hcl.Pos) any {
		number := func(n int) json.Number { return json.Number(fmt.Sprint(n)) }
		return map[string]any{"line": number(pos.Line), "column": number(pos.Column), "byte": number(pos.Byte)}
	}
	return map[string]any{"start": place(rng.Start), "end": place(rng.End)}
}
