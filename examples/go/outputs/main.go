// Outputs prints the outputs of a Terraform module, without Terraform.
//
//	outputs FOLDER [NAME=TEXT | FILE.tfvars]...
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	hcl "libhcl.dev/go"
)

func run(ctx context.Context, folder string, arguments []string) error {
	config := hcl.ModuleConfig{
		Folder: folder,
		// Functions such as file may read what lies below the working directory, and nothing else.
		Host: &hcl.Host{Files: os.DirFS(".")},
	}
	for _, argument := range arguments {
		if name, text, found := strings.Cut(argument, "="); found {
			config.Given = append(config.Given, hcl.GiveText(name, text))
		} else {
			config.Given = append(config.Given, hcl.GiveFile(argument))
		}
	}
	module, err := hcl.LoadModule(ctx, config)
	if err != nil {
		return err
	}
	defer module.Close()
	declarations, err := module.Declarations()
	if err != nil {
		return err
	}
	for _, declared := range declarations {
		if declared.Kind != hcl.DeclaredOutput {
			continue
		}
		value, err := module.At(ctx, declared.Address)
		if err != nil {
			return err
		}
		fmt.Printf("%s = %v\n", declared.Address, value)
		value.Close()
	}
	return nil
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: outputs FOLDER [NAME=TEXT | FILE.tfvars]...")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
