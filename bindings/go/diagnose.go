package hcl

import (
	"errors"
	"fmt"

	"libhcl.dev/go/internal/chcl"
)

// Place is where something stands in a source: an [Attribute], a [Block], a [Body] or an [Expression], a part of one, or a
// [Range] of the source that one is in. A Range alone is a place too, of which no source lines are shown.
type Place interface {
	// with calls a function with the place, which stays valid until it returns.
	with(func(chcl.Place) error) error
}

// placeIn is a place by a handle that must be held meanwhile.
type placeIn struct {
	hold func() (chcl.Place, func(), error)
	part uint32
	at   Range
}

func (p placeIn) with(use func(chcl.Place) error) error {
	place, release, err := p.hold()
	if err != nil {
		return err
	}
	defer release()
	place.Part = p.part
	place.Words = p.at.words()
	return use(place)
}

func (r Range) words() (w [6]uint64) {
	if !r.Empty() {
		w = [6]uint64{uint64(r.Start.Line), uint64(r.Start.Column), uint64(r.Start.Byte),
			uint64(r.End.Line), uint64(r.End.Column), uint64(r.End.Byte)}
	}
	return w
}

func (r Range) with(use func(chcl.Place) error) error {
	return use(chcl.Place{Filename: r.Filename, Words: r.words()})
}

func held[T any](h *handle[T], place func(*T) chcl.Place) func() (chcl.Place, func(), error) {
	return func() (chcl.Place, func(), error) {
		object, err := h.acquire()
		if err != nil {
			return chcl.Place{}, nil, err
		}
		return place(object), h.release, nil
	}
}

func (a *Attribute) at(part uint32) placeIn {
	return placeIn{hold: held(a.body, func(*chcl.Body) chcl.Place { return chcl.Place{Attr: a.object} }), part: part}
}

func (b *Block) at(part uint32) placeIn {
	return placeIn{hold: held(b.body, func(*chcl.Body) chcl.Place { return chcl.Place{Block: b.object} }), part: part}
}

func (b *Body) at() placeIn {
	return placeIn{hold: held(b.h, func(o *chcl.Body) chcl.Place { return chcl.Place{Body: o} })}
}

func (e *Expression) at() placeIn {
	return placeIn{hold: held(e.h, func(o *chcl.Expr) chcl.Place { return chcl.Place{Expr: o} })}
}

func (a *Attribute) with(use func(chcl.Place) error) error  { return a.at(chcl.PlaceWhole).with(use) }
func (b *Block) with(use func(chcl.Place) error) error      { return b.at(chcl.PlaceWhole).with(use) }
func (b *Body) with(use func(chcl.Place) error) error       { return b.at().with(use) }
func (e *Expression) with(use func(chcl.Place) error) error { return e.at().with(use) }

// ValuePlace is the place of the attribute's expression.
func (a *Attribute) ValuePlace() Place { return a.at(chcl.PlaceValue) }

// NamePlace is the place of the attribute's name.
func (a *Attribute) NamePlace() Place { return a.at(chcl.PlaceName) }

// HeaderPlace is the place of the block's type and labels.
func (b *Block) HeaderPlace() Place { return b.at(chcl.PlaceHeader) }

// RangeIn is a range of the source that the body is in.
func (b *Body) RangeIn(at Range) Place {
	p := b.at()
	p.at = at
	return p
}

// DiagnosticOption says more about a diagnostic of [NewDiagnostic].
type DiagnosticOption func(*complaint)

type complaint struct {
	severity         Severity
	subject, context Place
	extra            [][2]string
}

// At is the place that the diagnostic is about.
func At(place Place) DiagnosticOption { return func(c *complaint) { c.subject = place } }

// Within is a wider place around that of [At], in the same source.
func Within(place Place) DiagnosticOption { return func(c *complaint) { c.context = place } }

// AsWarning makes the diagnostic a warning.
func AsWarning() DiagnosticOption { return func(c *complaint) { c.severity = SeverityWarning } }

// Extra is a value for the programs that read the diagnostic: JSON and SARIF have it, and [Diagnostic.Extra].
func Extra(key, value string) DiagnosticOption {
	return func(c *complaint) { c.extra = append(c.extra, [2]string{key, value}) }
}

// NewDiagnostic is what a program itself has to say about an input, as an error: a code of its own, such as gatewayd.port, a
// summary in a few words and a detail in full sentences. It is drawn with source lines as those of the library are, also when
// what stands at the place is closed later. [Join] makes one error of several.
//
//	hcl.NewDiagnostic("gatewayd.port", "Port out of range", "The port must be below 65536.", hcl.At(attribute.ValuePlace()))
func NewDiagnostic(code, summary, detail string, options ...DiagnosticOption) *Error {
	e := &Error{Status: ErrDiagnostics}
	e.say(code, summary, detail, options...)
	return e
}

