# Read by the scenarios about displays and buttons on GPIO lines (after lab.sh): `. lines.sh`.
# shellcheck shell=bash

# What is started often is started from memory.
TOOLS=/run/lab-tools
if [ ! -d "$TOOLS" ]; then
    mkdir -p "$TOOLS"
    cp -R /job/board/lab/lines /job/bin/awared /job/bin/awarectl "$TOOLS/"
fi
export TOOLS PATH=$TOOLS:$PATH

# lines COMMAND...: record, judge and the others of board/lab/lines.
lines() { PYTHONPYCACHEPREFIX=$TOOLS/cache "$TOOLS/lines/$1" "${@:2}"; }

# steady, until let_rest: the processor never rests. The time of one at rest is the host's, and so is every delay of the
# host's; the time of one at work is counted in instructions, and a timer is as late as the guest makes it. What keeps it at
# work gives way to everybody.
WORK=
steady() {
    chrt --idle 0 sh -c 'while :; do :; done' &
    WORK=$!
}
let_rest() {
    [ -n "$WORK" ] || return 0
    kill -KILL "$WORK"
    wait "$WORK" 2>/dev/null || true
    WORK=
}

# record_lines [steady]: from now on every edge counts; recorded NAME: until now, in NAME.edges and, for wave viewers, NAME.vcd.
record_lines() {
    [ -z "${1:-}" ] || steady
    expect "edges are recorded" lines record start
}
recorded() {
    let_rest
    expect "no edge is lost" lines record stop "$1.edges" "$1.vcd"
}

# moment: nanoseconds of CLOCK_MONOTONIC_RAW, the recording's clock. Nobody sets the guest's other clocks.
moment() {
    local now=${EPOCHREALTIME/[.,]/}
    [ -n "${CLOCKS_DIFFER:-}" ] || CLOCKS_DIFFER=$(python3 -c '
import time
print(time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) - time.time_ns())')
    MOMENT=$((now * 1000 + CLOCKS_DIFFER))
}

# profile NAME DISPLAY [BUTTON]: a board's profile with that display; DISPLAY and BUTTON are JSON.
profile() {
    printf '{"schema-version": 1, "board": "lab", "radio": {"simulated": {}}, "state-folder": "%s", "runtime-folder": "%s", %s
        "display": %s}\n' "$RESULTS/$1.state" "$RESULTS/$1.run" "${3:+\"button\": $3,}" "$2" >"$1.json"
}

# judged NAME [OPTION...]: the witness finds nothing wrong with what was recorded; what it measured stands in the result.
judged() {
    local name=$1
    shift
    expect "the witness of '$name' finds nothing wrong" lines judge "$name.json" "$name.edges" "$@"
    sed -n "s/^result: /result: $name: /p" last
}

# shows NAME COUNT [HERTZ]: so many random PINs, and each word there is, are read off the lines as they were shown. HERTZ: how
# often a second a multiplexed display must be refreshed; each content then stands for five pictures.
shows() {
    local name=$1 count=$2 hertz=${3:-}
    record_lines ${hertz:+steady}
    expect "the display '$name' is shown $count PINs" lines show "$name.json" "$name.shown" --pins "$count" \
        --dwell $((hertz ? 5000 / hertz : 5))
    recorded "$name"
    judged "$name" --shown "$name.shown" --blank ${hertz:+--refresh "$hertz"}
}

# never_shows NAME PIN: the witness says itself that the PIN was never to be seen; it could fail for other reasons.
never_shows() {
    local said
    said=$(lines judge "$1.json" "$1.edges" --pin "$2" 2>&1) || true
    echo "$said"
    grep -q '^it never showed ' <<<"$said"
}

# pairs NAME [multiplexed]: a phone pairs by the PIN that somebody reads off the lines, and afterwards they are dark. What is
# multiplexed is looked at for moments; a part that keeps what it shows must be known from the start.
pairs() {
    local name=$1 multiplexed=${2:-} pin
    radio board
    phone_radio phone
    [ -n "$multiplexed" ] || record_lines
    BOARD_DISPLAY=(--profile "$name.json")
    board_start
    echo "$BOARD" >board.pid
    phone_start phone --pin-command "lines-pin $RESULTS $name $multiplexed" --seconds 1
    phone_tells phone 60 pin_needed
    phone_ends phone
    pin=$(cat "$name.pin")
    expect "it was paired, by one PIN" [ "$(phone_told phone pin_needed) $(phone_told phone paired)" = "1 1" ]
    expect "nothing of the PIN is left in memory" lines remains "$BOARD" "$pin" "$name.json"
    [ -z "$multiplexed" ] || record_lines
    board_stop
    recorded "$name"
    if [ -z "$multiplexed" ]; then
        judged "$name" --pin "$pin" --blank
    else
        expect "the PIN is gone with the attempt" never_shows "$name" "$pin"
        judged "$name" --blank
    fi
    result "a phone paired by $pin"
}
