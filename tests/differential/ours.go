package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
	"unicode/utf8"
)

// Engine is our command in batch mode, a process for each verb.
type Engine struct {
	command string
	pipes   map[string]*pipe
}

type pipe struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// How long an answer may take.
const patience = 60 * time.Second

func newEngine(command string) *Engine {
	return &Engine{command: command, pipes: map[string]*pipe{}}
}

func (e *Engine) start(verb string) (*pipe, error) {
	command := exec.Command(e.command, verb, "--jsonl")
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &pipe{command, in, bufio.NewReaderSize(out, 1<<20)}, command.Start()
}

// ask puts inputs of one verb to the engine, and reads as many answers. Where the process ends instead of
// answering, the input that it could not answer gets a panic for an answer, and the rest a new process.
func (e *Engine) ask(verb string, inputs []*Input) ([]Answer, error) {
	answers := make([]Answer, 0, len(inputs))
	for len(answers) < len(inputs) {
		running, ok := e.pipes[verb]
		if !ok {
			started, err := e.start(verb)
			if err != nil {
				return nil, err
			}
			running, e.pipes[verb] = started, started
		}
		rest := inputs[len(answers):]
		go write(running.in, rest)
		for range rest {
			late := time.AfterFunc(patience, func() { _ = running.command.Process.Kill() })
			line, err := running.out.ReadBytes('\n')
			late.Stop()
			if err != nil {
				err = running.command.Wait()
				delete(e.pipes, verb)
				answers = append(answers, Answer{Panic: fmt.Sprintf("the process ended: %v", err)})
				break
			}
			answers = append(answers, readAnswer(verb, line))
		}
	}
	return answers, nil
}

func write(in io.Writer, inputs []*Input) {
	var lines bytes.Buffer
	for _, input := range inputs {
		lines.Write(input.request())
		lines.WriteByte('\n')
	}
	// A process that has ended reads nothing; the missing answer tells.
	_, _ = in.Write(lines.Bytes())
}

// request is an input as a line of the batch protocol.
func (i *Input) request() []byte {
	fields := map[string]any{}
	switch i.Verb {
	case "check":
		if utf8.Valid(i.Source) {
			fields["source"] = string(i.Source)
		} else {
			fields["source_base64"] = base64.StdEncoding.EncodeToString(i.Source)
		}
	case "vars":
		fields["expr"] = i.Expr
	default:
		fields["expr"], fields["dialect"] = i.Expr, i.Dialect
		if len(i.Vars) > 0 {
			fields["vars"] = i.Vars
		}
		if i.Context != "" {
			fields["context"] = i.Context
		}
		if i.Context == "child" {
			fields["outer_vars"] = i.OuterVars
		}
		if i.Syntax != "" {
			fields["syntax"] = i.Syntax
		}
		if i.As != "" {
			fields["as"] = i.As
		}
	}
	line, err := json.Marshal(fields)
	if err != nil {
		return []byte("{}")
	}
	return line
}

func readAnswer(verb string, line []byte) Answer {
	var said struct {
		Type        *string         `json:"type_expr"`
		Value       json.RawMessage `json:"value"`
		Partial     json.RawMessage `json:"partial"`
		Body        json.RawMessage `json:"body"`
		Unknown     bool            `json:"unknown"`
		Refinements string          `json:"refinements"`
		Marks       []string        `json:"marks"`
		DeepMarks   [][2]string     `json:"deep_marks"`
		Variables   []string        `json:"variables"`
		Diagnostics []Diagnostic    `json:"diagnostics"`
	}
	if err := json.Unmarshal(line, &said); err != nil {
		return Answer{Panic: fmt.Sprintf("no answer: %v: %.200s", err, line)}
	}
	answer := Answer{
		Unknown: said.Unknown, Refinements: said.Refinements, Marks: said.Marks, DeepMarks: said.DeepMarks,
		Variables: said.Variables, Diagnostics: said.Diagnostics, Body: parse(said.Body),
	}
	if said.Type != nil {
		answer.Type, answer.HasValue = *said.Type, true
	}
	answer.Refused = verb == "eval" && !answer.HasValue
	answer.Value = parse(said.Value)
	if said.Partial != nil {
		answer.Value = parse(said.Partial)
	}
	return answer
}

func parse(text json.RawMessage) any {
	if text == nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return err.Error()
	}
	return value
}
