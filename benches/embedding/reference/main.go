// The reference as a C library, made with -buildmode=c-shared: what a C program would load instead of libhcl.so.
package main

// #include <stdint.h>
// #include <stdlib.h>
import "C"

import (
	"unsafe"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

var (
	expression hclsyntax.Expression
	context    hcl.EvalContext
)

//export ref_version
func ref_version() C.int { return 225 }

// ref_prepare parses an expression; its variable `var` is given as JSON.
//
//export ref_prepare
func ref_prepare(source, variables *C.char) C.int {
	text := []byte(C.GoString(variables))
	typ, err := ctyjson.ImpliedType(text)
	if err != nil {
		return 1
	}
	value, err := ctyjson.Unmarshal(text, typ)
	if err != nil {
		return 1
	}
	var diags hcl.Diagnostics
	expression, diags = hclsyntax.ParseExpression([]byte(C.GoString(source)), "expression", hcl.InitialPos)
	context.Variables = map[string]cty.Value{"var": value}
	if diags.HasErrors() {
		return 1
	}
	return 0
}

//export ref_bool
func ref_bool() C.int {
	value, diags := expression.Value(&context)
	if diags.HasErrors() {
		return -1
	}
	if value.True() {
		return 1
	}
	return 0
}

// ref_json evaluates to JSON, which the caller frees.
//
//export ref_json
func ref_json() *C.char {
	value, diags := expression.Value(&context)
	if diags.HasErrors() {
		return nil
	}
	text, err := ctyjson.Marshal(value, value.Type())
	if err != nil {
		return nil
	}
	return C.CString(string(text))
}

//export ref_free
func ref_free(text *C.char) { C.free(unsafe.Pointer(text)) }

func main() {}
