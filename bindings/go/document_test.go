package hcl_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	hcl "libhcl.dev/go"
)

func ExampleDocument() {
	document, err := hcl.ParseDocument("main.tf", []byte("# The image.\nami = var.image # pinned\n"))
	if err != nil {
		panic(err)
	}
	defer document.Close()
	document.RenameReferences("var.image", "var.ami")
	document.SetValue("tags", map[string]string{"Name": "web"})
	document.AppendBlock("", "service", []string{"web"}, map[string]any{"port": 80})
	fmt.Print(document)
	// Output:
	// # The image.
	// ami = var.ami # pinned
	// tags = {
	//   Name = "web"
	// }
	//
	// service "web" {
	//   port = 80
	// }
}

func same(t *testing.T, document *hcl.Document, want string) {
	t.Helper()
	if got := document.String(); got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
}

func TestLimitsOfADocument(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	limits := hcl.WithSourceLimits(hcl.SourceLimits{Bytes: 8})
	document := must(hcl.ParseDocument("main.hcl", []byte("a = 1\n"), hcl.WithContext(ctx), limits))(t)
	defer document.Close()
	// The context was that of the reading.
	cancel()
	if err := document.Set("a", "100"); err != nil {
		t.Error(err)
	}
	if err := document.Set("a", "1000"); !errors.Is(err, hcl.ErrLimit) {
		t.Error(err)
	}
	same(t, document, "a = 100\n")
}

func TestDocumentIsEdited(t *testing.T) {
	text := "# one\na = 1 # two\nb \"x.y\" {\n  c = var.old\n}\n"
	document, err := hcl.ParseDocument("main.hcl", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	defer document.Close()
	items, err := document.Items("")
	if err != nil || len(items) != 2 || items[1].Kind != "block" || items[1].Labels[0] != "x.y" {
		t.Errorf("%v %v", items, err)
	}
	if got, err := document.Source(hcl.Address("b", "x.y", "c")); err != nil || got[0] != "var.old" {
		t.Errorf("%v %v", got, err)
	}
	if got, err := document.Comments("a"); err != nil || got.Lead[0] != "# one" || got.Line[0] != "# two" {
		t.Errorf("%v %v", got, err)
	}
	n, err := document.RenameReferences("var.old", "var.new")
	if n != 1 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	for _, err := range []error{
		document.Set("a", "[1, 2]"),
		document.SetValue(hcl.Address("b", "x.y", "d"), map[string]any{"k": "${x}"}),
		document.Set("e.f", "3", hcl.EditCreate),
		document.Insert("e", hcl.Before, "g = 4\n"),
		document.Relabel("b", []string{"l", "m"}),
		document.Rename("b", "block"),
		document.SetComment("e.f", hcl.LineComment, "three"),
		document.Move("e", hcl.Before, "block"),
		document.MoveTo("block.l.*", "block.n.*"),
		document.Append("", "last {}"),
		document.AppendBlock("e", "inner", nil, nil, hcl.EditClose),
		document.Format(),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	same(t, document, "# one\na = [1, 2] # two\ne {\n  f = 3 # three\n  inner {\n  }\n}\n"+
		"block \"n\" \"m\" {\n  c = var.new\n  d = {\n    k = \"$${x}\"\n  }\n}\n\ng = 4\n\nlast {}\n")
	if n, err := document.Remove("*", hcl.EditAll); n != 3 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	same(t, document, "# one\na = [1, 2] # two\n\ng = 4\n")
}

// Keys of objects inside objects are items with comments of their own, as attributes and blocks are.
func TestKeysOfNestedObjectsAreEdited(t *testing.T) {
	text := "a \"x\" {\n  o = {\n    # lead\n    k = { \"m n\" = 1 } # line\n    l = 2\n  }\n}\n"
	document := must(hcl.ParseDocument("main.hcl", []byte(text)))(t)
	defer document.Close()
	items := must(document.Items("a.x.o"))(t)
	if len(items) != 2 || items[0].Kind != "key" || items[0].Name != "k" || items[0].Address != "a.x.o.k" {
		t.Errorf("%+v", items)
	}
	if inner := must(document.Items(items[0].Address))(t); len(inner) != 1 || inner[0].Name != "m n" || inner[0].Address != `a.x.o.k."m n"` {
		t.Errorf("%+v", inner)
	}
	if got := must(document.Comments("a.x.o.k"))(t); len(got.Lead) != 1 || got.Lead[0] != "# lead" || len(got.Line) != 1 {
		t.Errorf("%+v", got)
	}
	for _, err := range []error{
		document.Set(hcl.Address("a", "x", "o", "k", "m n"), "var.one"),
		document.Rename("a.x.o.l", "renamed"),
		document.SetComment("a.x.o.renamed", hcl.LeadComment, "two"),
		document.SetValue("a.x.o.added", []int{1, 2}),
		document.Relabel("a", []string{"y", "z"}),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	same(t, document, "a \"y\" \"z\" {\n  o = {\n    # lead\n    k = { \"m n\" = var.one } # line\n    # two\n    renamed = 2\n    added   = [1, 2]\n  }\n}\n")
}

func TestDocumentRefusesWhatMakesNoSense(t *testing.T) {
	document, err := hcl.NewDocument("new.hcl")
	if err != nil {
		t.Fatal(err)
	}
	before := hcl.Live()
	for _, err := range []error{
		document.Set("a", "1 +"),
		document.SetValue("a", func() {}),
		document.Append("", "a ="),
		document.AppendBlock("", "", nil, nil),
		document.AppendBlock("", "b", nil, 1),
		document.Set("a", "1", hcl.EditFlag(64)),
		document.Insert("x", hcl.Into, ""),
	} {
		if err == nil {
			t.Error("no error")
		}
	}
	if err := document.Set("x.y", "1"); !errors.Is(err, hcl.ErrNotFound) {
		t.Error(err)
	}
	if _, err := hcl.ParseDocument("broken.hcl", []byte("a = ")); !errors.Is(err, hcl.ErrDiagnostics) {
		t.Error(err)
	}
	settle(t, before)
	same(t, document, "")
	document.Close()
	document.Close()
	if err := document.Set("a", "1"); !errors.Is(err, hcl.ErrClosed) {
		t.Error(err)
	}
	same(t, document, "")
}

func TestDocumentTakesAnyLabel(t *testing.T) {
	for _, label := range []string{"a.b", "*", "a b", "\\", "\"", "[0]", "é\u00a0", "\n", "${x}", ""} {
		document, _ := hcl.NewDocument("new.hcl")
		if err := document.AppendBlock("", "b", []string{label}, map[string]any{"x": 1}); err != nil {
			t.Fatal(err)
		}
		if err := document.Set(hcl.Address("b", label, "x"), "2"); err != nil || !strings.Contains(document.String(), "x = 2") {
			t.Errorf("%q: %v %s", label, err, document)
		}
		document.Close()
	}
}

func TestDocumentIsSharedByGoroutines(t *testing.T) {
	document, err := hcl.NewDocument("new.hcl")
	if err != nil {
		t.Fatal(err)
	}
	defer document.Close()
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 20 {
				if err := document.AppendBlock("", "b", nil, map[string]any{"x": 1}); err != nil {
					t.Error(err)
				}
				document.Items("")
			}
		}()
	}
	all.Wait()
	if items, err := document.Items(""); len(items) != 160 || err != nil {
		t.Errorf("%d %v", len(items), err)
	}
}
