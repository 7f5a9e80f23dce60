package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// moduleAnswer is what a console says to an expression.
type moduleAnswer struct {
	text string
	// Titles and places of all errors, sorted.
	errors []placed
	// The console ended without an answer that it should have given.
	crashed bool
}

// consoleInput is the name of the expression in messages.
const consoleInput = "<console-input>"

type placed struct {
	title, file string
	line        int
}

// consoles asks the product's console and our command about modules, which it writes into folders.
type consoles struct {
	command, terraform, folder string
}

// settled is a module written twice, so that what the product installs is not seen by our command.
type settled struct {
	theirs, ours string
	module       *Module
	// Errors of the installation of child modules, after which no console is asked.
	install []placed
}

func (c *consoles) settle(m *Module) (*settled, error) {
	one := &settled{filepath.Join(c.folder, "theirs"), filepath.Join(c.folder, "ours"), m, nil}
	for _, folder := range []string{one.theirs, one.ours} {
		if err := os.RemoveAll(folder); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, err
		}
		for _, file := range m.files {
			path := filepath.Join(folder, file.path)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return nil, err
			}
			if err := os.WriteFile(path, []byte(file.text()), 0o644); err != nil {
				return nil, err
			}
		}
	}
	if !strings.Contains(m.text(), "module") {
		return one, nil
	}
	_, report, _ := inFolder(one.theirs, m, "", c.terraform, "get", "-no-color")
	one.install = reportedByTerraform(report)
	return one, nil
}

// inFolder runs a command in a folder, and gives its output, its report and its status.
func inFolder(folder string, m *Module, input, name string, arguments ...string) (string, string, int) {
	command := exec.Command(name, arguments...)
	command.Dir = folder
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "TF_") {
			command.Env = append(command.Env, variable)
		}
	}
	command.Env = append(command.Env, "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1")
	for name, value := range m.env {
		command.Env = append(command.Env, name+"="+value)
	}
	command.Stdin = strings.NewReader(input)
	var output, report bytes.Buffer
	command.Stdout, command.Stderr = &output, &report
	if err := command.Run(); err != nil && command.ProcessState == nil {
		return "", err.Error(), -1
	}
	return output.String(), report.String(), command.ProcessState.ExitCode()
}

// theirs asks the product's console.
func (c *consoles) theirs(s *settled, expression string) moduleAnswer {
	if len(s.install) > 0 {
		return moduleAnswer{errors: s.install}
	}
	arguments := append([]string{"console", "-no-color"}, s.module.args...)
	output, report, status := inFolder(s.theirs, s.module, expression+"\n", c.terraform, arguments...)
	answer := moduleAnswer{errors: reportedByTerraform(report)}
	if status != 0 {
		answer.crashed = status != 1
		return answer
	}
	// Warnings come first, on standard output, whatever the expression is.
	warnings := ""
	if strings.HasPrefix(output, "\nWarning: ") {
		warnings, _, _ = inFolder(s.theirs, s.module, "0\n", c.terraform, arguments...)
		warnings = strings.TrimSuffix(warnings, "0\n")
	}
	answer.text = strings.TrimRight(strings.TrimPrefix(output, warnings), "\n")
	return answer
}

var (
	title = regexp.MustCompile(`^Error: (.*)$`)
	place = regexp.MustCompile(`^  on (.+) line (\d+)`)
)

func reportedByTerraform(report string) []placed {
	found := []placed{}
	for _, line := range strings.Split(report, "\n") {
		if match := title.FindStringSubmatch(line); match != nil {
			found = append(found, placed{title: shortTitle(match[1])})
		} else if match := place.FindStringSubmatch(line); match != nil && len(found) > 0 && found[len(found)-1].line == 0 {
			last := &found[len(found)-1]
			last.file = match[1]
			_, _ = fmt.Sscan(match[2], &last.line)
		}
	}
	return inOrder(found)
}

