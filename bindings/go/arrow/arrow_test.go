package arrow_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	hcl "libhcl.dev/go"
	harrow "libhcl.dev/go/arrow"
)

var ctx = context.Background()

// people is a record batch of three rows; the second age is null.
func people(mem memory.Allocator) arrow.RecordBatch {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "name", Type: arrow.BinaryTypes.String},
		{Name: "age", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "photo", Type: arrow.BinaryTypes.Binary},
	}, nil)
	b := array.NewRecordBuilder(mem, schema)
	defer b.Release()
	b.Field(0).(*array.StringBuilder).AppendValues([]string{"ann", "bob", "eve"}, nil)
	b.Field(1).(*array.Int32Builder).AppendValues([]int32{17, 0, 18}, []bool{true, false, true})
	b.Field(2).(*array.BinaryBuilder).AppendValues([][]byte{{0xff}, nil, {1}}, nil)
	return b.NewRecordBatch()
}

func TestOver(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	batch := people(mem)
	defer batch.Release()
	for _, test := range []struct {
		source, format, expected string
		failed                   uint64
	}{
		{"age >= limit", "", "[false (null) true]", 1},
		{"age == null || name == \"ann\"", "", "[true true false]", 0},
		{"upper(name)", "", `["ANN" "BOB" "EVE"]`, 0},
		{"age == null ? 0 : age / 2", "g", "[8.5 0 9]", 0},
		{"[name, age]", "", `[["ann" "17"] ["bob" (null)] ["eve" "18"]]`, 0},
	} {
		program, err := hcl.Compile(test.source, hcl.WithBuiltins(hcl.FunctionsTerraform))
		if err != nil {
			t.Fatal(err)
		}
		results, outcome, err := harrow.Over(ctx, program, map[string]any{"limit": 18}, batch, hcl.ArrowOptions{Format: test.format})
		if err != nil {
			t.Errorf("%s: %v", test.source, err)
			continue
		}
		if text := fmt.Sprint(results); text != test.expected || outcome.Failed != test.failed {
			t.Errorf("%s: %s with %d failures, not %s", test.source, text, outcome.Failed, test.expected)
		}
		for _, said := range outcome.Diagnostics {
			if row, ok := said.Row(); !ok || row != 1 {
				t.Errorf("%s: %v is about row %d, %t", test.source, said, row, ok)
			}
		}
		results.Release()
		program.Close()
	}
}

func TestOverRefuses(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	batch := people(mem)
	defer batch.Release()
	for source, options := range map[string]hcl.ArrowOptions{
		"photo":   {},
		"age + 1": {FirstErrorEnds: true},
	} {
		program, err := hcl.Compile(source)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := harrow.Over(ctx, program, nil, batch, options); !errors.Is(err, hcl.ErrDiagnostics) {
			t.Errorf("%s: %v", source, err)
		}
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		if _, _, err := harrow.Over(cancelled, program, nil, batch, options); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", source, err)
		}
		program.Close()
	}
}
