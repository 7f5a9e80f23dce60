package hcl_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	hcl "libhcl.dev/go"
)

// size reads itself from a number or a text such as "4k".
type size int64

func (s *size) UnmarshalHCL(value hcl.Value) error {
	if text, err := value.AsString(); err == nil {
		n, unit := 0, ""
		if _, err := fmt.Sscanf(text, "%d%s", &n, &unit); err != nil || unit != "k" {
			return fmt.Errorf("%q is no size such as 4k.", text)
		}
		*s = size(n) << 10
		return nil
	}
	n, err := value.AsInt()
	*s = size(n)
	return err
}

// pause is a duration, which reads itself from text.
type pause time.Duration

func (p *pause) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	*p = pause(d)
	return err
}

// route reads its body itself: any number of attributes, sorted out by their values.
type route struct {
	Path  string `hcl:"path,label"`
	Plain []string
}

var errEmptyRoute = errors.New("a route without targets")

func (r *route) UnmarshalHCLBody(ctx context.Context, body *hcl.Body, frame *hcl.Frame) error {
	attributes, err := body.JustAttributes()
	if err != nil {
		return err
	}
	if len(attributes) == 0 {
		return errEmptyRoute
	}
	for _, a := range attributes {
		value, err := a.Eval(ctx, frame)
		if err != nil {
			return err
		}
		r.Plain = append(r.Plain, r.Path+" "+a.Name+" = "+value.String())
		value.Close()
	}
	return nil
}

type common struct {
	Name  string `hcl:"name,label"`
	Owner string `hcl:"owner,optional"`
}

type Network struct {
	CIDR netip.Prefix `hcl:"cidr,optional"`
	DNS  []port       `hcl:"dns,block"`
}

type Machine struct {
	common
	*Network
	Memory size              `hcl:"memory,optional"`
	Disks  []size            `hcl:"disks,optional"`
	Wait   *pause            `hcl:"wait"`
	Tags   map[string]string `hcl:"tags,block"`
}

type fleet struct {
	Machines map[string]Machine          `hcl:"machine,block"`
	Ports    map[string]map[string]*port `hcl:"port,block"`
	Groups   map[string][]struct {
		N int `hcl:"n"`
	} `hcl:"group,block"`
	Routes []*route `hcl:"route,block"`
}

type port struct {
	Number int `hcl:"number"`
}

const fleetText = `
machine "a" {
  owner  = "ops"
  memory = "4k"
  disks  = [1, "2k"]
  wait   = "1m30s"
  cidr   = "10.0.0.0/8"
  dns { number = 53 }
  tags {
    tier = 1
    zone = upper("b")
  }
}
machine "b" {}
port "tcp" "http" { number = 80 }
port "tcp" "https" { number = 443 }
port "udp" "dns" { number = 53 }
group "x" { n = 1 }
group "y" { n = 2 }
group "x" { n = 3 }
route "/a" {
  to     = "a"
  weight = 1 + 1
}
`

func TestTagsBeyondPlainFields(t *testing.T) {
	var got fleet
	if err := hcl.DecodeFile(ctx, "fleet.hcl", []byte(fleetText), &got, hcl.WithBuiltins(hcl.FunctionsTerraform)); err != nil {
		t.Fatal(err)
	}
	a := got.Machines["a"]
	if a.Name != "a" || a.Owner != "ops" || a.Memory != 4096 || !reflect.DeepEqual(a.Disks, []size{1, 2048}) ||
		*a.Wait != pause(90*time.Second) || !reflect.DeepEqual(a.Tags, map[string]string{"tier": "1", "zone": "B"}) {
		t.Errorf("%+v", a)
	}
	if a.CIDR.Bits() != 8 || len(a.DNS) != 1 || a.DNS[0].Number != 53 {
		t.Errorf("%+v", a.Network)
	}
	if b := got.Machines["b"]; b.Name != "b" || b.Tags != nil || b.Wait != nil || b.Network != nil {
		t.Errorf("%+v", b)
	}
	if len(got.Ports) != 2 || got.Ports["tcp"]["https"].Number != 443 || got.Ports["udp"]["dns"].Number != 53 {
		t.Errorf("%+v", got.Ports)
	}
	if x := got.Groups["x"]; len(got.Groups) != 2 || len(x) != 2 || x[1].N != 3 {
		t.Errorf("%+v", got.Groups)
	}
	if want := []string{`/a to = "a"`, "/a weight = 2"}; !reflect.DeepEqual(got.Routes[0].Plain, want) {
		t.Errorf("%q", got.Routes[0].Plain)
	}
}

