#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The round trip through a file manager, with real drags between two programs on a display of their own: the tab of a
# document and a job of the list are dropped on the file manager (files come, secrets masked), and what lies there is
# dragged back into the window (it opens). Usage: dragdrop.sh FOLDER-OF-PROGRAMS. Exit status 77: a tool is missing.
set -u
bin=$(cd "$1" && pwd)
for tool in Xvfb xdotool; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed: install the package ${tool,,}."; exit 77; }
done
folder=$(mktemp -d /tmp/tydXXXXXX)
pids=()
finish() {
    status=$?
    if [ "$status" != 0 ]; then
        echo "--- file manager:"; tail -n 20 "$folder/manager.log"
        echo "--- trainyard:"; tail -n 20 "$folder/trainyard.log"
        command -v import >/dev/null && [ -n "${TRAINYARD_DRAG_PICTURE:-}" ] && import -window root "$TRAINYARD_DRAG_PICTURE"
    fi
    "$bin/trainyardctl" engine stop --jobs >/dev/null 2>&1
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done
    wait 2>/dev/null
    rm -rf "$folder"
    exit "$status"
}
trap finish EXIT
fail() { echo "FAIL: $1"; exit 1; }
# Until a command succeeds; each thing waited for comes by itself.
await() {
    local what=$1 end=$((SECONDS + 20))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || fail "waited in vain: $what"
        read -rt 0.05 <> <(:)
    done
}
says() { [ "$(grep -c "^$1" "$folder/manager.log")" -ge "${2:-1}" ]; }

mkdir -p "$folder"/{home,config/trainyard,state,run,files,tmp}
echo '{"disk.holdMiB": 0, "disk.warnMiB": 0}' >"$folder/config/trainyard/engine.json" # not to wait for room on whoever's disk
chmod 700 "$folder/run"
export TMPDIR=$folder/tmp HOME=$folder/home XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state XDG_RUNTIME_DIR=$folder/run
export QT_QPA_PLATFORM=xcb QT_SCALE_FACTOR=1 LC_ALL=C.UTF-8
unset WAYLAND_DISPLAY
Xvfb -displayfd 4 -screen 0 1600x800x24 -nolisten tcp 4>"$folder/display" >/dev/null 2>&1 &
pids+=($!)
await "a display" test -s "$folder/display"
DISPLAY=:$(cat "$folder/display")
export DISPLAY

cat >"$folder/first.pai.yaml" <<'JOB'
# my baseline
protocolVersion: 2
name: first
type: job
secrets:
  token: hush-hush-hush
prerequisites:
  - {name: img, type: dockerimage, uri: x}
taskRoles:
  w:
    dockerImage: img
    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}
    commands:
      - echo <% $secrets.token %>
JOB
sed 's/name: first/name: ran/' "$folder/first.pai.yaml" >"$folder/ran.pai.yaml"
"$bin/trainyardctl" run "$folder/ran.pai.yaml" --wait >/dev/null 2>&1 || fail "the job did not run"
"$bin/trainyard-test-filemanager" "$folder/files" >"$folder/manager.log" 2>&1 &
pids+=($!)
"$bin/trainyard" --new-window "$folder/first.pai.yaml" >"$folder/trainyard.log" 2>&1 &
window_pid=$!
pids+=($!)
await "the file manager" says shown
await "the window" xdotool search --name 'first.pai.yaml.*Trainyard'
window=$(xdotool search --name 'first.pai.yaml.*Trainyard' | head -n 1)
manager=$(xdotool search --name '^filemanager$' | head -n 1)
xdotool windowmove --sync "$window" 0 0 windowsize --sync "$window" 1200 760
xdotool windowmove "$manager" 1250 300
await "the windows' places" bash -c "xdotool getwindowgeometry $manager | grep -q 1250,300 && xdotool getwindowgeometry $window | grep -q 1200x760"

