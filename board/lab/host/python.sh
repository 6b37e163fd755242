# Sourced by board/lab/run: Python packages for the guest, from where this machine's own pip takes them.
# shellcheck shell=bash

# Sets PYTHON, a folder with the packages of python.txt and all that they need, for the tree's Python.
obtain_python() {
    local wanted=board/lab/python.txt version content started=$SECONDS
    version=$(readlink "$TREE/usr/bin/python3")
    version=${version#python}
    content=$(cat "$wanted" <(echo "$version") "${BASH_SOURCE[0]}" | sha256sum | cut -c1-12)
    PYTHON=$LAB/python-$content
    [ ! -e "$PYTHON/.ready" ] || return 0
    rm -rf "$PYTHON"
    # Wheels alone: the tree's Python is another than this machine's.
    python3 -m pip install --quiet --root-user-action=ignore --disable-pip-version-check --no-compile --target "$PYTHON" \
        --python-version "$version" --only-binary=:all: --platform manylinux_2_28_x86_64 \
        --platform manylinux2014_x86_64 --requirement "$wanted" >&2 ||
        die "pip gave no packages for the guest's Python $version"
    # The guest cannot write what it would compile, and compiling takes it long.
    # shellcheck disable=SC2016  # the inner shell's
    unshare --mount bash -euo pipefail -c '
        mount --make-rprivate /
        mount --bind "$2" "$1/job"
        exec chroot "$1" python3 -m compileall -q -s /job -p /opt/python /job
    ' bash "$TREE" "$PYTHON" >&2
    touch "$PYTHON/.ready"
    say "Python packages for the guest taken in $((SECONDS - started)) s, $(du -sh "$PYTHON" | cut -f1)"
}