func TestWhatTypesOfTheProgramComplainAboutHasAPlace(t *testing.T) {
	source := `machine "a" {
  memory = "4x"
  disks  = ["1k", "no"]
  wait   = "soon"
}
machine "a" {}
route "/empty" {}
route "/odd" {
  to = missing
}
port "tcp" { number = 1 }
`
	var got fleet
	err := hcl.DecodeFile(ctx, "fleet.hcl", []byte(source), &got)
	var problem *hcl.Error
	if !errors.As(err, &problem) || !errors.Is(err, errEmptyRoute) {
		t.Fatal(err)
	}
	var said []string
	for _, d := range problem.Diagnostics {
		said = append(said, d.Subject.String()+" "+d.Summary+"; "+d.Detail)
	}
	want := []string{
		`fleet.hcl:11,12-13 Missing name for port; Blocks of type "port" need labels between the type and the brace: name, name.`,
		`fleet.hcl:2,13-15 Unsuitable value type; The value of "memory" does not fit: "4x" is no size such as 4k.`,
		`fleet.hcl:3,12-13 Unsuitable value type; The value of "disks" does not fit: at [1]: "no" is no size such as 4k.`,
		`fleet.hcl:4,13-17 Unsuitable value type; The value of "wait" does not fit: time: invalid duration "soon".`,
		`fleet.hcl:6,1-12 Duplicate machine block; There is a block with the label "a" already, at fleet.hcl:1,1-12. Give this one another.`,
		`fleet.hcl:7,16-16 Unsuitable body; a route without targets.`,
		`fleet.hcl:9,8-15 Unknown variable; There is no variable named "missing".`,
	}
	if !reflect.DeepEqual(said, want) {
		t.Errorf("said:\n%s", strings.Join(said, "\n"))
	}
	if drawn := problem.Render(hcl.RenderOptions{ASCII: true}); strings.Count(drawn, "fleet.hcl:") < len(want) || !strings.Contains(drawn, `4 |   wait   = "soon"`) {
		t.Error(drawn)
	}
}

func TestAnAttributeIsDecodedAlone(t *testing.T) {
	body := must(hcl.ParseFile("a.hcl", []byte("port = 443 + 70000\nsize = \"2k\"\nodd = missing\n")))(t)
	attributes := must(body.Attributes())(t)
	var port uint16
	var problem *hcl.Error
	err := attributes[0].Decode(ctx, nil, &port)
	if !errors.As(err, &problem) || problem.Diagnostics[0].Error() != `a.hcl:1,8-11: Unsuitable value type; The value of "port" does not fit: the number 70443 does not fit a uint16.` {
		t.Error(err)
	}
	var number int
	var bytes size
	if err := attributes[0].Decode(ctx, nil, &number); err != nil || number != 70443 {
		t.Error(err, number)
	}
	if err := attributes[1].Decode(ctx, nil, &bytes); err != nil || bytes != 2048 {
		t.Error(err, bytes)
	}
	if err := attributes[2].Decode(ctx, nil, &number); !errors.Is(err, hcl.ErrDiagnostics) {
		t.Error(err)
	}
	if err := attributes[0].Decode(ctx, nil, number); !errors.Is(err, hcl.ErrArgument) {
		t.Error(err)
	}
}

type pointed struct {
	A int  `hcl:"a"`
	B *int `hcl:"b"`
}

