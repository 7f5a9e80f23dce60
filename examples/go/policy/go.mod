module policy

go 1.24

require libhcl.dev/go v0.0.0

replace libhcl.dev/go => ../../../bindings/go
