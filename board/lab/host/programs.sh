# Sourced by board/lab/run: the tree that is booted, and the programs that are built in it.
# shellcheck shell=bash

# Sets TREE, and TOOLCHAIN: the folder of this machine's own Swift, empty when that is Debian's package.
obtain_tree() {
    local -a packages
    local compiler
    mapfile -t packages < <(packages_of build guest)
    compiler=$(readlink --canonicalize "$(command -v swift)")
    TOOLCHAIN=${compiler%/usr/bin/*}
    if dpkg-query --search "$compiler" >/dev/null 2>&1; then
        TOOLCHAIN=
        packages+=(swiftlang)
    elif [ -z "$TOOLCHAIN" ] || [ "$TOOLCHAIN" = "$compiler" ]; then
        die "swift is $compiler: a toolchain is expected in a folder of its own, as FOLDER/usr/bin/swift"
    fi
    TREE=$(tree_path lab/tree "${packages[@]}")
    make_tree "$TREE" "${packages[@]}"
    mkdir -p "$TREE/source" "$TREE/job" "$TREE/usr/lib/modules" "$TREE$TOOLCHAIN"
}

# in_tree COMMAND...: in the tree, with this repository at /source, which only the build folder .build/lab can be changed of.
in_tree() {
    mkdir -p .build/lab
    # shellcheck disable=SC2016  # the inner shell's
    unshare --mount --pid --fork --kill-child bash -euo pipefail -c '
        tree=$1 toolchain=$2
        shift 2
        mount --make-rprivate /
        mount -t proc proc "$tree/proc"
        mount --rbind /dev "$tree/dev"
        mount -t tmpfs tmpfs "$tree/tmp"
        mount --bind "$PWD" "$tree/source"
        mount -o remount,bind,ro "$tree/source"
        mount --bind "$PWD/.build/lab" "$tree/source/.build/lab"
        [ -z "$toolchain" ] || mount --bind "$toolchain" "$tree$toolchain"
        exec chroot "$tree" env -i HOME=/tmp LANG=C.UTF-8 PATH="$toolchain/usr/bin:/usr/bin:/bin" \
            DEPS=skip SWIFTPM_BUILD_DIR=/source/.build/lab "$@"
    ' bash "$TREE" "$TOOLCHAIN" "$@"
}

# Sets PROGRAMS, a folder with all programs the guest runs. LAB_BUILD: release (the default), debug, or none.
build_programs() {
    local program configuration=${LAB_BUILD:-release} started=$SECONDS log=.build/lab.log
    local -a options=(-C /source --no-print-directory build STAMP= PROGRAMS="$(names_of_programs)")
    [ "$configuration" = release ] ||
        options+=(RELEASE="-Xlinker -z -Xlinker now -c $configuration --static-swift-stdlib")
    PROGRAMS=.build/lab/programs
    case $configuration in
        release | debug) ;;
        none)
            [ -d "$PROGRAMS" ] || die "nothing has been built yet: leave LAB_BUILD=none out once"
            return 0
            ;;
        *) die "LAB_BUILD is $configuration: accepted is release, debug or none" ;;
    esac
    if ! in_tree make "${options[@]}" >"$log" 2>&1; then
        grep -E 'error|warning|Compiling' "$log" | tail -n 20 >&2 || tail -n 20 "$log" >&2
        die "the programs do not build; all of it is in $log"
    fi
    mkdir -p "$PROGRAMS"
    for program in $(names_of_programs); do
        cp ".build/lab/$configuration/$program" "$PROGRAMS/$program.new"
        strip --strip-debug "$PROGRAMS/$program.new"
        mv "$PROGRAMS/$program.new" "$PROGRAMS/$program"
    done
    [ $((SECONDS - started)) -lt 10 ] || say "programs built in $((SECONDS - started)) s"
}

# The guest's tools in C, beside the programs: what is started often there must not cost a simulated processor much.
build_tools() {
    local source
    for source in board/lab/guest/*.c; do
        [ "$source" -nt "$PROGRAMS/.tools" ] || continue
        # shellcheck disable=SC2016  # the inner shell's
        in_tree bash -euo pipefail -c '
            cd /source/board/lab/guest
            flags=(-O2 -Wall -Wextra -Werror)
            gcc "${flags[@]}" -o "$1/hwsim-radio" hwsim-radio.c $(pkg-config --cflags --libs libnl-genl-3.0)
            gcc "${flags[@]}" -o "$1/replay-lines" replay-lines.c
            gcc "${flags[@]}" -shared -fPIC -o "$1/other-driver.so" other-driver.c
            touch "$1/.tools"' bash "/source/$PROGRAMS" || die "the guest's tools do not build"
        return
    done
}

names_of_programs() {
    local name
    for name in awared awarectl aware-factory radio-conformance; do
        ! grep -q "\"$name\", \[" Package.swift || echo "$name"
    done | paste -sd' '
}
