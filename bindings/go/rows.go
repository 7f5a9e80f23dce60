package hcl

import (
	"context"
	"maps"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"libhcl.dev/go/internal/chcl"
)

// Columns give variables a value for each row: slices of one length, by name.
type Columns map[string]any

// Cell is the result of one row: a scalar in place, anything else a [Value]. Err says why the row has none.
type Cell struct {
	Err   error
	tag   byte
	bits  uint64
	text  string
	value Value
}

// Kind is what the result is.
func (c Cell) Kind() Kind {
	switch c.tag {
	case 'n':
		return KindNull
	case 't', 'f':
		return KindBool
	case 'i', 'w', 'd':
		return KindNumber
	case 's':
		return KindString
	case 'v':
		return c.value.Kind()
	}
	return KindInvalid
}

// Bool reads a bool; false if the result is none.
func (c Cell) Bool() bool { return c.tag == 't' }

// Int reads a whole number; false if the result is none, or does not fit.
func (c Cell) Int() (int64, bool) { return int64(c.bits), c.tag == 'i' }

// Float reads a number that a float64 is near to.
func (c Cell) Float() (float64, bool) {
	switch c.tag {
	case 'i':
		return float64(int64(c.bits)), true
	case 'w':
		return float64(c.bits), true
	case 'd':
		return math.Float64frombits(c.bits), true
	case 'v':
		x, err := c.value.AsFloat()
		return x, err == nil
	}
	return 0, false
}

// Text reads a text; empty if the result is none.
func (c Cell) Text() string { return c.text }

// Value is a result that is no scalar: a collection, a number with many digits, something unknown or marked. The zero
// Value for scalars.
func (c Cell) Value() Value { return c.value }

// Any is the result as plain Go, as [Value.Any].
func (c Cell) Any() (any, error) {
	switch c.tag {
	case 't', 'f':
		return c.tag == 't', nil
	case 'i':
		return int64(c.bits), nil
	case 'w':
		return new(big.Int).SetUint64(c.bits), nil
	case 'd':
		return math.Float64frombits(c.bits), nil
	case 's':
		return c.text, nil
	case 'v':
		return c.value.Any()
	}
	return nil, c.Err
}

// EvalRows evaluates the program once for each row of columns, in one call into the library; this is how many small
// evaluations are cheapest. Variables that are no columns come from variables, as for [Program.Eval].
//
// A row that fails has an Err, the others go on; the error of the whole is a wrong argument, a deadline or a
// cancellation. Limits are for each row, deadlines for all.
func (p *Program) EvalRows(ctx context.Context, variables any, columns Columns) ([]Cell, error) {
	b, err := p.batch(columns)
	if err != nil {
		return nil, err
	}
	defer b.encoder.done()
	var cells []Cell
	rest := slices.DeleteFunc(slices.Clone(p.needs), func(n need) bool {
		_, ok := columns[n.name]
		return ok
	})
	err = p.withNeeds(ctx, rest, variables, func(program *chcl.Program, frame *chcl.Frame, env uintptr) (chcl.Status, *chcl.Diags) {
		results, diags := chcl.EvalRows(program, frame, env, b.encoder.wire, b.slots, b.rows)
		defer results.Free()
		if results.Status != chcl.OK {
			return results.Status, diags
		}
		cells = readCells(results.View(), b.rows, diags)
		return chcl.OK, diags
	})
	return cells, err
}

// batch is what rows pass to C.
type batch struct {
	encoder encoder
	slots   []uintptr
	rows    int
}

// batch writes the columns that the program needs, row by row.
func (p *Program) batch(columns Columns) (*batch, error) {
	b := &batch{rows: -1}
	var writers []func(int) error
	var names []string
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		column := reflect.ValueOf(columns[name])
		if column.Kind() != reflect.Slice {
			return nil, valueErrorf(ErrArgument, "the column %q is a %T, not a slice", name, columns[name])
		}
		if b.rows >= 0 && b.rows != column.Len() {
			return nil, valueErrorf(ErrArgument, "the column %q has %d rows, others have %d", name, column.Len(), b.rows)
		}
		b.rows = column.Len()
		if slot := p.scope.Slot(name); slot >= 0 {
			b.slots = append(b.slots, uintptr(slot))
			names = append(names, name)
			writers = append(writers, b.encoder.column(columns[name], column))
		}
	}
	b.rows = max(0, b.rows)
	for row := range b.rows {
		for i, write := range writers {
			if err := write(row); err != nil {
				b.encoder.done()
				return nil, atStep("."+names[i], atStep("["+strconv.Itoa(row)+"]", err))
			}
		}
	}
	return b, nil
}

// column writes the value of one column in a row.
func (e *encoder) column(typed any, column reflect.Value) func(int) error {
	switch typed := typed.(type) {
	case []bool:
		return func(row int) error { e.truth(typed[row]); return nil }
	case []int:
		return func(row int) error { e.integer(int64(typed[row])); return nil }
	case []int64:
		return func(row int) error { e.integer(typed[row]); return nil }
	case []float64:
		return func(row int) error { return e.float(typed[row]) }
	case []string:
		return func(row int) error { return e.text('s', typed[row]) }
	case []any:
		return func(row int) error { return e.value(typed[row]) }
	}
	return func(row int) error { return e.reflected(column.Index(row)) }
}

func readCells(view []byte, rows int, diags *chcl.Diags) []Cell {
	var said Diagnostics
	if diags != nil {
		said = readDiagnostics(diags)
	}
	// One copy holds the texts of all rows.
	all := string(view)
	d := decoder{words{view}, false}
	cells := make([]Cell, rows)
	var failed []int
	for i := range cells {
		c := &cells[i]
		c.tag = d.head().tag
		switch c.tag {
		case 'i', 'w', 'd':
			c.bits = d.word()
		case 's':
			end := d.view()
			at := len(view) - len(d.bytes) - len(end)
			c.text = all[at : at+len(end)]
		case 'v':
			object := (*chcl.Value)(d.pointer())
			c.value = newValue(object)
		case 'E':
			c.bits = d.word()
			failed = append(failed, i)
		}
	}
	for i, row := range failed {
		first, last := cells[row].bits, uint64(len(said))
		if i+1 < len(failed) {
			last = min(last, cells[failed[i+1]].bits)
		}
		e := &Error{Status: ErrDiagnostics}
		if first < last {
			e.Diagnostics = said[first:last]
		}
		cells[row].Err, cells[row].bits = e, 0
	}
	return cells
}

// pointer reads a pointer of C; it is copied, for it may stand anywhere in the bytes.
func (w *words) pointer() (p unsafe.Pointer) {
	copy((*[unsafe.Sizeof(p)]byte)(unsafe.Pointer(&p))[:], w.bytes)
	w.bytes = w.bytes[8:]
	return p
}
