# Sourced by board/lab/run: the newest kernel of Debian 13's backports, and the first file system it starts from.
# shellcheck shell=bash

# The first Linux whose nl80211 lets user space run the discovery engine and the data path of NAN.
readonly KERNEL_AT_LEAST=7.2
# Backports are replaced often: after so many days the metapackage is asked again.
readonly KERNEL_DAYS=7

# apt with lists and sources of its own: nothing of the machine's is read or changed but the mirror's address.
private_apt() {
    local tool=$1 state=$LAB/apt
    shift
    "$tool" -o Dir::State::Lists="$state/lists" -o Dir::Cache::archives="$state/archives" \
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root \
        -o Acquire::Retries=3 -o Dir::Etc::SourceList="$state/sources.list" -o Dir::Etc::SourceParts=/dev/null "$@"
}

# Prints the newest version, as it stands in package names. The metapackage is followed: nothing is pinned.
newest_kernel() {
    local mirror image
    mirror=$(debian_mirror)
    mkdir -p "$LAB/apt/lists/partial" "$LAB/apt/archives/partial"
    printf 'deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s trixie-backports main\n' \
        "$mirror" >"$LAB/apt/sources.list"
    private_apt apt-get -qq update >&2
    image=$(private_apt apt-cache show linux-image-amd64 |
        sed -n '/^Depends:/{s/.*\(linux-image-[0-9][^ ,]*\).*/\1/p;q}')
    [ -n "$image" ] || { say "trixie-backports has no linux-image-amd64"; return 1; }
    echo "${image#linux-image-}"
}

# Sets KERNEL, the folder of an unpacked kernel, and KERNEL_VERSION.
obtain_kernel() {
    local current=$LAB/kernel.current version
    if [ -n "${LAB_REFRESH:-}" ] || [ -z "$(find "$current" -mtime "-$KERNEL_DAYS" 2>/dev/null)" ]; then
        if version=$(newest_kernel); then
            echo "$version" >"$current"
        else
            [ -s "$current" ] || die "no kernel: the mirror cannot be read (see above)"
            say "the mirror cannot be read: going on with the kernel of $(date -r "$current" +%F)"
        fi
    fi
    KERNEL_VERSION=$(cat "$current")
    KERNEL=$LAB/kernel-$KERNEL_VERSION
    [ "$(printf '%s\n' "$KERNEL_AT_LEAST" "$KERNEL_VERSION" | sort -V | head -n 1)" = "$KERNEL_AT_LEAST" ] ||
        die "the newest kernel is $KERNEL_VERSION; NAN needs $KERNEL_AT_LEAST"
    if [ -e "$KERNEL/.ready" ]; then
        expand_modules
        return
    fi

    local started=$SECONDS package
    say "downloading Linux $KERNEL_VERSION"
    rm -rf "$KERNEL"
    mkdir -p "$KERNEL/download"
    (
        cd "$KERNEL/download" || exit
        private_apt apt-get -qq download "linux-modules-$KERNEL_VERSION" "linux-binary-$KERNEL_VERSION"
        for package in ./*.deb; do dpkg-deb --extract "$package" ..; done
    ) >&2
    rm -rf "$KERNEL/download"
    [ -d "$(modules_folder)" ] || die "the packages of Linux $KERNEL_VERSION hold no usr/lib/modules/$KERNEL_VERSION"
    expand_modules
    touch "$KERNEL/.ready"
    say "Linux $KERNEL_VERSION unpacked in $((SECONDS - started)) s, $(du -sh "$KERNEL" | cut -f1)"
    find "$LAB" -maxdepth 1 -name 'kernel-*' -not -path "$KERNEL" -mtime +30 -exec rm -rf {} +
}

# Modules that the guest may load are expanded here, once: there it takes seconds each time.
expand_modules() {
    [ ! -e "$KERNEL/.expanded" ] || return 0
    (cd "$(modules_folder)/kernel" &&
        find net fs/9p fs/overlayfs drivers/net/wireless/virtual drivers/bluetooth drivers/gpio -name '*.ko.xz' -exec xz -d {} +)
    # The packages lack modules.order and modules.builtin, of which depmod warns.
    depmod --basedir "$KERNEL/usr" "$KERNEL_VERSION" 2>/dev/null
    touch "$KERNEL/.expanded"
}

modules_folder() { echo "$KERNEL/usr/lib/modules/$KERNEL_VERSION"; }

# Sets INITRD: busybox, what it takes to mount folders of this machine, and guest/start.
obtain_initrd() {
    local start=board/lab/guest/start content scratch module number=10
    content=$(cat "$start" /bin/busybox <(echo "$KERNEL_VERSION") "${BASH_SOURCE[0]}" | sha256sum | cut -c1-12)
    INITRD=$LAB/initrd-$content.gz
    [ ! -e "$INITRD" ] || return 0
    scratch=$(mktemp -d)
    mkdir -p "$scratch"/{bin,modules,proc,sys,dev,tree,changes,root}
    cp /bin/busybox "$scratch/bin/"
    for module in sh mount mkdir insmod switch_root; do ln -s busybox "$scratch/bin/$module"; done
    for module in 9p 9pnet_virtio overlay; do
        modprobe --dirname "$KERNEL/usr" --set-version "$KERNEL_VERSION" --show-depends "$module"
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r module; do
        case $module in *.xz) xz --decompress --stdout "$module" ;; *) cat "$module" ;; esac \
            >"$scratch/modules/$number-$(basename "$module" .xz)"
        number=$((number + 1))
    done
    install -m 755 "$start" "$scratch/init"
    (cd "$scratch" && find . | cpio --create --format=newc --owner=0:0 --quiet | gzip -1) >"$INITRD.new"
    mv "$INITRD.new" "$INITRD"
    rm -rf "$scratch"
}
