# One TensorBoard for the job, beside its first task. It may never make the task fail: training is worth more.
__ty_board_run() { # port
    "${__ty_board_program[@]}" --host "$__ty_board_host" --port "$1" "${__ty_board_folders[@]}" \
        >>"${TRAINYARD_TASK_FOLDER:-/tmp}/tensorboard.log" 2>&1 99>&- &
    __ty_board_pid=$!
}

__ty_board() {
    local __ty_try __ty_port __ty_i
    for ((__ty_try = 0; __ty_try < 20; ++__ty_try)); do
        __ty_port=$((__ty_try == 0 && __ty_board_port > 0 ? __ty_board_port : 10000 + RANDOM % 5000))
        if __ty_answers "$__ty_board_host" "$__ty_port"; then
            continue
        fi
        if ((__ty_try > 3)); then
            __ty_board_host=127.0.0.1 # the host's address may be one that only others know it by
        fi
        __ty_board_run "$__ty_port"
        for ((__ty_i = 0; __ty_i < 1200; ++__ty_i)); do
            if __ty_answers "$__ty_board_host" "$__ty_port"; then
                __ty_tell "[INFO] SERVICE tensorboard http://$__ty_board_host:$__ty_port/"
                wait "$__ty_board_pid"
                __ty_tell "[INFO] SERVICE tensorboard ended"
                return
            fi
            kill -0 "$__ty_board_pid" 2>/dev/null || break
            sleep 0.1
        done
        kill "$__ty_board_pid" 2>/dev/null
        wait "$__ty_board_pid" 2>/dev/null
    done
    __ty_tell "[ERROR] SERVICE tensorboard failed"
}

if [[ ${PAI_TASK_INDEX:-0} == 0 ]]; then
    __ty_board_host=${PAI_CONTAINER_HOST_IP:-127.0.0.1}
    __ty_board_program=(tensorboard)
    if ! type -P tensorboard >/dev/null; then
        __ty_board_program=()
        for __ty_python in python3 python; do
            if type -P "$__ty_python" >/dev/null && "$__ty_python" -c 'import tensorboard.main' >/dev/null 2>&1; then
                __ty_board_program=("$__ty_python" -m tensorboard.main)
                break
            fi
        done
    fi
    if [[ ${#__ty_board_program[@]} == 0 ]]; then
        __ty_say "No TensorBoard: it is not installed on $HOSTNAME (pip install tensorboard)."
        __ty_tell "[ERROR] SERVICE tensorboard missing"
    else
        (__ty_board) </dev/null >/dev/null 2>&1 97<&- 98>&- &
    fi
fi
