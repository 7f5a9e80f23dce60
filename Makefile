# make demo     build the library and run the example daemon on its configuration
# make test     the tests that a person waits for
# make install  install library, headers, hcl.pc, CMake package and hcl(3)
#               PREFIX, LIBDIR, INCLUDEDIR, DESTDIR: where; FEATURES: flags for cargo; TRIPLE: another machine than this one
# make install-cli  install the commands with completions and manual pages
# make help     the rest

CARGO   ?= cargo
CORPORA ?=
GO      ?= go
PYTHON  ?= python3
DIFF_SEED  ?= 1
DIFF_COUNT ?= 20000
DIFF_MODULES ?= 150
COMPARE_COUNT ?= 100000
COMPARE_SEED ?= 1
TIME ?= 60
# How many of the parts of `make test` run at once.
TEST_JOBS ?= 2

CARGO_C_VERSION := 0.10.24+cargo-0.98.0
MDBOOK_VERSION := 0.5.4
CARGO_MUTANTS_VERSION := 27.1.0
TARGET  := $(or $(CARGO_TARGET_DIR),target)
TOOLS   := $(TARGET)/tools
# The release of the reference whose specification suite is run.
HCL_GO  := github.com/hashicorp/hcl/v2@v2.25.0
CFLAGS  := -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror
# What rustc says the archive needs besides libc; asked for by `cargo rustc -- --print native-static-libs`.
NATIVE  := -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc

# What `make test` looks at. The peers of benchmarks take a tenth of the time of compiling everything, so that their own test is one of
# `make check-all`. The Python package is compiled where there is a Python that it can be tested with.
has_python = $(shell $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null && echo yes)
TESTED = --workspace --exclude hcl-benches --exclude hcl-apart $(if $(has_python),,--exclude libhcl-python)

# PyO3 compiles for the interpreter that tests the package: one without a global lock loads no module of the stable ABI. As in
# a wheel the module takes Python from the process that loads it; so the lint, which looks at the whole workspace, needs no Python.
export PYO3_PYTHON := $(PYTHON)
export PYO3_BUILD_EXTENSION_MODULE := 1
export CARGO GO PYTHON MUTANTS_COUNT MUTANTS_SEED MUTANTS_OF MUTANTS_ASKED
# A C compiler is handed on only where one was named: make's own default is that of this machine, and cc-rs and the scripts of
# packaging/ find the one for TRIPLE by themselves.
ifneq ($(origin CC),default)
export CC
endif
ifneq ($(origin CXX),default)
export CXX
endif
# These the scripts of packaging/ know how to leave out. One that nobody has set is not handed on: what a script takes for it is not what
# the programs that it runs should take.
$(foreach name,PREFIX LIBDIR INCLUDEDIR DESTDIR FEATURES TRIPLE CARGO_C,$(if $(filter undefined,$(origin $(name))),,$(eval export $(name))))

