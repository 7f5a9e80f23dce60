package oracle

// The texts, of native syntax and of JSON syntax. Each is decoded to each shape.

var texts = []string{
	``,
	`name = "a"`,
	`name = "a"
port = 80`,
	`name = "a"
port = "80"
small = 255
ratio = 1 / 3
on = "true"
nick = "b"
count = 3`,
	`name = 5
port = 1.5
small = 256
ratio = "x"
on = "yes"
nick = []
count = -1`,
	`name = null
port = null
nick = null
count = null`,
	`name = unknown_name
port = nothing(1)
ratio = 1 + "x"`,
	`name = "a${1 + 1}"
port = true ? 1 : 2
colour = "red"`,
	`name = ["a"]
port = { a = 1 }
on = [for x in [1]: x]`,
	`names = ["a", "b"]
ports = [1, "2", 3]
tags = { a = "b", c = 1 }
limits = { soft = 5 }
matrix = [[1], [2, 3], []]
groups = { x = ["y"] }
flags = [true, "false"]`,
	`names = "a"
ports = ["x"]
tags = ["a"]
limits = { a = "b" }
matrix = [1]
groups = { x = { y = 1 } }
flags = [1]`,
	`names = []
ports = [1.5]
tags = {}
limits = { a = 1e30 }
matrix = [[1], 2]`,
	`a = "1"
b = "2"`,
	`name = "n"
a    = "1"
b    = 2`,
	`a = "1"
nested {}`,
	`nested {
  a = "1"
}`,
	`plain = "q"
nested {
  a = "1"
  b = missing.thing
}`,
	`nested {
  a = [1]
  c = 2
}
nested {
  b = "3"
}`,
	`nested {
  a = "1"
}
nested {
  a = "2"
  b = "3"
}
nested {}
nested {
  nested {}
}`,
	`nested "label" {}`,
	`server "one" {
  a = "1"
}
server "two" {
  a = "2"
}`,
	`server "one" {}
server {
  a = "1"
}
server "two" "three" {
  a = 2
}`,
	`server one {
  a = "x"
  b = "y"
}`,
	`resource "disk" "big" {
  size = 1 + 1
}
server "é" {
  a = "grüße"
}
resource disk small {
  size = "4"
}
resource "disk" "broken" {
  size = "four"
}`,
	`deep {
  nested {
    a = "1"
  }
  server "x" {
    a = 1
  }
  deep {
    deep {
      server "y" {
        a = ["no"]
      }
    }
  }
}`,
	`node "a" {
  size = 1
  node "b" {
    node "c" {
      size = 3
    }
  }
  node "d" {}
}
node "e" {
  size = "big"
  node {}
}`,
}

var jsonTexts = []string{
	`{}`,
	`{"name": "a", "port": 80}`,
	`{"name": "a", "port": "80", "small": 255, "ratio": 0.5, "on": "true", "nick": "b", "count": 3}`,
	`{"name": 5, "port": 1.5, "small": 256, "ratio": "x", "on": "yes", "nick": [], "count": -1}`,
	`{"name": null, "port": null, "nick": null}`,
	`{"name": "a", "colour": "red"}`,
	`{"names": ["a", "b"], "ports": [1, "2"], "tags": {"a": "b"}, "limits": {"soft": 5}, "matrix": [[1]], "groups": {"x": ["y"]}, "flags": [true]}`,
	`{"names": "a", "ports": ["x"], "tags": ["a"]}`,
	`{"a": "1", "b": "2"}`,
	`{"a": "1", "nested": {}}`,
	`{"nested": {"a": "1"}}`,
	`{"nested": [{"a": "1"}, {"a": "2", "b": "3"}]}`,
	`{"nested": []}`,
	`{"nested": "text"}`,
	`{"server": {"one": {"a": "1"}, "two": {"a": "2"}}}`,
	`{"server": {}}`,
	`{"server": [{"one": {"a": "1"}}, {"two": {"a": 2, "b": 3}}]}`,
	`{"server": {"one": {}}, "resource": {"disk": {"big": {"size": 2}, "small": {"size": "4"}, "broken": {"size": "four"}}}}`,
	`{"node": {"a": {"size": 1, "node": {"b": {"node": {"c": {"size": 3}}}, "d": {}}}, "e": {"size": "big"}}}`,
	`{"deep": {"nested": {"a": "1"}, "server": {"x": {"a": 1}}, "deep": [{"deep": {"server": {"y": {"a": ["no"]}}}}]}}`,
	`{"//": "a comment", "name": "a", "port": 1}`,
}
