//go:build !hcl_static

package chcl

// #cgo pkg-config: hcl
import "C"
