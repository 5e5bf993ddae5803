# --- Running the job: attempts, retries of tasks, and when it is over. -----------------------------------------------
#@if rules
# The first rule that holds counts, whenever a task is completed for good: enough tasks of its role have failed, enough
# have succeeded, all tasks are completed.
#@end
JOB_STATUS=''
END_STATUS=0
#@if !stop-file

ask_to_stop() { # number of the task, process
    kill -s TERM "$2" 2>/dev/null
}
#@end

begin_task() { # number of the task, tries
    local log=$RUN_FOLDER/attempt-$((ATTEMPT + 1))/${ROLE_NAMES[TASK_ROLE[$1]]}-${TASK_INDEX[$1]}.log
    variables_of "$1" "$2"
    # Only its owner reads a log, since a program may print a secret. The files of the program have the usual rights.
    (umask 077 && : >>"$log")
    (
        child='' stop=0 status=0
        trap 'stop=1; [[ -z $child ]] || ask_to_stop "$1" "$child"' TERM
        launch "$1" "$log" &
        child=$!
        ((!stop)) || ask_to_stop "$1" "$child"
        while :; do
            wait "$child"
            status=$?
            kill -0 "$child" 2>/dev/null || break
        done
        printf '%s %s %s %s\n' "$ATTEMPT" "$1" "$2" "$status" >&"$EVENTS"
    ) &
    TASK_PID[$1]=$!
    TASK_TRIES[$1]=$2
}

stop_tasks() {
    local task
    for task in "${!TASK_PID[@]}"; do
        kill -s TERM "${TASK_PID[task]}" 2>/dev/null
    done
    for task in "${!TASK_PID[@]}"; do
        while kill -0 "${TASK_PID[task]}" 2>/dev/null; do wait "${TASK_PID[task]}"; done
    done
    TASK_PID=()
}

task_ended() { # number of the task, status; sets JOB_STATUS when the attempt is over
    local role=${TASK_ROLE[$1]}
    local name=${ROLE_NAMES[role]}/${TASK_INDEX[$1]}
    unset "TASK_PID[$1]"
#@if task-retries
    local tries=${TASK_TRIES[$1]}
    if goes_again "$2" "$tries" "${TASK_RETRIES[role]}"; then
        say "$name ended with status $2 and is tried again"
        begin_task "$1" $((tries + 1))
        return
    fi
#@end
    say "$name ended with status $2"
#@if rules
    ((++COMPLETED))
    if (($2)); then
        ((++FAILED[role]))
        if ((MIN_FAILED[role] > 0 && FAILED[role] >= MIN_FAILED[role])); then
            JOB_STATUS=$2
            return
        fi
    else
        ((++SUCCEEDED[role]))
        if ((MIN_SUCCEEDED[role] > 0 && SUCCEEDED[role] >= MIN_SUCCEEDED[role])); then
            JOB_STATUS=0
            return
        fi
    fi
    if ((COMPLETED_LIMIT > 0 && COMPLETED >= COMPLETED_LIMIT)); then
        JOB_STATUS=$2
    elif ((COMPLETED == ${#TASK_ROLE[@]})); then
        JOB_STATUS=0
    fi
#@end
#@if !rules
    JOB_STATUS=$2
#@end
}

# A task whose process was killed from outside says nothing. Nothing is waiting to be read when this is called; a word
# that comes just now is waited for once more.
look_for_lost_tasks() {
    local task
    for task in "${!TASK_PID[@]}"; do
        if kill -0 "${TASK_PID[task]}" 2>/dev/null; then
            continue
        elif [[ ${MISSED[task]-} == "${TASK_PID[task]}" ]]; then
            task_ended "$task" 137
            return
        fi
        MISSED[task]=${TASK_PID[task]}
    done
}

run_attempt() {
    local task attempt tries status line word=''
    JOB_STATUS='' TASK_PID=() TASK_TRIES=() MISSED=()
#@if rules
    local role
    COMPLETED=0 FAILED=() SUCCEEDED=()
    for role in "${!ROLE_NAMES[@]}"; do
        FAILED[role]=0 SUCCEEDED[role]=0
    done
#@end
    mkdir -p -- "$RUN_FOLDER/attempt-$((ATTEMPT + 1))"
    gather_variables
    for task in "${!TASK_ROLE[@]}"; do
        begin_task "$task" 0
    done
    while [[ -z $JOB_STATUS ]]; do
        if ((END_STATUS)); then
            JOB_STATUS=$END_STATUS
        elif ((TIME_LIMIT > 0 && SECONDS >= TIME_LIMIT)); then
            say "the time limit of $TIME_LIMIT seconds is reached"
            END_STATUS=124
        elif IFS= read -r -t 1 -u "$EVENTS" line; then
            read -r attempt task tries status <<<"$word$line"
            word=''
            # After an interruption the end of a task decides nothing: a terminal asks the tasks to stop as well.
            if ((!END_STATUS)) && [[ $attempt == "$ATTEMPT" && -n ${TASK_PID[task]-} && $tries == "${TASK_TRIES[task]}" ]]; then
                task_ended "$task" "$status"
            fi
        else
            word+=$line # the time may be over in the middle of a line
            [[ -n $word ]] || look_for_lost_tasks
        fi
    done
    stop_tasks
}

run_job() {
    local events
    if [[ ! -f $0 || -z ${BASH_SOURCE[0]-} || ! $0 -ef ${BASH_SOURCE[0]} ]]; then # bash reads it from a pipe
        say 'save this script as a file first, and run that: tasks run a copy of it'
        exit 2
    fi
#@if secrets
    load_secrets || exit 2
#@end
    # Its logs have what programs print, secrets too: they are no part of the code that is committed or copied.
    [[ -e $RUN_FOLDER ]] || { mkdir -p -- "$RUN_FOLDER" && echo '*' >"$RUN_FOLDER/.gitignore"; } || exit 2
    mkdir -p -- "$RUN_FOLDER/checkpoints" || exit 2
    # Tasks run this copy, so that the original may change meanwhile, or be elsewhere.
    cp -- "$0" "$RUN_FOLDER/job.sh" || exit 2
    SELF=$RUN_FOLDER/job.sh
    export RUN_FOLDER WORK_FOLDER SELF
#@if secrets
    export SECRETS_FILE
#@end
#@if images
    export CONTAINER_PROGRAM
#@end
    events=$RUN_FOLDER/.events.$$
    mkfifo -m 600 -- "$events" || exit 2
    exec {EVENTS}<>"$events"
    rm -f -- "$events"
    trap 'END_STATUS=130' INT
    trap 'END_STATUS=143' TERM
    trap 'END_STATUS=124' USR1
    say "logs are in $RUN_FOLDER"
    ATTEMPT=0
#@if job-retries
    while :; do
        run_attempt
        ((!END_STATUS)) || break
        goes_again "$JOB_STATUS" "$ATTEMPT" "$JOB_RETRIES" || break
        say "attempt $((ATTEMPT + 1)) ended with status $JOB_STATUS; another one begins"
        ((++ATTEMPT))
    done
#@end
#@if !job-retries
    run_attempt
#@end
    if ((JOB_STATUS && JOB_STATUS == END_STATUS && END_STATUS != 124)); then
        say "the job was interrupted"
    elif ((JOB_STATUS)); then
        say "the job failed with status $JOB_STATUS"
    else
        say 'the job succeeded'
    fi
    exit "$JOB_STATUS"
}
