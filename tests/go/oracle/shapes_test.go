package oracle

import (
	reference "github.com/hashicorp/hcl/v2"

	hcl "libhcl.dev/go"
)

// The shapes that texts are decoded to. Where a field's type is one of the package, each side has a struct of its own.

type scalars struct {
	Name   string  `hcl:"name"`
	Port   int     `hcl:"port,attr"`
	Small  uint8   `hcl:"small,optional"`
	Ratio  float64 `hcl:"ratio,optional"`
	On     bool    `hcl:"on,optional"`
	Nick   *string `hcl:"nick"`
	Count  *int    `hcl:"count,optional"`
	hidden int
}

type collections struct {
	Names  []string            `hcl:"names,optional"`
	Ports  []int               `hcl:"ports,optional"`
	Tags   map[string]string   `hcl:"tags,optional"`
	Limits map[string]int      `hcl:"limits,optional"`
	Matrix [][]int             `hcl:"matrix,optional"`
	Groups map[string][]string `hcl:"groups,optional"`
	Flags  *[]bool             `hcl:"flags,optional"`
}

type pair struct {
	A string `hcl:"a,optional"`
	B string `hcl:"b,optional"`
}

type named struct {
	Name string `hcl:"name,label"`
	A    string `hcl:"a"`
}

type addressed struct {
	Type string `hcl:"type,label"`
	Name string `hcl:"name,label"`
	Size int    `hcl:"size,optional"`
}

type oneBlock struct {
	Nested pair `hcl:"nested,block"`
}

type perhapsBlock struct {
	Plain  string `hcl:"plain,optional"`
	Nested *pair  `hcl:"nested,block"`
}

type manyBlocks struct {
	Nested  []pair       `hcl:"nested,block"`
	Server  []*named     `hcl:"server,block"`
	Address []addressed  `hcl:"resource,block"`
	Deep    []manyBlocks `hcl:"deep,block"`
}

type oneNamed struct {
	Server named `hcl:"server,block"`
}

type tree struct {
	Name  string `hcl:"name,label"`
	Size  int    `hcl:"size,optional"`
	Nodes []tree `hcl:"node,block"`
}

type forest struct {
	Nodes []tree `hcl:"node,block"`
}

type restIsStruct struct {
	Name string `hcl:"name,optional"`
	Rest pair   `hcl:",remain"`
}

type restIsMap struct {
	Name string            `hcl:"name,optional"`
	Rest map[string]string `hcl:",remain"`
}

type restBesideBlocks struct {
	Plain  string            `hcl:"plain,optional"`
	Nested []pair            `hcl:"nested,block"`
	Rest   map[string]string `hcl:",remain"`
}

type wholeIsMap struct {
	Name string            `hcl:"name,optional"`
	All  map[string]string `hcl:",body"`
	Rest map[string]string `hcl:",remain"`
}

type embeds struct {
	pair `hcl:",remain"`
	Name string `hcl:"name,optional"`
}

type ourRest struct {
	Name string    `hcl:"name,optional"`
	All  *hcl.Body `hcl:",body"`
	Rest *hcl.Body `hcl:",remain"`
}

type theirRest struct {
	Name string         `hcl:"name,optional"`
	All  reference.Body `hcl:",body"`
	Rest reference.Body `hcl:",remain"`
}

type ourAttributes struct {
	Name string                    `hcl:"name,optional"`
	Rest map[string]*hcl.Attribute `hcl:",remain"`
}

type theirAttributes struct {
	Name string               `hcl:"name,optional"`
	Rest reference.Attributes `hcl:",remain"`
}

type ourAttribute struct {
	Name *hcl.Attribute  `hcl:"name"`
	Port *hcl.Attribute  `hcl:"port,optional"`
	A    *hcl.Expression `hcl:"a,optional"`
}

type theirAttribute struct {
	Name *reference.Attribute `hcl:"name"`
	Port *reference.Attribute `hcl:"port,optional"`
	A    reference.Expression `hcl:"a,optional"`
}

