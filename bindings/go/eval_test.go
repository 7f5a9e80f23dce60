package hcl_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	hcl "libhcl.dev/go"
)

var ctx = context.Background()

// must is a value that is there, or the end of the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestEvaluatesWithVariablesOfAllForms(t *testing.T) {
	p := must(hcl.Compile(`"${upper(name)} has ${length(ports)} ports"`, hcl.WithBuiltins(hcl.FunctionsTerraform)))(t)
	defer p.Close()
	if got := p.Needs(); !reflect.DeepEqual(got, []string{"name", "ports"}) {
		t.Fatalf("needs %q", got)
	}
	type request struct {
		Name  string `hcl:"name"`
		Ports []int  `hcl:"ports"`
		Other string
	}
	value := must(hcl.ValueOf([]int{1, 2}))(t)
	for _, variables := range []any{
		map[string]any{"name": "web", "ports": []int{80, 443}, "unused": struct{}{}},
		map[string]hcl.Value{"name": must(hcl.ValueOf("web"))(t), "ports": value},
		request{"web", []int{80, 443}, ""},
		&request{"web", []int{80, 443}, ""},
	} {
		if got := must(p.EvalString(ctx, variables))(t); got != "WEB has 2 ports" {
			t.Errorf("%T: %q", variables, got)
		}
	}
	if _, err := p.Eval(ctx, map[string]any{"name": "web"}); !errors.Is(err, hcl.ErrUnbound) || !strings.Contains(err.Error(), `"ports"`) {
		t.Errorf("a variable that is missing: %v", err)
	}
	if _, err := p.Eval(ctx, 5); !errors.Is(err, hcl.ErrArgument) {
		t.Errorf("a number as variables: %v", err)
	}
	if _, err := p.Eval(ctx, nil); !errors.Is(err, hcl.ErrUnbound) {
		t.Errorf("no variables: %v", err)
	}
	if _, err := p.Eval(ctx, map[string]any{"name": "web", "ports": make(chan int)}); err == nil || !strings.Contains(err.Error(), "at ports: a chan int has no HCL value") {
		t.Errorf("a channel: %v", err)
	}
}

func TestScalarsComeWithoutValues(t *testing.T) {
	p := must(hcl.Compile("x * 2"))(t)
	x := map[string]any{"x": 21}
	if got := must(p.EvalInt(ctx, x))(t); got != 42 {
		t.Error(got)
	}
	if got := must(p.EvalFloat(ctx, map[string]any{"x": 0.25}))(t); got != 0.5 {
		t.Error(got)
	}
	if got := must(p.EvalString(ctx, x))(t); got != "42" {
		t.Error(got)
	}
	if _, err := p.EvalBool(ctx, x); !errors.Is(err, hcl.ErrType) {
		t.Error(err)
	}
	if _, err := p.EvalInt(ctx, map[string]any{"x": 0.3}); !errors.Is(err, hcl.ErrRange) {
		t.Error(err)
	}
	condition := must(hcl.Compile(`env == "prod" && count > 3`))(t)
	for count, want := range map[int]bool{3: false, 4: true} {
		if got := must(condition.EvalBool(ctx, map[string]any{"env": "prod", "count": count}))(t); got != want {
			t.Errorf("%d: %v", count, got)
		}
	}
}

