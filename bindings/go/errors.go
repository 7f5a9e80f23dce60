package hcl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"libhcl.dev/go/internal/chcl"
)

// Status is why a call did not succeed. Every error of this package that comes from the library is one in the sense
// of errors.Is.
type Status int32

// What errors.Is finds in the errors of this package.
const (
	ErrArgument    = Status(chcl.Argument)    // the caller made a mistake
	ErrDiagnostics = Status(chcl.Diagnosed)   // the input is wrong: see the diagnostics
	ErrType        = Status(chcl.Type)        // a value is of another kind than was asked for
	ErrRange       = Status(chcl.Range)       // a number does not fit, or an index is out of range
	ErrNotFound    = Status(chcl.NotFound)    // there is no such name
	ErrUnknown     = Status(chcl.Unknown)     // a value is not known
	ErrUnbound     = Status(chcl.Unbound)     // a variable that the evaluation needs has no value
	ErrLimit       = Status(chcl.Limit)       // a limit was reached
	ErrCanceled    = Status(chcl.Cancelled)   // the work was cancelled
	ErrDeadline    = Status(chcl.Deadline)    // the work took too long
	ErrBusy        = Status(chcl.Busy)        // a frame is in use by another evaluation
	ErrCallback    = Status(chcl.Callback)    // a callback failed
	ErrUnsupported = Status(chcl.Unsupported) // the library was built without this
	ErrInternal    = Status(chcl.Internal)    // a defect of the library
	ErrMarked      = Status(chcl.Marked)      // a value is marked, such as sensitive, and not read before Unmark
	ErrMemory      = Status(chcl.Memory)      // the system has no memory
)

// ErrClosed is the error of methods on what was closed, or never made.
var ErrClosed = errors.New("hcl: use of a closed or empty object")

var statusTexts = map[Status]string{
	ErrArgument:    "invalid argument",
	ErrDiagnostics: "the input has errors",
	ErrType:        "the value is of another kind",
	ErrRange:       "out of range",
	ErrNotFound:    "not found",
	ErrUnknown:     "the value is not known",
	ErrUnbound:     "a variable has no value",
	ErrLimit:       "a limit was reached",
	ErrCanceled:    "the work was cancelled",
	ErrDeadline:    "the work took too long",
	ErrBusy:        "the frame is in use",
	ErrCallback:    "a callback failed",
	ErrUnsupported: "the library was built without this",
	ErrInternal:    "a defect of the library",
	ErrMarked:      "the value is marked; Unmark shows it",
	ErrMemory:      "the system has no memory",
}

func (s Status) Error() string {
	if text, ok := statusTexts[s]; ok {
		return "hcl: " + text
	}
	return fmt.Sprintf("hcl: status %d", int32(s))
}

// asError is nil for success.
func asError(s chcl.Status) error {
	if s == chcl.OK {
		return nil
	}
	return Status(s)
}

// Error is an error with diagnostics. errors.Is finds its status in it, and context.Canceled,
// context.DeadlineExceeded or the errors of Go functions where they were the reason; errors.As its Diagnostics.
type Error struct {
	Status      Status
	Diagnostics Diagnostics
	causes      []error
	source      *handle[chcl.Diags] // the list that the diagnostics are read from
}

func (e *Error) Error() string {
	if len(e.Diagnostics) == 0 {
		return e.Status.Error()
	}
	return e.Diagnostics.Error()
}

// Unwrap gives the status, the diagnostics, and what made the evaluation fail.
func (e *Error) Unwrap() []error {
	all := []error{e.Status}
	if len(e.Diagnostics) > 0 {
		all = append(all, e.Diagnostics)
	}
	return append(all, e.causes...)
}

// RenderOptions say how diagnostics are drawn; the zero value is text of 80 columns without colour.
type RenderOptions struct {
	Width uint // columns, 0 for 80
	Max   uint // how many diagnostics are drawn, 0 for all
	Color bool // ANSI escape sequences
	ASCII bool // no other characters for lines and underlines
}

