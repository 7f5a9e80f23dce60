package hcl

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// moduleCase is a line of tests/conformance/modules.jsonl: the answer of a product's console in a folder.
type moduleCase struct {
	ID, Dialect, Expr, Text string
	Files, Env              map[string]string
	Args                    []string
	OK                      bool
	Differs                 any
	Errors                  []struct{ Title, File string }
}

// given are the arguments of a console as values for variables.
func (c *moduleCase) given() (all []Given) {
	for i := 0; i < len(c.Args); i++ {
		argument := c.Args[i]
		if argument == "-var" || argument == "-var-file" {
			i++
			argument += "=" + c.Args[i]
		}
		if path, found := strings.CutPrefix(argument, "-var-file="); found {
			all = append(all, GiveFile(path))
		} else {
			name, text, _ := strings.Cut(strings.TrimPrefix(argument, "-var="), "=")
			all = append(all, GiveText(name, text))
		}
	}
	return all
}

// titles are the summaries of all diagnostics of errors that may be joined.
func titles(err error) (all []string) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			all = append(all, titles(one)...)
		}
	}
	var said *Error
	if errors.As(err, &said) {
		for _, d := range said.Diagnostics {
			all = append(all, d.Summary)
		}
	}
	return all
}

// answer is the result as the console has it: the text, or an error that has the titles of all problems.
func (c *moduleCase) answer(ctx context.Context) (string, error) {
	files := fstest.MapFS{}
	for path, text := range c.Files {
		files[path] = &fstest.MapFile{Data: []byte(text)}
	}
	host := &Host{Files: files, WorkingDirectory: "/work", Now: time.Now,
		Env: func(name string) (string, bool) { text, found := c.Env[name]; return text, found }}
	m, err := LoadModule(ctx, ModuleConfig{Dialect: c.Dialect, Host: host, Given: c.given()})
	if err != nil {
		return "", err
	}
	defer m.Close()
	problems := m.Check(ctx)
	v, err := m.Eval(ctx, c.Expr)
	if err := errors.Join(problems, err); err != nil {
		return "", err
	}
	defer v.Close()
	return v.String(), nil
}

// A sample of the corpus of modules, through this package: the whole is run by the command's tests.
func TestModuleCorpus(t *testing.T) {
	all, err := os.ReadFile("../../tests/conformance/modules.jsonl")
	if err != nil {
		t.Skip("the corpus is not beside the module: ", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(all))
	lines.Buffer(nil, len(all))
	asked := 0
	for number := 0; lines.Scan(); number++ {
		var c moduleCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		// type() is of the console alone; an argument without a name and a value is no value for a variable.
		malformed := func(argument string) bool {
			return !strings.HasPrefix(argument, "-") && !strings.Contains(argument, "=")
		}
		if number%10 != 0 || c.Differs != nil || strings.Contains(c.Expr, "type(") || slices.ContainsFunc(c.Args, malformed) {
			continue
		}
		asked++
		got, err := c.answer(context.Background())
		switch {
		case c.OK && (err != nil || strings.TrimSpace(got) != strings.TrimSpace(c.Text)):
			t.Errorf("%s: %s gives %q (%v), not %q", c.ID, c.Expr, got, err, c.Text)
		case !c.OK && err == nil:
			t.Errorf("%s: %s gives %q, not errors", c.ID, c.Expr, got)
		case !c.OK:
			for _, e := range c.Errors {
				if !slices.ContainsFunc(titles(err), func(one string) bool { return strings.HasPrefix(one, e.Title) }) && !strings.HasPrefix(e.Title, "Reference to un") {
					t.Errorf("%s: %s gives %q, not %q", c.ID, c.Expr, titles(err), e.Title)
				}
			}
		}
	}
	if asked < 90 {
		t.Errorf("only %d cases were asked", asked)
	}
}
