package oracle

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclwrite"

	hcl "libhcl.dev/go"
)

type service struct {
	Name string            `hcl:"name,label"`
	Exe  []string          `hcl:"executable"`
	Rest map[string]string `hcl:",remain"`
}

type limits struct {
	Memory int            `hcl:"memory"`
	Files  map[string]int `hcl:"files,optional"`
	Extra  *limits        `hcl:"extra,block"`
}

type app struct {
	Name     string            `hcl:"name"`
	Desc     string            `hcl:"description"`
	Ratio    float64           `hcl:"ratio"`
	On       bool              `hcl:"on"`
	Nick     *string           `hcl:"nick"`
	Tags     map[string]string `hcl:"tags"`
	Matrix   [][]int           `hcl:"matrix"`
	Limits   *limits           `hcl:"limits,block"`
	Services []service         `hcl:"service,block"`
	After    string            `hcl:"after"`
	Workers  []*service        `hcl:"worker,block"`
}

var nick = "n\"1\"${x}"

var encoded = []any{
	&app{},
	app{Name: "awesome-app", Desc: "Such an\tawesome\napplication", Ratio: 0.25, On: true, Nick: &nick,
		Tags: map[string]string{"b": "2", "a": "1", "with space": "3", "é": "%{4}"}, Matrix: [][]int{{1, 2}, {}},
		Limits:   &limits{Memory: 1 << 40, Files: map[string]int{"open": 1024}, Extra: &limits{Memory: -1}},
		Services: []service{{"web", []string{"./web", "--listen=:8080"}, map[string]string{"not": "written"}}, {"wor\"ker", nil, nil}},
		After:    "last", Workers: []*service{nil, {"w", []string{"x"}, nil}}},
	forest{Nodes: []tree{{Name: "a", Nodes: []tree{{Name: "b", Size: 2}, {Name: "c"}}}, {Name: "d"}}},
	manyBlocks{Nested: []pair{{"1", "2"}, {"3", ""}}, Server: []*named{{"s", "t"}}, Address: []addressed{{"disk", "big", 1}}},
}

func TestStructsAreWrittenAsWithGohcl(t *testing.T) {
	for _, v := range encoded {
		file := hclwrite.NewEmptyFile()
		gohcl.EncodeIntoBody(v, file.Body())
		// Blocks that come first have an empty line before them there.
		theirs := strings.TrimPrefix(string(hclwrite.Format(file.Bytes())), "\n")
		document, err := hcl.NewDocument("a.hcl")
		if err != nil {
			t.Fatal(err)
		}
		if err := document.EncodeBody("", v); err != nil {
			t.Errorf("%T: %v", v, err)
		}
		if ours := document.String(); ours != theirs {
			t.Errorf("%T:\n%s\ntheirs:\n%s", v, ours, theirs)
		}
		// What is written is read as what it was.
		if reflect.TypeOf(v).Kind() == reflect.Struct {
			again := reflect.New(reflect.TypeOf(v))
			if err := hcl.DecodeFile(context.Background(), "a.hcl", []byte(document.String()), again.Interface()); err != nil {
				t.Errorf("%T: %v", v, err)
			}
			if twice, _ := hcl.NewDocument("b.hcl"); twice.EncodeBody("", again.Interface()) != nil || twice.String() != document.String() {
				t.Errorf("%T is not what was written:\n%s", v, twice)
			}
		}
		document.Close()
	}
}
