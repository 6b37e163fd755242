# Read before every scenario: radios, programs, and what is expected of them.
# shellcheck shell=bash
#
# The accessory has the radio `board` and runs in the guest's own network; each phone has a network name space of its
# own, with its radio in it, and both have that phone's name. So nothing gets from one to the other but over the air.

# expect TEXT COMMAND...: the command must succeed.
expect() {
    local text=$1
    shift
    if "$@" >"$RESULTS/last" 2>&1; then
        echo "ok      $text"
    else
        tail -n 5 "$RESULTS/last"
        fail "$text: $*"
    fi
}

# refute TEXT COMMAND...: the command must fail.
refute() {
    local text=$1
    shift
    expect "$text" not "$@"
}
not() { ! "$@"; }

fail() {
    echo "FAILED  $*"
    last_words
    exit 1
}

# What the programs said last.
last_words() {
    local file
    for file in "$RESULTS"/*.log; do
        [ -s "$file" ] || continue
        echo "--- $(basename "$file")"
        tail -n 4 "$file"
    done
}

# result TEXT: a figure that stands in the scenario's line.
result() { echo "result: $*"; }

# eventually SECONDS COMMAND...: until the command succeeds; fails when the time is over.
eventually() {
    local until=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000))
    shift
    while ! "$@"; do
        [ "${EPOCHREALTIME/[.,]/}" -lt "$until" ] || return 1
        pause 0.3
    done
}

# What waits and looks starts no program: in a simulated processor that is most of a scenario's time.
exec {NEVER}<> <(:)
pause() { read -rt "$1" -u "$NEVER" || true; }
# contents FILE: sets REPLY to what is in it; nothing, where who runs beside us has not come to making it yet.
contents() {
    REPLY=
    [ ! -e "$1" ] || IFS= read -rd '' REPLY <"$1" || true
}

# radio NAME [OPTION...]: makes one; see hwsim-radio.
radio() { hwsim-radio add "$@" >/dev/null; }
remove_radio() { hwsim-radio remove "$1"; }

has_mode() { iw phy "$1" info | sed -n '/Supported interface modes/,/Band/p' | grep -q "\* $2$"; }
has_feature() { iw phy "$1" info | grep -qF "[ $2 ]"; }

has_country() { iw reg get | grep -q "country $1"; }

# inside NAME COMMAND...: in a phone's name space; board's is the guest's own.
inside() {
    local name=$1
    shift
    if [ "$name" = board ]; then "$@"; else ip netns exec "$name" "$@"; fi
}

exec_inside() {
    local name=$1
    shift
    exec ip netns exec "$name" "$@"
}

# phone_radio NAME: a name space and a radio in it.
phone_radio() {
    ip netns add "$1"
    inside "$1" ip link set lo up
    radio "$1"
    iw phy "$1" set netns name "$1"
}

# board_start [MODE]: an accessory that publishes; MODE is the service's performance mode. BOARD_CHANGE may name a command
# that changes the identity file it is given.
board_start() {
    local mode=${1:-realtime}
    mkdir -p "$RESULTS/board"
    sed "s/\"performance-mode\": \"[a-z]*\"/\"performance-mode\": \"$mode\"/" /job/provisioning/examples/drone.json \
        >"$RESULTS/board/source.json"
    "${BOARD_CHANGE:-true}" "$RESULTS/board/source.json"
    awarectl provision "$RESULTS/board/source.json" --output "$RESULTS/board/identity.json" >/dev/null
    cp /job/board/demo/clip.h264 "$RESULTS/board/"
    echo-server 14550 &
    board_run
}

# More options for awared, from the scenario, and those that say where the PIN is shown.
BOARD_OPTIONS=()
# Not empty: each line of its log begins with the µs since boot.
BOARD_STAMPED=

exec_log() {
    [ -n "$BOARD_STAMPED" ] || exec cat
    exec python3 -ISuc 'import sys, time
for line in sys.stdin:
    print(time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000, line, end="")'
}

BOARD_DISPLAY=(--display console)

# board_run: starts awared on what there is already.
board_run() {
    awared --identity "$RESULTS/board/identity.json" --state "$RESULTS/board/state" --control "$RESULTS/board/control" \
        --radio nl80211 --wiphy board --log-level debug "${BOARD_DISPLAY[@]}" "${BOARD_OPTIONS[@]}" \
        >>"$RESULTS/board.display" 2> >(exec_log >>"$RESULTS/board.log") &
    BOARD=$!
    expect "the accessory publishes" eventually 30 is_publishing
}

is_publishing() { board_status 2>/dev/null | grep -Eq '"is_published": ?true'; }
board_status() { awarectl status --json --control "$RESULTS/board/control"; }
# board_has PATTERN: the accessory's log has it.
board_has() {
    contents "$RESULTS/board.log"
    [[ $REPLY =~ $1 ]]
}

board_stop() {
    kill -TERM "$BOARD"
    expect "the accessory ends in good order" wait "$BOARD"
}

# phone_start NAME [OPTION...]: plays the phone, in the background; events go to NAME.events.
phone_start() {
    local name=$1
    shift
    # A signal for it must not get lost in a shell before it.
    exec_inside "$name" aware-factory phone --json --radio nl80211 --wiphy "$name" --state "$RESULTS/$name.state" \
        --phone-name "$name" --log-level debug "$@" >>"$RESULTS/$name.events" 2>>"$RESULTS/$name.log" &
    PHONES[$name]=$!
}
declare -A PHONES=()

# phone_ends NAME [CODE]: waits until the phone has done what it was asked, with that exit code.
phone_ends() {
    local name=$1 wanted=${2:-0} code=0
    wait "${PHONES[$name]}" || code=$?
    [ "$code" -eq "$wanted" ] || {
        tail -n 3 "$RESULTS/$name.events"
        fail "the phone '$name' ended with $code, not $wanted"
    }
    echo "ok      the phone '$name' ends with $code"
}

# phone_leaves NAME: as a person stops it.
phone_leaves() {
    kill -TERM "${PHONES[$1]}"
    phone_ends "$1"
}

# with_pin [WRONG]: where the phone gets the PIN from; see shown-pin.
# shellcheck disable=SC2120  # scenarios pass it
with_pin() { echo "shown-pin $RESULTS/board.display $*"; }

# phone_told NAME EVENT: how often.
phone_told() {
    count_told "$@"
    echo "$COUNT"
}
has_told() {
    count_told "$1" "$2"
    [ "$COUNT" -ge "${3:-1}" ]
}
count_told() {
    local mark="\"event\":\"$2\"" rest
    contents "$RESULTS/$1.events"
    rest=${REPLY//"$mark"/}
    COUNT=$(((${#REPLY} - ${#rest}) / ${#mark}))
}
# phone_tells NAME SECONDS EVENT [TIMES]
phone_tells() { expect "the phone '$1' tells: $3" eventually "$2" has_told "$1" "$3" "${4:-1}"; }

# between NAME EVENT EVENT: seconds from the last of the one to the last of the other.
between() {
    awk -v from="\"event\":\"$2\"" -v to="\"event\":\"$3\"" '
        match($0, /"at_us":[0-9]+/) { at = substr($0, RSTART + 8, RLENGTH - 8) }
        index($0, from) { start = at }
        index($0, to) { end = at }
        END { printf "%.2f\n", (end - start) / 1e6 }' "$RESULTS/$1.events"
}

# figure NAME MEMBER: the last figure of that name among the phone's events.
figure() { grep -o "\"$2\":[0-9.]*" "$RESULTS/$1.events" | tail -n 1 | cut -d: -f2; }

# pair NAME [OPTION...]: a phone pairs by PIN, connects, stays a moment and leaves.
pair() {
    local name=$1
    shift
    phone_start "$name" --pin-command "$(with_pin 0)" --seconds 2 "$@"
    phone_ends "$name"
}

# memory [NAME]: kB of awared's memory, by the name of a line of its status.
memory() { awk -v of="${1:-VmRSS}:" '$1 == of { print $2 }' "/proc/$BOARD/status"; }

# cycles COUNT: a paired phone connects and leaves so often, and nothing is left of it.
cycles() {
    local start
    watch_kernel
    radio board
    phone_radio phone
    board_start
    pair phone
    sleep 3
    possessions >before
    start=$(memory)
    for ((round = 0; round < $1; round++)); do
        phone_start phone --seconds 1
        phone_ends phone
    done
    expect "no PIN was wanted" [ "$(phone_told phone pin_needed)" = 1 ]
    expect "all were connected" [ "$(phone_told phone connected)" = $(($1 + 1)) ]
    settled() { possessions >after && cmp -s before after; }
    expect "no interface, station or key is left" eventually 10 settled
    expect "each time stations and keys were made" [ "$(kernel_has keys_made)" -ge $(($1 * 4)) ]
    result "$1 of $1" "$(paste -sd, before) before and after" \
        "$(kernel_has stations_made) stations and $(kernel_has keys_made) keys made" \
        "resident $start kB before, $(memory) kB after, $(memory RssAnon) of it anonymous"
    board_stop
}

# watch_kernel: from now on its functions are counted that make and free stations and keys. Debian's kernel has no list of
# them in debugfs, and netlink lists no keys.
watch_kernel() {
    local probe
    for probe in stations_made:__sta_info_alloc stations_freed:sta_info_free keys_made:ieee80211_key_alloc \
        keys_freed:ieee80211_key_free_common; do
        grep -q ":lab/${probe%%:*} " "$TRACING/kprobe_events" ||
            echo "p:lab/${probe%%:*} ${probe#*:}" >>"$TRACING/kprobe_events"
        echo 1 >"$TRACING/events/lab/${probe%%:*}/enable"
    done
}
TRACING=/sys/kernel/tracing
kernel_has() { awk -v name="$1" '$1 == name { print $2 }' "$TRACING/kprobe_profile"; }

# possessions: what the kernel holds for the programs of all name spaces.
possessions() {
    local space
    {
        iw dev
        for space in $(ip netns list | awk '{ print $1 }'); do inside "$space" iw dev; done
    } >devices
    echo "$(grep -c wdev devices) interfaces"
    echo "$(($(kernel_has stations_made) - $(kernel_has stations_freed))) stations"
    echo "$(($(kernel_has keys_made) - $(kernel_has keys_freed))) keys"
}

# link_address NAME: the link-local address of a data path's interface and, after a %, that interface.
link_address() {
    inside "$1" ip -6 -oneline address show scope link |
        awk '$2 !~ /^(lo|wlan|hwsim)/ { sub("/.*", "", $4); print $4 "%" $2; exit }'
}

# measure MODE: round trip and throughput through a data path in that performance mode.
measure() {
    local mode=$1 board phone sent
    radio board
    phone_radio phone
    board_start "$mode"
    phone_start phone --pin-command "$(with_pin 0)" --control-rate 20 --video phone.h264
    phone_tells phone 60 control_answered
    sleep 8
    result "control p50 $(milliseconds "$(figure phone round_trip_p50_us)") ms" \
        "p99 $(milliseconds "$(figure phone round_trip_p99_us)") ms" \
        "video $(($(figure phone bits_per_second) / 1000)) kbit/s, loss $(figure phone loss_ppm) ppm"

    board=$(link_address board) phone=$(link_address phone)
    expect "both have a data interface" [ -n "$board" -a -n "$phone" ]
    expect "ping goes through" inside phone ping -c 40 -i 0.1 -q "${board%\%*}%${phone#*%}"
    result "ping $(sed -n 's|^rtt .* = [^/]*/\([^/]*\)/.*|\1|p' last) ms," \
        "$(sed -n 's/.* \([0-9.]*%\) packet loss.*/\1/p' last) lost"
    inside phone iperf3 --forceflush --server --one-off --bind "${phone%\%*}%${phone#*%}" >iperf.log 2>&1 &
    expect "iperf3 listens" eventually 10 grep -q listening iperf.log
    expect "UDP goes through" iperf3 --client "${phone%\%*}%${board#*%}" --udp --bitrate "${RATE:-100}M" --time 3 --length 1200
    sent=$(grep receiver last | tail -n 1)
    result "UDP $(sed -n 's|.* \([0-9.]* .bits/sec\).*|\1|p' <<<"$sent"), lost $(sed -n 's|.*(\(.*%\)).*|\1|p' <<<"$sent")"
    expect "status names the mode" grep -qi "$mode" <(board_status)
    phone_leaves phone
    board_stop
}
milliseconds() { awk -v us="$1" 'BEGIN { printf "%.1f", us / 1000 }'; }

