// Package inputs has what both sides are measured with: the variables and expressions of benches/src.
package inputs

import "fmt"

// Variables are the attributes of `var`: 124 KB as JSON.
func Variables() map[string]any {
	words := []string{"alpha", "bravo", "core", "data", "edge", "fleet", "gate", "hub", "infra", "job"}
	word := func(i int) any {
		if i%10 == 3 {
			return ""
		}
		return fmt.Sprintf("%s-%d", words[i%10], i)
	}
	machine := func(i int) any {
		return map[string]any{"id": fmt.Sprintf("i-%08x", i), "name": fmt.Sprintf("node-%d", i),
			"zone": fmt.Sprintf("zone-%d", i%7), "enabled": i%3 != 0, "size": i * 37 % 500}
	}
	list := func(n int, one func(int) any) []any {
		all := make([]any, n)
		for i := range all {
			all[i] = one(i)
		}
		return all
	}
	texts := func(n int, key, value string) map[string]any {
		all := make(map[string]any, n)
		for i := range n {
			all[fmt.Sprint(key, i)] = fmt.Sprint(value, i)
		}
		return all
	}
	return map[string]any{
		"a":   map[string]any{"b": map[string]any{"c": 42}},
		"env": "prod", "count": 5, "prefix": "acme", "region": "eu-west-1",
		"list10": list(10, word), "list1000": list(1000, word),
		"objs10": list(10, machine), "objs1000": list(1000, machine),
		"map1000": texts(1000, "key", "value"), "tags": texts(6, "tag", "v"),
	}
}

// The expressions.
const (
	BoolCmp       = `var.env == "prod" && var.count > 3`
	Template5     = `"${var.prefix}-${var.region}-${var.env}-${var.count}.${var.a.b.c}"`
	ForFilter1000 = `[for o in var.objs1000 : o.size * 1.5 if o.enabled && o.size > 100]`
	RowCondition  = `level > 3 && path != "/"`
)

// Servers is a file of n blocks with four attributes each.
func Servers(n int) []byte {
	var text []byte
	for i := range n {
		text = fmt.Appendf(text, "server \"s%d\" {\n  host   = \"10.0.%d.%d\"\n  port   = %d\n  tls    = %t\n  weight = %d.5\n}\n",
			i, i/256, i%256, 8000+i, i%2 == 0, i%10)
	}
	return text
}
