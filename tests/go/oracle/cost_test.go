package oracle

import (
	"context"
	"fmt"
	"strings"
	"testing"

	reference "github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	hcl "libhcl.dev/go"
)

type server struct {
	Name   string  `hcl:"name,label"`
	Host   string  `hcl:"host"`
	Port   int     `hcl:"port"`
	TLS    bool    `hcl:"tls"`
	Weight float64 `hcl:"weight"`
}

type servers struct {
	Servers []server `hcl:"server,block"`
}

// Of 500 blocks with four attributes, from the text on. benches/embedding measures the time.
func TestNoMoreIsAllocatedThanByGohcl(t *testing.T) {
	var text strings.Builder
	for i := range 500 {
		fmt.Fprintf(&text, "server \"s%d\" {\n  host = \"10.0.0.%d\"\n  port = %d\n  tls = true\n  weight = 0.5\n}\n", i, i, i)
	}
	source := []byte(text.String())
	ours := testing.AllocsPerRun(5, func() {
		var got servers
		if err := hcl.DecodeFile(context.Background(), "servers.hcl", source, &got); err != nil || len(got.Servers) != 500 {
			t.Fatal(err)
		}
	})
	body, err := hcl.ParseFile("servers.hcl", source)
	if err != nil {
		t.Fatal(err)
	}
	oursDecoding := testing.AllocsPerRun(5, func() {
		var got servers
		if err := body.Decode(context.Background(), nil, &got); err != nil {
			t.Fatal(err)
		}
	})
	theirs := testing.AllocsPerRun(5, func() {
		file, _ := hclsyntax.ParseConfig(source, "servers.hcl", reference.InitialPos)
		var got servers
		if diags := gohcl.DecodeBody(file.Body, nil, &got); diags.HasErrors() {
			t.Fatal(diags)
		}
	})
	file, _ := hclsyntax.ParseConfig(source, "servers.hcl", reference.InitialPos)
	theirsDecoding := testing.AllocsPerRun(5, func() {
		var got servers
		if diags := gohcl.DecodeBody(file.Body, nil, &got); diags.HasErrors() {
			t.Fatal(diags)
		}
	})
	t.Logf("from the text on %.0f, theirs %.0f; decoding alone %.0f, theirs %.0f", ours, theirs, oursDecoding, theirsDecoding)
	if ours > theirs || oursDecoding > theirsDecoding {
		t.Error("more is allocated than by gohcl")
	}
}
