//go:build !cgo

package chcl

// Without cgo the other files of this package are left out; this one says so in the compiler's message.
var _ int = "libhcl.dev/go needs cgo: build with CGO_ENABLED=1 and a C compiler"