func TestFramesKeepWhatDoesNotChange(t *testing.T) {
	scope := must(hcl.NewScope(hcl.WithVariables("base", "each.key"), hcl.WithConstant("limits", map[string]int{"low": 1})))(t)
	defer scope.Close()
	p := must(scope.Compile(`"${base}/${each.key}/${limits.low}"`))(t)
	defer p.Close()
	frame := must(scope.NewFrame())(t)
	defer frame.Close()
	if err := frame.Set("base", "/srv"); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b"} {
		if err := frame.SetSlot(scope.Slot("each.key"), key); err != nil {
			t.Fatal(err)
		}
		if got := must(p.EvalString(ctx, frame))(t); got != "/srv/"+key+"/1" {
			t.Error(got)
		}
	}
	if used := must(frame.Used())(t); used.Steps == 0 {
		t.Errorf("used %+v", used)
	}
	if err := frame.Set("other", 1); !errors.Is(err, hcl.ErrNotFound) {
		t.Error(err)
	}
	if err := frame.Reset(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Eval(ctx, frame); !errors.Is(err, hcl.ErrUnbound) {
		t.Error(err)
	}
	if _, err := scope.Compile("base + nothing"); !errors.Is(err, hcl.ErrDiagnostics) {
		t.Errorf("an unknown name: %v", err)
	}
	if _, err := scope.Compile("base", hcl.WithConstant("base", 1)); !errors.Is(err, hcl.ErrArgument) {
		t.Errorf("a constant when it is too late: %v", err)
	}
	inner := must(hcl.NewScope(hcl.WithParent(scope), hcl.WithVariables("deep")))(t)
	if got := must(must(inner.Compile(`"${base}${deep}"`))(t).EvalString(ctx, map[string]any{"base": 1, "deep": 2}))(t); got != "12" {
		t.Error(got)
	}
	foreign := must(hcl.Compile("x"))(t)
	if _, err := foreign.Eval(ctx, frame); !errors.Is(err, hcl.ErrArgument) {
		t.Errorf("a frame of another scope: %v", err)
	}
}

func TestDiagnosticsArePlacedErrors(t *testing.T) {
	_, err := hcl.Compile("a +\n  upper(", hcl.WithFilename("rule.hcl"))
	var diags hcl.Diagnostics
	if !errors.As(err, &diags) || !errors.Is(err, hcl.ErrDiagnostics) {
		t.Fatal(err)
	}
	first := diags[0]
	if !diags.HasErrors() || first.Severity != hcl.SeverityError || first.Code == "" || first.Summary == "" ||
		first.Subject.Filename != "rule.hcl" || first.Subject.Start.Line != 2 || first.Subject.Start.Byte < 4 {
		t.Errorf("%+v", first)
	}
	var full *hcl.Error
	if !errors.As(err, &full) {
		t.Fatal(err)
	}
	drawn := full.Render(hcl.RenderOptions{})
	if !strings.Contains(drawn, "upper(") || !strings.Contains(drawn, "rule.hcl") || strings.Contains(drawn, "\x1b[") {
		t.Errorf("drawn without colour:\n%s", drawn)
	}
	if drawn := full.Render(hcl.RenderOptions{Color: true}); !strings.Contains(drawn, "\x1b[") {
		t.Errorf("drawn in colour: %q", drawn)
	}
	p := must(hcl.Compile("port + 1"))(t)
	_, err = p.Eval(ctx, map[string]any{"port": "http"})
	if !errors.As(err, &diags) || len(diags[0].Values) != 1 || diags[0].Values[0].Expression != "port" {
		t.Errorf("%v: %+v", err, diags)
	}
	if got := diags[0].Subject.String(); got != "expression:1,1-5" {
		t.Error(got)
	}
}

func TestLimits(t *testing.T) {
	p := must(hcl.Compile("[for a in x : [for b in x : a + b]]", hcl.WithLimits(hcl.Limits{Steps: 1000})))(t)
	x := make([]int, 100)
	if _, err := p.Eval(ctx, map[string]any{"x": x}); !errors.Is(err, hcl.ErrLimit) {
		t.Error(err)
	}
	if _, err := p.Eval(ctx, map[string]any{"x": x[:3]}); err != nil {
		t.Error(err)
	}
}

// slow takes long enough that only cancelling ends it while the test waits.
func slow(t *testing.T) *hcl.Program {
	return must(hcl.Compile("[for a in x : [for b in x : [for c in x : a + b + c]]][0][0][0]",
		hcl.WithLimits(hcl.Limits{Steps: math.MaxInt64, Elements: math.MaxInt64})))(t)
}

