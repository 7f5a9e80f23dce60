package hcl_test

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	hcl "libhcl.dev/go"
)

func ExampleDocument_EncodeBlock() {
	type service struct {
		Name  string   `hcl:"name,label"`
		Port  int      `hcl:"port"`
		Hosts []string `hcl:"hosts,optional"`
		Note  *string  `hcl:"note"`
	}
	document, err := hcl.ParseDocument("services.hcl", []byte("# Services.\nregion = \"eu\"\n"))
	if err != nil {
		panic(err)
	}
	defer document.Close()
	if err := document.EncodeBlock("", "service", service{Name: "web", Port: 80, Hosts: []string{"a", "b"}}); err != nil {
		panic(err)
	}
	fmt.Print(document)
	// Output:
	// # Services.
	// region = "eu"
	//
	// service "web" {
	//   port  = 80
	//   hosts = ["a", "b"]
	// }
}

type written struct {
	When    *hcl.Expression              `hcl:"when,optional"`
	Odd     *hcl.Attribute               `hcl:"odd"`
	Address netip.Addr                   `hcl:"address"`
	Raw     hcl.Value                    `hcl:"raw,optional"`
	Ports   map[string]port              `hcl:"port,block"`
	Named   map[string]map[string]*named `hcl:"named,block"`
	Tags    map[string]any               `hcl:"tags,block"`
	At      hcl.Range                    `hcl:"odd,attr_range"`
	*Network
}

type named struct {
	Type netip.Addr `hcl:"type,label"`
	Name string     `hcl:"name,label"`
}

// A decoded value can be written, and reading gives it back.
func TestStructsAreWritten(t *testing.T) {
	source := `when    = user.age > 17 # comments go
odd     = [ for x in xs : x ]
address = "10.0.0.1"
raw     = { a = [1, "b"] }
port "http" { number = 80 }
port "dns" { number = 53 }
named "10.0.0.2" "x" {}
tags {
  a = 1
  b = "two"
}
`
	const want = `when    = user.age > 17
odd     = [for x in xs : x]
address = "10.0.0.1"
raw = {
  a = [1, "b"]
}

port "dns" {
  number = 53
}
port "http" {
  number = 80
}

named "10.0.0.2" "x" {
}

tags {
  a = 1
  b = "two"
}
`
	for range 2 {
		var got written
		if err := hcl.DecodeFile(ctx, "a.hcl", []byte(source), &got); err != nil {
			t.Fatal(err)
		}
		document := must(hcl.NewDocument("b.hcl"))(t)
		if err := document.EncodeBody("", &got); err != nil {
			t.Fatal(err)
		}
		same(t, document, want)
		source = document.String()
		document.Close()
		got.Raw.Close()
	}
}

func TestEmptyLinesStandBetweenBlocksAndWhatFollows(t *testing.T) {
	document := must(hcl.NewDocument("a.hcl"))(t)
	defer document.Close()
	type block struct{}
	err := document.EncodeBody("", struct {
		A []block `hcl:"a,block"`
		B []block `hcl:"b,block"`
		C int     `hcl:"c"`
		D *block  `hcl:"d,block"`
		E block   `hcl:"e,block"`
	}{A: []block{{}, {}}, C: 1, D: &block{}})
	if err != nil {
		t.Error(err)
	}
	same(t, document, "a {\n}\na {\n}\n\nc = 1\n\nd {\n}\n\ne {\n}\n")
}

func TestAStructThatCannotBeWrittenChangesNothing(t *testing.T) {
	const text = "a = 1\nserver \"x\" {\n  b = 2\n}\n"
	document := must(hcl.ParseDocument("a.hcl", []byte(text)))(t)
	defer document.Close()
	type loop struct {
		Next *loop `hcl:"next,block"`
	}
	around := &loop{}
	around.Next = around
	sensitive := must(must(hcl.ValueOf("secret"))(t).Mark("sensitive"))(t)
	for name, try := range map[string]func() error{
		"is no struct":          func() error { return document.EncodeBody("", 1) },
		"no struct that a body": func() error { return document.EncodeBody("", (*loop)(nil)) },
		"contain themselves":    func() error { return document.EncodeBody("", around) },
		"at s.bad: ": func() error {
			return document.EncodeBlock("", "s", struct {
				Bad chan int `hcl:"bad"`
			}{make(chan int)})
		},
		"at bad: a text that": func() error {
			return document.EncodeBody("", struct {
				Bad string `hcl:"bad"`
			}{"\xff"})
		},
		"has a tag": func() error {
			return document.EncodeBody("", struct {
				Bad int `hcl:"bad,odd"`
			}{})
		},
		"There is no \"nothere\"": func() error { return document.EncodeBody("nothere", port{1}) },
		"can't be written as one": func() error { return document.EncodeBlock("", "route", &route{}) },
		"marked": func() error {
			return document.EncodeBody("", struct {
				Bad hcl.Value `hcl:"bad"`
			}{sensitive})
		},
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		same(t, document, text)
	}
	if err := document.EncodeBody("server.x", struct{}{}); err != nil {
		t.Error(err)
	}
	same(t, document, "a = 1\nserver \"x\" {\n}\n")
	if err := document.EncodeBody("a", port{1}); err == nil || errors.Is(err, hcl.ErrArgument) {
		t.Error(err)
	}
	same(t, document, "a = 1\nserver \"x\" {\n}\n")
}