# The tab of the document: the second one, right of "Welcome".
tab_x=440 tab_y=62
drag() { # from x y, to x y, a pattern that the file manager says when the drop would be taken, how often
    xdotool mousemove "$1" "$2" mousedown 1
    local steps=8 i
    for ((i = 1; i <= steps; ++i)); do
        xdotool mousemove $(($1 + ($3 - $1) * i / steps)) $(($2 + ($4 - $2) * i / steps))
    done
    local end=$((SECONDS + 20)) jiggle=0
    until says "$5" "$6"; do
        [ "$SECONDS" -lt "$end" ] || { xdotool mouseup 1; fail "the drop would not be taken: $5"; }
        jiggle=$((1 - jiggle)) # a pointer that rests sends nothing
        xdotool mousemove $(($3 + jiggle)) "$4"
        read -rt 0.05 <> <(:)
    done
    xdotool mouseup 1
}
drag "$tab_x" "$tab_y" 1400 450 over 1
await "the file" says 'copied first.pai.yaml'
grep -q hush "$folder/files/first.pai.yaml" && fail "the secret went along"
grep -q 'token: "\*\*\*\*\*\*"' "$folder/files/first.pai.yaml" || fail "the secret is not masked"
sed 's/hush-hush-hush/"******"/' "$folder/first.pai.yaml" | cmp - "$folder/files/first.pai.yaml" || fail "other bytes changed"
echo "a tab was dragged out: a file with its secrets masked"

# A job of the list at the left: what ran, masked too.
before=$(grep -c '^over' "$folder/manager.log")
drag 90 152 1400 450 over $((before + 1))
await "the file of the job" says 'copied ran.pai.yaml'
sed 's/hush-hush-hush/"******"/' "$folder/ran.pai.yaml" | cmp - "$folder/files/ran.pai.yaml" || fail "the job's file differs"
rm "$folder/files/ran.pai.yaml"
echo "a job was dragged out of the list"

# Waiting jobs in another order: by the mouse, then by keys. "gate" runs, three wait for it.
sed 's/name: first/name: gate/; s/- echo .*/- while [ ! -e go ]; do sleep 0.05; done/; /^secrets/,+1d' "$folder/first.pai.yaml" >"$folder/gate.pai.yaml"
"$bin/trainyardctl" run "$folder/gate.pai.yaml" >/dev/null || fail "gate did not start"
for name in one two three; do
    sed "s/name: gate/name: $name/; s/- while .*/- 'true'/" "$folder/gate.pai.yaml" >"$folder/$name.pai.yaml"
    "$bin/trainyardctl" run "$folder/$name.pai.yaml" --after gate >/dev/null || fail "$name was refused"
done
queue() { "$bin/trainyardctl" top --once | awk '$3 == "WAITING" {printf "%s ", $2}'; }
stands() { [ "$(queue)" = "$1" ]; }
await "three waiting jobs" stands "one two three "
# Rows of the list: Running, gate, Waiting, one, two, three. Nobody says when they are painted: it is tried again.
end=$((SECONDS + 20))
until stands "three one two "; do
    [ "$SECONDS" -lt "$end" ] || fail "the job cannot be dragged to the front: $(queue)"
    xdotool mousemove 90 262 mousedown 1
    for y in 258 250 240 230 220 210 204 201 200 201 200; do xdotool mousemove 90 "$y"; done
    read -rt 0.2 <> <(:)
    xdotool mousemove 90 201 mouseup 1
    read -rt 0.5 <> <(:)
done
echo "a waiting job was dragged to the front of the queue"
xdotool mousemove 90 206 click 1
end=$((SECONDS + 20))
until stands "one three two "; do
    [ "$SECONDS" -lt "$end" ] || fail "the job cannot be moved by keys: $(queue)"
    stands "three one two " && xdotool key alt+Down
    read -rt 0.5 <> <(:)
done
echo "a waiting job was moved by keys"
touch "$folder/go"
"$bin/trainyardctl" wait one two three >/dev/null 2>&1 || fail "the jobs did not run"
xdotool mousemove 440 62 click 1 # back to a document, of which the drop changes the title

# Back, two files at once.
mv "$folder/files/first.pai.yaml" "$folder/files/second.pai.yaml"
sed 's/name: first/name: third/' "$folder/files/second.pai.yaml" >"$folder/files/third.yml"
before=$(grep -c '^action 1' "$folder/manager.log")
drag 1400 450 800 400 'action 1' $((before + 1))
await "the end of the drag" says 'dragged 1'
await "the document" bash -c "xdotool getwindowname $window | grep -q third.yml"
grep -q '^dragging 2' "$folder/manager.log" || fail "not two files"
echo "two files were dragged in: the window shows $(xdotool getwindowname "$window")"

# Asked to end, it takes what was dragged out along.
left() { ls -d "$folder"/tmp/trainyard-?????? 2>/dev/null; }
[ -n "$(left)" ] || fail "what was dragged out is not where it was looked for"
kill -TERM "$window_pid"
await "the end of the window" bash -c "! kill -0 $window_pid || grep -q '^State:.*Z' /proc/$window_pid/status"
[ -z "$(left)" ] || fail "what was dragged out is left behind: $(left)"
echo "the window ended when it was asked to, and left nothing behind"