func TestContextsStopEvaluations(t *testing.T) {
	p := slow(t)
	defer p.Close()
	x := map[string]any{"x": make([]int, 3000)}

	canceled, cancel := context.WithCancelCause(ctx)
	reason := errors.New("the client went away")
	time.AfterFunc(20*time.Millisecond, func() { cancel(reason) })
	_, err := p.Eval(canceled, x)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, hcl.ErrCanceled) || !errors.Is(err, reason) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := p.Eval(canceled, x); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}

	timed, stop := context.WithTimeout(ctx, 20*time.Millisecond)
	defer stop()
	if _, err := p.Eval(timed, x); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline: %v", err)
	}
	if _, err := p.Eval(timed, x); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, hcl.ErrDeadline) {
		t.Errorf("deadline that has passed: %v", err)
	}
	// Neither leaves anything behind in the frames that are used again.
	again, stop := context.WithTimeout(ctx, time.Hour)
	defer stop()
	for _, later := range []context.Context{ctx, again} {
		if got := must(p.EvalInt(later, map[string]any{"x": []int{7}}))(t); got != 21 {
			t.Error(got)
		}
	}

	limited := must(hcl.Compile("[for a in x : [for b in x : [for c in x : a + b + c]]]",
		hcl.WithLimits(hcl.Limits{Steps: math.MaxInt64, Elements: math.MaxInt64, Timeout: 10 * time.Millisecond})))(t)
	if _, err := limited.Eval(ctx, x); !errors.Is(err, hcl.ErrDeadline) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("timeout of the limits: %v", err)
	}
}

func TestClosedObjectsAnswer(t *testing.T) {
	p := must(hcl.Compile("x"))(t)
	v := must(p.Eval(ctx, map[string]any{"x": []any{1}}))(t)
	part := v.Index(0)
	for range 2 {
		v.Close()
		p.Close()
	}
	if _, err := p.Eval(ctx, map[string]any{"x": 1}); !errors.Is(err, hcl.ErrClosed) {
		t.Error(err)
	}
	if _, err := part.AsInt(); !errors.Is(err, hcl.ErrClosed) {
		t.Error(err)
	}
	if v.Kind() != hcl.KindInvalid || v.IsNull() || v.Index(0).Kind() != hcl.KindInvalid {
		t.Error("a closed value has a kind")
	}
	if _, err := hcl.ValueOf(v); !errors.Is(err, hcl.ErrArgument) {
		t.Error(err)
	}
	var none hcl.Value
	if _, err := none.AsString(); !errors.Is(err, hcl.ErrClosed) || none.Close() != nil {
		t.Error("the zero value")
	}
	scope := must(hcl.NewScope())(t)
	scope.Close()
	if _, err := scope.Compile("1"); !errors.Is(err, hcl.ErrClosed) {
		t.Error(err)
	}
}

func TestTemplates(t *testing.T) {
	p := must(hcl.Compile("Hello %{ for n in names ~}${n}, %{ endfor ~}!", hcl.AsTemplate()))(t)
	if got := must(p.EvalString(ctx, map[string]any{"names": []string{"a", "b"}}))(t); got != "Hello a, b, !" {
		t.Error(got)
	}
}

type colour int

func (c colour) MarshalText() ([]byte, error) { return []byte(fmt.Sprintf("colour-%d", int(c))), nil }
func (c *colour) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "colour-%d", (*int)(c))
	return err
}

