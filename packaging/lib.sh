# What the scripts of packaging/ share. Sourced with the repository as working directory, after `set -eu`.

: "${CARGO:=cargo}" "${RUSTC:=rustc}" "${PREFIX:=/usr/local}" "${LIBDIR:=lib}" "${INCLUDEDIR:=include}" "${DESTDIR:=}" "${FEATURES:=}"
: "${TRIPLE:=${CARGO_BUILD_TARGET:-}}"
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
self=$(basename "$0")
# Folders are for everybody, as the files in them are.
umask 022

die() { echo "$self: $*" >&2; exit 1; }

# need TOOL PACKAGE...: a tool, and who has it.
need() {
    missing=$1
    shift
    command -v "$missing" >/dev/null 2>&1 || die "$missing is missing: it is in the package $*"
}

# The folder that a user named, absolute; a relative one is below PREFIX.
folder() {
    case $2 in
    *[!A-Za-z0-9/._+~-]*) die "$1 has a character that programs which read hcl.pc do not take: '$2'" ;;
    *..*) die "$1 must not contain '..': '$2'" ;;
    '') die "$1 is empty" ;;
    /*) echo "${2%/}" ;;
    *) [ "$1" != PREFIX ] || die "PREFIX must be an absolute path: '$2'"
       echo "${PREFIX%/}/${2%/}" ;;
    esac
}

# can_write FOLDER: it is there or can be made; what was made to find out is removed.
can_write() {
    there=$1
    while [ ! -e "$there" ] && [ ! -L "$there" ]; do there=$(dirname "$there"); done
    [ -d "$there" ] || die "cannot install into $1: $there is no folder"
    if [ "$there" != "$1" ]; then
        mkdir -p "$1" 2>/dev/null || die "cannot install into $1: $there cannot be written"
    fi
    probe=$1/.hcl-install-$$
    writable=
    if (: >"$probe") 2>/dev/null; then rm -f "$probe" && writable=yes; fi
    if [ "$there" != "$1" ]; then (cd "$there" && rmdir -p "${1#"${there%/}"/}") 2>/dev/null || true; fi
    [ -n "$writable" ] || die "cannot install into $1: it cannot be written"
}

# put STAGE: what was made below STAGE goes where DESTDIR says, all that is new of it or nothing.
put() {
    new=$1.new
    : >"$new"
    (cd "$1" && find . ! -type d | sed 's|^\./||' | sort) >"$1.list"
    while IFS= read -r file; do
        to=$DESTDIR/$file
        [ -e "$to" ] || [ -L "$to" ] || echo "$to" >>"$new"
        put_one "$1/$file" "$to" || {
            while IFS= read -r file; do rm -f "$file"; done <"$new"
            die "cannot write $to; what was new has been removed again"
        }
    done <"$1.list"
}

# put_one FROM TO: a file or a link; programs that have the old file open keep it.
put_one() {
    mkdir -p "$(dirname "$2")" || return 1
    if [ -L "$1" ]; then
        ln -sfn "$(readlink "$1")" "$2"
    elif [ -x "$1" ]; then
        install -m 755 "$1" "$2"
    else
        install -m 644 "$1" "$2"
    fi
}

# is_uninstall ARGUMENT...: the script is to remove what it installs, which is the only thing that it can be told.
is_uninstall() {
    case $# in
    0) return 1 ;;
    1) [ "$1" != --uninstall ] || return 0 ;;
    esac
    die "takes no argument but --uninstall: '$*'"
}

# remove FILE...: those that are there; then the folders of ours that they leave empty.
remove() {
    for file in "$@"; do
        if [ -e "$file" ] || [ -L "$file" ]; then
            rm -f "$file" || die "cannot remove $file"
            echo "removed $file"
        fi
    done
    for file in "$@"; do
        # hcl/ below include, cmake and doc is ours alone.
        case $(dirname "$file") in */hcl) rmdir "$(dirname "$file")" 2>/dev/null || true ;; esac
    done
}

