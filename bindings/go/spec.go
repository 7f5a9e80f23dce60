package hcl

import (
	"context"

	"libhcl.dev/go/internal/chcl"
)

// Spec says what a body should hold and which value it stands for, in the language of the tool hcldec. It is immutable.
type Spec struct {
	h *handle[chcl.Spec]
}

// ParseSpec reads a specification.
func ParseSpec(name string, source []byte, all ...Option) (*Spec, error) {
	o, err := gather(all)
	if err != nil {
		return nil, err
	}
	object, err := parsing(o, 0, func(opts *chcl.ParseOptions) chcl.Made[chcl.Spec] {
		return chcl.SpecParse(name, source, opts)
	})
	if err != nil {
		return nil, err
	}
	return &Spec{newHandle(object, chcl.SpecFree)}, nil
}

// Close releases the specification.
func (s *Spec) Close() error {
	s.h.close()
	return nil
}

// Type is the type of the values that the specification gives.
func (s *Spec) Type() (string, error) {
	spec, err := s.h.acquire()
	if err != nil {
		return "", err
	}
	defer s.h.release()
	text := chcl.SpecType(spec)
	status := text.Status
	return text.Take(), asError(status)
}

// Decode gives the value of a body. Its expressions are evaluated in the scope and with the values of a frame.
func (s *Spec) Decode(ctx context.Context, body *Body, frame *Frame) (Value, error) {
	spec, err := s.h.acquire()
	if err != nil {
		return Value{}, err
	}
	defer s.h.release()
	object, err := body.h.acquire()
	if err != nil {
		return Value{}, err
	}
	defer body.h.release()
	var result Value
	err = frame.run(ctx, nil, func(_ *chcl.Program, frame *chcl.Frame, env uintptr) (chcl.Status, *chcl.Diags) {
		m := chcl.SpecDecode(spec, object, frame, env)
		if m.Status == chcl.OK {
			result = newValue(m.Object)
		}
		return m.Status, m.Diags
	})
	return result, err
}

// Part is a part of the attribute or block that a decoded value comes from.
type Part uint32

// The parts.
const (
	PartWhole  = Part(chcl.PlaceWhole)  // an attribute from its name to the end of its expression, a block
	PartValue  = Part(chcl.PlaceValue)  // the expression, or the element of it that is written out; a block
	PartName   = Part(chcl.PlaceName)   // the name of the attribute, the key of an element, the type of the block
	PartHeader = Part(chcl.PlaceHeader) // the type and the labels of the block
)

// RangeOf is where a part of the value comes from that the specification makes of a body. The path leads to it in the value,
// such as listen.public.port or servers[0]; what the body does not have is where it would have to be put. The frame is needed for
// dynamic blocks only and may be nil. ErrNotFound says that the specification makes no such part, or makes it of nothing in the
// body.
func (s *Spec) RangeOf(ctx context.Context, body *Body, frame *Frame, path string, part Part) (Range, error) {
	var found Range
	err := s.at(path, part, body).with(func(place chcl.Place) error {
		return frame.run(ctx, nil, func(_ *chcl.Program, frame *chcl.Frame, env uintptr) (chcl.Status, *chcl.Diags) {
			dump := chcl.DecodedRange(place.Spec, place.Body, frame, path, uint32(part), env)
			defer dump.Free()
			if dump.Status == chcl.OK {
				w := words{dump.View()}
				name := w.text()
				found = w.placeIn(name)
			}
			return dump.Status, nil
		})
	})
	return found, err
}

// Place is the place of a part of the value that the specification makes of a body, for [At] and [Within].
func (s *Spec) Place(body *Body, path string, part Part) Place { return s.at(path, part, body) }

func (s *Spec) at(path string, part Part, body *Body) placeIn {
	return placeIn{part: uint32(part), hold: func() (chcl.Place, func(), error) {
		spec, err := s.h.acquire()
		if err != nil {
			return chcl.Place{}, nil, err
		}
		object, err := body.h.acquire()
		if err != nil {
			s.h.release()
			return chcl.Place{}, nil, err
		}
		return chcl.Place{Spec: spec, Body: object, Path: path}, func() { body.h.release(); s.h.release() }, nil
	}}
}

// ExpandDynamic is a body in which dynamic blocks are expanded whenever it is read by schema, decoded or given to a
// [Spec]. What they iterate over is evaluated in the scope, with the values of the frame that is given then, which must
// be of this scope. Only these types of blocks may be generated, all if there are none.
func (b *Body) ExpandDynamic(scope *Scope, only ...string) (*Body, error) {
	object, err := b.h.acquire()
	if err != nil {
		return nil, err
	}
	defer b.h.release()
	in, err := scope.h.acquire()
	if err != nil {
		return nil, err
	}
	defer scope.h.release()
	return newBody(chcl.BodyExpand(object, in, only))
}

// FormatStyle is how text is written.
type FormatStyle uint32

// The styles.
const (
	StyleHCL       = FormatStyle(chcl.StyleHCL)       // of the language itself: blanks only, any text
	StyleTerraform = FormatStyle(chcl.StyleTerraform) // of terraform fmt
)

// Format writes native syntax in its canonical form.
func Format(name string, source []byte, style FormatStyle, all ...Option) ([]byte, error) {
	o, err := gather(all)
	if err != nil {
		return nil, err
	}
	object, err := parsing(o, 0, func(opts *chcl.ParseOptions) chcl.Made[chcl.Buf] {
		return chcl.Format(name, source, uint32(style), opts)
	})
	if err != nil {
		return nil, err
	}
	return taken(chcl.Made[chcl.Buf]{Object: object}), nil
}