func TestGoValuesThereAndBack(t *testing.T) {
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	third := new(big.Float).SetPrec(512).Quo(big.NewFloat(1), big.NewFloat(3))
	type inner struct {
		Port  int     `hcl:"port"`
		Proto *string `hcl:"proto"`
		Note  string  `hcl:"note,optional"`
	}
	tcp := "tcp"
	for _, one := range []struct {
		in   any
		typ  string
		text string
	}{
		{nil, "any", "null"},
		{true, "bool", "true"},
		{"häh\x00?", "string", `"häh\u0000?"`},
		{-5, "number", "-5"},
		{uint64(math.MaxUint64), "number", "18446744073709551615"},
		{0.5, "number", "0.5"},
		{huge, "number", huge.String()},
		{json.Number("0.1"), "number", "0.1"},
		{json.Number("-1e30"), "number", "-1000000000000000000000000000000"},
		{[]string{"a", "b"}, "list(string)", `["a","b"]`},
		{[]string{}, "list(string)", `[]`},
		{[]string(nil), "list(string)", "null"},
		{(*int)(nil), "number", "null"},
		{[]any{"a", 1, nil}, "tuple([string,number,any])", `["a",1,null]`},
		{[2]bool{true, false}, "list(bool)", `[true,false]`},
		{map[string]int{"b": 2, "a": 1}, "map(number)", `{"a":1,"b":2}`},
		{map[string]any{"b": 2, "a": "x"}, "object({a=string,b=number})", `{"a":"x","b":2}`},
		{map[string][]any{}, "object({})", `{}`},
		{[]byte("text"), "string", `"text"`},
		{colour(3), "string", `"colour-3"`},
		{[]colour{1}, "list(string)", `["colour-1"]`},
		{inner{Port: 1, Proto: &tcp}, "object({note=string,port=number,proto=string})", `{"note":"","port":1,"proto":"tcp"}`},
		{[]inner{{Port: 1}, {Port: 2, Proto: &tcp}}, "list(object({note=string,port=number,proto=string}))",
			`[{"note":"","port":1,"proto":null},{"note":"","port":2,"proto":"tcp"}]`},
	} {
		v := must(hcl.ValueOf(one.in))(t)
		if got := v.Type(); strings.ReplaceAll(got, " ", "") != one.typ {
			t.Errorf("%#v has type %s", one.in, got)
		}
		if got := must(v.MarshalJSON())(t); string(got) != one.text {
			t.Errorf("%#v is %s", one.in, got)
		}
		if one.in == nil {
			continue
		}
		back := reflect.New(reflect.TypeOf(one.in))
		if err := v.Decode(back.Interface()); err != nil {
			t.Errorf("%#v: %v", one.in, err)
		} else if got := back.Elem().Interface(); one.text != "-1000000000000000000000000000000" && !reflect.DeepEqual(got, plain(one.in)) {
			t.Errorf("%#v came back as %#v", one.in, back.Elem().Interface())
		}
	}
	var back big.Float
	if v := must(hcl.ValueOf(third))(t); v.Decode(&back) != nil || back.SetPrec(512).Cmp(third) != 0 {
		t.Errorf("a third is %s", back.Text('g', 160))
	}
}

func TestAnyIsPlainGo(t *testing.T) {
	v := must(must(hcl.Compile(`{ n = 1, x = 1.5, tenth = 0.1, big = 36893488147419103232, whole = 1e25, s = "x", l = [true, null] }`))(t).Eval(ctx, nil))(t)
	whole, _ := new(big.Int).SetString("10000000000000000000000000", 10)
	two65 := new(big.Int).Lsh(big.NewInt(1), 65)
	want := map[string]any{"n": int64(1), "x": 1.5, "tenth": 0.1, "big": two65, "whole": whole, "s": "x", "l": []any{true, nil}}
	if got := must(v.Any())(t); !reflect.DeepEqual(got, want) {
		t.Errorf("%#v", got)
	}
}

