module libhcl.dev/go

go 1.24
