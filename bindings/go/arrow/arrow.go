// Package arrow evaluates programs of package hcl over record batches of arrow-go. It is a module of its own, so that programs
// without tables do without arrow-go.
package arrow

import (
	"context"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/cdata"
	hcl "libhcl.dev/go"
)

// Over evaluates a program once for each row of a record batch, as [hcl.Program.EvalArrow] does. The caller releases the results,
// which are null for rows that failed.
func Over(ctx context.Context, program *hcl.Program, variables any, batch arrow.RecordBatch, options hcl.ArrowOptions) (arrow.Array, hcl.ArrowOutcome, error) {
	var in, out cdata.CArrowArray
	var inSchema, outSchema cdata.CArrowSchema
	cdata.ExportArrowRecordBatch(batch, &in, &inSchema)
	defer hcl.ReleaseArrow(unsafe.Pointer(&in), unsafe.Pointer(&inSchema))
	outcome, err := program.EvalArrow(ctx, variables, unsafe.Pointer(&in), unsafe.Pointer(&inSchema), options, unsafe.Pointer(&out), unsafe.Pointer(&outSchema))
	if err != nil {
		return nil, outcome, err
	}
	_, results, err := cdata.ImportCArray(&out, &outSchema)
	if err != nil {
		hcl.ReleaseArrow(unsafe.Pointer(&out), unsafe.Pointer(&outSchema))
		return nil, outcome, err
	}
	return results, outcome, nil
}
