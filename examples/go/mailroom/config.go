package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	hcl "libhcl.dev/go"
)

// Config is the file as the application sees it.
type Config struct {
	Listen   string   `hcl:"listen,optional"`
	Domain   string   `hcl:"domain"`
	Storage  Storage  `hcl:"storage,block"`
	Relays   []Relay  `hcl:"relay,block"`
	Rules    []Rule   `hcl:"rule,block"`
	Metrics  *Metrics `hcl:"metrics,block"`
	programs []*hcl.Program
}

// Storage is where mail is kept.
type Storage struct {
	Path     string `hcl:"path"`
	Password string `hcl:"password"`
	MaxBytes int64  `hcl:"max_bytes,optional"`
}

// Relay is a host that mail goes to.
type Relay struct {
	Name   string            `hcl:"name,label"`
	Hosts  []string          `hcl:"hosts"`
	Weight *float64          `hcl:"weight"`
	TLS    bool              `hcl:"tls,optional"`
	Labels map[string]string `hcl:"labels,optional"`
}

// Metrics is where figures are published.
type Metrics struct {
	Port uint16 `hcl:"port"`
}

// Rule says what happens to a mail. The condition is compiled once and evaluated for every mail.
type Rule struct {
	Name   string          `hcl:"name,label"`
	When   *hcl.Expression `hcl:"when"`
	Action string          `hcl:"action"`
}

// Mail is what rules look at, as `mail`.
type Mail struct {
	From    string   `hcl:"from"`
	To      []string `hcl:"to"`
	Bytes   int      `hcl:"bytes"`
	Trusted bool     `hcl:"trusted"`
}

var errNoSecret = errors.New("no such secret")

// secrets stands for the application's secret store.
func secrets(_ context.Context, name string) (string, error) {
	if name == "storage" {
		return "correct horse", nil
	}
	return "", fmt.Errorf("%w: %s", errNoSecret, name)
}

// load reads a configuration. It may call `secret`, `has_suffix` and the functions of Terraform, and use `env` and `host`.
func load(ctx context.Context, path, env string) (*Config, error) {
	outer, err := hcl.NewScope(
		hcl.WithBuiltins(hcl.FunctionsTerraform),
		hcl.WithFunction("secret", secrets),
		hcl.WithFunction("has_suffix", strings.HasSuffix),
		hcl.WithConstant("env", env),
		hcl.WithConstant("host", map[string]any{"name": "mx1", "cores": 8}),
		hcl.WithLimits(hcl.Limits{Steps: 1_000_000}),
	)
	if err != nil {
		return nil, err
	}
	defer outer.Close()
	body, err := hcl.ReadFile(path)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	frame, err := outer.NewFrame()
	if err != nil {
		return nil, err
	}
	defer frame.Close()
	config := &Config{Listen: ":25", Storage: Storage{MaxBytes: 1 << 30}}
	if err := body.Decode(ctx, frame, config); err != nil {
		return nil, err
	}
	return config, config.compile(outer)
}

// compile makes programs of the rules' conditions; what names they use is checked now, not with the first mail.
func (c *Config) compile(outer *hcl.Scope) error {
	scope, err := hcl.NewScope(hcl.WithParent(outer), hcl.WithVariables("mail"))
	if err != nil {
		return err
	}
	defer scope.Close()
	for _, rule := range c.Rules {
		program, err := scope.CompileExpression(rule.When)
		if err != nil {
			return fmt.Errorf("rule %q: %w", rule.Name, err)
		}
		c.programs = append(c.programs, program)
	}
	return nil
}

// decide is the action of the first rule that a mail meets.
func (c *Config) decide(ctx context.Context, mail Mail) (string, error) {
	for i, rule := range c.Rules {
		meets, err := c.programs[i].EvalBool(ctx, map[string]any{"mail": mail})
		if err != nil {
			return "", fmt.Errorf("rule %q: %w", rule.Name, err)
		}
		if meets {
			return rule.Action + " by " + rule.Name, nil
		}
	}
	return "keep", nil
}

// explain shows an error: with source lines where it is one of the configuration.
func explain(err error) {
	var problem *hcl.Error
	if errors.As(err, &problem) {
		fmt.Fprint(os.Stdout, problem.Render(hcl.RenderOptions{ASCII: true}))
		return
	}
	fmt.Println(err)
}
