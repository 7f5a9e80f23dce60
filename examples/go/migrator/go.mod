module migrator

go 1.24

require libhcl/hcl v0.0.0

replace libhcl/hcl => ../../../bindings/go
