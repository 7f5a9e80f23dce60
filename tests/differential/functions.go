package main

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// The reference's library, under the names that our dialect "hcl" gives it.
var library = map[string]function.Function{
	"abs":                    stdlib.AbsoluteFunc,
	"can":                    tryfunc.CanFunc,
	"ceil":                   stdlib.CeilFunc,
	"chomp":                  stdlib.ChompFunc,
	"chunklist":              stdlib.ChunklistFunc,
	"coalesce":               stdlib.CoalesceFunc,
	"coalescelist":           stdlib.CoalesceListFunc,
	"compact":                stdlib.CompactFunc,
	"concat":                 stdlib.ConcatFunc,
	"contains":               stdlib.ContainsFunc,
	"csvdecode":              stdlib.CSVDecodeFunc,
	"distinct":               stdlib.DistinctFunc,
	"element":                stdlib.ElementFunc,
	"flatten":                stdlib.FlattenFunc,
	"floor":                  stdlib.FloorFunc,
	"format":                 stdlib.FormatFunc,
	"formatdate":             stdlib.FormatDateFunc,
	"formatlist":             stdlib.FormatListFunc,
	"indent":                 stdlib.IndentFunc,
	"index":                  stdlib.IndexFunc,
	"join":                   stdlib.JoinFunc,
	"jsondecode":             stdlib.JSONDecodeFunc,
	"jsonencode":             stdlib.JSONEncodeFunc,
	"keys":                   stdlib.KeysFunc,
	"length":                 stdlib.LengthFunc,
	"log":                    stdlib.LogFunc,
	"lookup":                 stdlib.LookupFunc,
	"lower":                  stdlib.LowerFunc,
	"max":                    stdlib.MaxFunc,
	"merge":                  stdlib.MergeFunc,
	"min":                    stdlib.MinFunc,
	"parseint":               stdlib.ParseIntFunc,
	"pow":                    stdlib.PowFunc,
	"range":                  stdlib.RangeFunc,
	"regex":                  stdlib.RegexFunc,
	"regexall":               stdlib.RegexAllFunc,
	"regex_replace":          stdlib.RegexReplaceFunc,
	"replace":                stdlib.ReplaceFunc,
	"reverse":                stdlib.ReverseListFunc,
	"setintersection":        stdlib.SetIntersectionFunc,
	"setproduct":             stdlib.SetProductFunc,
	"setsubtract":            stdlib.SetSubtractFunc,
	"setsymmetricdifference": stdlib.SetSymmetricDifferenceFunc,
	"setunion":               stdlib.SetUnionFunc,
	"signum":                 stdlib.SignumFunc,
	"slice":                  stdlib.SliceFunc,
	"sort":                   stdlib.SortFunc,
	"split":                  stdlib.SplitFunc,
	"strlen":                 stdlib.StrlenFunc,
	"strrev":                 stdlib.ReverseFunc,
	"substr":                 stdlib.SubstrFunc,
	"timeadd":                stdlib.TimeAddFunc,
	"title":                  stdlib.TitleFunc,
	"tobool":                 stdlib.MakeToFunc(cty.Bool),
	"tolist":                 stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)),
	"tomap":                  stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
	"tonumber":               stdlib.MakeToFunc(cty.Number),
	"toset":                  stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)),
	"tostring":               stdlib.MakeToFunc(cty.String),
	"trim":                   stdlib.TrimFunc,
	"trimprefix":             stdlib.TrimPrefixFunc,
	"trimspace":              stdlib.TrimSpaceFunc,
	"trimsuffix":             stdlib.TrimSuffixFunc,
	"try":                    tryfunc.TryFunc,
	"upper":                  stdlib.UpperFunc,
	"values":                 stdlib.ValuesFunc,
	"zipmap":                 stdlib.ZipmapFunc,
}

// The functions of our dialect "hcl-test"; suggestions and namespaces depend on this set.
var testNames = []string{
	"can", "coalesce", "concat", "element", "flatten", "format", "join", "jsonencode", "keys", "length", "lookup", "lower", "max",
	"merge", "min", "range", "split", "substr", "tobool", "tolist", "tomap", "tonumber", "toset", "tostring", "try", "upper", "values",
}

