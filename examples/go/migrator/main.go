// Command migrator renames a variable of a Terraform module: its declaration, every reference to it, and its value in
// .tfvars files. Comments, blanks and everything else stay as they are.
//
//	migrator FOLDER OLD NEW
//
// It says which files changed. If one of them can't be read, none is written.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	hcl "libhcl.dev/go"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: migrator FOLDER OLD NEW")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder, old, new string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	changed := map[string]string{}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if ending := filepath.Ext(path); ending != ".tf" && ending != ".tfvars" {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		document, err := hcl.ParseDocument(path, source)
		if err != nil {
			return err
		}
		n, err := migrate(document, path, old, new)
		text := document.String()
		document.Close()
		if err != nil {
			return err
		}
		if n > 0 {
			fmt.Printf("%s: %d\n", path, n)
			changed[path] = text
		}
	}
	for path, text := range changed {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// migrate renames the variable in a document and counts the places. What is not there is no failure.
func migrate(document *hcl.Document, path, old, new string) (n int, err error) {
	if strings.HasSuffix(path, ".tfvars") {
		err = document.Rename(hcl.Address(old), new)
	} else {
		if n, err = document.RenameReferences("var."+old, "var."+new); err != nil {
			return n, err
		}
		err = document.Relabel(hcl.Address("variable", old), []string{new})
	}
	if errors.Is(err, hcl.ErrNotFound) {
		return n, nil
	}
	return n + 1, err
}
