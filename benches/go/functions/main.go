// What the reference's functions cost at growing sizes: a line of name, size and nanoseconds for each.
//
// The arguments are those of benches/src/growth.rs. A function that takes too long at one size is not measured at
// the next: several grow with the square of the size.
package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	yaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// A call that takes longer is the last of its function.
const patience = 500 * time.Millisecond

type call struct {
	name      string
	function  function.Function
	arguments func(a arguments) []cty.Value
}

// The arguments of one size.
type arguments struct {
	strings, others, twice, few, few2, tuple, nested, set, set2, numbers, numbers2, bools cty.Value
	map1, map2, object, last, text, csv, json, yaml                                       cty.Value
	allNumbers                                                                            []cty.Value
	n                                                                                     int
}

func makeArguments(n int) arguments {
	item := func(i int) string { return fmt.Sprintf("item-%07d", i*7919%n) }
	other := func(i int) string { return fmt.Sprintf("item-%07d", i*7919%n+n/2) }
	texts := func(n int, one func(int) string) []cty.Value {
		all := make([]cty.Value, n)
		for i := range all {
			all[i] = cty.StringVal(one(i))
		}
		return all
	}
	counted := func(from int) []cty.Value {
		all := make([]cty.Value, n)
		for i := range all {
			all[i] = cty.NumberIntVal(int64(i*7919%n + from))
		}
		return all
	}
	entries := func(key func(int) string) map[string]cty.Value {
		all := make(map[string]cty.Value, n)
		for i := range n {
			all[key(i)] = cty.StringVal(fmt.Sprintf("value-%d", i))
		}
		return all
	}
	lines := func(line func(int) string) string {
		var all strings.Builder
		for i := range n {
			all.WriteString(line(i))
		}
		return all.String()
	}
	var nested []cty.Value
	for i := range n / 10 {
		nested = append(nested, cty.TupleVal(texts(10, func(j int) string { return item(i*10 + j) })))
	}
	bools := make([]cty.Value, n)
	for i := range bools {
		bools[i] = cty.True
	}
	var words []string
	for i := range n {
		words = append(words, item(i))
	}
	few := int(math.Sqrt(float64(n)))
	return arguments{
		strings: cty.ListVal(texts(n, item)), others: cty.ListVal(texts(n, other)),
		twice: cty.ListVal(texts(n, func(i int) string { return item(i / 2) })),
		few:   cty.ListVal(texts(few, item)), few2: cty.ListVal(texts(few, other)),
		tuple: cty.TupleVal(texts(n, item)), nested: cty.TupleVal(nested),
		set: cty.SetVal(texts(n, item)), set2: cty.SetVal(texts(n, other)),
		numbers: cty.ListVal(counted(0)), numbers2: cty.ListVal(counted(n / 2)), bools: cty.ListVal(bools),
		map1: cty.MapVal(entries(item)), map2: cty.MapVal(entries(other)), object: cty.ObjectVal(entries(item)),
		last: cty.StringVal(item(n - 1)), text: cty.StringVal(strings.Join(words, " ")),
		csv:        cty.StringVal("a,b\n" + lines(func(i int) string { return fmt.Sprintf("%s,%d\n", item(i), i) })),
		json:       cty.StringVal("[" + lines(func(i int) string { return fmt.Sprintf(`{"a":"%s","b":%d},`, item(i), i) }) + "0]"),
		yaml:       cty.StringVal(lines(func(i int) string { return fmt.Sprintf("- a: %s\n  b: %d\n", item(i), i) })),
		allNumbers: counted(0), n: n,
	}
}

func list(values ...cty.Value) []cty.Value { return values }

// The lists as sets: what a conversion of the arguments would make of them.
func asSet(value cty.Value) cty.Value { return cty.SetVal(value.AsValueSlice()) }

