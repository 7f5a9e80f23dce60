module libhcl/hcl

go 1.24
