// Package hcl is HashiCorp's configuration language for Go programs, on top of the C library libhcl.
//
// It is found through pkg-config. An independent implementation, not affiliated with HashiCorp.
//
// # Evaluating
//
// [Compile] makes a [Program] of an expression, once; [Program.Eval] and its fast relatives evaluate it with the values
// of its variables, from any number of goroutines. What names mean beside the variables (constants, functions of a
// product such as Terraform, functions of Go) is said by options, or by a [Scope] that many programs share. A [Frame]
// holds values of variables between evaluations.
//
// # Values
//
// Go values become HCL values where they are needed: nil, bools, strings, numbers (also *big.Int, *big.Float and
// json.Number, exactly), slices, maps, structs with `hcl:"name"` tags, and [Value]. The other way round
// [Value.Decode] fills Go values and [Value.Any] makes them.
//
// # Lifetimes
//
// Memory of the library is invisible to the garbage collector. What owns some has a Close method; calling it early
// keeps memory low, not calling it is no leak: a cleanup does it when the object is unreachable. Close may be called
// several times and from several goroutines; calls in progress are waited for by the memory, not by the caller. After
// Close, methods answer [ErrClosed].
//
// # Contexts
//
// Evaluations take a [context.Context]: its deadline ends them, cancelling it stops them, and functions of Go see it.
// What reads a source takes one with [WithContext].
//
// # Errors
//
// Errors about the input are an [*Error], which holds [Diagnostics] with places and can draw them; errors.Is finds the
// reason ([ErrLimit], context.Canceled, an error that a function of Go returned), errors.As the diagnostics.
package hcl