# The tools of another machine have its name in front, as Debian and the GNU tools name them: aarch64-linux-gnu-gcc.
gnu=$(echo "$TRIPLE" | sed 's/-\(unknown\|pc\|alpine\)-/-/; s/^armv7-/arm-/; s/^riscv64gc-/riscv64-/')
tool() {
    if [ -n "$TRIPLE" ] && command -v "$gnu-$1" >/dev/null 2>&1; then echo "$gnu-$1"; else echo "$1"; fi
}

# needs_of_a_build FOLDER...: what is missing or wrong is said before anything is built, and which of the folders that are
# installed into can't be written.
needs_of_a_build() {
    case $TRIPLE in *[!A-Za-z0-9._-]*) die "TRIPLE has a character that is in no target's name: '$TRIPLE'" ;; esac
    need install coreutils
    need "${CARGO%% *}" "cargo (rustup brings it too)"
    need "$RUSTC" "rustc (rustup brings it too)"
    system=$("$RUSTC" --print cfg ${TRIPLE:+--target "$TRIPLE"} 2>/dev/null) || die "rustc does not know the target $TRIPLE"
    case $system in
    *'target_vendor="apple"'*) is_known= ;;
    *'target_family="unix"'*) is_known=yes ;;
    *) is_known= ;;
    esac
    [ -n "$is_known" ] || die "nothing can be installed for ${TRIPLE:-this system}: it is no Unix with ELF files"
    # The tools of this machine make code for an older one of its kind, too.
    host=$("$RUSTC" -vV | sed -n 's/^host: \([^-]*\).*/\1/p')
    case $host-${TRIPLE:-$host-} in
    "$host-$host"-* | x86_64-i[3-6]86-*) is_foreign= ;;
    *) is_foreign=yes ;;
    esac
    variable=CARGO_TARGET_$(echo "$TRIPLE" | tr 'a-z.-' 'A-Z__')_LINKER
    eval "linker=\${$variable:-}"
    if [ -n "$is_foreign" ] && [ -z "${CC:-}$linker" ]; then need "$gnu-gcc" "gcc-$gnu, or CC names another"; fi
    : "${CC:=$(tool gcc)}"
    [ "$CC" != gcc ] || command -v gcc >/dev/null 2>&1 || CC=cc
    need "${CC%% *}" gcc
    if [ -n "$TRIPLE" ]; then
        # The compiler of musl-tools links programs that ask for musl's loader; rustc brings what a static one needs.
        case $is_foreign$TRIPLE in
        yes* | *gnu*) if [ -z "$linker" ] && [ "$CC" = "$gnu-gcc" ]; then export "$variable=$CC"; fi ;;
        esac
        [ -d "$("$RUSTC" --print target-libdir --target "$TRIPLE")" ] \
            || die "the Rust standard library for $TRIPLE is missing: rustup target add $TRIPLE"
    fi
    for folder in "$@"; do can_write "$DESTDIR$folder"; done
}

# without_network: sets `alone` to the words in front of a command that then has no network, where the system lets us.
without_network() {
    alone=
    for way in "unshare --net" "unshare --net --map-root-user"; do
        if $way true 2>/dev/null; then alone=$way; break; fi
    done
}

# inside notices|sbom PACKAGE: what is said of the crates inside a package.
inside() {
    # The bill of materials is dated by the sources, so that it is the same whenever it is made.
    : "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Cargo.lock)}"
    export SOURCE_DATE_EPOCH
    # The program that makes them runs here, whatever the package is for.
    # shellcheck disable=SC2086
    env -u CARGO_BUILD_TARGET $CARGO run -q --locked --target-dir "$target" -p hcl-packaging -- "$1" --package "$2" \
        ${TRIPLE:+--target "$TRIPLE"} $FEATURES
}

# The version of the workspace.
version() { sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml; }

PREFIX=$(folder PREFIX "$PREFIX")
LIBDIR=$(folder LIBDIR "$LIBDIR")
INCLUDEDIR=$(folder INCLUDEDIR "$INCLUDEDIR")
DESTDIR=${DESTDIR%/}
case $DESTDIR in
''|/*) ;;
*) DESTDIR=$(pwd)/$DESTDIR ;;
esac
share=$PREFIX/share