func TestDecodingConvertsAndComplains(t *testing.T) {
	eval := func(source string) hcl.Value { return must(must(hcl.Compile(source))(t).Eval(ctx, nil))(t) }
	var port uint16
	if err := eval(`"8080"`).Decode(&port); err != nil || port != 8080 {
		t.Error(err, port)
	}
	var set []string
	if err := eval(`["b", 1]`).Decode(&set); err != nil || !reflect.DeepEqual(set, []string{"b", "1"}) {
		t.Error(err, set)
	}
	var whole int8
	for source, want := range map[string]error{`1000`: hcl.ErrRange, `1.5`: hcl.ErrRange, `[]`: hcl.ErrType, `null`: hcl.ErrType} {
		if err := eval(source).Decode(&whole); !errors.Is(err, want) {
			t.Errorf("%s: %v", source, err)
		}
	}
	var server struct {
		Name  string      `hcl:"name"`
		Ports []int       `hcl:"ports,optional"`
		Raw   hcl.Value   `hcl:"raw"`
		Parts []hcl.Value `hcl:"parts,optional"`
		Other any         `hcl:"other,optional"`
	}
	if err := eval(`{ name = "x", raw = [1, "a"], parts = [1, "a"], other = { a = 1 } }`).Decode(&server); err != nil {
		t.Fatal(err)
	}
	if server.Name != "x" || server.Ports != nil || server.Raw.Type() != "tuple([number,string])" || len(server.Parts) != 2 ||
		!reflect.DeepEqual(server.Other, map[string]any{"a": int64(1)}) {
		t.Errorf("%+v", server)
	}
	if err := eval(`{ raw = 1 }`).Decode(&server); err == nil || !strings.Contains(err.Error(), "name") {
		t.Error(err)
	}
	var deep struct {
		A []struct {
			B int8 `hcl:"b"`
		} `hcl:"a"`
	}
	if err := eval(`{ a = [{ b = 1 }, { b = 200 }] }`).Decode(&deep); err == nil || !strings.Contains(err.Error(), "a[1].b: ") {
		t.Error(err)
	}
	if err := eval("1").Decode(whole); !errors.Is(err, hcl.ErrArgument) {
		t.Error(err)
	}
	unknown := must(hcl.Unknown("list(string)"))(t)
	if err := unknown.Decode(&set); !errors.Is(err, hcl.ErrUnknown) {
		t.Error(err)
	}
	secret := must(must(hcl.ValueOf("key"))(t).Mark("sensitive"))(t)
	var text string
	if err := secret.Decode(&text); !errors.Is(err, hcl.ErrMarked) || strings.Contains(secret.String(), "key") {
		t.Error(err, secret)
	}
	if err := must(secret.Unmark())(t).Decode(&text); err != nil || text != "key" {
		t.Error(err, text)
	}
}

func TestValuesAreRead(t *testing.T) {
	v := must(hcl.ValueOf(map[string]any{"b": []int{1, 2}, "a": true}))(t)
	var seen []string
	for key, one := range v.Entries() {
		seen = append(seen, key+":"+one.Kind().String())
	}
	if !reflect.DeepEqual(seen, []string{"a:bool", "b:list"}) {
		t.Error(seen)
	}
	sum := int64(0)
	for _, one := range v.Get("b").Elements() {
		sum += must(one.AsInt())(t)
	}
	if n, err := v.Len(); sum != 3 || n != 2 || err != nil {
		t.Error(sum, n, err)
	}
	if v.Get("c").Kind() != hcl.KindInvalid || v.Index(2).Kind() != hcl.KindInvalid {
		t.Error("parts that are not there")
	}
	if _, err := v.AsString(); !errors.Is(err, hcl.ErrType) {
		t.Error(err)
	}
	clone := must(v.Get("b").Clone())(t)
	v.Close()
	if got := clone.String(); !strings.Contains(got, "1") {
		t.Error(got)
	}
	typed := must(clone.TypedJSON())(t)
	if back := must(hcl.ValueFromTypedJSON(typed))(t); !back.Identical(clone) {
		t.Error(back)
	}
	if same := must(clone.Equal(must(hcl.ValueOf([]int{1, 2}))(t)))(t); !must(same.AsBool())(t) {
		t.Error(same)
	}
	if _, err := hcl.ValueFromJSON([]byte("{")); !errors.Is(err, hcl.ErrDiagnostics) {
		t.Error(err)
	}
	if got := must(must(hcl.ValueOf("5"))(t).Convert("number"))(t); got.Kind() != hcl.KindNumber {
		t.Error(got)
	}
	if _, err := clone.Convert("nonsense("); !errors.Is(err, hcl.ErrDiagnostics) {
		t.Error(err)
	}
	if _, err := clone.Convert("bool"); !errors.Is(err, hcl.ErrType) {
		t.Error(err)
	}
	if f := must(must(hcl.ValueFromJSON([]byte("0.1")))(t).AsBigFloat())(t); f.Text('f', -1) != "0.1" {
		t.Error(f.Text('f', -1))
	}
}

