# Sourced by every scenario: radios, programs, and what is expected of them.
# shellcheck shell=bash

declare -i CHECKS=0

# expect TEXT COMMAND...: the command must succeed.
expect() {
    local text=$1
    shift
    if "$@" >"$RESULTS/last" 2>&1; then
        echo "ok      $text"
        CHECKS+=1
    else
        echo "FAILED  $text: $*"
        tail -n 5 "$RESULTS/last"
        exit 1
    fi
}

# refute TEXT COMMAND...: the command must fail.
refute() {
    local text=$1
    shift
    expect "$text" not "$@"
}
not() { ! "$@"; }

# result TEXT: a figure that stands in the scenario's line.
result() { echo "result: $*"; }

# eventually SECONDS COMMAND...: until the command succeeds; fails when the time is over.
eventually() {
    local until=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000))
    shift
    while ! "$@"; do
        [ "${EPOCHREALTIME/[.,]/}" -lt "$until" ] || return 1
        sleep 0.2
    done
}

# radio NAME [OPTION...]: makes one; see hwsim-radio.
radio() { hwsim-radio add "$@" >/dev/null; }
remove_radio() { hwsim-radio remove "$1"; }

has_mode() { iw phy "$1" info | sed -n '/Supported interface modes/,/Band/p' | grep -q "\* $2$"; }
feature() { iw phy "$1" info | grep -qF "[ $2 ]"; }
