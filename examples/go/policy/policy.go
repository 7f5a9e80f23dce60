package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"

	hcl "libhcl.dev/go"
)

// Policy is a list of rules; it is used by all requests at once.
type Policy struct {
	rules []rule
}

type rule struct {
	Name   string          `hcl:"name,label"`
	Action string          `hcl:"action"`
	When   *hcl.Expression `hcl:"when"`

	program *hcl.Program
}

// key is under which the context has the request.
type key struct{}

// asked is the request that an evaluation is about.
func asked(ctx context.Context) (*http.Request, error) {
	request, ok := ctx.Value(key{}).(*http.Request)
	if !ok {
		return nil, errors.New("there is no request to ask")
	}
	return request, nil
}

// header gives a header of the request.
func header(ctx context.Context, name string) (string, error) {
	request, err := asked(ctx)
	if err != nil {
		return "", err
	}
	return request.Header.Get(name), nil
}

// comesFrom tells whether the request was sent from a network.
func comesFrom(ctx context.Context, network string) (bool, error) {
	request, err := asked(ctx)
	if err != nil {
		return false, err
	}
	within, err := netip.ParsePrefix(network)
	if err != nil {
		return false, &hcl.ArgumentError{Index: 0, Err: hcl.NewDiagnostic("policy.network", "Invalid network",
			fmt.Sprintf("%q is no network such as 10.0.0.0/8.", network))}
	}
	host, _, err := net.SplitHostPort(request.RemoteAddr)
	if err != nil {
		return false, err
	}
	address, err := netip.ParseAddr(host)
	return within.Contains(address), err
}

// load reads the rules and compiles their conditions.
func load(path string) (*Policy, error) {
	body, err := hcl.ReadFile(path)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	scope, err := hcl.NewScope(
		hcl.WithBuiltins(hcl.FunctionsTerraform),
		hcl.WithVariables("method", "path"),
		hcl.WithFunction("header", header),
		hcl.WithFunction("comes_from", comesFrom),
		hcl.WithLimits(hcl.Limits{Steps: 100_000}),
	)
	if err != nil {
		return nil, err
	}
	defer scope.Close()
	var file struct {
		Rules []rule `hcl:"rule,block"`
	}
	if err := body.Decode(context.Background(), nil, &file); err != nil {
		return nil, err
	}
	var problems []error
	for i := range file.Rules {
		var err error
		file.Rules[i].program, err = scope.CompileExpression(file.Rules[i].When)
		problems = append(problems, err)
	}
	return &Policy{file.Rules}, hcl.Join(problems...)
}

// decide is the action of the first rule that a request meets.
func (p *Policy) decide(request *http.Request) (action, name string, err error) {
	ctx := context.WithValue(request.Context(), key{}, request)
	variables := map[string]any{"method": request.Method, "path": request.URL.Path}
	for _, rule := range p.rules {
		meets, err := rule.program.EvalBool(ctx, variables)
		if err != nil {
			return "", "", fmt.Errorf("rule %q: %w", rule.Name, err)
		}
		if meets {
			return rule.Action, rule.Name, nil
		}
	}
	return "deny", "no rule", nil
}

// ServeHTTP answers 204 to what may pass, else 403. What a rule could not decide does not pass.
func (p *Policy) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	action, name, err := p.decide(request)
	if err != nil {
		var problem *hcl.Error
		if errors.As(err, &problem) {
			slog.Error("a rule failed", "path", request.URL.Path, "why", problem)
		}
		http.Error(w, "the rules can't tell", http.StatusInternalServerError)
		return
	}
	w.Header().Set("X-Policy-Rule", name)
	if action != "allow" {
		http.Error(w, "denied by "+name, http.StatusForbidden)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
