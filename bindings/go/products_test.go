package hcl

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

const imagesTemplate = `
variable "tag" {
  type = string
}
locals {
  image = "web:${var.tag}"
}
source "docker" "web" {
  image = local.image
}
build {
  sources = ["docker.web"]
  provisioner "shell" {
    inline = [trimspace(file("setup.sh"))]
  }
}
`

func TestTemplate(t *testing.T) {
	host := &Host{Files: fstest.MapFS{
		"images/web.pkr.hcl":          {Data: []byte(imagesTemplate)},
		"images/setup.sh":             {Data: []byte("apt-get update\n")},
		"images/a.auto.pkrvars.hcl":   {Data: []byte("tag = \"3\"\n")},
		"images/not-of-it/b.pkr.json": {Data: []byte("{")},
	}}
	m := loaded(t, ModuleConfig{Dialect: "packer", Folder: "images", Host: host})
	shows(t, m, "[local.image, path.root]", `["web:3","images"]`)
	value, err := m.Evaluated(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer value.Close()
	var all struct {
		Sources [][]string `hcl:"sources"`
		Builds  []struct {
			Sources []struct {
				Type string `hcl:"type"`
				Body struct {
					Attributes map[string]string `hcl:"attributes"`
				} `hcl:"body"`
				Provisioners []struct {
					Type string `hcl:"type"`
					Body struct {
						Attributes map[string][]string `hcl:"attributes"`
					} `hcl:"body"`
				} `hcl:"provisioners"`
			} `hcl:"sources"`
		} `hcl:"builds"`
	}
	text, err := value.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"builds":[{"description":"","name":"","sources":[{"body":{"attributes":{"image":"web:3"}},"name":"web","post_processors":[],"provisioners":[{"body":{"attributes":{"inline":["apt-get update"]}},"name":"","type":"shell"}],"source":"web","type":"docker"}]}],"sources":[["docker","web"]]}`
	if string(text) != want {
		t.Errorf("the template is %s", text)
	}
	if err := value.Decode(&all); err != nil {
		t.Fatal(err)
	}
	used := all.Builds[0].Sources[0]
	if used.Type != "docker" || used.Body.Attributes["image"] != "web:3" || used.Provisioners[0].Body.Attributes["inline"][0] != "apt-get update" {
		t.Errorf("the template decodes as %+v", all)
	}
	declarations, err := m.Declarations()
	if err != nil {
		t.Fatal(err)
	}
	if last := declarations[len(declarations)-1]; last.Kind != DeclaredSource || last.Address != "source.docker.web" || last.Range.Filename != "images/web.pkr.hcl" {
		t.Errorf("the source is %+v", last)
	}
}

func TestDataSource(t *testing.T) {
	const text = "data \"http\" \"motd\" {}\nlocals {\n  motd = data.http.motd.body\n}\n"
	m := loaded(t, ModuleConfig{
		Dialect: "packer",
		Texts:   map[string][]byte{"a.pkr.hcl": []byte(text)},
		Given:   []Given{GiveResource("data.http.motd", map[string]string{"body": "hello"})},
	})
	shows(t, m, "local.motd", `"hello"`)
}

func TestJob(t *testing.T) {
	const text = `
variable "count" {
  type = number
}
job "web" {
  group "g" {
    count = var.count
    meta {
      where = "${node.unique.name}:${var.count + 1}"
    }
  }
}
`
	config := ModuleConfig{Dialect: "nomad", Folder: "web.nomad.hcl", Texts: map[string][]byte{"web.nomad.hcl": []byte(text)}}
	var wrong *Error
	if _, err := LoadModule(context.Background(), config); !errors.As(err, &wrong) || wrong.Diagnostics[0].Summary != `Unset variable "count"` {
		t.Errorf("a variable without a value gives %v", err)
	}
	config.Given = []Given{GiveText("count", "2")}
	m := loaded(t, config)
	value, err := m.Evaluated(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer value.Close()
	got, err := value.MarshalJSON()
	if err != nil || !strings.Contains(string(got), `"where":"${node.unique.name}:3"`) || !strings.Contains(string(got), `"count":2`) {
		t.Errorf("the job is %s (%v)", got, err)
	}
	if err := m.Check(context.Background()); err != nil {
		t.Errorf("the job is wrong: %v", err)
	}
	if _, err := loaded(t, ModuleConfig{}).Evaluated(context.Background()); err == nil {
		t.Error("a module of Terraform has a value as a whole")
	}
}

func TestReleases(t *testing.T) {
	ctx := context.Background()
	for _, dialect := range []string{"terraform-1.11", "terraform-1.14", "opentofu-1.9", "packer-1.12", "nomad-1.3"} {
		scope, err := NewScope(WithDialect(dialect))
		if err != nil {
			t.Fatalf("%s: %v", dialect, err)
		}
		scope.Close()
	}
	m := loaded(t, ModuleConfig{Dialect: "terraform-1.14"})
	var wrong *Error
	if _, err := m.Eval(ctx, "convert(1, 2)"); !errors.As(err, &wrong) || !strings.Contains(wrong.Diagnostics[0].Detail, "Terraform 1.15") {
		t.Errorf("a function that came later gives %v", err)
	}
}
