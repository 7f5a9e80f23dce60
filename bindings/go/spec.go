package hcl

import (
	"context"

	"libhcl/hcl/internal/chcl"
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