// shortTitle leaves away the members of a cycle, which come in any order.
func shortTitle(title string) string {
	if strings.HasPrefix(title, "Cycle") {
		return "Cycle"
	}
	return title
}

// inOrder sorts errors. The console tells one again for every instance of a module, and for other steps of its work.
func inOrder(found []placed) []placed {
	slices.SortFunc(found, func(one, other placed) int { return strings.Compare(fmt.Sprint(one), fmt.Sprint(other)) })
	return slices.Compact(found)
}

// ours asks our command.
func (c *consoles) ours(s *settled, expression string) moduleAnswer {
	arguments := []string{"eval", "--allow", "fs,env", "--dialect", "terraform-1.11", "--diagnostics", "json", "--module", "."}
	for _, argument := range s.module.args {
		arguments = append(arguments, "-"+argument)
	}
	output, report, status := inFolder(s.ours, s.module, "", c.command, append(arguments, "--", expression)...)
	answer := moduleAnswer{text: strings.TrimRight(output, "\n"), crashed: status != 0 && status != 1}
	var said struct {
		Diagnostics []struct {
			Severity, Summary string
			Range             *struct {
				Filename string
				Start    struct{ Line int }
			}
		}
	}
	if report != "" && json.Unmarshal([]byte(report), &said) != nil {
		answer.errors = append(answer.errors, placed{title: "no report: " + report})
		return answer
	}
	for _, one := range said.Diagnostics {
		if one.Severity != "error" {
			continue
		}
		found := placed{title: shortTitle(one.Summary)}
		if one.Range != nil {
			found.file, found.line = one.Range.Filename, one.Range.Start.Line
		}
		answer.errors = append(answer.errors, found)
	}
	answer.errors = inOrder(answer.errors)
	return answer
}

// moduleDifference names how two answers differ, or is empty. A process that ended has told the errors of the module, and
// nothing of the expression.
func moduleDifference(theirs, ours moduleAnswer) string {
	if ours.crashed {
		return "ours ended: " + firstOf(titlesOf(ours))
	}
	if theirs.crashed {
		ours.errors = slices.DeleteFunc(slices.Clone(ours.errors), func(one placed) bool { return one.file == consoleInput })
	}
	missing, extra := apart(titlesOf(theirs), titlesOf(ours))
	switch {
	case len(missing) > 0 && len(extra) > 0:
		return "title: " + missing[0] + " is " + extra[0]
	case len(missing) > 0:
		return "missing: " + missing[0]
	case len(extra) > 0:
		return "extra: " + extra[0]
	}
	if missing, _ := apart(placesOf(theirs), placesOf(ours)); len(missing) > 0 {
		title, _, _ := strings.Cut(missing[0], " at ")
		return "place: " + title
	}
	if !theirs.crashed && theirs.text != ours.text {
		return "answer"
	}
	return ""
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func titlesOf(answer moduleAnswer) []string {
	titles := []string{}
	for _, one := range answer.errors {
		titles = append(titles, one.title)
	}
	return titles
}

func placesOf(answer moduleAnswer) []string {
	places := []string{}
	for _, one := range answer.errors {
		// The console's own text, and texts of arguments, have other names in ours.
		if one.line > 0 && !strings.HasPrefix(one.file, "<") {
			places = append(places, fmt.Sprintf("%s at %s:%d", one.title, one.file, one.line))
		}
	}
	return places
}

// apart is what each of two lists has that the other has not.
func apart(one, other []string) (left, right []string) {
	without := func(list, taken []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(text string) bool { return slices.Contains(taken, text) })
	}
	return without(one, other), without(other, one)
}

func (a moduleAnswer) String() string {
	parts := []string{}
	for _, one := range a.errors {
		where := ""
		if one.line > 0 {
			where = fmt.Sprintf(" at %s:%d", one.file, one.line)
		}
		parts = append(parts, one.title+where)
	}
	if a.text != "" {
		parts = append(parts, a.text)
	}
	if a.crashed {
		parts = append(parts, "(the process ended)")
	}
	return strings.Join(parts, "; ")
}
