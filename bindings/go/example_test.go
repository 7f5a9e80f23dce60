package hcl_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	hcl "libhcl.dev/go"
)

func ExampleCompile() {
	program, err := hcl.Compile(`"Hello, ${upper(name)}!"`, hcl.WithBuiltins(hcl.FunctionsTerraform))
	if err != nil {
		panic(err)
	}
	defer program.Close()
	text, err := program.EvalString(context.Background(), map[string]any{"name": "world"})
	fmt.Println(text, err)
	// Output: Hello, WORLD! <nil>
}

func ExampleDecodeFile() {
	type service struct {
		Port   int       `hcl:"port"`
		PortAt hcl.Range `hcl:"port,attr_value_range"`
		Hosts  []string  `hcl:"hosts,optional"`
	}
	var config struct {
		Region   string             `hcl:"region"`
		Services map[string]service `hcl:"service,block"`
	}
	source := []byte(`region = "eu"
service "web" {
  port  = base + 80
  hosts = ["a.${region_of(1)}", "b"]
}
service "dns" {
  port = 53
}
`)
	err := hcl.DecodeFile(context.Background(), "services.hcl", source, &config,
		hcl.WithConstant("base", 8000),
		hcl.WithFunction("region_of", func(n int) string { return fmt.Sprint("eu-", n) }))
	if err != nil {
		panic(err)
	}
	web := config.Services["web"]
	fmt.Println(config.Region, web.Port, web.PortAt, web.Hosts, config.Services["dns"].Port)
	// Output: eu 8080 services.hcl:3,11-20 [a.eu-1 b] 53
}

func ExampleProgram_EvalInto() {
	program := hcl.MustCompile(`{ name = "web", ports = [for n in range(3) : base + n] }`, hcl.WithBuiltins(hcl.FunctionsTerraform))
	defer program.Close()
	var service struct {
		Name  string `hcl:"name"`
		Ports []int  `hcl:"ports"`
	}
	err := program.EvalInto(context.Background(), map[string]any{"base": 8080}, &service)
	fmt.Println(service, err)
	// Output: {web [8080 8081 8082]} <nil>
}

func ExampleProgram_EvalRows() {
	program := hcl.MustCompile(`level > 3 && path != "/health"`)
	defer program.Close()
	cells, err := program.EvalRows(context.Background(), nil, hcl.Columns{
		"level": []int{1, 5, 7},
		"path":  []string{"/", "/", "/health"},
	})
	for _, cell := range cells {
		fmt.Print(cell.Bool(), " ")
	}
	fmt.Println(err)
	// Output: false true false <nil>
}

func ExampleScope() {
	scope, err := hcl.NewScope(
		hcl.WithVariables("request"),
		hcl.WithConstant("admins", []string{"ada", "grace"}),
		hcl.WithFunction("has_prefix", strings.HasPrefix),
		hcl.WithBuiltins(hcl.FunctionsHCL),
	)
	if err != nil {
		panic(err)
	}
	defer scope.Close()
	rule, err := scope.Compile(`has_prefix(request.path, "/admin") ? contains(admins, request.user) : true`)
	if err != nil {
		panic(err)
	}
	defer rule.Close()
	frame, err := scope.NewFrame()
	if err != nil {
		panic(err)
	}
	defer frame.Close()
	for _, user := range []string{"ada", "eve"} {
		if err := frame.Set("request", map[string]string{"path": "/admin/users", "user": user}); err != nil {
			panic(err)
		}
		allowed, err := rule.EvalBool(context.Background(), frame)
		fmt.Println(user, allowed, err)
	}
	// Output:
	// ada true <nil>
	// eve false <nil>
}

func ExampleError_Render() {
	_, err := hcl.Compile(`"port ${1 +}"`, hcl.WithFilename("rule.hcl"))
	var problem *hcl.Error
	if errors.As(err, &problem) {
		first := problem.Diagnostics[0]
		fmt.Println(first.Severity, first.Subject, first.Summary)
		fmt.Print(problem.Render(hcl.RenderOptions{ASCII: true}))
	}
	// Output:
	// error rule.hcl:1,12-13 Invalid expression
	// error: Invalid expression (parse.expression_invalid)
	//   at rule.hcl:1:12
	//     |
	//   1 | "port ${1 +}"
	//     |            ^
	//
	//   Found "}" where a value was expected. Write a literal, a reference, a call, a
	//   template, or an expression in brackets; inside brackets it may span lines.
}

func ExampleProgram_Eval_context() {
	lookup := func(ctx context.Context, name string) (string, error) {
		deadline, _ := ctx.Deadline()
		return fmt.Sprint(name, " before ", deadline.Year()), nil
	}
	program := hcl.MustCompile(`lookup(name)`, hcl.WithFunction("lookup", lookup))
	defer program.Close()
	ctx, cancel := context.WithDeadline(context.Background(), time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC))
	defer cancel()
	fmt.Println(program.EvalString(ctx, map[string]any{"name": "secret"}))
	// Output: secret before 2999 <nil>
}

func ExampleValue_Decode() {
	value, err := hcl.ValueFromJSON([]byte(`{"replicas": "3", "labels": {"tier": "web"}}`))
	if err != nil {
		panic(err)
	}
	defer value.Close()
	var deployment struct {
		Replicas int               `hcl:"replicas"`
		Labels   map[string]string `hcl:"labels"`
		Paused   *bool             `hcl:"paused"`
	}
	err = value.Decode(&deployment)
	fmt.Println(deployment.Replicas, deployment.Labels, deployment.Paused, err)
	// Output: 3 map[tier:web] <nil> <nil>
}

// A program's own rules are reported like the library's: at the place, with the source line.
func ExampleNewDiagnostic() {
	body, err := hcl.ParseFile("gateway.hcl", []byte("port = 443 + 70000\nhost = nobody\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer body.Close()
	attributes, err := body.Attributes()
	if err != nil {
		fmt.Println(err)
		return
	}
	var config struct {
		Port int    `hcl:"port"`
		Host string `hcl:"host"`
	}
	err = body.Decode(context.Background(), nil, &config)
	if config.Port >= 65536 {
		err = hcl.Join(err, hcl.NewDiagnostic("gatewayd.port", "Port out of range", "port must be below 65536.",
			hcl.At(attributes[0].ValuePlace())))
	}
	var problem *hcl.Error
	if errors.As(err, &problem) {
		fmt.Print(problem.Render(hcl.RenderOptions{ASCII: true}))
	}
	// Output:
	// error: Port out of range (gatewayd.port)
	//   at gateway.hcl:1:8
	//     |
	//   1 | port = 443 + 70000
	//     |        ^^^^^^^^^^^
	//
	//   port must be below 65536.
	//
	// error: Variables not allowed (eval.variables_not_allowed)
	//   at gateway.hcl:2:8
	//     |
	//   2 | host = nobody
	//     |        ^^^^^^
	//
	//   Variables can't be used here, so "nobody" has no meaning.
}
