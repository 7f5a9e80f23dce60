package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// moduleGen makes one folder, and the folders of its child modules.
type moduleGen struct {
	*gen
	module *Module
	// References that mean something in the folder, and what each probably is.
	references []reference
	// Child modules that calls may have as their source, by folder.
	children []child
	folder   string
}

type reference struct {
	text string
	ty   *valueType
}

type child struct {
	folder    string
	variables []declared
	outputs   []string
}

type declared struct {
	name        string
	ty          *valueType
	isMandatory bool
}

// How much of a hundred modules has a mistake in it somewhere.
const mistaken = 35

// generateModule is the module of a number in the sequence of a seed.
func generateModule(seed, index uint64) *Module {
	g := &moduleGen{gen: newGen(seed, index), module: &Module{}}
	g.careless = g.chance(mistaken)
	for range g.IntN(3) {
		g.child()
	}
	g.folder, g.references = "", nil
	variables := g.declarations(1 + g.IntN(4))
	g.locals(1 + g.IntN(5))
	g.calls()
	g.locals(1 + g.IntN(4))
	g.resources()
	g.outputs(g.IntN(3), false)
	g.overrides(variables)
	g.given(variables)
	g.mistakes()
	g.ask()
	return g.module
}

// child makes a folder that can be called. It may call those that were made before it.
func (g *moduleGen) child() {
	folder := fmt.Sprintf("child%d", len(g.children))
	g.folder, g.references = folder+"/", nil
	made := child{folder: folder, variables: g.declarations(1 + g.IntN(3))}
	g.locals(g.IntN(3))
	if g.chance(30) {
		g.calls()
	}
	made.outputs = g.outputs(1+g.IntN(3), true)
	if g.chance(15) {
		g.overrides(made.variables)
	}
	g.children = append(g.children, made)
}

// file is the file of a name in the present folder.
func (g *moduleGen) file(name string) *moduleFile {
	path := g.folder + name
	for _, file := range g.module.files {
		if file.path == path {
			return file
		}
	}
	made := &moduleFile{path: path}
	g.module.files = append(g.module.files, made)
	return made
}

func (g *moduleGen) add(block *moduleBlock) {
	name := "main.tf"
	if g.chance(12) {
		name = "more.tf.json"
	} else if g.chance(20) {
		name = "other.tf"
	}
	file := g.file(name)
	file.blocks = append(file.blocks, block)
}

func constant(name string, value any) argument {
	return argument{name: name, constant: value, isConstant: true}
}

// declarations makes variables.
func (g *moduleGen) declarations(count int) []declared {
	found := []declared{}
	for i := range count {
		one := declared{name: fmt.Sprintf("v%d", i), isMandatory: g.chance(20)}
		block := &moduleBlock{kind: "variable", label: one.name}
		if g.chance(85) {
			one.ty = g.valueType(3)
			block.arguments = append(block.arguments, argument{name: "type", expression: one.ty.text})
		}
		var value any = true
		if !one.isMandatory {
			value = g.suitable(one.ty)
			block.arguments = append(block.arguments, constant("default", value))
		}
		if g.chance(12) && (value != nil || g.careless) {
			block.arguments = append(block.arguments, constant("nullable", g.chance(30)))
		}
		if g.chance(10) {
			block.arguments = append(block.arguments, constant("sensitive", true))
		}
		if g.chance(4) {
			block.arguments = append(block.arguments, constant("ephemeral", true))
		}
		reference := reference{"var." + one.name, one.ty}
		for range pick(g.gen, 0, 0, 0, 1, 2) {
			block.nested = append(block.nested, g.validation(reference))
		}
		g.references = append(g.references, reference)
		g.add(block)
		found = append(found, one)
	}
	return found
}

// validation is about a reference, for which the texts have an @.
func (g *moduleGen) validation(about reference) *moduleBlock {
	condition := pick(g.gen,
		"try(length(@) < 30, true)", "can(@)", "try(@ > -5, true)", "@ == null || true", "length(jsonencode(@)) < 400")
	if g.careless && g.chance(40) {
		condition = pick(g.gen, "try(length(@) < 3, true)", "@ != null", "can(tostring(@))", "try(@ > 1, true)",
			"contains([@], @)", "try(@.a, 1) == 1", "length(jsonencode(@)) < 40",
			"length(@) > 0", "@", "@ > 1", "@.a == 1", "null == @ ? null : true")
	}
	message := pick(g.gen, `"No."`, `"It is ${jsonencode(@)}."`, `"v: ${try(coalesce(tostring(@)), "?")}"`)
	return &moduleBlock{kind: "validation", arguments: []argument{
		{name: "condition", expression: strings.ReplaceAll(condition, "@", about.text)},
		{name: "error_message", expression: strings.ReplaceAll(message, "@", about.text)},
	}}
}