// Render draws the diagnostics for people, with the source lines that they are about.
func (e *Error) Render(options RenderOptions) string {
	var flags uint32
	if options.Color {
		flags |= chcl.RenderColor
	}
	if options.ASCII {
		flags |= chcl.RenderASCII
	}
	diags, err := e.source.acquire()
	if err != nil {
		return e.Error() + "\n"
	}
	defer e.source.release()
	drawn := chcl.DiagsRender(diags, flags, uint32(options.Width), uint32(options.Max))
	if drawn.Status != chcl.OK {
		drawn.Free()
		return e.Error() + "\n"
	}
	return drawn.Take()
}

// add takes over diagnostics of the library.
func (e *Error) add(diags *chcl.Diags) {
	if diags == nil {
		return
	}
	e.Diagnostics = append(e.Diagnostics, readDiagnostics(diags)...)
	if list, err := e.source.acquire(); err == nil {
		chcl.DiagsJoin(list, diags)
		e.source.release()
		chcl.DiagsFree(diags)
		return
	}
	e.source = newHandle(diags, chcl.DiagsFree)
}

// failure makes the error of a call. It takes over the diagnostics.
func failure(ctx context.Context, status chcl.Status, diags *chcl.Diags, causes []error) error {
	e := &Error{Status: Status(status), causes: causes}
	e.add(diags)
	if status == chcl.Cancelled {
		if cause := context.Cause(ctx); cause != nil {
			if ctx.Err() == context.DeadlineExceeded {
				// The context noticed before the library did.
				e.Status = ErrDeadline
			}
			e.causes = append(e.causes, ctx.Err(), cause)
		}
	}
	return e
}

// exceeded adds context.DeadlineExceeded to the causes of a call that ended for want of time, if the time it was given was the
// context's and not its own. It may end before the context does: it keeps time free to release what it holds.
func exceeded(causes []error, status chcl.Status, given, own uint64) []error {
	if status == chcl.Deadline && given != own {
		return append(causes, context.DeadlineExceeded)
	}
	return causes
}

// dropDiags releases the warnings of a call that succeeded.
func dropDiags(diags *chcl.Diags) {
	if diags != nil {
		chcl.DiagsFree(diags)
	}
}

// checkLibrary tells once whether the loaded library fits the header this package was compiled with.
var checkLibrary = sync.OnceValue(func() error {
	if chcl.Compatible() {
		return nil
	}
	return fmt.Errorf("%w: compiled for version %d.%d.%d, but loaded %s", ErrUnsupported,
		chcl.HeaderVersion>>16, chcl.HeaderVersion>>8&255, chcl.HeaderVersion&255, chcl.VersionString())
})

// Version is the name and version of the loaded library.
func Version() string { return chcl.VersionString() }

// valueError says where in a Go value something is wrong.
type valueError struct {
	status Status
	path   string
	text   string
	cause  error // what a type of the program said, or nil
}

func (e *valueError) Error() string {
	if e.path == "" {
		return "hcl: " + e.text
	}
	return "hcl: at " + strings.TrimPrefix(e.path, ".") + ": " + e.text
}

func (e *valueError) Unwrap() []error {
	if e.cause == nil {
		return []error{e.status}
	}
	return []error{e.status, e.cause}
}

func valueErrorf(status Status, format string, arguments ...any) error {
	return &valueError{status: status, text: fmt.Sprintf(format, arguments...)}
}

// longestPath is how long a path becomes before its beginning is left out.
const longestPath = 200

// atStep puts a step in front of the path of an error that is on its way out.
func atStep(step string, err error) error {
	inner, ok := err.(*valueError)
	switch {
	case !ok || strings.HasPrefix(inner.path, "…"):
	case len(inner.path) > longestPath:
		inner.path = "…" + inner.path
	default:
		inner.path = step + inner.path
	}
	return err
}
