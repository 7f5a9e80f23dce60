package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Module is a folder with questions about it. Its files are blocks, so that it can be made smaller block by block.
type Module struct {
	files []*moduleFile
	args  []string
	env   map[string]string
	// Expressions, each asked in a run of its own.
	expressions []string
}

// moduleFile is a file: blocks of the language, or the plain lines of a var file.
type moduleFile struct {
	path   string
	blocks []*moduleBlock
}

// moduleBlock is a block with its arguments. Without a kind its arguments stand at the top of the file.
type moduleBlock struct {
	kind, label string
	arguments   []argument
	nested      []*moduleBlock
}

// argument is a name with an expression, or with a constant, which JSON syntax writes in its own way.
type argument struct {
	name       string
	expression string
	constant   any
	isConstant bool
}

func (f *moduleFile) isJSON() bool { return strings.HasSuffix(f.path, ".json") }

func (f *moduleFile) text() string {
	if f.isJSON() {
		return f.json()
	}
	var out strings.Builder
	for _, block := range f.blocks {
		block.write(&out, "")
	}
	return out.String()
}

func (b *moduleBlock) write(out *strings.Builder, indent string) {
	inner := indent
	if b.kind != "" {
		inner += "  "
		out.WriteString(indent + b.kind)
		if b.label != "" {
			for _, label := range strings.Split(b.label, ".") {
				fmt.Fprintf(out, " %q", label)
			}
		}
		out.WriteString(" {\n")
	}
	for _, one := range b.arguments {
		fmt.Fprintf(out, "%s%s = %s\n", inner, one.name, one.native())
	}
	for _, nested := range b.nested {
		nested.write(out, inner)
	}
	if b.kind != "" {
		out.WriteString(indent + "}\n")
	}
}

func (a argument) native() string {
	if a.isConstant {
		return native(a.constant)
	}
	return a.expression
}

// json is the file as a list of objects, one a block, so that blocks of a kind can stand apart.
func (f *moduleFile) json() string {
	if len(f.blocks) == 1 && f.blocks[0].kind == "" {
		return encode(f.blocks[0].json()) + "\n"
	}
	lines := []string{}
	for _, block := range f.blocks {
		content := any(block.json())
		if block.label != "" {
			labels := strings.Split(block.label, ".")
			slices.Reverse(labels)
			for _, label := range labels {
				content = members{{label, content}}
			}
		}
		lines = append(lines, encode(members{{block.kind, content}}))
	}
	return "[\n" + strings.Join(lines, ",\n") + "\n]\n"
}

func (b *moduleBlock) json() members {
	content := members{}
	for _, one := range b.arguments {
		switch {
		case one.isConstant:
			content = append(content, member{one.name, one.constant})
		case one.name == "type":
			content = append(content, member{one.name, one.expression})
		default:
			content = append(content, member{one.name, "${" + one.expression + "}"})
		}
	}
	for _, nested := range b.nested {
		content = append(content, member{nested.kind, nested.json()})
	}
	return content
}

// members is an object in order; numbers of constants are json.Number.
type members []member

type member struct {
	key   string
	value any
}

func encode(value any) string {
	switch value := value.(type) {
	case members:
		parts := []string{}
		for _, one := range value {
			parts = append(parts, encode(one.key)+": "+encode(one.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		parts := []string{}
		for _, one := range value {
			parts = append(parts, encode(one))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// native is a constant in native syntax.
func native(value any) string {
	switch value := value.(type) {
	case members:
		parts := []string{}
		for _, one := range value {
			parts = append(parts, native(one.key)+" = "+native(one.value))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case []any:
		parts := []string{}
		for _, one := range value {
			parts = append(parts, native(one))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(encode(value))
	}
	return encode(value)
}

// text shows a module with everything that brings it back.
func (m *Module) text() string {
	var out strings.Builder
	for _, file := range m.files {
		fmt.Fprintf(&out, "-- %s\n%s", file.path, file.text())
	}
	if len(m.args) > 0 {
		fmt.Fprintf(&out, "-- args: %q\n", m.args)
	}
	if len(m.env) > 0 {
		fmt.Fprintf(&out, "-- env: %q\n", m.env)
	}
	for _, expression := range m.expressions {
		fmt.Fprintf(&out, "-- expression: %s\n", expression)
	}
	return out.String()
}

// smaller calls keep with every module that lacks one part of this one, until it takes one.
func (m *Module) smaller(keep func(*Module) bool) bool {
	for _, expression := range simpler(m.expressions[0]) {
		copied := *m
		copied.expressions = []string{expression}
		if keep(&copied) {
			return true
		}
	}
	for i := range m.files {
		if keep(m.with(slices.Delete(slices.Clone(m.files), i, i+1))) {
			return true
		}
	}
	for i := range m.args {
		copied := *m
		copied.args = slices.Delete(slices.Clone(m.args), i, i+1)
		if keep(&copied) {
			return true
		}
	}
	if len(m.env) > 0 {
		copied := *m
		copied.env = nil
		if keep(&copied) {
			return true
		}
	}
	for i, file := range m.files {
		candidates := withoutOne(file.blocks)
		if half := len(file.blocks) / 2; half > 0 {
			candidates = append([][]*moduleBlock{file.blocks[:half], file.blocks[half:]}, candidates...)
		}
		for _, blocks := range candidates {
			files := slices.Clone(m.files)
			files[i] = &moduleFile{file.path, blocks}
			if keep(m.with(files)) {
				return true
			}
		}
	}
	return false
}

// simpler is an expression in fewer words: a tuple of references with a part of them, or none at all.
func simpler(expression string) []string {
	if expression == "1" {
		return nil
	}
	found := []string{"1"}
	parts := strings.Split(strings.Trim(expression, "[]"), ", ")
	if strings.HasPrefix(expression, "[") && len(parts) > 1 {
		half := len(parts) / 2
		found = append(found, "["+strings.Join(parts[:half], ", ")+"]", "["+strings.Join(parts[half:], ", ")+"]")
	}
	return found
}

func (m *Module) with(files []*moduleFile) *Module {
	copied := *m
	copied.files = files
	return &copied
}

// withoutOne is every list of blocks that lacks one block or one argument of one.
func withoutOne(blocks []*moduleBlock) [][]*moduleBlock {
	found := [][]*moduleBlock{}
	for i := range blocks {
		found = append(found, slices.Delete(slices.Clone(blocks), i, i+1))
	}
	for i, block := range blocks {
		replace := func(changed moduleBlock) {
			list := slices.Clone(blocks)
			list[i] = &changed
			found = append(found, list)
		}
		for j := range block.arguments {
			changed := *block
			changed.arguments = slices.Delete(slices.Clone(block.arguments), j, j+1)
			replace(changed)
		}
		for _, nested := range withoutOne(block.nested) {
			changed := *block
			changed.nested = nested
			replace(changed)
		}
	}
	return found
}
