# What the scripts of packaging/ share. Sourced with the repository as working directory, after `set -eu`.

# A folder that is named but empty is a mistake, not what stands for none.
: "${CARGO:=cargo}" "${RUSTC:=rustc}" "${PREFIX=/usr/local}" "${LIBDIR=lib}" "${INCLUDEDIR=include}" "${DESTDIR:=}" "${FEATURES:=}"
: "${TRIPLE:=${CARGO_BUILD_TARGET:-}}"
self=${0##*/}
# Folders are for everybody, as the files in them are.
umask 022

die() { echo "$self: $*" >&2; exit 1; }

# need TOOL PACKAGE...: a tool, and who has it.
need() {
    missing=$1
    shift
    command -v "$missing" >/dev/null 2>&1 || die "$missing is missing: it is in the package $*"
}
for tool in realpath install mktemp paste sort tr; do need $tool coreutils; done
for tool in sed grep; do need $tool $tool; done
need find findutils
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")

# The folder that a user named, absolute and without slashes at its end; a relative one is below PREFIX.
folder() {
    case $2 in
    *[!A-Za-z0-9/._+~-]*) die "$1 has a character that programs which read hcl.pc do not take: '$2'" ;;
    *..*) die "$1 must not contain '..': '$2'" ;;
    '') die "$1 is empty" ;;
    /*) path=$2 ;;
    *) [ "$1" != PREFIX ] || die "PREFIX must be an absolute path: '$2'"
       path=$PREFIX/$2 ;;
    esac
    path=$(echo "$path" | sed 's|//*|/|g; s|/$||')
    # PREFIX may be the root: what is below it lies in folders.
    [ -n "$path" ] || [ "$1" = PREFIX ] || die "$1 must not be the root folder: '$2'"
    echo "$path"
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

# put STAGE: what was made below STAGE goes where DESTDIR says. All of it is written beside its place first, so that a full disk changes
# nothing, and then renamed: programs that start meanwhile find the old file or the new one, and those that have the old one open keep it.
# An old file has a second name until all are renamed, so that it comes back if one of them can't be.
put() {
    stage=$1
    # Links come last: what they lead to is there before.
    (cd "$stage" && find . ! -type d ! -type l && find . -type l) | sed 's|^\./||' >"$stage.list"
    : >"$stage.made" >"$stage.renamed"
    trap 'put_back; exit 1' INT TERM HUP
    while IFS= read -r file; do
        to=$DESTDIR/$file
        { make_folder "$(dirname "$to")" && write_beside "$stage/$file" "$to"; } \
            || { put_back; die "cannot write $to; nothing has been changed"; }
    done <"$stage.list"
    trap '' INT TERM HUP
    while IFS= read -r file; do
        to=$DESTDIR/$file
        # Not into a folder, nor into one that a link leads to.
        { keep_old "$to" && echo "$to" >>"$stage.renamed" && mv -fT "$(beside "$to")" "$to"; } \
            || { put_back; die "cannot replace $to; nothing has been changed"; }
    done <"$stage.list"
    remove_seconds
    trap - INT TERM HUP
}

# The names under which a file is written first, and under which the one before it is kept.
beside() { echo "$(dirname "$1")/.hcl-install-$$.$(basename "$1")"; }
old() { beside "$1.old"; }
is_there() { [ -e "$1" ] || [ -L "$1" ]; }

# keep_old FILE: gives the file or link that is there a second name; a copy has it where there are no hard links.
keep_old() { ! is_there "$1" || ln -PT "$1" "$(old "$1")" 2>/dev/null || cp -dpT "$1" "$(old "$1")"; }

# Removes the files that have names of this process.
remove_seconds() {
    while IFS= read -r file; do rm -f "$(beside "$DESTDIR/$file")" "$(old "$DESTDIR/$file")"; done <"$stage.list"
}

# write_beside FROM TO: a file or a link, for everybody.
write_beside() {
    beside=$(beside "$2")
    if [ -L "$1" ]; then
        ln -sfn "$(readlink "$1")" "$beside"
    elif [ -x "$1" ]; then
        install -m 755 "$1" "$beside"
    else
        install -m 644 "$1" "$beside"
    fi
}

# make_folder FOLDER: with those above it; what is made is listed before.
make_folder() { [ -d "$1" ] || { make_folder "$(dirname "$1")" && echo "$1" >>"$stage.made" && mkdir "$1"; }; }

# Undoes what was renamed, removes what was written beside its place, and the folders that were made for it, the inner ones first.
put_back() {
    while IFS= read -r renamed; do
        # The last one in the list is still beside its place if it could not be renamed.
        if is_there "$(beside "$renamed")"; then continue; fi
        if is_there "$(old "$renamed")"; then mv -fT "$(old "$renamed")" "$renamed"; else rm -f "$renamed"; fi
    done <"$stage.renamed"
    remove_seconds
    sort -r "$stage.made" | while IFS= read -r folder; do rmdir "$folder" 2>/dev/null || true; done
}

# is_uninstall ARGUMENT...: the script is to remove what it installs, which is the only thing that it can be told.
is_uninstall() {
    case $# in
    0) return 1 ;;
    1) [ "$1" != --uninstall ] || return 0 ;;
    esac
    die "takes no argument but --uninstall: '$*'"
}

# Removes those files that `installed` names; then the folders of ours that they leave empty. Says so if there is none of them.
remove_installed() {
    installed | (while IFS= read -r file; do if is_there "$DESTDIR$file"; then exit 0; fi; done; exit 1) \
        || echo "nothing of it is installed below ${DESTDIR:+DESTDIR=$DESTDIR, }PREFIX=$PREFIX"
    installed | while IFS= read -r file; do
        file=$DESTDIR$file
        if is_there "$file"; then
            rm -f "$file" || die "cannot remove $file"
            echo "removed $file"
        fi
    done
    # hcl/ below include, cmake and doc is ours alone.
    installed | sed -n 's,\(/hcl\(-cli\)*\)/[^/]*$,\1,p' | while IFS= read -r folder; do
        rmdir "$DESTDIR$folder" 2>/dev/null || true
    done
}

# The tools of another machine have its name in front, as Debian and the GNU tools name them: aarch64-linux-gnu-gcc.
gnu=$(echo "$TRIPLE" | sed 's/-\(unknown\|pc\|alpine\)-/-/; s/^armv7-/arm-/; s/^riscv64gc-/riscv64-/')
tool() {
    if [ -n "$TRIPLE" ] && command -v "$gnu-$1" >/dev/null 2>&1; then echo "$gnu-$1"; else echo "$1"; fi
}

# What is missing or wrong is said before anything is built, and where what `installed` names can't be put.
needs_of_a_build() {
    case $TRIPLE in *[!A-Za-z0-9._-]*) die "TRIPLE has a character that is in no target's name: '$TRIPLE'" ;; esac
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
    installed | sed 's|/[^/]*$||' | sort -u | while IFS= read -r folder; do can_write "$DESTDIR$folder"; done
    installed | while IFS= read -r file; do
        if [ -d "$DESTDIR$file" ] && [ ! -L "$DESTDIR$file" ]; then die "cannot install $DESTDIR$file: it is a folder"; fi
    done
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
DESTDIR=$(printf '%s\n' "$DESTDIR" | sed 's|//*$||')
case $DESTDIR in
''|/*) ;;
*) DESTDIR=$(pwd)/$DESTDIR ;;
esac
share=$PREFIX/share
