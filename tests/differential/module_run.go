package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"
)

// moduleFinding is a difference with the smallest module that was found for it.
type moduleFinding struct {
	index              uint64
	module             *Module
	kind, theirs, ours string
}

type moduleTally struct {
	sync.Mutex
	questions, answered, refused, crashes, random int
	explained, titles                             map[string]int
	unexplained                                   map[string][]moduleFinding
}

// How many differences of a kind are made smaller, and with how many questions each.
const (
	shrunkOfAKind = 3
	moduleBudget  = 250
)

// runModules compares what `terraform console` and our command say about generated modules.
func runModules(o *options, printOnly bool) (int, error) {
	if printOnly {
		for index := o.from; index < o.from+o.count; index++ {
			fmt.Printf("==== %d\n%s", index, generateModule(o.seed, index).text())
		}
		return 0, nil
	}
	terraform, err := exec.LookPath("terraform")
	if err != nil {
		fmt.Println("SKIPPED: generated modules are compared with `terraform console`, and no terraform is on the PATH")
		return 0, nil
	}
	command, err := filepath.Abs(o.command)
	if err != nil {
		return 0, err
	}
	explanations, err := readExplanations(o.explained)
	if err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp("", "modules")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	began := time.Now()
	count := &moduleTally{explained: map[string]int{}, titles: map[string]int{}, unexplained: map[string][]moduleFinding{}}
	indexes := make(chan uint64)
	failures := make(chan error, runtime.NumCPU())
	var workers sync.WaitGroup
	for worker := range runtime.NumCPU() {
		workers.Add(1)
		go func() {
			defer workers.Done()
			asked := &consoles{command, terraform, filepath.Join(folder, fmt.Sprint(worker))}
			for index := range indexes {
				if err := asked.compare(index, generateModule(o.seed, index), count, explanations); err != nil {
					failures <- err
					for range indexes {
					}
					return
				}
			}
		}()
	}
	for index := o.from; index < o.from+o.count; index++ {
		indexes <- index
	}
	close(indexes)
	workers.Wait()
	close(failures)
	if err := <-failures; err != nil {
		return 0, err
	}
	return count.report(o, time.Since(began)), nil
}

// compare asks all questions about a module, and makes those smaller whose answers differ.
func (c *consoles) compare(index uint64, m *Module, count *moduleTally, explanations []*Explanation) error {
	settled, err := c.settle(m)
	if err != nil {
		return err
	}
	differing := []string{}
	for _, expression := range m.expressions {
		theirs, ours := c.theirs(settled, expression), c.ours(settled, expression)
		different := moduleDifference(theirs, ours) != ""
		count.Lock()
		count.questions++
		for _, one := range theirs.errors {
			count.titles[one.title]++
		}
		switch {
		case theirs.crashed:
			count.crashes++
		case len(theirs.errors) > 0:
			count.refused++
		default:
			count.answered++
		}
		count.Unlock()
		if different {
			differing = append(differing, expression)
		}
	}
	// One difference of a module mostly shows in all of its expressions.
	seen := map[string]bool{}
	for _, expression := range differing {
		alone := *m
		alone.expressions = []string{expression}
		found, err := c.judge(&alone)
		if err != nil {
			return err
		}
		if found.kind == "" {
			count.Lock()
			count.random++
			count.Unlock()
			continue
		}
		if seen[found.kind] {
			continue
		}
		seen[found.kind] = true
		found.index = index
		if err := c.file(found, count, explanations); err != nil {
			return err
		}
	}
	return nil
}

// judge is the difference of the answers about a module with one expression.
func (c *consoles) judge(m *Module) (moduleFinding, error) {
	settled, err := c.settle(m)
	if err != nil {
		return moduleFinding{}, err
	}
	theirs, ours := c.theirs(settled, m.expressions[0]), c.ours(settled, m.expressions[0])
	return moduleFinding{module: m, kind: moduleDifference(theirs, ours), theirs: theirs.String(), ours: ours.String()}, nil
}

// file makes a difference smaller and looks for its reason.
func (c *consoles) file(found moduleFinding, count *moduleTally, explanations []*Explanation) error {
	count.Lock()
	enough := len(count.unexplained[found.kind]) >= shrunkOfAKind
	count.Unlock()
	if !enough {
		smallest, err := c.shrink(found)
		if err != nil {
			return err
		}
		found = smallest
	}
	reason := ""
	for _, explanation := range explanations {
		if reason == "" && explanation.explainsModule(found) {
			reason = explanation.Name
		}
	}
	count.Lock()
	defer count.Unlock()
	if reason != "" {
		count.explained[reason]++
	} else {
		count.unexplained[found.kind] = append(count.unexplained[found.kind], found)
	}
	return nil
}

// shrink takes parts away as long as the difference stays one of its kind.
func (c *consoles) shrink(found moduleFinding) (moduleFinding, error) {
	var failure error
	budget := moduleBudget
	for again := true; again; {
		again = found.module.smaller(func(candidate *Module) bool {
			if budget--; budget < 0 || failure != nil {
				return false
			}
			smaller, err := c.judge(candidate)
			failure = err
			if err != nil || smaller.kind != found.kind {
				return false
			}
			smaller.index = found.index
			found = smaller
			return true
		})
	}
	return found, failure
}

// explainsModule tells whether the reason is about modules, and all of its patterns match.
func (e *Explanation) explainsModule(found moduleFinding) bool {
	if e.Verb != "module" {
		return false
	}
	texts := map[string]string{"kind": found.kind, "input": found.module.text(), "reference": found.theirs, "ours": found.ours}
	for part, pattern := range e.patterns {
		if part != "verb" && !pattern.MatchString(texts[part]) {
			return false
		}
	}
	return true
}

func (t *moduleTally) report(o *options, took time.Duration) int {
	kinds, differing := []string{}, 0
	for kind, list := range t.unexplained {
		kinds = append(kinds, kind)
		differing += len(list)
		sort.Slice(list, func(i, j int) bool { return len(list[i].module.text()) < len(list[j].module.text()) })
	}
	sort.Slice(kinds, func(i, j int) bool { return len(t.unexplained[kinds[i]]) > len(t.unexplained[kinds[j]]) })
	for _, kind := range kinds {
		list := t.unexplained[kind]
		fmt.Printf("\n== %s (%d)\n", kind, len(list))
		for _, one := range list[:min(o.show, len(list))] {
			fmt.Printf("  -modules -seed %d -from %d\n%s", o.seed, one.index, indented(one.module.text()))
			fmt.Printf("    reference: %s\n    ours:      %s\n", one.theirs, one.ours)
		}
	}
	fmt.Printf("\n%d modules of seed %d in %.1f s, %d questions: %d answered, %d with errors, %d where the reference crashed, %d where its answer is random, %d differences explained:\n",
		o.count, o.seed, took.Seconds(), t.questions, t.answered, t.refused, t.crashes, t.random, sum(t.explained))
	for _, name := range namesOf(t.explained) {
		fmt.Printf("  %6d  %s\n", t.explained[name], name)
	}
	fmt.Printf("%d titles of errors occurred:\n", len(t.titles))
	for _, title := range namesOf(t.titles) {
		fmt.Printf("  %6d  %s\n", t.titles[title], title)
	}
	fmt.Printf("%d differences about modules unexplained\n", differing)
	return differing
}

// namesOf is what was counted, in the order of names.
func namesOf(counts map[string]int) []string {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	return sorted(names)
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ") + "\n"
}