// locals makes local values, which refer to what was there before them.
func (g *moduleGen) locals(count int) {
	for range count {
		name := fmt.Sprintf("l%d", len(g.references))
		g.depth = 1 + g.IntN(2)
		ty := g.valueType(2)
		expression := g.value(ty)
		if g.chance(40) {
			ty, expression = nil, g.anything()
		}
		g.add(&moduleBlock{kind: "locals", arguments: []argument{{name: name, expression: expression}}})
		g.references = append(g.references, reference{"local." + name, ty})
	}
}

// calls makes calls of child modules, and references to their outputs.
func (g *moduleGen) calls() {
	for i, called := range g.children {
		if g.folder == called.folder+"/" || g.chance(25) {
			continue
		}
		name := fmt.Sprintf("m%d", i)
		source := "./" + called.folder
		if g.folder != "" {
			source = "../" + called.folder
		}
		block := &moduleBlock{kind: "module", label: name, arguments: []argument{constant("source", source)}}
		access, each := "module."+name, []reference{}
		switch g.IntN(4) {
		case 0:
			count := g.expect(pick(g.gen, "2", "1", "0", "3", `"2"`), &valueType{text: "number"})
			block.arguments = append(block.arguments, argument{name: "count", expression: count})
			access = pick(g.gen, "module."+name+"[0]", "one(module."+name+")", "module."+name+"[1]")
			each = []reference{{"count.index", &valueType{text: "number"}}}
		case 1:
			block.arguments = append(block.arguments, argument{name: "for_each", expression: g.forEach()})
			access = pick(g.gen, `module.`+name+`["a"]`, `one(values(module.`+name+`))`)
			each = []reference{{"each.key", &valueType{text: "string"}}, {"each.value", nil}}
		}
		outside := g.references
		g.references = append(append([]reference{}, outside...), each...)
		for _, variable := range called.variables {
			if variable.isMandatory || g.chance(40) {
				g.depth = 1
				block.arguments = append(block.arguments, argument{name: variable.name, expression: g.value(variable.ty)})
			}
		}
		g.references = outside
		g.add(block)
		for _, output := range called.outputs {
			g.references = append(g.references, reference{access + "." + output, nil})
			if len(each) > 0 {
				g.references = append(g.references, reference{"module." + name + "[*]." + output, nil})
			}
		}
		g.references = append(g.references, reference{"module." + name, nil})
	}
}

func (g *moduleGen) forEach() string {
	return pick(g.gen,
		`toset(["a", "b"])`, `{ a = 1, b = "x" }`, `{}`, `toset([])`, `{ for k in ["a", "c"] : k => { k = k } }`,
		`tomap({ a = "1" })`, g.expect(`{ a = null }`, nil))
}

// expect is the text, or now and then an expression of the kind that is expected there.
func (g *moduleGen) expect(text string, ty *valueType) string {
	if !g.careless || g.chance(70) {
		return text
	}
	g.depth = 1
	return g.value(ty)
}

// resources makes resources of the one type that needs no provider.
func (g *moduleGen) resources() {
	if !g.chance(30) {
		return
	}
	block := &moduleBlock{kind: "resource", label: "terraform_data.r", arguments: []argument{{name: "input", expression: g.anything()}}}
	access := "terraform_data.r"
	switch g.IntN(3) {
	case 0:
		block.arguments = append(block.arguments, argument{name: "count", expression: "2"})
		access += "[0]"
	case 1:
		block.arguments = append(block.arguments, argument{name: "for_each", expression: `toset(["a"])`})
		access += `["a"]`
	}
	g.add(block)
	for _, attribute := range []string{".id", ".output", ""} {
		g.references = append(g.references, reference{access + attribute, nil})
	}
}