var calls = []call{
	{"chunklist", stdlib.ChunklistFunc, func(a arguments) []cty.Value { return list(a.strings, cty.NumberIntVal(10)) }},
	{"coalescelist", stdlib.CoalesceListFunc, func(a arguments) []cty.Value { return list(cty.EmptyTupleVal, a.strings) }},
	{"compact", stdlib.CompactFunc, func(a arguments) []cty.Value { return list(a.strings) }},
	{"concat", stdlib.ConcatFunc, func(a arguments) []cty.Value { return list(a.strings, a.others) }},
	{"concat_tuples", stdlib.ConcatFunc, func(a arguments) []cty.Value { return list(a.tuple, a.tuple) }},
	{"contains", stdlib.ContainsFunc, func(a arguments) []cty.Value { return list(a.strings, cty.StringVal("none")) }},
	{"csvdecode", stdlib.CSVDecodeFunc, func(a arguments) []cty.Value { return list(a.csv) }},
	{"distinct", stdlib.DistinctFunc, func(a arguments) []cty.Value { return list(a.strings) }},
	{"distinct_half", stdlib.DistinctFunc, func(a arguments) []cty.Value { return list(a.twice) }},
	{"flatten", stdlib.FlattenFunc, func(a arguments) []cty.Value { return list(a.nested) }},
	{"formatlist", stdlib.FormatListFunc, func(a arguments) []cty.Value { return list(cty.StringVal("%s=%s"), a.strings, a.others) }},
	{"join", stdlib.JoinFunc, func(a arguments) []cty.Value { return list(cty.StringVal(","), a.strings) }},
	{"jsondecode", stdlib.JSONDecodeFunc, func(a arguments) []cty.Value { return list(a.json) }},
	{"jsonencode", stdlib.JSONEncodeFunc, func(a arguments) []cty.Value { return list(a.object) }},
	{"keys", stdlib.KeysFunc, func(a arguments) []cty.Value { return list(a.map1) }},
	{"keys_object", stdlib.KeysFunc, func(a arguments) []cty.Value { return list(a.object) }},
	{"lookup", stdlib.LookupFunc, func(a arguments) []cty.Value { return list(a.map1, a.last, cty.StringVal("")) }},
	{"max", stdlib.MaxFunc, func(a arguments) []cty.Value { return a.allNumbers }},
	{"merge", stdlib.MergeFunc, func(a arguments) []cty.Value { return list(a.map1, a.map2) }},
	{"merge_objects", stdlib.MergeFunc, func(a arguments) []cty.Value {
		return list(a.object, cty.ObjectVal(map[string]cty.Value{"extra": cty.NumberIntVal(1)}))
	}},
	{"regexall", stdlib.RegexAllFunc, func(a arguments) []cty.Value { return list(cty.StringVal("[0-9]+"), a.text) }},
	{"replace", stdlib.ReplaceFunc, func(a arguments) []cty.Value {
		return list(a.text, cty.StringVal("item"), cty.StringVal("thing"))
	}},
	{"reverse", stdlib.ReverseListFunc, func(a arguments) []cty.Value { return list(a.strings) }},
	{"setintersection", stdlib.SetIntersectionFunc, func(a arguments) []cty.Value { return list(a.set, a.set2) }},
	{"setproduct", stdlib.SetProductFunc, func(a arguments) []cty.Value { return list(a.few, a.few2) }},
	{"setproduct_sets", stdlib.SetProductFunc, func(a arguments) []cty.Value { return list(asSet(a.few), asSet(a.few2)) }},
	{"setsubtract", stdlib.SetSubtractFunc, func(a arguments) []cty.Value { return list(a.set, a.set2) }},
	{"setunion", stdlib.SetUnionFunc, func(a arguments) []cty.Value { return list(a.set, a.set2) }},
	{"setunion_numbers", stdlib.SetUnionFunc, func(a arguments) []cty.Value { return list(asSet(a.numbers), asSet(a.numbers2)) }},
	{"slice", stdlib.SliceFunc, func(a arguments) []cty.Value {
		return list(a.strings, cty.NumberIntVal(1), cty.NumberIntVal(int64(a.n)))
	}},
	{"sort", stdlib.SortFunc, func(a arguments) []cty.Value { return list(a.strings) }},
	{"split", stdlib.SplitFunc, func(a arguments) []cty.Value { return list(cty.StringVal(" "), a.text) }},
	{"strrev", stdlib.ReverseFunc, func(a arguments) []cty.Value { return list(a.text) }},
	{"substr", stdlib.SubstrFunc, func(a arguments) []cty.Value {
		return list(a.text, cty.NumberIntVal(-20), cty.NumberIntVal(10))
	}},
	{"title", stdlib.TitleFunc, func(a arguments) []cty.Value { return list(a.text) }},
	{"tolist", stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)), func(a arguments) []cty.Value { return list(a.set) }},
	{"tomap", stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)), func(a arguments) []cty.Value { return list(a.object) }},
	{"toset", stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)), func(a arguments) []cty.Value { return list(a.strings) }},
	{"values", stdlib.ValuesFunc, func(a arguments) []cty.Value { return list(a.map1) }},
	{"yamldecode", yaml.YAMLDecodeFunc, func(a arguments) []cty.Value { return list(a.yaml) }},
	{"yamlencode", yaml.YAMLEncodeFunc, func(a arguments) []cty.Value { return list(a.strings) }},
	{"zipmap", stdlib.ZipmapFunc, func(a arguments) []cty.Value { return list(a.strings, a.others) }},
}

// The processor time of this process so far, that of the garbage collector included.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// The least mean of some samples, and whether the next size is worth waiting for.
func measure(one call, values []cty.Value) (time.Duration, bool) {
	const sample = 10 * time.Millisecond
	least := time.Duration(math.MaxInt64)
	for range 3 {
		start, took, n := processorTime(), time.Duration(0), 0
		for took < sample {
			if _, err := one.function.Call(values); err != nil {
				fmt.Fprintln(os.Stderr, one.name, err)
				os.Exit(1)
			}
			n++
			took = processorTime() - start
		}
		least = min(least, took/time.Duration(n))
		if least > sample {
			break
		}
	}
	return least, least < patience
}

func main() {
	only := os.Args[1:]
	tooSlow := map[string]bool{}
	for _, n := range []int{1_000, 10_000, 100_000} {
		a := makeArguments(n)
		for _, one := range calls {
			if tooSlow[one.name] || (len(only) > 0 && !slices.Contains(only, one.name)) {
				continue
			}
			took, goOn := measure(one, one.arguments(a))
			tooSlow[one.name] = !goOn
			fmt.Printf("%s\t%d\t%d\n", one.name, n, took.Nanoseconds())
		}
	}
}
