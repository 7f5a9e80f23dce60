# What the test scripts share. Sourced with the repository as working directory.

set -eu
target=${CARGO_TARGET_DIR:-target}
: "${CC:=cc}" "${CXX:=c++}" "${CARGO:=cargo}"
native="-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc"
PATH="$(pwd)/$target/tools/bin:$target/tools/bin:$PATH"

# Whether a tool is there. A missing one is said loudly; with HCL_REQUIRE_TOOLS it is a failure.
have() {
    if "$@" >/dev/null 2>&1; then return 0; fi
    echo "*** SKIPPED: '$*' does not work, so $why is not tested ***" >&2
    if [ -n "${HCL_REQUIRE_TOOLS:-}" ]; then exit 1; fi
    return 1
}

say() { printf '%-9s %s\n' "$1" "$2"; }
