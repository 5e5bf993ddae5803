# --- What runs in a task. --------------------------------------------------------------------------------------------
say() { printf '%s: %s\n' "$JOB_NAME" "$*" >&2; }

#@if secrets
# A secret comes from the environment variable of its name, else from the file that SECRETS_FILE names: lines NAME=VALUE,
# readable by its owner only. A value reaches the commands inside their text, and never an argument or another file.
load_secrets() {
    local name line
    local -A given=()
    ((${#SECRET_NAMES[@]})) || return 0
    if [[ -e $SECRETS_FILE ]]; then
        if [[ $(stat -Lc %a -- "$SECRETS_FILE") != ?00 ]]; then
            say "$SECRETS_FILE can be read by others: chmod 600 it"
            return 1
        fi
        while IFS= read -r line || [[ -n $line ]]; do
            [[ $line == *=* ]] && given[${line%%=*}]=${line#*=}
        done <"$SECRETS_FILE"
    fi
    for name in "${SECRET_NAMES[@]}"; do
        if [[ -z ${!name+set} ]]; then
            if [[ -z ${given[$name]+set} ]]; then
                say "the secret $name is missing: set this variable, or write $name=VALUE into $SECRETS_FILE (chmod 600)"
                return 1
            fi
            printf -v "$name" '%s' "${given[$name]}"
        fi
        export "${name?}"
    done
}

#@end
# bash says what is wrong in a text under the name by which it was told to read it. A text may hold a secret, so it is in
# no file: it comes through descriptor 9. A link to that in the folder of the task gives it a name that says what it is;
# it leads to a text only in the process that has it open. Where there can be no link, the descriptor is the name.
text_name() { # what it is: commands, or step-NAME
    local link=${TRAINYARD_TASK_FOLDER-}/${1//[^A-Za-z0-9_.-]/_}
    [[ -z ${TRAINYARD_TASK_FOLDER-} || -L $link ]] || ln -s /dev/fd/9 "$link" 2>/dev/null
    [[ -L $link && $link -ef /dev/fd/9 ]] || link=/dev/fd/9
    printf '%s' "$link"
}

# Who reads all files of the folder later would read a descriptor of their own, and might wait for ever.
remove_text_names() {
    local link
    for link in "$TRAINYARD_TASK_FOLDER"/commands "$TRAINYARD_TASK_FOLDER"/step-*; do
        [[ ! -L $link || $(readlink "$link") != /dev/fd/9 ]] || rm -f -- "$link"
    done
}

#@if steps
# One prerequisite's step, in a bash of its own; what it exports is seen by all that follows. The exports come through a
# pipe, up to the first NUL, because a program that the step leaves running may keep the pipe open. What comes before a
# text is on its first line, so that bash counts the lines of the text.
step() { # name, function that prints the text
    local name=$1 text=$2 here=$PWD exports='' from pid status
    exec 7>&1
    exec {from}< <(
        exec 9< <(
            printf '%s; ' 'exec 9<&-' "trap 'set -o posix; export -p >&8; printf \"\\\\0\" >&8' EXIT"
            "$text"
        ) 8>&1 1>&7
        exec bash "$(text_name "step-$name")"
    )
    pid=$!
    IFS= read -r -d '' exports <&"$from"
    wait "$pid"
    status=$?
    exec {from}<&- 7>&-
    if ((status)); then
        say "the step $name failed with status $status"
        return "$status"
    fi
    eval "$exports"
    cd -- "$here" || return
}

#@end
commands() { # function that prints the text
    {
        bash "$(text_name commands)"
    } 9< <(
        printf '%s; ' 'exec 9<&-' 'set -o errexit -o nounset -o pipefail'
        "$1"
    )
}

# What has left the process group of the task, as daemons do, still has the mark of the task in its environment. The folder
# of the task is no such mark: what starts the task, as srun, knows it as well.
end_leftovers() { # mark
    local process
    while IFS= read -r process; do
        process=${process#/proc/}
        [[ ${process%/*} == "$$" ]] || kill -s KILL "${process%/*}"
    done < <(grep -lszxF -- "TRAINYARD_TASK_MARK=$1" /proc/[0-9]*/environ)
}

# A task in a process group of its own, so that it can be stopped as a whole: first it is asked, then it is killed.
run_task() { # number of the role, number of the task
    local child='' killer='' status stop=0
    local mark="$$.$RANDOM.$RANDOM.$(date +%s)"
#@if secrets
    load_secrets || return 1
#@end
#@if environment
    job_environment
#@end
    export PYTHONUNBUFFERED="${PYTHONUNBUFFERED-1}" OMP_NUM_THREADS="${OMP_NUM_THREADS-${CPUS[$1]}}"
    if ((!${GPUS[$1]})); then
        export CUDA_VISIBLE_DEVICES='' NVIDIA_VISIBLE_DEVICES=none
    fi
    mkdir -p -- "$TRAINYARD_TASK_FOLDER" "$TRAINYARD_CHECKPOINT_DIR"
    cd -- "$PAI_WORK_DIR" || return 1
#@if images
    local -a inside=()
    if [[ -n $CONTAINER_PROGRAM && -n ${IMAGES[$1]} ]]; then
        inside=("$CONTAINER_PROGRAM" exec --pwd "$PWD" --bind "$PWD" --bind "$RUN_FOLDER")
        ((!${GPUS[$1]})) || inside+=(--nv)
        inside+=("docker://${IMAGES[$1]}")
    fi
#@end
    trap 'stop=1; [[ -z $child ]] || kill -s "$STOP_SIGNAL" -- "-$child" 2>/dev/null' TERM INT
#@if stop-file
    # Where no signal comes through, a file asks to stop.
    local asker=''
    if [[ -n ${STOP_FILE-} ]]; then
        export -n STOP_FILE
        (
            until [[ -e $STOP_FILE ]]; do sleep 1; done
            kill -s TERM $$
        ) >/dev/null 2>&1 &
        asker=$!
        disown "$asker"
    fi
#@end
    set -m
#@if images
    TRAINYARD_TASK_MARK=$mark "${inside[@]}" bash "$SELF" --commands "$1" </dev/null &
#@end
#@if !images
    TRAINYARD_TASK_MARK=$mark bash "$SELF" --commands "$1" </dev/null &
#@end
    child=$!
    exec 2>/dev/null # the shell says of each child how it was ended
    ((!stop)) || kill -s "$STOP_SIGNAL" -- "-$child" 2>/dev/null
    while :; do
        wait "$child"
        status=$?
        kill -0 "$child" 2>/dev/null || break
        if ((stop)) && [[ -z $killer ]]; then
            (
                sleep "$GRACE_SECONDS"
                kill -s KILL -- "-$child"
            ) >/dev/null 2>&1 &
            killer=$!
        fi
    done
    trap '' TERM INT # who asks once more must not keep this from clearing up
    kill -s KILL -- "-$child" 2>/dev/null
    [[ -z $killer ]] || kill -s KILL -- "-$killer" 2>/dev/null
#@if stop-file
    [[ -z $asker ]] || kill -s KILL "$asker" 2>/dev/null
#@end
    end_leftovers "$mark"
    set +m
    remove_text_names
    trap - TERM INT
    return "$status"
}

# --- What tasks are told. --------------------------------------------------------------------------------------------
# Tasks have a number within their role, and one within the job: in the order of the roles and of their tasks.
list_tasks() {
    local role index
    TASK_ROLE=() TASK_INDEX=()
    for role in "${!ROLE_NAMES[@]}"; do
        for ((index = 0; index < INSTANCES[role]; ++index)); do
            TASK_ROLE+=("$role")
            TASK_INDEX+=("$index")
        done
    done
}

port_is_free() { return 0; }

# LABEL=PORT,PORT of each task; no number is used twice in the job.
choose_ports() { # first number
    local port=$1 task entry label count list
    TASK_PORTS=()
    for task in "${!TASK_ROLE[@]}"; do
        TASK_PORTS[task]=''
        for entry in ${PORTS[TASK_ROLE[task]]}; do
            label=${entry%:*} count=${entry##*:} list=''
            while ((count-- > 0)); do
                until port_is_free "$port"; do ((++port)); done
                list+=,$port
                ((++port))
            done
            TASK_PORTS[task]+=" $label=${list#,}"
        done
    done
}

port_of() { # number of the task, label: the first one
    local entry
    for entry in ${TASK_PORTS[$1]}; do
        if [[ ${entry%%=*} == "$2" ]]; then
            entry=${entry#*=}
            printf '%s' "${entry%%,*}"
            return
        fi
    done
}

# What all tasks are told, from the addresses and ports of all of them.
gather_variables() {
    local role task spelling entry hosts host place name user
    user=$(id -un 2>/dev/null) || user=user
    ALL_VARIABLES=("${JOB_VARIABLES[@]}")
    for name in PAI_FRAMEWORK_NAME PAI_JOB_NAME FRAMEWORK_NAME FC_FRAMEWORK_NAME; do
        ALL_VARIABLES+=("$name=$user~$JOB_NAME")
    done
    for name in PAI_USER_NAME PAI_USERNAME HADOOP_USER_NAME; do
        ALL_VARIABLES+=("$name=$user")
    done
    ALL_VARIABLES+=("APP_ID=$JOB_ID" "TRAINYARD_JOB_ID=$JOB_ID" "TRAINYARD_CHECKPOINT_DIR=$RUN_FOLDER/checkpoints"
        "FC_FRAMEWORK_ATTEMPT_ID=$ATTEMPT" "TRAINYARD_JOB_ATTEMPT=$ATTEMPT" "PAI_WORK_DIR=$WORK_FOLDER")
    for role in "${!ROLE_NAMES[@]}"; do
        hosts=''
        for task in "${!TASK_ROLE[@]}"; do
            ((TASK_ROLE[task] == role)) || continue
            host=${TASK_ADDRESS[task]}
            [[ $host != *:* ]] || host="[$host]"
            hosts+=,$host:$(port_of "$task" http)
            for spelling in ${SPELLINGS[role]}; do
                place=${spelling}_${TASK_INDEX[task]}
                ALL_VARIABLES+=("PAI_HOST_IP_$place=${TASK_ADDRESS[task]}")
                for entry in ${TASK_PORTS[task]}; do
                    ALL_VARIABLES+=("PAI_PORT_LIST_${place}_$entry" "PAI_${place}_${entry%%=*}_PORT=${entry#*=}")
                done
            done
        done
        for spelling in "$role" ${SPELLINGS[role]}; do
            ALL_VARIABLES+=("PAI_TASK_ROLE_${spelling}_HOST_LIST=${hosts#,}")
        done
    done
}

# And one task, with how often it was tried before.
variables_of() { # number of the task, tries
    local role=${TASK_ROLE[$1]} index=${TASK_INDEX[$1]} entry all='' name
    VARIABLES=("${ALL_VARIABLES[@]}")
    role_variables "$role"
    for name in PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX PAI_TASK_INDEX PAI_TASK_ROLE_INDEX FC_TASK_INDEX; do
        VARIABLES+=("$name=$index")
    done
    for entry in ${TASK_PORTS[$1]}; do
        VARIABLES+=("PAI_CONTAINER_HOST_${entry%%=*}_PORT_LIST=${entry#*=}")
        all+="${entry%%=*}:${entry#*=};"
    done
    VARIABLES+=("PAI_CONTAINER_HOST_IP=${TASK_ADDRESS[$1]}" "PAI_CURRENT_CONTAINER_IP=${TASK_ADDRESS[$1]}"
        "PAI_CONTAINER_HOST_PORT=$(port_of "$1" http)" "PAI_CURRENT_CONTAINER_PORT=$(port_of "$1" http)"
        "PAI_CONTAINER_SSH_PORT=$(port_of "$1" ssh)" "PAI_CONTAINER_HOST_PORT_LIST=$all"
        "PAI_CONTAINER_ID=$JOB_ID-${ROLE_NAMES[role]}-$index" "FC_TASK_ATTEMPT_ID=$2" "TRAINYARD_TASK_TRY=$2"
        "TRAINYARD_TRY=$JOB_ID-$ATTEMPT-$1-$2"
        "TRAINYARD_TASK_FOLDER=$RUN_FOLDER/attempt-$((ATTEMPT + 1))/${ROLE_NAMES[role]}-$index"
        CUDA_DEVICE_ORDER=PCI_BUS_ID)
}
#@if retries

# Limits below zero: -1 retries every failure, -2 successes too.
goes_again() { # status, retries so far, limit
    (($3 == -2)) || (($1 != 0 && ($3 == -1 || $2 < $3)))
}
#@end
