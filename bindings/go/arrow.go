package hcl

import (
	"context"
	"strconv"
	"unsafe"

	"libhcl.dev/go/internal/chcl"
)

// ArrowOptions say how [Program.EvalArrow] evaluates a table.
type ArrowOptions struct {
	// Format is the type of the results as a format of the Arrow C data interface: "b" for booleans, "l" for int64, "g" for
	// float64, "u" for text, "d:10,2" for decimals, and so on. Empty for the type that the results have.
	Format string
	// FirstErrorEnds makes the first row that fails the error of the whole.
	FirstErrorEnds bool
	// TimesAsNumbers makes dates and times the numbers that they are stored as, instead of texts.
	TimesAsNumbers bool
}

// ArrowOutcome tells what became of the rows of a table.
type ArrowOutcome struct {
	// Failed is the number of rows that failed; they are null in the results.
	Failed uint64
	// Diagnostics are what was said about rows, as many as the limits allow: see [Diagnostic.Row].
	Diagnostics Diagnostics
}

// Row is the row, from 0, that the diagnostic of an evaluation over a table is about; false for one that is about no row.
func (d Diagnostic) Row() (int64, bool) {
	row, err := strconv.ParseInt(d.Extra["row"], 10, 64)
	return row, err == nil
}

// EvalArrow evaluates the program once for each row of a table, in one call: the fastest way to evaluate a rule for every row.
// The table is a record batch in the structs of the Arrow C data interface, struct ArrowArray and struct ArrowSchema, which
// array and schema point to; they are only read. The results are written to the structs that outArray and outSchema point to,
// from where an Arrow library imports them; [ReleaseArrow] releases them otherwise. Package libhcl.dev/go/arrow does this with
// arrow-go.
//
// Columns give the variables of their names a value for each row, other variables come from variables, as for [Program.Eval]. A
// row that fails is null, and the others go on; deadlines and the limit on steps are those of the whole.
func (p *Program) EvalArrow(ctx context.Context, variables any, array, schema unsafe.Pointer, options ArrowOptions, outArray, outSchema unsafe.Pointer) (ArrowOutcome, error) {
	var outcome ArrowOutcome
	var flags uint32
	if options.FirstErrorEnds {
		flags |= chcl.ArrowFirstErrorEnds
	}
	if options.TimesAsNumbers {
		flags |= chcl.ArrowTimesAsNumbers
	}
	err := p.withNeeds(ctx, p.needs, variables, func(program *chcl.Program, frame *chcl.Frame, env uintptr) (chcl.Status, *chcl.Diags) {
		failed, status, diags := chcl.EvalArrow(program, frame, env, array, schema, flags, options.Format, outArray, outSchema)
		if status == chcl.OK {
			outcome.Failed = failed
			if diags != nil {
				outcome.Diagnostics = readDiagnostics(diags)
			}
		}
		return status, diags
	})
	return outcome, err
}

// ReleaseArrow releases what the structs hold that [Program.EvalArrow] has written, unless that was imported.
func ReleaseArrow(array, schema unsafe.Pointer) { chcl.ArrowRelease(array, schema) }
