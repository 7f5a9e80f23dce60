// Command differential asks the reference and our engine the same generated questions, and prints where they differ.
//
// Inputs follow from a seed and a number, so that `-seed 7 -from 1234 -count 1` is the same input every time. Each
// difference is made smaller before it is shown. Differences that are meant to be there are listed, with their
// reasons, in explained.json.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"
)

type options struct {
	command, corpora, explained, kind string
	seed, from, count                 uint64
	show, budget                      int
}

func main() {
	var o options
	flag.StringVar(&o.command, "hcl", "hcl", "our command")
	flag.StringVar(&o.corpora, "corpora", "../conformance", "folder with inputs to take apart")
	flag.StringVar(&o.explained, "explained", "explained.json", "differences that are meant to be there")
	flag.StringVar(&o.kind, "kind", "", "make only inputs of this kind")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the generator")
	flag.Uint64Var(&o.from, "from", 0, "number of the first input")
	flag.Uint64Var(&o.count, "count", 20000, "how many inputs to make")
	flag.IntVar(&o.show, "show", 2, "how many differences of a kind to print")
	flag.IntVar(&o.budget, "budget", 1500, "how many questions to spend on making a difference smaller")
	ask := flag.Bool("ask", false, "answer inputs as -print writes them, a line each on standard input, and print both answers")
	modules := flag.Bool("modules", false, "make modules, and ask `terraform console`")
	printOnly := flag.Bool("print", false, "print the inputs and ask nobody")
	flag.Parse()
	if *ask {
		if err := askBoth(&o); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	compare := run
	if *modules {
		compare = runModules
	}
	unexplained, err := compare(&o, *printOnly)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case unexplained > 0:
		os.Exit(1)
	}
}

// askBoth shows what both engines say to inputs of standard input.
func askBoth(o *options) error {
	engine := newEngine(o.command)
	lines := json.NewDecoder(os.Stdin)
	for lines.More() {
		input := Input{Verb: "eval", Dialect: "hcl-test"}
		if err := lines.Decode(&input); err != nil {
			return err
		}
		if input.Verb == "check" {
			input.Source = []byte(input.Expr)
		}
		reference, ours, found, err := engine.judge(&input)
		if err != nil {
			return err
		}
		fmt.Printf("%q\n  reference: %s\n  ours:      %s\n", input.text(), short(reference), short(ours))
		for _, difference := range found {
			fmt.Printf("  %s\n", difference.Kind)
		}
	}
	return nil
}

// finding is a difference with the smallest input that was found for it.
type finding struct {
	index      uint64
	input      *Input
	difference Difference
}

type tally struct {
	sync.Mutex
	inputs      map[string]int
	explained   map[string]int
	unexplained map[string][]finding
	crashes     int
	clean       int
	random      int
}

const batch = 500

func run(o *options, printOnly bool) (int, error) {
	known, err := readCorpus(o.corpora)
	if err != nil {
		return 0, err
	}
	explanations, err := readExplanations(o.explained)
	if err != nil {
		return 0, err
	}
	if printOnly {
		for index := o.from; index < o.from+o.count; index++ {
			fmt.Println(show(generate(o.seed, index, known, o.kind)))
		}
		return 0, nil
	}
	began := time.Now()
	count := &tally{inputs: map[string]int{}, explained: map[string]int{}, unexplained: map[string][]finding{}}
	batches := make(chan uint64)
	failures := make(chan error, runtime.NumCPU())
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Add(1)
		go func() {
			defer workers.Done()
			engine := newEngine(o.command)
			for from := range batches {
				if err := engine.work(o, count, explanations, known, from); err != nil {
					failures <- err
					for range batches {
					}
					return
				}
			}
		}()
	}
	for from := o.from; from < o.from+o.count; from += batch {
		batches <- from
	}
	close(batches)
	workers.Wait()
	close(failures)
	if err := <-failures; err != nil {
		return 0, err
	}
	return count.report(o, time.Since(began)), nil
}

// work does a batch of inputs.
func (e *Engine) work(o *options, count *tally, explanations []*Explanation, known *corpus, from uint64) error {
	byVerb := map[string][]*Input{}
	indexes := map[*Input]uint64{}
	for index := from; index < min(from+batch, o.from+o.count); index++ {
		input := generate(o.seed, index, known, o.kind)
		indexes[input] = index
		byVerb[input.Verb] = append(byVerb[input.Verb], input)
		count.Lock()
		count.inputs[input.Kind]++
		count.Unlock()
	}
	for _, verb := range []string{"eval", "check", "vars"} {
		inputs := byVerb[verb]
		answers, err := e.ask(verb, inputs)
		if err != nil {
			return err
		}
		for i, input := range inputs {
			if len(answers[i].Diagnostics) == 0 {
				count.Lock()
				count.clean++
				count.Unlock()
			}
			for _, difference := range differences(askReference(input), answers[i]) {
				e.found(o, count, explanations, finding{indexes[input], input, difference})
			}
		}
	}
	return nil
}

