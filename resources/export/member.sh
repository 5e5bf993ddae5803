# --- One task of a job whose tasks are started by something else: retries are its own, the rest is not. ----------------
run_member() { # number of the task in the job
    local child='' stop=0 status=0 tries=0
    trap 'stop=1; [[ -z $child ]] || kill -s TERM "$child" 2>/dev/null' TERM INT
    gather_variables
    while :; do
        variables_of "$1" "$tries"
        env "${VARIABLES[@]}" bash "$SELF" --task "${TASK_ROLE[$1]}" "${TASK_INDEX[$1]}" &
        child=$!
        while :; do
            wait "$child"
            status=$?
            kill -0 "$child" 2>/dev/null || break
        done
        ((!stop)) && goes_again "$status" "$tries" "${TASK_RETRIES[TASK_ROLE[$1]]}" || break
        say "the task ended with status $status and is tried again"
        ((++tries))
    done
    exit "$status"
}
