// Command job prints what a job of Nomad says with values for its variables. References to what only the node knows
// stay what they are: texts for Nomad's client.
//
//	job FILE [NAME=TEXT | FILE.vars.hcl]...
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	hcl "libhcl.dev/go"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: job FILE [NAME=TEXT | FILE.vars.hcl]...")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Stdout, os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// body is what a job and the blocks in it have.
type body struct {
	Attributes map[string]json.RawMessage `json:"attributes"`
	Blocks     []struct {
		Type   string   `json:"type"`
		Labels []string `json:"labels"`
		Body   body     `json:"body"`
	} `json:"blocks"`
}

func run(ctx context.Context, out io.Writer, file string, given []string) error {
	config := hcl.ModuleConfig{
		Dialect: "nomad",
		Folder:  file,
		// Functions such as file may read what lies below the working directory, and nothing else.
		Host: &hcl.Host{Files: os.DirFS(".")},
	}
	for _, argument := range given {
		if name, text, found := strings.Cut(argument, "="); found {
			config.Given = append(config.Given, hcl.GiveText(name, text))
		} else {
			config.Given = append(config.Given, hcl.GiveFile(argument))
		}
	}
	job, err := hcl.LoadModule(ctx, config)
	if err != nil {
		return err
	}
	defer job.Close()
	value, err := job.Evaluated(ctx)
	if err != nil {
		return err
	}
	defer value.Close()
	text, err := value.MarshalJSON()
	if err != nil {
		return err
	}
	var whole body
	if err := json.Unmarshal(text, &whole); err != nil {
		return err
	}
	print(out, "", whole)
	return nil
}

// print shows the attributes of a body and of the blocks in it, a line each.
func print(out io.Writer, path string, of body) {
	for _, name := range slices.Sorted(maps.Keys(of.Attributes)) {
		fmt.Fprintf(out, "%s%s = %s\n", path, name, of.Attributes[name])
	}
	for _, block := range of.Blocks {
		print(out, path+strings.Join(append([]string{block.Type}, block.Labels...), ".")+".", block.Body)
	}
}