func TestABodyIsReadByItsTypeAlone(t *testing.T) {
	body := must(hcl.ParseFile("a.hcl", []byte("b = 1\na = 2\n")))(t)
	var got route
	if err := body.Decode(ctx, nil, &got); err != nil || !reflect.DeepEqual(got.Plain, []string{" b = 1", " a = 2"}) {
		t.Error(err, got)
	}
	if err := must(hcl.ParseFile("a.hcl", nil))(t).Decode(ctx, nil, &got); !errors.Is(err, errEmptyRoute) {
		t.Error(err)
	}
	var rests struct {
		Values      map[string]hcl.Value       `hcl:",remain"`
		Expressions map[string]*hcl.Expression `hcl:",body"`
	}
	if err := body.Decode(ctx, nil, &rests); err != nil || rests.Values["a"].String() != "2" || rests.Expressions["b"].Source() != "1" {
		t.Error(err, rests)
	}
	for _, v := range rests.Values {
		v.Close()
	}
	var behind struct {
		Rest *pointed `hcl:",remain"`
	}
	if err := body.Decode(ctx, nil, &behind); err != nil || behind.Rest.A != 2 || *behind.Rest.B != 1 {
		t.Error(err, behind)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	var numbers map[string]int
	if err := body.Decode(canceled, nil, &numbers); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := body.Decode(ctx, nil, &numbers); err != nil || !reflect.DeepEqual(numbers, map[string]int{"a": 2, "b": 1}) {
		t.Error(err, numbers)
	}
}

// A field that names nothing, or a name twice, is the program's mistake.
func TestTagsThatMakeNoSense(t *testing.T) {
	body := must(hcl.ParseFile("a.hcl", nil))(t)
	for name, target := range map[string]any{
		"has a tag with the option": new(struct {
			A int `hcl:"a,often"`
		}),
		"is no place for blocks": new(struct {
			A int `hcl:"a,block"`
		}),
		"a label is a text": new(struct {
			A []struct {
				N int `hcl:"n,label"`
			} `hcl:"a,block"`
		}),
		"not a Range": new(struct {
			A string `hcl:",def_range"`
		}),
		"which has no field": new(struct {
			A hcl.Range `hcl:"b,attr_range"`
		}),
		"a second field for the attrib": new(struct {
			A int `hcl:"a"`
			B int `hcl:"a"`
		}),
		"a second field with the option": new(struct {
			A *hcl.Body `hcl:",remain"`
			B *hcl.Body `hcl:",remain"`
		}),
		"can't be read into a int": new(struct {
			A int `hcl:",remain"`
		}),
		"not a pointer to a struct": new(int),
	} {
		for range 2 {
			if err := body.Decode(ctx, nil, target); !errors.Is(err, hcl.ErrArgument) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	// A mistake in one type does not spoil another that it refers to.
	type inner struct {
		A int `hcl:"a,optional"`
	}
	var bad struct {
		Inner []inner `hcl:"inner,block"`
		Odd   int     `hcl:"odd,often"`
	}
	if err := body.Decode(ctx, nil, &bad); err == nil {
		t.Error("no complaint")
	}
	if err := body.Decode(ctx, nil, new(inner)); err != nil {
		t.Error(err)
	}
}

type left struct {
	Name  string   `hcl:"name,label"`
	Right []*right `hcl:"right,block"`
}

type right struct {
	Key  string `hcl:"key,label"`
	Left []left `hcl:"left,block"`
}

func TestTypesThatReferToEachOther(t *testing.T) {
	source := "left \"a\" {\n  right \"b\" {\n    left \"c\" {\n      right \"d\" {}\n    }\n  }\n}\n"
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			var got right
			if err := hcl.DecodeFile(ctx, "a.hcl", []byte(source), &got); err != nil || got.Left[0].Right[0].Left[0].Right[0].Key != "d" {
				t.Error(err, got)
			}
		}()
	}
	all.Wait()
	deep := strings.Repeat("left \"a\" {\nright \"b\" {\n", 600) + strings.Repeat("}\n}\n", 600)
	if err := hcl.DecodeFile(ctx, "deep.hcl", []byte(deep), new(right), hcl.WithSourceLimits(hcl.SourceLimits{Depth: 5000})); !errors.Is(err, hcl.ErrLimit) {
		t.Error(err)
	}
}

func TestADecodingEndsWithItsContext(t *testing.T) {
	source := strings.Repeat("a {\n  b = wait()\n}\n", 50)
	within, cancel := context.WithTimeout(ctx, 30*time.Millisecond)
	defer cancel()
	var got struct {
		A []struct {
			B int `hcl:"b"`
		} `hcl:"a,block"`
	}
	start := time.Now()
	err := hcl.DecodeFile(within, "slow.hcl", []byte(source), &got, hcl.WithFunction("wait", func(context.Context) int {
		time.Sleep(5 * time.Millisecond)
		return 1
	}))
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, hcl.ErrDeadline) || time.Since(start) > 150*time.Millisecond {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

func TestImpliedSchema(t *testing.T) {
	schema, partial, err := hcl.ImpliedSchema(&site{})
	if err != nil || partial {
		t.Fatal(err)
	}
	defer schema.Close()
	body := must(hcl.ParseFile("a.hcl", []byte("port = 1\nodd = 2\n")))(t)
	if _, err := body.Content(ctx, nil, schema); err == nil || !strings.Contains(err.Error(), "odd") {
		t.Error(err)
	}
	if _, partial, err := hcl.ImpliedSchema(logging{}); err != nil || !partial {
		t.Error(err, partial)
	}
	if _, _, err := hcl.ImpliedSchema(1); !errors.Is(err, hcl.ErrArgument) {
		t.Error(err)
	}
}

func TestNothingIsHeldAfterDecoding(t *testing.T) {
	settle(t, 0)
	for range 20 {
		var got fleet
		if err := hcl.DecodeFile(ctx, "fleet.hcl", []byte(fleetText), &got, hcl.WithBuiltins(hcl.FunctionsTerraform)); err != nil {
			t.Fatal(err)
		}
		if err := hcl.DecodeFile(ctx, "fleet.hcl", []byte("machine \"a\" {\n  wait = 1\n}\nroute \"a\" {}\n"), &got); err == nil {
			t.Fatal("no complaint")
		}
	}
	settle(t, 0)
}