var dialects = map[string]map[string]function.Function{"hcl": library, "hcl-test": testLibrary()}

func testLibrary() map[string]function.Function {
	table := map[string]function.Function{"ns::upper": stdlib.UpperFunc}
	for _, name := range testNames {
		table[name] = library[name]
	}
	return table
}

// The makers: what variables may be built from, and no expression can.
var makers = map[string]function.Function{
	"unknown": ofType(cty.UnknownVal),
	"null_of": ofType(cty.NullVal),
	"marked": function.New(&function.Spec{
		Params: []function.Parameter{anything("value"), {Name: "mark", Type: cty.String}},
		Type:   typeOfFirst,
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return args[0].Mark(args[1].AsString()), nil },
	}),
	"typed": function.New(&function.Spec{
		Params: []function.Parameter{{Name: "type", Type: customdecode.ExpressionType}, anything("value")},
		Type:   func([]cty.Value) (cty.Type, error) { return cty.DynamicPseudoType, nil },
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			ty, err := typeArgument(args[0])
			if err != nil {
				return cty.DynamicVal, err
			}
			return convert.Convert(args[1], ty)
		},
	}),
	"refine": function.New(&function.Spec{
		Params: []function.Parameter{anything("value"), {Name: "facts", Type: cty.DynamicPseudoType}},
		Type:   typeOfFirst,
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return refined(args[0], args[1]) },
	}),
}

func anything(name string) function.Parameter {
	return function.Parameter{
		Name: name, Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true, AllowMarked: true,
	}
}

func typeOfFirst(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil }

func typeArgument(argument cty.Value) (cty.Type, error) {
	ty, diags := typeexpr.TypeConstraint(customdecode.ExpressionFromVal(argument))
	if diags.HasErrors() {
		return ty, diags
	}
	return ty, nil
}

func ofType(construct func(cty.Type) cty.Value) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "type", Type: customdecode.ExpressionType}},
		Type: func(args []cty.Value) (cty.Type, error) {
			return typeArgument(args[0])
		},
		Impl: func(_ []cty.Value, ty cty.Type) (cty.Value, error) { return construct(ty), nil },
	})
}

// refined adds facts to an unknown; contradictions are an error.
func refined(value, facts cty.Value) (result cty.Value, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("refine: %v", problem)
		}
	}()
	builder := value.Refine()
	for name, fact := range facts.AsValueMap() {
		whole := func() int {
			count, _ := fact.AsBigFloat().Int64()
			return int(count)
		}
		switch name {
		case "not_null":
			if fact.True() {
				builder = builder.NotNull()
			}
		case "prefix":
			builder = builder.StringPrefixFull(fact.AsString())
		case "min", "above":
			builder = builder.NumberRangeLowerBound(fact, name == "min")
		case "max", "below":
			builder = builder.NumberRangeUpperBound(fact, name == "max")
		case "len_min":
			builder = builder.CollectionLengthLowerBound(whole())
		case "len_max":
			builder = builder.CollectionLengthUpperBound(whole())
		}
	}
	return builder.NewValue(), nil
}

// scopeOf is the reference's evaluation context for an input.
func scopeOf(input *Input) (*hcl.EvalContext, error) {
	functions := dialects[input.Dialect]
	variables, err := definitions(input.Vars, functions)
	if err != nil {
		return nil, err
	}
	switch input.Context {
	case "none":
		return nil, nil
	case "novars":
		return &hcl.EvalContext{Functions: functions}, nil
	case "nofuncs":
		return &hcl.EvalContext{Variables: variables}, nil
	case "child":
		outer, err := definitions(input.OuterVars, functions)
		if err != nil {
			return nil, err
		}
		child := (&hcl.EvalContext{Variables: outer, Functions: functions}).NewChild()
		child.Variables = variables
		return child, nil
	default:
		return &hcl.EvalContext{Variables: variables, Functions: functions}, nil
	}
}
