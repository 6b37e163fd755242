# Sourced by board/lab/run: a folder for one errand, and the virtual machine that does it.
# shellcheck shell=bash

readonly JOBS_KEPT=5
# What guards a kernel against its users costs a simulated processor a sixth of its time.
readonly CHEAPER="mitigations=off init_on_alloc=0 nokaslr transparent_hugepage=always"

# Sets JOB to a new folder with all that the guest needs of this repository: it may change here while the guest runs.
new_job() {
    mkdir -p .build/lab-jobs
    JOB=$PWD/.build/lab-jobs/$(date -u +%Y%m%d-%H%M%S)-$BASHPID
    mkdir -p "$JOB"/{bin,results}
    ln -sfn "$(basename "$JOB")" .build/lab-jobs/latest
    cp -R board provisioning "$JOB/"
    cp -R --reflink=auto "$PROGRAMS/." "$JOB/bin"
    # Not those that failed lately, nor those whose guest may still run: it ends with `exit`, or was killed long ago.
    find .build/lab-jobs -mindepth 1 -maxdepth 1 -type d | sort | head -n "-$JOBS_KEPT" |
        while read -r old; do
            if grep -qsx 0 "$old/exit" || [ -n "$(find "$old" -maxdepth 0 -mmin +600)" ]; then rm -rf "$old"; fi
        done
}

# boot SECONDS [interactive]: does JOB's errand. The exit code is the errand's, 124 when the time was over.
boot() {
    local seconds=$1 code=0
    local terminal=stdio,id=person
    local -a guard=(timeout --foreground --kill-after=10 "$seconds")
    # Time passes with the instructions (2 ns each) and when there are none to do: so a busy host makes the guest slow and
    # not late. It takes a single processor.
    local -a machine=(-accel tcg -icount "shift=1,sleep=on" -smp 1)
    [ -z "${LAB_KVM:-}" ] || machine=(-accel kvm -smp 2)
    if [ "${2:-}" = interactive ]; then
        terminal+=,signal=off
        guard=()
        echo "$(stty size) ${TERM:-linux}" >"$JOB/interactive"
    else
        exec 3</dev/null
    fi
    "${guard[@]}" qemu-system-x86_64 "${machine[@]}" -cpu max -machine q35 -m "${LAB_MEMORY:-2048}" \
        -display none -nodefaults -no-reboot -nic none ${RUN:+-pidfile "$RUN/$BASHPID.pid"} \
        -kernel "$(modules_folder)/vmlinuz" -initrd "$INITRD" -append "console=ttyS0 quiet panic=-1 $CHEAPER" \
        -serial "file:$JOB/console" -chardev "$terminal" -serial chardev:person \
        -object rng-random,filename=/dev/urandom,id=random -device virtio-rng-pci,rng=random \
        -fsdev "local,id=tree,path=$TREE,security_model=none,readonly=on,multidevs=remap" \
        -device virtio-9p-pci,fsdev=tree,mount_tag=tree \
        -fsdev "local,id=modules,path=$KERNEL/usr/lib/modules,security_model=none,readonly=on,multidevs=remap" \
        -device virtio-9p-pci,fsdev=modules,mount_tag=modules \
        -fsdev "local,id=python,path=$PYTHON,security_model=none,readonly=on,multidevs=remap" \
        -device virtio-9p-pci,fsdev=python,mount_tag=python \
        -fsdev "local,id=job,path=$JOB,security_model=none,multidevs=remap" \
        -device virtio-9p-pci,fsdev=job,mount_tag=job \
        <&"$([ "${2:-}" = interactive ] && echo 0 || echo 3)" || code=$?
    if [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
        say "the guest was stopped after $seconds s; its kernel's last words:"
        tail -n 5 "$JOB/console" >&2
        return 124
    fi
    [ "$code" -eq 0 ] || die "qemu ended with $code"
    if [ ! -s "$JOB/exit" ]; then
        say "the guest died; its kernel's last words:"
        tail -n 30 "$JOB/console" >&2
        return 1
    fi
    return "$(cat "$JOB/exit")"
}
