//go:build hcl_static

package chcl

// With -tags hcl_static the program contains the library. pkg-config would choose the shared library where both are
// installed, so the folders come from the environment: CGO_CFLAGS=-I… CGO_LDFLAGS=-L….

// #cgo LDFLAGS: -l:libhcl.a -lutil -lrt -lpthread -lm -ldl
import "C"
