// Sources prints the locals and the sources of a template of Packer, without Packer.
//
//	sources FOLDER [NAME=TEXT | FILE.pkrvars.hcl]...
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
		Dialect: "packer",
		Folder:  folder,
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
		if declared.Kind == hcl.DeclaredSource {
			fmt.Println(declared.Address)
		}
		if declared.Kind != hcl.DeclaredLocal {
			continue
		}
		if declared.Sensitive {
			fmt.Println(declared.Address, "is sensitive")
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
		fmt.Fprintln(os.Stderr, "usage: sources FOLDER [NAME=TEXT | FILE.pkrvars.hcl]...")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
