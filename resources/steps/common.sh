# What the engine reads of a step: why it failed, and what it offers. Never a value of the job's: it is not masked.
__ty_tell() {
    local __ty_t="${*//[$'\n\r']/ }"
    if [[ -n ${__ty_mark-} ]]; then
        { printf '\036%sT0 trainyard %s\n' "$__ty_mark" "${__ty_t:0:900}" >&99; } 2>/dev/null
        return 0
    fi
    [[ -n ${TRAINYARD_TASK_FOLDER-} && -d $TRAINYARD_TASK_FOLDER ]] || return 0
    { printf '[%(%a %b %e %H:%M:%S %Z %Y)T] [trainyard] %s\n' -1 "$__ty_t" >>"$TRAINYARD_TASK_FOLDER/runtime.log"; } 2>/dev/null
    return 0
}
__ty_say() {
    printf 'trainyard: %s\n' "$*" >&2
    [[ -n ${__ty_mark-} ]] || __ty_tell "[INFO] $*"
}
__ty_fail() { # status, cause, sentence
    __ty_tell "[ERROR] STEP CAUSE $2"
    printf 'trainyard: %s\n' "$3" >&2
    exit "$1"
}
__ty_private() { # a folder of this try that nobody else can read
    local __ty_p=${TRAINYARD_TASK_FOLDER-}
    if [[ -z $__ty_p || ! -w $__ty_p ]]; then
        mktemp -d "${TMPDIR:-/tmp}/trainyard.XXXXXX"
        return
    fi
    mkdir -p -m 700 -- "$__ty_p/$1" && printf '%s\n' "$__ty_p/$1"
}
__ty_answers() { # host, port: something listens there
    (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null
}
