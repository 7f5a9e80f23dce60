package hcl

import (
	"bytes"
	"context"

	"libhcl.dev/go/internal/chcl"
)

// Schema says which attributes and blocks a body may have, as a text that looks like the bodies it describes:
//
//	region = required
//	zone   = optional
//	service "name" {
//	  port = required
//	}
//
// It is immutable.
type Schema struct {
	h *handle[chcl.Schema]
}

// ParseSchema reads a schema.
func ParseSchema(name, source string, all ...Option) (*Schema, error) {
	o, err := gather(all)
	if err != nil {
		return nil, err
	}
	object, err := parsing(o, 0, func(opts *chcl.ParseOptions) chcl.Made[chcl.Schema] {
		return chcl.SchemaParse(name, source, opts)
	})
	if err != nil {
		return nil, err
	}
	return &Schema{newHandle(object, chcl.SchemaFree)}, nil
}

// Close releases the schema.
func (s *Schema) Close() error {
	s.h.close()
	return nil
}

// Content is what a schema found in a body.
type Content struct {
	Attributes []*Attribute
	Blocks     []*Block
	Missing    Range // where something that is missing would stand
	Rest       *Body // what the schema does not ask for; only of PartialContent
}

// Content reads a body of either syntax by schema; what the schema does not know is an error. The frame is for bodies with
// dynamic blocks, and may be nil. What was found is given also with an error, if anything could be read.
func (b *Body) Content(ctx context.Context, frame *Frame, schema *Schema) (*Content, error) {
	return b.bySchema(ctx, frame, schema, false)
}

// PartialContent is Content that leaves alone what the schema does not know: it is in Rest, to be read by another schema.
func (b *Body) PartialContent(ctx context.Context, frame *Frame, schema *Schema) (*Content, error) {
	return b.bySchema(ctx, frame, schema, true)
}

func (b *Body) bySchema(ctx context.Context, frame *Frame, schema *Schema, partial bool) (*Content, error) {
	object, err := b.h.acquire()
	if err != nil {
		return nil, err
	}
	defer b.h.release()
	by, err := schema.h.acquire()
	if err != nil {
		return nil, err
	}
	defer schema.h.release()
	var made chcl.Content
	err = frame.run(ctx, nil, func(_ *chcl.Program, frame *chcl.Frame, env uintptr) (chcl.Status, *chcl.Diags) {
		made = chcl.BodyContent(object, by, partial, frame, env)
		return made.Status, made.Diags
	})
	if made.Content == nil {
		return nil, err
	}
	found := &Content{}
	if made.Rest != nil {
		found.Rest = &Body{newHandle(made.Rest, chcl.BodyFree)}
	}
	listed, listing := (&Body{newHandle(made.Content, chcl.BodyFree)}).list()
	if listing != nil {
		return nil, listing
	}
	found.Attributes, found.Blocks, found.Missing = listed.attributes, listed.blocks, listed.missing
	return found, err
}

// ToJSON writes native syntax as JSON syntax: values where they can be evaluated with the constants and functions of the
// frame's scope, templates elsewhere. The frame may be nil.
func ToJSON(ctx context.Context, name string, source []byte, frame *Frame, all ...Option) ([]byte, error) {
	file, err := parseFile(name, source, 0, append(all, WithContext(ctx)))
	if err != nil {
		return nil, err
	}
	defer chcl.FileFree(file)
	var text []byte
	err = frame.run(ctx, nil, func(_ *chcl.Program, frame *chcl.Frame, env uintptr) (chcl.Status, *chcl.Diags) {
		m := chcl.FileToJSON(file, frame, env)
		text = taken(m)
		return m.Status, m.Diags
	})
	return text, err
}

// ToNative writes JSON syntax as native syntax. A schema tells blocks from attributes; without one, nil, arrays of objects
// are taken for blocks.
func ToNative(name string, source []byte, schema *Schema, all ...Option) ([]byte, error) {
	file, err := parseFile(name, source, chcl.ParseJSON, all)
	if err != nil {
		return nil, err
	}
	defer chcl.FileFree(file)
	var by *chcl.Schema
	if schema != nil {
		if by, err = schema.h.acquire(); err != nil {
			return nil, err
		}
		defer schema.h.release()
	}
	m := chcl.FileToNative(file, by)
	if m.Status != chcl.OK {
		return nil, failure(background, m.Status, m.Diags, nil)
	}
	dropDiags(m.Diags)
	return taken(m), nil
}

// taken is what a buffer holds.
func taken(m chcl.Made[chcl.Buf]) []byte {
	if m.Object == nil {
		return nil
	}
	text := chcl.BufTake(m.Object)
	defer text.Free()
	return bytes.Clone(text.View())
}
