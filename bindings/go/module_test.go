package hcl

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

const stackMain = `
variable "zone" {
  type = string
}
variable "ports" {
  type    = list(number)
  default = [80]
}
locals {
  name = "web-${var.zone}"
}
module "net" {
  source = "./net"
  name   = local.name
}
output "label" {
  value = module.net.label
}
output "motd" {
  value     = file("motd")
  sensitive = true
}
`

const stackNet = `
variable "name" {}
output "label" {
  value = upper(var.name)
}
`

func loaded(t *testing.T, config ModuleConfig) *Module {
	t.Helper()
	m, err := LoadModule(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func shows(t *testing.T, m *Module, source, want string) {
	t.Helper()
	v, err := m.Eval(context.Background(), source)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	defer v.Close()
	if got, err := v.MarshalJSON(); err != nil || string(got) != want {
		t.Errorf("%s gives %s (%v), not %s", source, got, err, want)
	}
}

func TestModuleFromTexts(t *testing.T) {
	m := loaded(t, ModuleConfig{
		Texts: map[string][]byte{"main.tf": []byte(stackMain), "net/main.tf": []byte(stackNet)},
		Given: []Given{GiveText("ports", "[1, 2]"), GiveLiteral("zone", "a"), GiveValue("zone", "b")},
	})
	shows(t, m, "local.name", `"web-b"`)
	shows(t, m, "[for p in var.ports : p + 1]", `[2,3]`)
	label, err := m.At(context.Background(), "output.label")
	if err != nil {
		t.Fatal(err)
	}
	defer label.Close()
	if text, err := label.AsString(); err != nil || text != "WEB-B" {
		t.Errorf("output.label is %q (%v)", text, err)
	}
	template, err := m.Eval(context.Background(), "in ${var.zone}", AsTemplate())
	if err != nil {
		t.Fatal(err)
	}
	defer template.Close()
	if text, err := template.AsString(); err != nil || text != "in b" {
		t.Errorf("the template is %q (%v)", text, err)
	}
	var wrong *Error
	if _, err := m.Eval(context.Background(), "local.nome"); !errors.As(err, &wrong) || wrong.Diagnostics[0].Summary != "Reference to undeclared local value" {
		t.Errorf("local.nome gives %v", err)
	}
	if err := m.Check(context.Background()); !errors.As(err, &wrong) {
		t.Errorf("a file is read without a host: %v", err)
	}
}

func TestModuleDeclarations(t *testing.T) {
	m := loaded(t, ModuleConfig{Texts: map[string][]byte{"main.tf": []byte(stackMain), "net/main.tf": []byte(stackNet)}})
	all, err := m.Declarations()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]Declaration{}
	for _, d := range all {
		found[d.Address] = d
	}
	if zone := found["var.zone"]; !zone.Missing || zone.Type != "string" || zone.Range.Filename != "main.tf" || zone.Kind != DeclaredVariable {
		t.Errorf("var.zone is %+v", zone)
	}
	if motd := found["output.motd"]; !motd.Sensitive || motd.Kind != DeclaredOutput {
		t.Errorf("output.motd is %+v", motd)
	}
	if len(all) != 6 || found["module.net"].Kind != DeclaredModule || found["local.name"].Kind != DeclaredLocal {
		t.Errorf("declared are %+v", all)
	}
}

func TestModuleThroughHost(t *testing.T) {
	host := &Host{
		Files: fstest.MapFS{"stack/main.tf": {Data: []byte(stackMain)}, "stack/net/main.tf": {Data: []byte(stackNet)},
			"motd": {Data: []byte("hi")}, "more.tfvars": {Data: []byte(`zone = "f"`)}},
		Env: func(name string) (string, bool) { return "e", name == "TF_VAR_zone" },
	}
	m := loaded(t, ModuleConfig{Dialect: "opentofu", Folder: "stack", Host: host})
	shows(t, m, "local.name", `"web-e"`)
	shows(t, m, "path.module", `"stack"`)
	if err := m.Check(context.Background()); err != nil {
		t.Error(err)
	}
	shows(t, loaded(t, ModuleConfig{Folder: "stack", Host: host, Given: []Given{GiveFile("more.tfvars")}}), "var.zone", `"f"`)
}

func TestModuleErrors(t *testing.T) {
	ctx := context.Background()
	if _, err := LoadModule(ctx, ModuleConfig{Dialect: "terraform-9.9"}); err == nil || !strings.Contains(err.Error(), "terraform-9.9") {
		t.Errorf("an unknown release gives %v", err)
	}
	_, err := LoadModule(ctx, ModuleConfig{Texts: map[string][]byte{"a.tf": []byte("locals {\n  a =\n}\n"), "b.tf": []byte("x = 1\n")}})
	var wrong *Error
	if !errors.As(err, &wrong) || len(wrong.Diagnostics) != 2 {
		t.Errorf("two wrong files give %v", err)
	}
	m := loaded(t, ModuleConfig{Texts: map[string][]byte{"a.tf": []byte("locals {\n  long = join(\",\", range(100000))\n}\n")}, Limits: Limits{Elements: 10}})
	if _, err := m.Eval(ctx, "local.long"); !errors.Is(err, ErrLimit) {
		t.Errorf("a limit gives %v", err)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := m.Eval(over, "1"); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over gives %v", err)
	}
	m.Close()
	if _, err := m.Eval(ctx, "1"); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed module gives %v", err)
	}
}

func TestModuleFromManyGoroutines(t *testing.T) {
	m := loaded(t, ModuleConfig{
		Texts: map[string][]byte{"main.tf": []byte(stackMain), "net/main.tf": []byte(stackNet)},
		Given: []Given{GiveText("zone", "b")},
	})
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 50 {
				v, err := m.Eval(context.Background(), "module.net.label")
				if err != nil {
					t.Error(err)
					return
				}
				v.Close()
			}
		}()
	}
	all.Wait()
}

func TestModulePlanned(t *testing.T) {
	texts := map[string][]byte{"main.tf": []byte(`
resource "aws_instance" "web" {
  for_each = { a = "x", b = "y" }
  name     = "web-${each.value}"
}
data "aws_region" "here" {}
`)}
	m := loaded(t, ModuleConfig{Texts: texts, Planned: true})
	shows(t, m, "{ for key, one in aws_instance.web : key => one.name }", `{"a":"web-x","b":"web-y"}`)
	id, err := m.Eval(context.Background(), "aws_instance.web[\"a\"].id")
	if err != nil {
		t.Fatal(err)
	}
	defer id.Close()
	if id.IsKnown() {
		t.Error("the identifier of a resource is known before it is made")
	}
	m = loaded(t, ModuleConfig{Texts: texts, Planned: true, Given: []Given{
		GiveResource("data.aws_region.here", map[string]string{"name": "eu"}),
		GiveResource(`aws_instance.web["b"]`, map[string]string{"id": "i-1"}),
	}})
	shows(t, m, "[data.aws_region.here.name, aws_instance.web[\"b\"].id, aws_instance.web[\"b\"].name]", `["eu","i-1","web-y"]`)
	var wrong *Error
	_, err = LoadModule(context.Background(), ModuleConfig{Texts: texts, Given: []Given{GiveResource("data.aws_region.there", 1)}})
	if !errors.As(err, &wrong) || wrong.Diagnostics[0].Summary != "Reference to undeclared resource" {
		t.Errorf("an address that leads to nothing gives %v", err)
	}
}