# Every target is a name, not a file.
.PHONY: $(shell sed -n 's/^\([a-z0-9-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

all: ## build the library and the command, optimised
	$(CARGO) build --release -p hcl-ffi
	$(CARGO) build --release -p hcl-cli

demo: ## build the library, link the archive into examples/c/gatewayd, run it on its configuration
	@command -v $(CARGO) >/dev/null || { echo "make demo needs Rust: there is no $(CARGO)"; exit 1; }
	@command -v $(firstword $(CC)) >/dev/null || { echo "make demo needs a C compiler: there is no $(CC)"; exit 1; }
	$(CARGO) build --release -p hcl-ffi
	mkdir -p $(TARGET)/demo
	$(CC) $(CFLAGS) -Iinclude examples/c/gatewayd/*.c $(TARGET)/release/libhcl.a $(NATIVE) -o $(TARGET)/demo/gatewayd
	$(TARGET)/demo/gatewayd examples/c/gatewayd/gateway.hcl examples/c/gatewayd/broken.hcl

# Two at a time, since most of them are one process after the other; those that take long come first. Lines of both are mixed; what
# fails says so in its last line, and make names the target.
test: ## the tests that a change needs: Rust, case documents, conformance, C programs, ABI, the Go module, the Python package, an installation
	$(MAKE) --no-print-directory --output-sync=line --jobs=$(TEST_JOBS) test-python test-c test-rust test-cpp test-install test-examples test-abi test-go

test-slow: export HCL_SLOW = 1
test-slow: test ## `make test` with what takes long: all C and C++ programs under valgrind, pointers from Go to C checked, more work between two looks at the clock

test-rust: debug ## the tests of the crates, the case documents, the conformance corpora
	$(CARGO) test $(TESTED) --no-fail-fast
	$(CARGO) test -p hcl-apart

# One build of the engine for all. What tests ask of shared crates beside it changes no behaviour; `tests/apart` has the tests of which
# that can't be said, and `test-packaging` looks at the library as programs get it.
debug: ## the library, not optimised, with the tests, the examples in Rust and the Python package
	$(CARGO) build $(TESTED) --all-targets

test-c: debug ## C programs against the library, under valgrind
	tests/c/run

test-cpp: debug ## C++ programs against the library, six of them under valgrind; all of them with HCL_SLOW=1
	tests/cpp/run

test-examples: debug ## the examples, and what C++ and Go have of hcl.h
	tests/languages/run
	tests/examples/run

test-go: debug ## the Go module and its example, under the race detector too; needs Go 1.24
	tests/go/run

test-python: debug ## the Python package; needs Python 3.9, and for some tests packages of bindings/python/tests/requirements.txt
	tests/python/run

compare-hcl2: debug ## hold libhcl.hcl2 against python-hcl2 on the tree and 2,000 generated documents
	HCL2_COUNT=2000 tests/python/run && cat $(TARGET)/python-tests/hcl2

wheel: ## build the Python wheel into target/wheels, install it into a clean environment, use it there
	tests/python/wheel

test-spark: ## rules over tables in Spark and DuckDB on 1,000,000 rows, beside their SQL; needs Java 17 and Python 3.10: ROWS
	tests/python/spark

bench-python: ## reading beside python-hcl2, and rules over tables by engine, with the optimised package; needs what test-spark needs
	tests/python/bench

test-abi: debug ## headers in every compiler and standard; nothing that programs of the last release rely on has changed
	tests/abi/run

test-sanitized: debug ## the C and C++ programs under the sanitizers for addresses and undefined behaviour
	tests/c/sanitized

test-benches: ## the benchmarks run, and find what they look for
	$(CARGO) test -p hcl-benches

test-core: ## the language alone, installed without any feature
	tests/packaging/core

test-install: debug ## an installation into a prefix, used through pkg-config; what can't be installed
	tests/packaging/refusals
	tests/packaging/run $(TARGET)/debug

test-packaging: ## the optimised library installed and used: also its size, memory, stack and system calls
	tests/packaging/run

test-both: tools ## cargo-c and the installation without it give the same files
	tests/packaging/both

test-msrv: ## everything compiles with the oldest Rust that is promised; needs rustup and that toolchain
	tests/packaging/msrv

test-publish: ## the crates could be published; needs the registry
	tests/packaging/publish

test-cross: ## the library for 64-bit ARM and for musl, built, read and run; needs their targets and C compilers
	tests/packaging/cross

test-dist: ## the tarball is reproducible; it installs and its tests pass without network
	tests/packaging/dist

check-all: lint test-slow test-packaging test-benches test-both test-core test-sanitized test-panics test-folders startup looks determinism stress documents perf-check bench docs test-spark test-msrv test-publish test-cross test-dist test-deb test-rpm ## what `test` does, and sanitizers, lints, documentation, 1,000 runs of everything, a minute of threads, 100,000 documents, cargo-c, the language alone, benchmarks, other machines and packages; with terraform, twins of modules
	@if command -v terraform >/dev/null; then $(MAKE) twins; else echo "twins are left out: there is no terraform"; fi

determinism: ## every input 1,000 times, on threads and in other processes: always the same bytes
	HCL_RUNS=1000 $(CARGO) test $(TESTED) --test determinism

test-panics: ## a panic inside the library, or a callback of the host, becomes a status in the optimised build too
	$(CARGO) test --release -p hcl-ffi --lib boundary

stress: debug ## 24 threads share programs and values for a minute, while another one cancels at random
	tests/c/stress

test-folders: ## two jobs on 8,000 files are 1.7 times as fast as one, in the same memory; needs two free processors
	$(CARGO) build --release -p hcl-cli
	tests/cli/folders $(TARGET)/release/hcl

startup: ## the optimised command starts in less than 5 ms
	$(CARGO) test --release -p hcl-cli --test shell it_starts_at_once

looks: ## a deadline is noticed in 20 ms of work, whatever a function is given: 256,000 elements, texts of 12 MB
	HCL_LOOKS_SCALE=40 $(CARGO) test --release -p hcl-eval --test looks -- --test-threads=1

documents: ## format 100,000 generated documents: settled, and of the same meaning
	HCL_DOCUMENTS=100000 $(CARGO) test $(TESTED) --test formatting

conformance: ## hold the engine against the reference's answers; CORPORA=DIR for other corpora
	$(CARGO) run -q -p hcl-tests --bin conformance -- $(CORPORA)

twins: ## hold modules of Terraform against their twins in JSON syntax; needs terraform, TWINS=CORPUS for other modules
	@command -v terraform >/dev/null || { echo "make twins needs terraform"; exit 1; }
	$(CARGO) build -p hcl-cli
	$(CARGO) run -q -p hcl-tests --bin twins -- $(TARGET)/debug/hcl $(TWINS)

specsuite: ## the official specification suite against hcldec, driven by the reference's own harness; needs Go
	@command -v $(GO) >/dev/null || { echo "make specsuite needs Go: it builds the harness of the official suite"; exit 1; }
	GOBIN=$(abspath $(TOOLS))/bin $(GO) install $(subst v2@,v2/cmd/hclspecsuite@,$(HCL_GO))
	$(CARGO) build -p hcl-cli --bin hcldec
	$(TOOLS)/bin/hclspecsuite "$$($(GO) mod download -json $(HCL_GO) | sed -n 's/.*"Dir": "\(.*\)",/\1/p')/specsuite/tests" $(TARGET)/debug/hcldec
	$(TOOLS)/bin/hclspecsuite tests/specsuite $(TARGET)/debug/hcldec

differential: ## ask the reference and our engine the same generated questions: DIFF_SEED, DIFF_COUNT, DIFF_MODULES; needs Go, and terraform for modules
	@command -v $(GO) >/dev/null || { echo "make differential needs Go 1.24 or later"; exit 1; }
	$(CARGO) build --release -p hcl-cli
	$(GO) -C tests/differential build -o $(abspath $(TARGET))/differential .
	$(TARGET)/differential -hcl $(TARGET)/release/hcl -explained tests/differential/explained.json \
	    -corpora tests/conformance -seed $(DIFF_SEED) -count $(DIFF_COUNT)
	$(TARGET)/differential -modules -hcl $(TARGET)/release/hcl -explained tests/differential/explained.json \
	    -seed $(DIFF_SEED) -count $(DIFF_MODULES)

compare-parse: ## ask this build and that of the commit BASE about the same texts, 100,000 changed ones among them: BASE, COMPARE_COUNT, COMPARE_SEED
	@test -n "$(BASE)" || { echo "make compare-parse needs BASE=COMMIT"; exit 1; }
	rm -rf $(TARGET)/compare/tree && git worktree prune
	git worktree add --detach $(abspath $(TARGET))/compare/tree $(BASE)
	CARGO_TARGET_DIR=$(abspath $(TARGET))/compare/target $(CARGO) build --manifest-path $(TARGET)/compare/tree/Cargo.toml -p hcl-cli --bin hcl
	git worktree remove --force $(abspath $(TARGET))/compare/tree
	$(CARGO) build -p hcl-cli --bin hcl
	$(CARGO) run -q -p hcl-tests --bin compare-parse -- $(TARGET)/compare/target/debug/hcl $(TARGET)/debug/hcl $(COMPARE_COUNT) $(COMPARE_SEED)

compare-eval: ## evaluate the same texts with this build and that of the commit BASE, 100,000 changed ones among them: BASE, COMPARE_COUNT, COMPARE_SEED
	@test -n "$(BASE)" || { echo "make compare-eval needs BASE=COMMIT"; exit 1; }
	rm -rf $(TARGET)/compare/tree && git worktree prune
	git worktree add --detach $(abspath $(TARGET))/compare/tree $(BASE)
	cp tests/src/bin/eval-answers.rs $(TARGET)/compare/tree/tests/src/bin/
	CARGO_TARGET_DIR=$(abspath $(TARGET))/compare/target $(CARGO) build --manifest-path $(TARGET)/compare/tree/Cargo.toml -p hcl-tests --bin eval-answers
	git worktree remove --force $(abspath $(TARGET))/compare/tree
	$(CARGO) build -p hcl-tests --bin eval-answers
	$(CARGO) run -q -p hcl-tests --bin compare-eval -- $(TARGET)/compare/target/debug/eval-answers $(TARGET)/debug/eval-answers $(COMPARE_COUNT) $(COMPARE_SEED)

bench: ## measure against the peers in one run, hold it against the goals, write docs/performance.md; Go and valgrind for all rows
	$(CARGO) build --release -p hcl-benches
	benches/libraries
	$(TARGET)/release/hcl-bench --docs docs

fuzz: ## look for inputs that break a property, TIME seconds for each target; needs a C++ compiler
	@command -v $(firstword $(CXX)) >/dev/null || { echo "make fuzz needs a C++ compiler: there is no $(firstword $(CXX))"; exit 1; }
	fuzz/run $(TIME)

perf-check: ## instruction counts of a fixed set beside the stored ones; HCL_UPDATE=1 stores them, HCL_FORCE=1 compares across compilers; needs valgrind
	@command -v valgrind >/dev/null || { echo "make perf-check needs valgrind: it counts the instructions"; exit 1; }
	$(CARGO) build --release -p hcl-benches
	$(CARGO) build --release -p hcl-ffi
	$(TARGET)/release/hcl-bench guard $(if $(HCL_UPDATE),--update) $(if $(HCL_FORCE),--force)

bench-functions: ## functions at growing sizes, beside the Go reference where there is Go
	$(CARGO) run --release -p hcl-benches -- growth

header: ## make include/hcl.h anew
	HCL_UPDATE=1 $(CARGO) test -p hcl-ffi --test header

lint: ## formatting, clippy, documentation; spelling and licences where typos and cargo-deny are installed
	$(CARGO) fmt --all -- --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps
	@if typos --version >/dev/null 2>&1; then typos; else echo "spelling is not checked: there is no typos"; fi
	@if $(CARGO) deny --version >/dev/null 2>&1; then $(CARGO) deny check; else echo "licences and advisories are not checked: there is no cargo-deny"; fi

install: ## install library, headers, hcl.pc, CMake package and hcl(3): PREFIX, LIBDIR, INCLUDEDIR, DESTDIR, FEATURES, TRIPLE
	PATH="$(abspath $(TOOLS))/bin:$$PATH" packaging/install

uninstall: ## remove what `make install` has installed with the same variables
	packaging/install --uninstall

deb: ## build the Debian packages libhcl0.1, libhcl-dev and hcl
	packaging/deb

dist: ## the release tarball with all crates in it, and its checksum, in target/dist; the same bytes each time
	packaging/dist

dist-cli: ## the commands as static programs with completions and manual pages, in target/dist: TRIPLE; needs musl-tools
	packaging/dist-cli

rpm: ## build the RPM packages libhcl, libhcl-devel and hcl
	packaging/rpm/build

test-rpm: rpm ## install the RPM packages into a root of their own and use them there
	tests/rpm/run

test-deb: deb ## install the Debian packages into a clean root and use them there
	tests/deb/run

book: ## the book of docs by mdBook, into target/book/html
	@PATH="$(abspath $(TOOLS))/bin:$$PATH" mdbook --version 2>/dev/null | grep -q 'v$(MDBOOK_VERSION)$$' \
	    || { echo "make book needs mdbook $(MDBOOK_VERSION): cargo install mdbook --version $(MDBOOK_VERSION) --locked"; exit 1; }
	$(CARGO) build -p hcl-cli --bin hcl
	$(CARGO) run -q -p hcl-book -- $(TARGET)/book/src $(TARGET)/debug/hcl
	cp -R docs/theme docs/book.toml $(TARGET)/book/
	PATH="$(abspath $(TOOLS))/bin:$$PATH" mdbook build $(TARGET)/book
	$(CARGO) run -q -p hcl-book -- --check $(TARGET)/book/html

docs: ## the reference of the C interface, by Doxygen
	@command -v doxygen > /dev/null || { echo "make docs needs doxygen"; exit 1; }
	mkdir -p $(TARGET)/doc
	DOC_TARGET=$(TARGET)/doc doxygen docs/Doxyfile

install-cli: ## install hcl and hcldec, shell completions and manual pages: PREFIX, DESTDIR, TRIPLE
	packaging/install-cli

uninstall-cli: ## remove what `make install-cli` has installed with the same variables
	packaging/install-cli --uninstall

copyright: ## make debian/copyright anew
	HCL_UPDATE=1 $(CARGO) test -p hcl-packaging the_file_in_the_tree

pictures: ## make the pictures of docs/images anew
	HCL_UPDATE=1 $(CARGO) test -p hcl-apart --test pictures
	HCL_UPDATE=1 $(CARGO) test -p hcl-book the_picture

# It drives rustc and is not worth optimising, which would take four times as long.
tools: ## cargo-c, if it is missing: takes two to four minutes; only `make test-both` needs it
	@PATH="$(abspath $(TOOLS))/bin:$$PATH" $(CARGO) cinstall --version >/dev/null 2>&1 || { \
	    echo "cargo-c is missing: installing $(CARGO_C_VERSION) into $(TOOLS), which takes a while"; \
	    CARGO_PROFILE_DEV_DEBUG=false $(CARGO) install cargo-c --version '$(CARGO_C_VERSION)' --locked --debug --root $(TOOLS); }

mutants: mutants-tools ## small changes of the sources, a sample of them, of which tests must notice 95 %: MUTANTS_COUNT, MUTANTS_SEED, MUTANTS_OF; takes hours
	PATH="$(abspath $(TOOLS))/bin:$$PATH" tests/mutants/run

mutants-tools: ## cargo-mutants, if it is missing
	@PATH="$(abspath $(TOOLS))/bin:$$PATH" $(CARGO) mutants --version >/dev/null 2>&1 || \
	    CARGO_PROFILE_DEV_DEBUG=false $(CARGO) install cargo-mutants --version '$(CARGO_MUTANTS_VERSION)' --locked --debug --root $(TOOLS)

clean: ## remove what was built
	$(CARGO) clean

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18
