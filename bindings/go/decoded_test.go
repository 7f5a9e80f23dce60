package hcl_test

import (
	"context"
	"errors"
	"testing"

	hcl "libhcl.dev/go"
)

func TestPlacesOfDecodedValues(t *testing.T) {
	spec, err := hcl.ParseSpec("spec", []byte(`
object {
  attr "name" { type = string }
  literal "constant" { value = 1 }
  block_map "listen" {
    labels = ["name"]
    object {
      attr "ports" { type = list(number) }
    }
  }
}
`))
	if err != nil {
		t.Fatal(err)
	}
	source := "listen \"public\" {\n  ports = [80, 70000]\n}\n"
	body, err := hcl.ParseFile("gateway.hcl", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, c := range []struct {
		path string
		part hcl.Part
		want string
	}{
		{"listen.public.ports[1]", hcl.PartValue, "70000"}, {"listen.public.ports", hcl.PartName, "ports"},
		{"listen.public", hcl.PartHeader, `listen "public"`}, {"name", hcl.PartValue, ""},
	} {
		at, err := spec.RangeOf(ctx, body, nil, c.path, c.part)
		if err != nil || at.Filename != "gateway.hcl" || source[at.Start.Byte:at.End.Byte] != c.want {
			t.Errorf("%s: %v, %v", c.path, at, err)
		}
	}
	for path, want := range map[string]error{"constant": hcl.ErrNotFound, "a + b": hcl.ErrArgument} {
		if _, err := spec.RangeOf(ctx, body, nil, path, hcl.PartValue); !errors.Is(err, want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	problem := hcl.NewDiagnostic("gatewayd.port", "Port out of range", "", hcl.At(spec.Place(body, "listen.public.ports[1]", hcl.PartValue)))
	if d := problem.Diagnostics[0]; d.Expression != "70000" || d.Subject.Start.Line != 2 {
		t.Errorf("%+v", d)
	}
	body.Close()
	if _, err := spec.RangeOf(ctx, body, nil, "name", hcl.PartValue); !errors.Is(err, hcl.ErrClosed) {
		t.Errorf("%v", err)
	}
	spec.Close()
}
