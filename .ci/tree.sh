# Sourced by what needs a Debian 13 tree (.ci/debian13, board/lab/run), from the repository's folder.
# shellcheck shell=bash
# (errexit, nounset and pipefail are whoever sources this.)

# Where trees, kernels and build folders are kept.
cache_folder() { echo "${AWARE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/aware-accessory}"; }

# packages_of GROUP...: the packages of board/packages.txt that belong to one of the groups, one a line.
packages_of() {
    sed 's/#.*//' board/packages.txt | awk -v groups=" $* " '
        NF { n = split($2, own, ","); for (i = 1; i <= n; i++) if (index(groups, " " own[i] " ")) { print $1; next } }' |
        sort -u
}

# The mirror that this machine's own apt takes Debian from.
debian_mirror() {
    # shellcheck disable=SC2016  # apt's own variables
    apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
        awk '$1 == "Debian" && $2 == "Debian" && !uri { uri = $3 } END { print uri; exit uri == "" }' ||
        { echo "tree: apt knows no Debian mirror; run apt-get update" >&2; return 1; }
}

joined() { printf '%s\n' "$@" | sort -u | paste -sd, -; }

# A name for a set of packages: another set makes another tree.
tree_path() {
    local name=$1
    shift
    printf '%s/%s-%s\n' "$(cache_folder)" "$name" "$(joined "$@" | tr -d '\n' | sha256sum | cut -c1-12)"
}

# make_tree FOLDER PACKAGE...: a Debian 13 tree with these packages, unless it is there already. The caller holds a lock.
make_tree() {
    local tree=$1 mirror started=$SECONDS
    shift
    [ ! -e "$tree/.ready" ] || return 0
    mirror=$(debian_mirror)
    echo "tree: making $tree" >&2
    rm -rf "$tree"
    mkdir -p "$(dirname "$tree")"
    # shellcheck disable=SC2016  # $1 is mmdebstrap's
    mmdebstrap --quiet --variant=minbase --include="$(joined "$@")" \
        --aptopt='Acquire::Retries "3"' \
        --customize-hook='chroot "$1" useradd --create-home --uid 1000 builder' \
        trixie "$tree" "deb $mirror trixie main"
    touch "$tree/.ready"
    echo "tree: made in $((SECONDS - started)) s, $(du -sh "$tree" | cut -f1)" >&2
}
