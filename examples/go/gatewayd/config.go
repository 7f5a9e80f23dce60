package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	hcl "libhcl.dev/go"
)

// Config is the file as the daemon sees it.
type Config struct {
	Listeners []Listener `hcl:"listener,block"`
	Upstreams []Upstream `hcl:"upstream,block"`
	Rules     []Rule     `hcl:"acl,block"`
	programs  []*hcl.Program
}

// Listener is what the daemon listens on. The place of its port is kept for what is said of it.
type Listener struct {
	Name    string    `hcl:"name,label"`
	Address string    `hcl:"address"`
	Port    int       `hcl:"port"`
	PortAt  hcl.Range `hcl:"port,attr_value_range"`
	TLS     bool      `hcl:"tls,optional"`
	Notice  string    `hcl:"notice,optional"`
}

// Upstream is where requests go.
type Upstream struct {
	Name    string   `hcl:"name,label"`
	Servers []string `hcl:"servers"`
	Timeout float64  `hcl:"timeout"`
}

// Rule says which requests pass. The condition is compiled once and evaluated for every request.
type Rule struct {
	Name   string          `hcl:"name,label"`
	Action string          `hcl:"action"`
	When   *hcl.Expression `hcl:"when"`
}

// Request is what rules look at, as `request`.
type Request struct {
	Method string  `hcl:"method"`
	Path   string  `hcl:"path"`
	IP     string  `hcl:"ip"`
	User   *string `hcl:"user"`
	Size   int     `hcl:"size"`
}

// limits are how much one expression of a configuration may do, when it is loaded and for each request: a mistake in a rule must
// not stop the daemon.
var limits = hcl.Limits{Steps: 100_000, Memory: 16 << 20, Timeout: time.Second}

// load reads a configuration; its error says all that is wrong.
func load(ctx context.Context, path string) (*Config, error) {
	body, err := hcl.ReadFile(path)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	scope, err := hcl.NewScope(
		hcl.WithBuiltins(hcl.FunctionsTerraform),
		hcl.WithFunction("env", environment),
		hcl.WithVariables("local"),
		hcl.WithLimits(limits),
	)
	if err != nil {
		return nil, err
	}
	defer scope.Close()
	frame, err := scope.NewFrame()
	if err != nil {
		return nil, err
	}
	defer frame.Close()

	var file struct {
		Locals map[string]*hcl.Attribute `hcl:"locals,block"`
		Rest   *hcl.Body                 `hcl:",remain"`
	}
	if err := body.Decode(ctx, nil, &file); err != nil {
		return nil, err
	}
	locals := &locals{all: file.Locals, frame: frame, values: map[string]any{}, done: map[string]bool{}}
	problems := locals.evaluate(ctx)
	config := &Config{}
	problems = append(problems, file.Rest.Decode(ctx, frame, config), config.check(body), config.compile(scope, locals.values))
	return config, hcl.Join(problems...)
}

func environment(name, fallback string) string {
	if value, ok := os.LookupEnv(name); ok {
		return value
	}
	return fallback
}

// locals evaluates the attributes of the block of that name as they need each other.
type locals struct {
	all    map[string]*hcl.Attribute
	frame  *hcl.Frame
	values map[string]any
	done   map[string]bool // false while it is being evaluated
}

func (l *locals) evaluate(ctx context.Context) (problems []error) {
	for _, name := range slices.Sorted(maps.Keys(l.all)) {
		if _, known := l.done[name]; !known {
			problems = append(problems, l.one(ctx, name)...)
		}
	}
	return append(problems, l.frame.Set("local", l.values))
}

// one evaluates a local after those that it needs.
func (l *locals) one(ctx context.Context, name string) (problems []error) {
	attribute := l.all[name]
	l.done[name] = false
	defer func() { l.done[name] = true }()
	expression, err := attribute.Expression()
	if err != nil {
		return []error{err}
	}
	defer expression.Close()
	references, err := expression.Variables()
	if err != nil {
		return []error{err}
	}
	for _, reference := range references {
		needed, _, _ := strings.Cut(strings.TrimPrefix(reference.Text, "local."), ".")
		done, known := l.done[needed]
		switch {
		case reference.Root != "local" || l.all[needed] == nil:
		case !known:
			problems = append(problems, l.one(ctx, needed)...)
		case !done:
			return append(problems, hcl.NewDiagnostic("gatewayd.cycle", "Circular locals",
				fmt.Sprintf("%q needs itself, directly or through others.", "local."+name), hcl.At(attribute.NamePlace())))
		}
	}
	if len(problems) > 0 {
		// Without what it needs there is nothing more to say of it.
		return problems
	}
	if err := l.frame.Set("local", l.values); err != nil {
		return append(problems, err)
	}
	value, err := attribute.Eval(ctx, l.frame)
	if err != nil {
		return append(problems, err)
	}
	l.values[name] = value
	return problems
}

// check is what the daemon itself demands.
func (c *Config) check(body *hcl.Body) error {
	var problems []error
	for _, l := range c.Listeners {
		if l.Port >= 65536 {
			problems = append(problems, hcl.NewDiagnostic("gatewayd.range", "Number out of range",
				"port must be below 65536.", hcl.At(body.RangeIn(l.PortAt))))
		}
	}
	return hcl.Join(problems...)
}

// compile makes programs of the rules' conditions; what names they use is checked now, not with the first request.
func (c *Config) compile(outer *hcl.Scope, values map[string]any) error {
	scope, err := hcl.NewScope(hcl.WithParent(outer), hcl.WithConstant("local", values), hcl.WithVariables("request"))
	if err != nil {
		return err
	}
	defer scope.Close()
	var problems []error
	for _, rule := range c.Rules {
		if rule.When == nil {
			continue
		}
		program, err := scope.CompileExpression(rule.When)
		problems = append(problems, err)
		c.programs = append(c.programs, program)
	}
	return hcl.Join(problems...)
}

// decide is the action of the first rule that a request meets.
func (c *Config) decide(ctx context.Context, request Request) (action, rule string, err error) {
	for i, rule := range c.Rules {
		meets, err := c.programs[i].EvalBool(ctx, map[string]any{"request": request})
		if err != nil {
			return "", "", fmt.Errorf("rule %q: %w", rule.Name, err)
		}
		if meets {
			return rule.Action, rule.Name, nil
		}
	}
	return "deny", "no rule", nil
}