# air_start: the Bluetooth air; `ble` gives it orders (see ble-air). There is no controller and no phone yet.
air_start() {
    modprobe hci_vhci
    BLE_AIR=$RESULTS/ble-air
    export BLE_AIR
    ble-air "$BLE_AIR" 2>>"$RESULTS/ble-air.log" &
    expect "the Bluetooth air is there" eventually 60 test -S "$BLE_AIR"
}

# adapter_add [OPTION...]: a controller of the kernel's, as ble-air takes them; sets ADAPTER to its number.
adapter_add() {
    ADAPTER=$(ble adapter-add "$@" --get index)
    expect "the kernel has the controller hci$ADAPTER" eventually 10 has_adapter "$ADAPTER"
}
has_adapter() { [ -e "/sys/class/bluetooth/hci$1" ] && manage info 2>/dev/null | grep -q "current settings"; }

# manage WORD...: btmgmt on ADAPTER. Without a terminal it would wait for ever.
manage() { timeout 20 script --quiet --return --command "btmgmt --index $ADAPTER $*" /dev/null </dev/null; }

# says PATTERN COMMAND...: the command succeeds and prints that.
says() {
    local pattern=$1
    shift
    # Read to its end: a command whose reader leaves fails.
    "$@" | grep -E -- "$pattern" >/dev/null
}

# now_us: µs since boot, as everything here counts.
now_us() { python3 -ISc 'import time; print(time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000)'; }

# ble_board_start: an accessory on both transports; `payload` says what it has to advertise.
ble_board_start() {
    BOARD_OPTIONS+=(--bluetooth adapter)
    board_start
}

# payload STATE: what the example's identity has to be advertised as, octet by octet: flags, service FD5A, company FFFF with
# 02 01 and the state, which is two digits.
payload() { echo "02010603035afd06ffffff0201$1"; }
# "Falcon 2 A17"
readonly NAME_RESPONSE=0d0946616c636f6e203220413137

# hears STATE [SECONDS [SINCE]]: the phone `watcher` hears exactly that advertisement.
hears() { ble await watcher advertisement "=$(payload "$1")" "${2:-10}" "${3:-0}"; }

window_open() { awarectl pair --no-wait --control "$RESULTS/board/control"; }
window_close() { awarectl pair --close --control "$RESULTS/board/control"; }

# is_silent SINCE: nothing has been heard since then.
is_silent() { [ -z "$(ble heard watcher "$1")" ]; }