func (g *moduleGen) outputs(count int, isChild bool) []string {
	names := []string{}
	for i := range count {
		name := fmt.Sprintf("o%d", i)
		g.depth = 1
		expression := g.anything()
		if g.chance(50) && len(g.references) > 0 {
			expression = pick(g.gen, g.references...).text
		}
		block := &moduleBlock{kind: "output", label: name, arguments: []argument{{name: "value", expression: expression}}}
		if g.chance(60) {
			block.arguments = append(block.arguments, constant("sensitive", true))
		}
		if isChild && g.careless && g.chance(10) {
			block.arguments = append(block.arguments, constant("ephemeral", true))
		}
		if g.chance(8) && len(g.references) > 0 {
			about := pick(g.gen, g.references...)
			block.nested = append(block.nested, &moduleBlock{kind: "precondition", arguments: []argument{
				{name: "condition", expression: pick(g.gen, "can("+about.text+")", "try("+about.text+", 1) == 1 || true", "length(jsonencode("+about.text+")) < 50")},
				{name: "error_message", expression: `"Not so."`},
			}})
		}
		g.add(block)
		names = append(names, name)
	}
	return names
}

// overrides makes files that are merged over the others.
func (g *moduleGen) overrides(variables []declared) {
	if !g.chance(25) {
		return
	}
	file := g.file(pick(g.gen, "override.tf", "a_override.tf", "b_override.tf.json", "override.tf.json"))
	for _, variable := range variables {
		if !g.chance(40) {
			continue
		}
		block := &moduleBlock{kind: "variable", label: variable.name}
		ty, isNew := variable.ty, g.chance(25)
		if isNew {
			ty = g.valueType(2)
			block.arguments = append(block.arguments, argument{name: "type", expression: ty.text})
		}
		if isNew && !g.careless || g.chance(70) {
			block.arguments = append(block.arguments, constant("default", g.suitable(ty)))
		}
		if g.chance(20) {
			block.arguments = append(block.arguments, constant(pick(g.gen, "sensitive", "nullable"), g.chance(50)))
		}
		file.blocks = append(file.blocks, block)
	}
	for _, reference := range g.references {
		name, isLocal := strings.CutPrefix(reference.text, "local.")
		if isLocal && g.chance(15) {
			g.depth = 1
			file.blocks = append(file.blocks, &moduleBlock{kind: "locals", arguments: []argument{{name: name, expression: native(g.constantOf(g.valueType(2)))}}})
		}
	}
	if g.careless && g.chance(20) {
		file.blocks = append(file.blocks, pick(g.gen,
			&moduleBlock{kind: "variable", label: "nope", arguments: []argument{constant("default", true)}},
			&moduleBlock{kind: "locals", arguments: []argument{constant("nope", true)}},
			&moduleBlock{kind: "output", label: "nope", arguments: []argument{constant("value", true)}}))
	}
	if len(file.blocks) == 0 {
		file.blocks = append(file.blocks, &moduleBlock{kind: "locals"})
	}
}

// given makes values for the variables of the root: arguments, var files, the environment.
func (g *moduleGen) given(variables []declared) {
	for _, variable := range variables {
		value := g.suitable(variable.ty)
		text := native(value)
		if word, isText := value.(string); isText && (variable.ty == nil || variable.ty.isPrimitive()) {
			text = word
		}
		switch g.IntN(9) {
		case 0:
			g.module.args = append(g.module.args, "-var="+variable.name+"="+text)
		case 1:
			if g.module.env == nil {
				g.module.env = map[string]string{}
			}
			g.module.env["TF_VAR_"+variable.name] = text
		case 2:
			g.valueFile(pick(g.gen, "terraform.tfvars", "terraform.tfvars.json", "a.auto.tfvars", "b.auto.tfvars.json"), variable.name, value)
		case 3:
			name := pick(g.gen, "given.tfvars", "given.tfvars.json")
			g.valueFile(name, variable.name, value)
			g.module.args = append(g.module.args, "-var-file="+name)
		}
	}
}

func (g *moduleGen) valueFile(name, variable string, value any) {
	g.folder = ""
	file := g.file(name)
	if len(file.blocks) == 0 {
		file.blocks = []*moduleBlock{{}}
	}
	file.blocks[0].arguments = append(file.blocks[0].arguments, constant(variable, value))
}

