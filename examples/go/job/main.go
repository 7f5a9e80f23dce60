// Command job prints what a job of Nomad says with values for its variables. References to what only the node knows
// stay what they are: texts for Nomad's client.
//
//	job FILE [NAME=TEXT…]
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"libhcl/hcl"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: job FILE [NAME=TEXT...]")
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, file string, given []string) error {
	ctx := context.Background()
	body, err := hcl.ReadFile(file)
	if err != nil {
		return err
	}
	defer body.Close()
	scope, err := hcl.NewScope(hcl.WithDialect("nomad"), hcl.WithVariables("var"))
	if err != nil {
		return err
	}
	defer scope.Close()
	frame, err := scope.NewFrame()
	if err != nil {
		return err
	}
	defer frame.Close()
	values, err := defaults(ctx, body, frame)
	if err != nil {
		return err
	}
	for _, assignment := range given {
		name, text, _ := strings.Cut(assignment, "=")
		values[name] = text
	}
	if err := frame.Set("var", values); err != nil {
		return err
	}
	blocks, err := body.Blocks()
	if err != nil {
		return err
	}
	for _, block := range blocks {
		if block.Type != "job" {
			continue
		}
		if err := printBlock(ctx, out, "", block, frame); err != nil {
			return err
		}
	}
	return nil
}

// defaults are the values that the variables have unless others are given.
func defaults(ctx context.Context, body *hcl.Body, frame *hcl.Frame) (map[string]any, error) {
	values := make(map[string]any)
	blocks, err := body.Blocks()
	if err != nil {
		return nil, err
	}
	for _, block := range blocks {
		if block.Type != "variable" {
			continue
		}
		declaration, err := block.Body()
		if err != nil {
			return nil, err
		}
		attributes, err := declaration.Attributes()
		if err != nil {
			return nil, err
		}
		for _, attribute := range attributes {
			if attribute.Name != "default" {
				continue
			}
			value, err := attribute.Eval(ctx, frame)
			if err != nil {
				return nil, err
			}
			values[block.Labels[0]] = value
		}
	}
	return values, nil
}

// printBlock prints the attributes of a block and of the blocks in it, a line each.
func printBlock(ctx context.Context, out io.Writer, path string, block *hcl.Block, frame *hcl.Frame) error {
	path = strings.Join(append([]string{path + block.Type}, block.Labels...), ".")
	body, err := block.Body()
	if err != nil {
		return err
	}
	defer body.Close()
	attributes, err := body.Attributes()
	if err != nil {
		return err
	}
	for _, attribute := range attributes {
		value, err := attribute.Eval(ctx, frame)
		if err != nil {
			return err
		}
		text, err := value.MarshalJSON()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s.%s = %s\n", path, attribute.Name, text)
	}
	blocks, err := body.Blocks()
	if err != nil {
		return err
	}
	for _, inner := range blocks {
		if err := printBlock(ctx, out, path+".", inner, frame); err != nil {
			return err
		}
	}
	return nil
}
