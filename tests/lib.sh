# What the test scripts share. Sourced with the repository as working directory.

set -eu
target=${CARGO_TARGET_DIR:-target}
: "${CC:=cc}" "${CXX:=c++}" "${CARGO:=cargo}"
# The linker leaves out what a program does not use: each is smaller by 20 MB, and sooner linked and read by valgrind.
native="-Wl,--gc-sections -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc"
PATH="$(pwd)/$target/tools/bin:$target/tools/bin:$PATH"

# $libhcl links a program in a folder of $target with a copy of the shared library without debug information. To link the archive into
# one takes 1.4 s of processor time, this 0.02 s, and there are a hundred; valgrind reads it in 0.4 s less, and its traces name functions,
# not lines. What looks between library and malloc needs the archive.
shared=$target/test-library
libhcl="-L$shared -lhcl -Wl,-rpath,\$ORIGIN/../test-library"

# The name by which programs ask for a shared library.
soname() { readelf -d "$1" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'; }

# `cargo build` makes the library, not the link by which programs find it.
if [ -e "$target/debug/libhcl.so" ]; then
    ln -sf libhcl.so "$target/debug/$(soname "$target/debug/libhcl.so")"
    if [ ! "$shared/libhcl.so" -nt "$target/debug/libhcl.so" ]; then
        # Two parts of `make test` may be here at once.
        mkdir -p "$shared"
        strip --strip-debug -o "$shared/$$.so" "$target/debug/libhcl.so"
        ln -sf libhcl.so "$shared/$(soname "$target/debug/libhcl.so")"
        mv "$shared/$$.so" "$shared/libhcl.so"
    fi
fi

# Whether a tool is there. A missing one is said loudly; with HCL_REQUIRE_TOOLS it is a failure.
have() {
    if "$@" >/dev/null 2>&1; then return 0; fi
    echo "*** SKIPPED: '$*' does not work, so $why is not tested ***" >&2
    if [ -n "${HCL_REQUIRE_TOOLS:-}" ]; then exit 1; fi
    return 1
}

say() { printf '%-9s %s\n' "$1" "$2"; }

# once NAME COMMAND... : compiles, unless the same command of the same compilers has succeeded since this script, or C and C++ of the tree,
# changed; NAME.made keeps that. All that is compiled takes 120 s of processor time. Not for what has the archive in it, which changes too.
once() {
    made=$1.made
    shift
    : "${compilers:=$($CC --version | head -1), $($CXX --version | head -1)}"
    if [ "$(cat "$made" 2>/dev/null)" = "$* # $compilers" ] && [ ! "$0" -nt "$made" ] \
        && [ -z "$(find include tests examples -name '*.[ch]' -newer "$made" -print -quit -o -name '*.[ch]pp' -newer "$made" -print -quit)" ]; then
        return 0
    fi
    rm -f "$made"
    echo "$* # $compilers" > "$made.new"
    "$@"
    mv "$made.new" "$made"
}

# slow PART : true if parts that take long are tested: `make test-slow` sets HCL_SLOW. Otherwise says that the part is left to it.
slow() { [ -n "${HCL_SLOW:-}" ] || { say later "$1: make test-slow"; return 1; } }

# check_plainly NAME COMMAND... : runs it; what it says is in $out/NAME.out and .err.
check_plainly() {
    name=$1
    shift
    "$@" > "$out/$name.out" 2> "$out/$name.err" || { cat "$out/$name.out" "$out/$name.err"; echo "FAILED: $name" >&2; exit 1; }
}

# check NAME COMMAND... : runs it plainly and under valgrind.
check() {
    check_plainly "$@"
    shift
    if [ "${valgrind=ask}" = ask ]; then
        why=memory
        if have valgrind --version; then valgrind=yes; else valgrind=; fi
    fi
    if [ -n "$valgrind" ]; then
        valgrind --quiet --fair-sched=try --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
            --suppressions=tests/valgrind.supp "$@" \
            > "$out/$name.out" 2> "$out/$name.err" || { tail -50 "$out/$name.err"; echo "FAILED under valgrind: $name" >&2; exit 1; }
    fi
    say ok "$name${valgrind:+ (valgrind too)}"
}

# The functions that hcl.h declares, one a line.
declared_functions() { $CC -E -P include/hcl.h | grep -oE '\bhcl_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u; }

# misuse KIND FILE : makes the C program that misuses every function of hcl.h: abuse.awk or arguments.awk of tests/c says how.
misuse() { $CC -E -P include/hcl.h | awk -f "tests/c/$1.awk" > "$2"; }

# no_larger_than LIBRARY BYTES: of a library without symbols.
no_larger_than() {
    strip -o "$target/stripped-$$.so" "$1"
    size=$(wc -c < "$target/stripped-$$.so")
    rm "$target/stripped-$$.so"
    [ "$size" -le "$2" ] || { echo "$1 has $size bytes without symbols, more than $2" >&2; exit 1; }
    say ok "$size bytes without symbols"
}
