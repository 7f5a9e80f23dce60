// The reference as a contender: makes pieces of work and runs them when told to, a line for each.
//
//	make <tab> KIND <tab> ARGUMENT    answers the number of the piece, or what is wrong
//	run <tab> PIECE <tab> TIMES       answers the nanoseconds of processor time that it took
//	value <tab> EXPRESSION            answers the value as JSON
//
// Processor time is that of the whole process, so the garbage collector is in it.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Keeps what pieces make from being optimised away.
var sink any

var context = &hcl.EvalContext{Functions: map[string]function.Function{
	"upper": stdlib.UpperFunc, "join": stdlib.JoinFunc, "format": stdlib.FormatFunc, "merge": stdlib.MergeFunc,
}}

// What blocks are decoded by: the same as in benches/src/linear.rs.
var services = &hcldec.BlockMapSpec{
	TypeName:   "service",
	LabelNames: []string{"name"},
	Nested: hcldec.ObjectSpec{
		"port": &hcldec.AttrSpec{Name: "port", Type: cty.Number, Required: true},
		"host": &hcldec.AttrSpec{Name: "host", Type: cty.String},
	},
}

func fromJSON(text []byte) (cty.Value, error) {
	ty, err := ctyjson.ImpliedType(text)
	if err != nil {
		return cty.NilVal, err
	}
	return ctyjson.Unmarshal(text, ty)
}

func parseExpression(text string) (hclsyntax.Expression, error) {
	expr, diags := hclsyntax.ParseExpression([]byte(text), "expression", hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	return expr, nil
}

func evaluate(expr hclsyntax.Expression) (cty.Value, error) {
	value, diags := expr.Value(context)
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	return value, nil
}

// The work of a kind; it has been done once when this returns.
func makePiece(kind, argument string) (func() error, error) {
	var text []byte
	if rest, isFile := strings.CutPrefix(argument, "@"); isFile {
		content, err := os.ReadFile(rest)
		if err != nil {
			return nil, err
		}
		text = content
	}
	switch kind {
	case "variables":
		value, err := fromJSON(text)
		if err != nil {
			return nil, err
		}
		context.Variables = value.AsValueMap()
		return func() error { return nil }, nil
	case "parse":
		return func() error {
			file, diags := hclsyntax.ParseConfig(text, "input", hcl.InitialPos)
			sink = file
			return problem(diags)
		}, nil
	case "parse-all":
		texts := strings.Split(string(text), "\x00")
		return func() error {
			for _, text := range texts {
				file, diags := hclsyntax.ParseConfig([]byte(text), "input", hcl.InitialPos)
				sink = file
				if diags.HasErrors() {
					return diags
				}
			}
			return nil
		}, nil
	case "format":
		return func() error { sink = hclwrite.Format(text); return nil }, nil
	case "decode":
		file, diags := hclsyntax.ParseConfig(text, "input", hcl.InitialPos)
		if diags.HasErrors() {
			return nil, diags
		}
		return func() error {
			value, diags := hcldec.Decode(file.Body, services, nil)
			sink = value
			return problem(diags)
		}, nil
	case "parse-json":
		return func() error {
			file, diags := hcljson.Parse(text, "input.json")
			sink = file
			return problem(diags)
		}, nil
	case "value-of-json":
		return func() error {
			value, err := fromJSON(text)
			sink = value
			return err
		}, nil
	case "evaluate":
		expr, err := parseExpression(argument)
		if err != nil {
			return nil, err
		}
		return func() error {
			value, err := evaluate(expr)
			sink = value
			return err
		}, nil
	case "prepare":
		return func() error {
			expr, err := parseExpression(argument)
			sink = expr
			return err
		}, nil
	case "number":
		return makeArithmetic(argument)
	}
	return nil, errors.New("no such kind")
}

// Two numbers that fill 512 bits, and an operation on them.
func makeArithmetic(operation string) (func() error, error) {
	number := func(text string) *big.Float {
		number, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
		if err != nil {
			panic(err)
		}
		return number
	}
	a, b := number("1234567.1"), number("0.3")
	switch operation {
	case "add":
		return func() error { sink = new(big.Float).Add(a, b); return nil }, nil
	case "mul":
		return func() error { sink = new(big.Float).Mul(a, b); return nil }, nil
	case "div":
		return func() error { sink = new(big.Float).Quo(a, b); return nil }, nil
	}
	return nil, errors.New("no such operation")
}

func problem(diags hcl.Diagnostics) error {
	if diags.HasErrors() {
		return diags
	}
	return nil
}

func processorTime() int64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return used.Utime.Nano() + used.Stime.Nano()
}

func value(text string) (string, error) {
	expr, err := parseExpression(text)
	if err != nil {
		return "", err
	}
	value, err := evaluate(expr)
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(ctyjson.SimpleJSONValue{Value: value})
	return string(plain), err
}

var pieces []func() error

func answer(words []string) (string, error) {
	switch {
	case words[0] == "make" && len(words) == 3:
		piece, err := makePiece(words[1], words[2])
		if err != nil {
			return "", err
		}
		if err := piece(); err != nil {
			return "", err
		}
		pieces = append(pieces, piece)
		return strconv.Itoa(len(pieces) - 1), nil
	case words[0] == "run" && len(words) == 3:
		index, err := strconv.Atoi(words[1])
		if err != nil || index >= len(pieces) {
			return "", errors.New("no such piece")
		}
		times, err := strconv.Atoi(words[2])
		if err != nil {
			return "", err
		}
		piece, start := pieces[index], processorTime()
		for range times {
			if err := piece(); err != nil {
				return "", err
			}
		}
		return strconv.FormatInt(processorTime()-start, 10), nil
	case words[0] == "value" && len(words) == 2:
		return value(words[1])
	}
	return "", errors.New("no such command")
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		text, err := answer(strings.Split(lines.Text(), "\t"))
		if err != nil {
			text = "error " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Println(text)
	}
}