// Tries that a reference with a random order gets to say the same as we do.
const tries = 12

// found makes a difference smaller, and looks for its reason.
func (e *Engine) found(o *options, count *tally, explanations []*Explanation, one finding) {
	if one.difference.Kind == "reference crashed" {
		count.Lock()
		count.crashes++
		count.Unlock()
		return
	}
	if e.isRandom(one.input) {
		count.Lock()
		count.random++
		count.Unlock()
		return
	}
	one.input = e.shrink(one.input, one.difference.Kind, o.budget)
	reference, _, found, err := e.judge(one.input)
	if err == nil {
		for _, difference := range found {
			if difference.Kind == one.difference.Kind {
				one.difference = difference
			}
		}
	}
	reference.Diagnostics = append(reference.Diagnostics, hiddenBy(one.input)...)
	reason := ""
	for _, explanation := range explanations {
		if reason == "" && explanation.explains(e, one.input, one.difference, reference) {
			reason = explanation.Name
		}
	}
	count.Lock()
	defer count.Unlock()
	if reason != "" {
		count.explained[reason]++
		return
	}
	count.unexplained[one.difference.Kind] = append(count.unexplained[one.difference.Kind], one)
}

// hiddenBy is what the reference complains of where try and can keep it from being seen.
func hiddenBy(input *Input) []Diagnostic {
	open := *input
	open.Expr = strings.NewReplacer("try(", "coalesce(", "can(", "tolist(").Replace(input.Expr)
	if open.Expr == input.Expr || input.Verb != "eval" {
		return nil
	}
	return askReference(&open).Diagnostics
}

// isRandom tells whether the reference, asked again, says what we say.
func (e *Engine) isRandom(input *Input) bool {
	answers, err := e.ask(input.Verb, []*Input{input})
	if err != nil {
		return false
	}
	for range tries {
		if len(differences(askReference(input), answers[0])) == 0 {
			return true
		}
	}
	return false
}

func (t *tally) report(o *options, took time.Duration) int {
	total, differing := 0, 0
	for _, count := range t.inputs {
		total += count
	}
	kinds := make([]string, 0, len(t.unexplained))
	for kind, list := range t.unexplained {
		kinds = append(kinds, kind)
		differing += len(list)
		sort.Slice(list, func(i, j int) bool { return list[i].size() < list[j].size() })
	}
	sort.Slice(kinds, func(i, j int) bool { return len(t.unexplained[kinds[i]]) > len(t.unexplained[kinds[j]]) })
	for _, kind := range kinds {
		list := t.unexplained[kind]
		fmt.Printf("\n== %s (%d)\n", kind, len(list))
		for i, one := range list[:min(o.show, len(list))] {
			if i > 0 && show(one.input) == show(list[i-1].input) && one.input.text() == list[i-1].input.text() {
				continue
			}
			one.print(o)
		}
	}
	fmt.Printf("\n%d inputs of seed %d in %.1f s, %.0f a second:", total, o.seed, took.Seconds(), float64(total)/took.Seconds())
	for _, kind := range kindNames() {
		if t.inputs[kind] > 0 {
			fmt.Printf(" %d %s,", t.inputs[kind], kind)
		}
	}
	fmt.Printf("\n%d without diagnostics, %d where the reference crashed, %d where its answer is random, %d differences explained:\n", t.clean, t.crashes, t.random, sum(t.explained))
	names := make([]string, 0, len(t.explained))
	for name := range t.explained {
		names = append(names, name)
	}
	for _, name := range sorted(names) {
		fmt.Printf("  %6d  %s\n", t.explained[name], name)
	}
	fmt.Printf("%d differences unexplained\n", differing)
	return differing
}

func kindNames() []string {
	names := []string{}
	for _, kind := range kinds {
		names = append(names, kind.name)
	}
	return names
}

func sum(counts map[string]int) int {
	total := 0
	for _, count := range counts {
		total += count
	}
	return total
}

func (f *finding) size() int {
	size := len(f.input.text())*4 + len(f.input.As)
	for name, text := range f.input.Vars {
		size += len(name) + len(text)
	}
	return size
}

func (f *finding) print(o *options) {
	fmt.Printf("  -seed %d -from %d (%s)\n", o.seed, f.index, f.input.Kind)
	fmt.Printf("    %s: %q\n", f.input.Verb, f.input.text())
	if len(f.input.Vars) > 0 || f.input.As != "" || f.input.Context != "" {
		rest, _ := json.Marshal(map[string]any{"vars": f.input.Vars, "outer": f.input.OuterVars, "as": f.input.As, "context": f.input.Context})
		fmt.Printf("    %s\n", rest)
	}
	fmt.Printf("    reference: %s\n    ours:      %s\n", f.difference.Reference, f.difference.Ours)
}