// say adds a diagnostic of a program. A place that is closed is left out, so that the complaint is not lost.
func (e *Error) say(code, summary, detail string, options ...DiagnosticOption) {
	c := complaint{severity: SeverityError}
	for _, option := range options {
		option(&c)
	}
	add := func(subject, context chcl.Place) error {
		m := chcl.DiagsSay(uint32(c.severity), code, summary, detail, subject, context)
		if m.Status != chcl.OK {
			return Status(m.Status)
		}
		for _, pair := range c.extra {
			chcl.DiagsNote(m.Object, pair[0], pair[1])
		}
		e.add(m.Object)
		return nil
	}
	within := func(subject chcl.Place) error {
		if c.context == nil {
			return add(subject, chcl.Place{})
		}
		return c.context.with(func(context chcl.Place) error { return add(subject, context) })
	}
	if c.subject != nil && (c.subject.with(within) == nil ||
		c.subject.with(func(subject chcl.Place) error { return add(subject, chcl.Place{}) }) == nil) {
		return
	}
	if add(chcl.Place{}, chcl.Place{}) != nil {
		e.Diagnostics = append(e.Diagnostics, Diagnostic{Severity: c.severity, Code: code, Summary: summary, Detail: detail})
	}
}

// Join makes one *Error of all the diagnostics in errs, also of those that errors.Join or fmt.Errorf wrapped, in the order of
// their files and places. Errors without diagnostics become diagnostics with the code host and are found by errors.Is. It is
// nil if errs holds nothing.
func Join(errs ...error) error {
	all := &Error{Status: ErrDiagnostics}
	for _, err := range errs {
		all.gather(err)
	}
	if len(all.Diagnostics) == 0 {
		return nil
	}
	all.sort()
	return all
}

func (e *Error) gather(err error) {
	switch err := err.(type) {
	case nil:
	case *Error:
		if len(err.Diagnostics) == 0 {
			e.say("host", err.Error(), "")
			e.causes = append(e.causes, err)
			return
		}
		e.merge(err)
	case interface{ Unwrap() []error }:
		for _, one := range err.Unwrap() {
			e.gather(one)
		}
	default:
		var inner *Error
		if wrapped := errors.Unwrap(err); errors.As(wrapped, &inner) {
			e.gather(wrapped)
			return
		}
		e.say("host", err.Error(), "")
		e.causes = append(e.causes, err)
	}
}

// merge adds the diagnostics of another error, which keeps them.
func (e *Error) merge(other *Error) {
	e.causes = append(e.causes, other.causes...)
	object, err := other.source.acquire()
	if err != nil {
		e.Diagnostics = append(e.Diagnostics, other.Diagnostics...)
		return
	}
	defer other.source.release()
	m := chcl.DiagsCopy(object)
	if m.Status == chcl.OK {
		e.add(m.Object)
	}
}

// sort puts the diagnostics in the order of their places.
func (e *Error) sort() {
	if object, err := e.source.acquire(); err == nil {
		defer e.source.release()
		chcl.DiagsSort(object)
		e.Diagnostics = readDiagnostics(object)
	}
}

// Cap is the same error with at most that many diagnostics: warnings go first, then errors, the last ones before those in front
// of them.
func (e *Error) Cap(most int) *Error {
	fewer := &Error{Status: e.Status}
	fewer.merge(e)
	if object, err := fewer.source.acquire(); err == nil {
		defer fewer.source.release()
		chcl.DiagsCap(object, max(0, most))
		fewer.Diagnostics = readDiagnostics(object)
	} else if len(fewer.Diagnostics) > most {
		fewer.Diagnostics = fewer.Diagnostics[:max(0, most)]
	}
	return fewer
}

// JSON is the diagnostics as a JSON array of objects.
func (e *Error) JSON() ([]byte, error) {
	return e.written(chcl.DiagsJSON)
}

// SARIF is the diagnostics as a log in SARIF 2.1.0, which code scanning services read, in the name of a program.
func (e *Error) SARIF(tool, version string) ([]byte, error) {
	return e.written(func(diags *chcl.Diags) chcl.Bytes { return chcl.DiagsSARIF(diags, tool, version) })
}

func (e *Error) written(write func(*chcl.Diags) chcl.Bytes) ([]byte, error) {
	var object *chcl.Diags
	if e.source != nil {
		held, err := e.source.acquire()
		if err != nil {
			return nil, err
		}
		defer e.source.release()
		object = held
	}
	out := write(object)
	defer out.Free()
	if out.Status != chcl.OK {
		return nil, fmt.Errorf("%w: the diagnostics can't be written", Status(out.Status))
	}
	return append([]byte(nil), out.View()...), nil
}