// mistakes puts something wrong into a careless module.
func (g *moduleGen) mistakes() {
	if !g.careless || g.chance(25) {
		return
	}
	file := g.module.files[g.IntN(len(g.module.files))]
	if strings.Contains(file.path, "tfvars") {
		g.valueFile(file.path, pick(g.gen, "v0", "undeclared", "v1"), g.constantOf(g.valueType(2)))
		return
	}
	one := func(name, expression string) []argument { return []argument{{name: name, expression: expression}} }
	g.depth = 1
	file.blocks = append(file.blocks, pick(g.gen,
		&moduleBlock{kind: "locals", arguments: one("bad", pick(g.gen, "local.nope", "var.nope", "module.nope.x", "terraform_data.nope.id", "var.v0.nope", "nope", "path.nope", "each.key", "count.index", "self.x", "local", "module.m0.nope", `var["v0"]`, "terraform.nope", "data.x.y.z", "nope.x"))},
		&moduleBlock{kind: "locals", arguments: []argument{{name: "c1", expression: "local.c2"}, {name: "c2", expression: pick(g.gen, "local.c1", "[local.c3]", "try(local.c1, 1)")}, {name: "c3", expression: "local.c2"}}},
		&moduleBlock{kind: "locals", arguments: one("self", "[local.self]")},
		&moduleBlock{kind: "locals", arguments: one("bad", pick(g.gen, "1 + true", "[][0]", `upper()`, "nope(1)", `tonumber("x")`, "1 / 0", `{}.a`, "max()", `"${[]}"`, "null.a", "[for x in 1 : x]"))},
		&moduleBlock{kind: "variable", label: pick(g.gen, "v0", "count", "source", "1x"), arguments: []argument{constant("default", 1)}},
		&moduleBlock{kind: "variable", label: "w", arguments: []argument{{name: "type", expression: pick(g.gen, "list(foo)", "set", "object", "optional(string)", "map(string, number)", `"string"`, "any", "list")}}},
		&moduleBlock{kind: "variable", label: "w", arguments: []argument{{name: pick(g.gen, "defualt", "sensitive", "nullable", "default"), expression: pick(g.gen, "var.v0", `"true"`, "1", `upper("x")`, "null")}}},
		&moduleBlock{kind: "variable", label: "w", nested: []*moduleBlock{{kind: "validation", arguments: one("condition", pick(g.gen, "true", "var.v0 == 1", "var.w == 1"))}}},
		&moduleBlock{kind: "output", label: pick(g.gen, "o0", "bad"), arguments: one(pick(g.gen, "value", "vlaue"), pick(g.gen, "local.nope", "1", "sensitive(1)"))},
		&moduleBlock{kind: "output", label: "bad", arguments: one("value", `module.m0[0].o9`)},
		&moduleBlock{kind: "module", label: pick(g.gen, "m0", "bad"), arguments: []argument{{name: "source", expression: pick(g.gen, `"./child0"`, `"./nowhere"`, "var.v0", `"child0"`)}, {name: pick(g.gen, "v0", "v9", "count", "for_each"), expression: pick(g.gen, "1", "null", "[1]", "-1")}}},
		&moduleBlock{kind: pick(g.gen, "resources", "local", "Variable"), label: "x", arguments: one("a", "1")},
		&moduleBlock{kind: "check", label: "x", nested: []*moduleBlock{{kind: "assert", arguments: append(one("condition", "var.v0 == 1"), one("error_message", `"No."`)...)}}},
		&moduleBlock{kind: "locals", label: "x", arguments: one("a", "1")},
	))
}

// ask makes the expressions: references of the module, and more or less simple ones on them.
func (g *moduleGen) ask() {
	whole := []string{}
	for _, reference := range g.references {
		whole = append(whole, reference.text)
	}
	g.module.expressions = append(g.module.expressions, "["+strings.Join(whole, ", ")+"]")
	about := pick(g.gen, g.references...).text
	g.depth = 2
	g.module.expressions = append(g.module.expressions, pick(g.gen, "type("+about+")", g.anything()))
	if g.careless {
		g.depth = 1
		g.module.expressions = append(g.module.expressions, pick(g.gen,
			"local.nope", "var.nope", "module.nope", "terraform_data.nope", about+".nope", about+"[0]", about+`["a"]`, about+"[*].x",
			"nope", "local", "path.nope", "each.key", "data.a.b", "terraform.workspace", "path.root", "path.module", g.value(g.valueType(2))))
	}
}

// suitable is a constant of a type; of a careless module it is now and then of another.
func (g *moduleGen) suitable(ty *valueType) any {
	if ty == nil || g.careless && g.chance(8) {
		ty = g.valueType(2)
	}
	return g.constantOf(ty)
}

func number(text string) any { return json.Number(text) }
