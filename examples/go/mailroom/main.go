// Mailroom is an application that reads its configuration with libhcl instead of the reference's Go module: structs
// filled from a file, functions and names of its own, conditions that are compiled once, everything that is wrong with a
// broken file at once.
//
//	go run . mailroom.hcl mailroom.json broken.hcl
package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
)

func main() {
	ctx := context.Background()
	for _, path := range os.Args[1:] {
		fmt.Printf("== %s\n", path)
		config, err := load(ctx, path, "prod")
		if err != nil {
			explain(err)
			fmt.Println("a secret was missing:", errors.Is(err, errNoSecret))
			continue
		}
		show(config)
		for _, mail := range []Mail{
			{From: "ada@example.net", To: []string{"grace@example.net"}, Bytes: 2_000, Trusted: true},
			{From: "eve@spam.example", To: []string{"ada@example.net"}, Bytes: 900},
			{From: "bob@example.org", To: slices.Repeat([]string{"x@example.net"}, 60), Bytes: 80},
		} {
			action, err := config.decide(ctx, mail)
			if err != nil {
				explain(err)
				continue
			}
			fmt.Printf("mail from %s: %s\n", mail.From, action)
		}
	}
}

func show(c *Config) {
	fmt.Printf("listen %s for %s\n", c.Listen, c.Domain)
	fmt.Printf("storage %s, password of %d letters, at most %d bytes\n", c.Storage.Path, len(c.Storage.Password), c.Storage.MaxBytes)
	for _, relay := range c.Relays {
		weight := 1.0
		if relay.Weight != nil {
			weight = *relay.Weight
		}
		fmt.Printf("relay %s: %q, weight %g, tls %t", relay.Name, relay.Hosts, weight, relay.TLS)
		for _, key := range slices.Sorted(maps.Keys(relay.Labels)) {
			fmt.Printf(", %s=%s", key, relay.Labels[key])
		}
		fmt.Println()
	}
	if c.Metrics != nil {
		fmt.Printf("metrics on port %d\n", c.Metrics.Port)
	}
}
