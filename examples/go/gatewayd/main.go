// Gatewayd is the configuration of a small daemon: locals that need each other in any order, blocks in structs, conditions that
// are compiled once. What the daemon itself finds wrong is shown beside what the library says, each at its place.
//
//	go run . CONFIG [NEXT-CONFIG ...]
//
// It reads CONFIG, prints what it means, and decides about a list of requests. Then it loads each NEXT-CONFIG as a reload
// would: all that is wrong with one is shown at once, and the configuration before it stays in force.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	hcl "libhcl.dev/go"
)

func main() {
	ctx := context.Background()
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: gatewayd CONFIG [NEXT-CONFIG ...]")
		os.Exit(2)
	}
	current, err := load(ctx, os.Args[1])
	if err != nil {
		explain(err)
		os.Exit(1)
	}
	current.show()
	for _, request := range []Request{
		{Method: "GET", Path: "/healthz", IP: "203.0.113.9"},
		{Method: "GET", Path: "/admin/users", IP: "203.0.113.9", User: user("mallory")},
		{Method: "GET", Path: "/admin/users", IP: "10.0.3.1", User: user("alice")},
		{Method: "PUT", Path: "/upload", IP: "203.0.113.9", User: user("bob"), Size: 20 << 20},
		{Method: "POST", Path: "/orders", IP: "203.0.113.9", User: user("bob"), Size: 512},
		{Method: "POST", Path: "/orders", IP: "203.0.113.9", Size: 512},
	} {
		current.ask(ctx, request)
	}
	for _, path := range os.Args[2:] {
		next, err := load(ctx, path)
		if err != nil {
			explain(err)
			fmt.Printf("%s can't be used: the configuration before it stays in force\n", path)
			continue
		}
		current = next
		fmt.Printf("%s is in force\n", path)
	}
}

func user(name string) *string { return &name }

func (c *Config) show() {
	for _, l := range c.Listeners {
		tls := ""
		if l.TLS {
			tls = " (tls)"
		}
		fmt.Printf("listener %-8s %s:%d%s\n", l.Name, l.Address, l.Port, tls)
		for line := range strings.Lines(l.Notice) {
			fmt.Printf("    | %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
	for _, u := range c.Upstreams {
		fmt.Printf("upstream %-8s %s, timeout %g s\n", u.Name, strings.Join(u.Servers, " "), u.Timeout)
	}
	for _, rule := range c.Rules {
		fmt.Printf("acl      %s: %s\n", rule.Name, rule.Action)
	}
}

func (c *Config) ask(ctx context.Context, request Request) {
	name := "-"
	if request.User != nil {
		name = *request.User
	}
	action, rule, err := c.decide(ctx, request)
	if err != nil {
		explain(err)
		return
	}
	fmt.Printf("%-5s %-4s %-16s from %-12s %-7s (%s)\n", action, request.Method, request.Path, request.IP, name, rule)
}

// explain shows an error: with source lines where it is one of the configuration.
func explain(err error) {
	var problem *hcl.Error
	if errors.As(err, &problem) {
		fmt.Print(problem.Render(hcl.RenderOptions{ASCII: true}))
		return
	}
	fmt.Println(err)
}
