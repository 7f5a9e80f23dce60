package hcl

import (
	"context"

	"libhcl.dev/go/internal/chcl"
)

// SourceLimits bound the reading of a source; a zero field means the library's default.
type SourceLimits struct {
	Depth       uint32 // how deep blocks, brackets and templates nest
	Diagnostics uint32 // how many diagnostics are kept
	Bytes       uint64 // how long a source is
}

// WithSourceLimits bounds the reading of a source.
func WithSourceLimits(limits SourceLimits) Option {
	return func(o *options) { o.source = limits }
}

// WithContext lets a context end the reading of a source: its deadline, or cancelling it. Evaluations are given theirs.
func WithContext(ctx context.Context) Option { return func(o *options) { o.ctx = ctx } }

// parsing reads a source: within the options' limits, and no longer than their context lives.
func parsing[T any](o *options, flags uint32, parse func(*chcl.ParseOptions) chcl.Made[T]) (*T, error) {
	ctx := o.ctx
	opts := &chcl.ParseOptions{Flags: flags, Depth: o.source.Depth, Diagnostics: o.source.Diagnostics, Bytes: o.source.Bytes}
	if ctx.Done() != nil {
		if err := ended(ctx); err != nil {
			return nil, err
		}
		if deadline, ok := ctx.Deadline(); ok {
			opts.TimeoutNanoseconds = uint64(max(1, deadline.Sub(now())))
		}
		m := chcl.CancelNew()
		if m.Status != chcl.OK {
			return nil, Status(m.Status)
		}
		opts.Cancel = m.Object
		cancel := newHandle(m.Object, chcl.CancelFree)
		defer cancel.close()
		defer triggers(ctx, cancel)()
	}
	m := parse(opts)
	if m.Status != chcl.OK {
		return nil, failure(ctx, m.Status, m.Diags, exceeded(nil, m.Status, opts.TimeoutNanoseconds, 0))
	}
	dropDiags(m.Diags)
	return m.Object, nil
}

// ended is the error of a context that has ended.
func ended(ctx context.Context) error {
	switch ctx.Err() {
	case nil:
		return nil
	case context.DeadlineExceeded:
		return &Error{Status: ErrDeadline, causes: []error{ctx.Err(), context.Cause(ctx)}}
	default:
		return &Error{Status: ErrCanceled, causes: []error{ctx.Err(), context.Cause(ctx)}}
	}
}

// triggers throws a switch when a context ends, until the function that it gives is called.
func triggers(ctx context.Context, cancel *handle[chcl.Cancel]) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		if object, err := cancel.acquire(); err == nil {
			chcl.CancelTrigger(object)
			cancel.release()
		}
	})
}
