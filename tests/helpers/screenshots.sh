#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# screenshots.sh BIN FOLDER: pictures of the running program, used as a person would: a real window, a real job.
set -euo pipefail
bin=$(realpath "$1")
out=$(realpath -m "$2")
examples=$(realpath "$(dirname "$0")/../../resources/examples")
mkdir -p "$out"
tmp=$(mktemp -d /tmp/ty-shots.XXXX)
export HOME=$tmp XDG_CONFIG_HOME=$tmp/c XDG_STATE_HOME=$tmp/s XDG_RUNTIME_DIR=$tmp/r QT_QPA_PLATFORM=xcb
mkdir -p "$tmp/c" "$tmp/s" "$tmp/jobs"
mkdir -m 700 "$tmp/r"
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS
pids=()
finish()
{
    "$bin/trainyardctl" engine stop --jobs >/dev/null 2>&1 || true
    kill "${pids[@]}" 2>/dev/null || true
    rm -rf "$tmp"
}
trap finish EXIT

# Every window fills the screen and has no frame, so the picture is the program alone.
cat >"$tmp/openbox.xml" <<'XML'
<openbox_config xmlns="http://openbox.org/3.4/rc"><applications><application class="*" type="normal"><decor>no</decor><maximized>yes</maximized></application></applications></openbox_config>
XML
exec 7> >(cat >"$tmp/display")
Xvfb -displayfd 7 -screen 0 1440x900x24 -dpi 96 >/dev/null 2>&1 &
pids+=($!)
for _ in $(seq 100); do [ -s "$tmp/display" ] && break; sleep 0.1; done
DISPLAY=:$(tr -d '\n' <"$tmp/display")
export DISPLAY
openbox --config-file "$tmp/openbox.xml" >/dev/null 2>&1 &
pids+=($!)

cp "$examples"/*.yaml "$tmp/jobs/"
cd "$tmp/jobs"

# Windows come and go while xdotool looks: asked again until there is one.
window()
{
    local found
    for _ in $(seq 100); do
        found=$(xdotool search --onlyvisible --class trainyard 2>/dev/null | tail -1) || true
        [ -z "$found" ] || { printf '%s\n' "$found"; return 0; }
        sleep 0.1
    done
    echo "screenshots: no window of the program appeared" >&2
    return 1
}
shoot() { import -window root -define png:exclude-chunks=date,time "$out/$1.png"; printf '%s\n' "$out/$1.png"; }
for theme in light dark; do
    # Each begins like the first start: a window brings back what the one before it had open.
    export XDG_CONFIG_HOME=$tmp/c-$theme XDG_STATE_HOME=$tmp/s-$theme
    mkdir -p "$XDG_CONFIG_HOME" "$XDG_STATE_HOME"
    "$bin/trainyardctl" run prerequisites.pai.yaml --wait >/dev/null 2>&1
    "$bin/trainyard" --new-window --theme "$theme" &
    gui=$!
    window >/dev/null
    sleep 2
    shoot "welcome-$theme"
    kill "$gui"; wait "$gui" 2>/dev/null || true
    "$bin/trainyard" --new-window --theme "$theme" quickstart.pai.yaml &
    gui=$!
    w=$(window)
    sleep 3
    shoot "designer-$theme"
    xdotool windowfocus "$w" key --window "$w" F5
    sleep 9
    xdotool mousemove 330 310 click 1
    sleep 2
    shoot "run-$theme"
    kill "$gui"; wait "$gui" 2>/dev/null || true
    "$bin/trainyardctl" wait parameter_server >/dev/null 2>&1 || true
    "$bin/trainyardctl" engine stop --jobs >/dev/null 2>&1 || true
done