func TestHostileGoValues(t *testing.T) {
	var cycle []any
	cycle = append(cycle, nil, nil)
	cycle[0], cycle[1] = cycle, cycle
	pointer := any(nil)
	pointer = &pointer
	for what, one := range map[string]struct {
		in   any
		want error
	}{
		"a slice in itself":     {cycle, hcl.ErrLimit},
		"a pointer to itself":   {pointer, hcl.ErrLimit},
		"no number":             {math.NaN(), hcl.ErrRange},
		"no UTF-8":              {"\xff", hcl.ErrArgument},
		"no UTF-8 as key":       {map[string]int{"\xff": 1}, hcl.ErrArgument},
		"no number at all":      {json.Number("one"), hcl.ErrRange},
		"a function":            {func() {}, hcl.ErrType},
		"keys that are no text": {map[int]int{1: 1}, hcl.ErrType},
		"a complex number":      {[]any{1i}, hcl.ErrType},
	} {
		if _, err := hcl.ValueOf(one.in); !errors.Is(err, one.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, source := range []string{"\xff\xfe", "\x00", "${", strings.Repeat("[", 100000), strings.Repeat("(", 5000) + "1", `"${1e-100000}`} {
		if _, err := hcl.Compile(source); err == nil {
			t.Errorf("%.20q compiled", source)
		}
	}
	deep := any(1)
	for range 900 {
		deep = []any{deep}
	}
	v := must(hcl.ValueOf(deep))(t)
	if back := must(v.Any())(t); !reflect.DeepEqual(back, plain(deep)) {
		t.Error("a deep value came back otherwise")
	}
}

// plain is a value of Go as it comes back where its type is any.
func plain(v any) any {
	switch v := v.(type) {
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = plainInside(v[i])
		}
		return all
	case map[string]any:
		all := make(map[string]any)
		for key, one := range v {
			all[key] = plainInside(one)
		}
		return all
	}
	return v
}

func plainInside(v any) any {
	if i, ok := v.(int); ok {
		return int64(i)
	}
	return plain(v)
}

func TestReferencesOfAJob(t *testing.T) {
	p := must(hcl.Compile(`"${var.zone}-${ node.unique.name }-${upper(attr.arch)}"`, hcl.WithDialect("nomad")))(t)
	defer p.Close()
	for _, zone := range []string{"a", "b"} {
		text, err := p.EvalString(context.Background(), map[string]any{"var": map[string]any{"zone": zone}})
		if want := zone + "-${ node.unique.name }-${ATTR.ARCH}"; err != nil || text != want {
			t.Errorf("%q, %v, want %q", text, err, want)
		}
	}
	_, err := hcl.Compile("1", hcl.WithDialect("terraform-9.9"))
	if !errors.Is(err, hcl.ErrNotFound) || !strings.Contains(err.Error(), "there are "+strings.Join(hcl.Dialects(), ", ")) {
		t.Errorf("of a dialect that is not there is said: %v", err)
	}
	for _, name := range hcl.Dialects() {
		scope := must(hcl.NewScope(hcl.WithDialect(name)))(t)
		scope.Close()
	}
	older := must(hcl.Compile("[node.x]", hcl.WithDialect("nomad-1.9")))(t)
	defer older.Close()
	if err := older.EvalInto(context.Background(), nil, new([]string)); err != nil {
		t.Errorf("an older release has other references: %v", err)
	}
	scope := must(hcl.NewScope(hcl.WithRuntimeReferences(), hcl.WithVariables("zone")))(t)
	defer scope.Close()
	inner := must(hcl.Compile("[zone, node.x]", hcl.WithParent(scope)))(t)
	defer inner.Close()
	var texts []string
	err = inner.EvalInto(context.Background(), map[string]any{"zone": "a"}, &texts)
	if err != nil || !slices.Equal(texts, []string{"a", "${node.x}"}) {
		t.Errorf("%q, %v", texts, err)
	}
	left := must(hcl.Compile(`"${upper(node.x)}"`, hcl.WithUnknownLeft(), hcl.WithBuiltins(hcl.FunctionsHCL)))(t)
	defer left.Close()
	if text, err := left.EvalString(context.Background(), nil); err != nil || text != "${upper(node.x)}" {
		t.Errorf("%q, %v", text, err)
	}
}