type ourPlaces struct {
	Server []struct {
		Name    string    `hcl:"name,label"`
		NameAt  hcl.Range `hcl:"name,label_range"`
		Header  hcl.Range `hcl:",def_range"`
		Type    hcl.Range `hcl:",type_range"`
		A       string    `hcl:"a"`
		AAt     hcl.Range `hcl:"a,attr_range"`
		ANameAt hcl.Range `hcl:"a,attr_name_range"`
		AIs     hcl.Range `hcl:"a,attr_value_range"`
	} `hcl:"server,block"`
	Address []struct {
		Type   string    `hcl:"type,label"`
		TypeAt hcl.Range `hcl:"type,label_range"`
		Name   string    `hcl:"name,label"`
		NameAt hcl.Range `hcl:"name,label_range"`
		Header hcl.Range `hcl:",def_range"`
		Size   int       `hcl:"size,optional"`
		SizeAt hcl.Range `hcl:"size,attr_range"`
	} `hcl:"resource,block"`
}

type theirPlaces struct {
	Server []struct {
		Name    string          `hcl:"name,label"`
		NameAt  reference.Range `hcl:"name,label_range"`
		Header  reference.Range `hcl:",def_range"`
		Type    reference.Range `hcl:",type_range"`
		A       string          `hcl:"a"`
		AAt     reference.Range `hcl:"a,attr_range"`
		ANameAt reference.Range `hcl:"a,attr_name_range"`
		AIs     reference.Range `hcl:"a,attr_value_range"`
	} `hcl:"server,block"`
	Address []struct {
		Type   string          `hcl:"type,label"`
		TypeAt reference.Range `hcl:"type,label_range"`
		Name   string          `hcl:"name,label"`
		NameAt reference.Range `hcl:"name,label_range"`
		Header reference.Range `hcl:",def_range"`
		Size   int             `hcl:"size,optional"`
		SizeAt reference.Range `hcl:"size,attr_range"`
	} `hcl:"resource,block"`
}

// shape makes a variable to decode to, for each side; prefilled ones show what stays.
type shape struct {
	name         string
	ours, theirs func() any
}

func same[T any](name string, make func() *T) shape {
	return shape{name, func() any { return make() }, func() any { return make() }}
}

func zero[T any]() any { return new(T) }

var shapes = []shape{
	same("scalars", func() *scalars { return new(scalars) }),
	same("scalars with values", func() *scalars {
		nick, count := "nick", 7
		return &scalars{Name: "n", Port: 1, Small: 2, Ratio: 3, On: true, Nick: &nick, Count: &count}
	}),
	same("collections", func() *collections { return new(collections) }),
	same("collections with values", func() *collections {
		return &collections{Names: []string{"x"}, Tags: map[string]string{"x": "y"}, Flags: &[]bool{true}}
	}),
	same("one block", func() *oneBlock { return new(oneBlock) }),
	same("one block with values", func() *oneBlock { return &oneBlock{Nested: pair{"x", "y"}} }),
	same("perhaps a block", func() *perhapsBlock { return new(perhapsBlock) }),
	same("perhaps a block with values", func() *perhapsBlock { return &perhapsBlock{Plain: "p", Nested: &pair{"x", "y"}} }),
	same("many blocks", func() *manyBlocks { return new(manyBlocks) }),
	same("many blocks with values", func() *manyBlocks {
		return &manyBlocks{Nested: []pair{{"x", "y"}, {"z", ""}, {"", "w"}}, Server: []*named{{"s", "t"}, nil}}
	}),
	same("one block with a label", func() *oneNamed { return new(oneNamed) }),
	same("blocks in blocks", func() *forest { return new(forest) }),
	same("the rest in a struct", func() *restIsStruct { return new(restIsStruct) }),
	same("the rest in a map", func() *restIsMap { return new(restIsMap) }),
	same("the rest in a map beside blocks", func() *restBesideBlocks { return new(restBesideBlocks) }),
	same("the whole in a map", func() *wholeIsMap { return new(wholeIsMap) }),
	same("a map of texts", func() *map[string]string { return new(map[string]string) }),
	same("a map of numbers", func() *map[string]int { return new(map[string]int) }),
	{"the rest in a body", zero[ourRest], zero[theirRest]},
	{"the rest in attributes", zero[ourAttributes], zero[theirAttributes]},
	{"attributes and expressions", zero[ourAttribute], zero[theirAttribute]},
	{"a map of attributes", zero[map[string]*hcl.Attribute], zero[map[string]*reference.Attribute]},
	{"places", zero[ourPlaces], zero[theirPlaces]},
}
