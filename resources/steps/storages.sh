# Storages are folders of the settings. Where a job expects one, a link is made if that place may be written. A book
# beside the runs (.links) knows the links that are ours and who uses them: the keeper of the last task that does takes
# the link away (engine/agent/storagelinks.h).
__ty_uses() { # user's file: that task runs, and shows another folder than $2
    local __ty_f __ty_t __ty_k __ty_v __ty_pid='' __ty_start='' __ty_boot='' __ty_now='' IFS=$' \t\n'
    { read -r __ty_f && read -r __ty_t; } 2>/dev/null <"$1" || return 1
    [[ $__ty_t != "$2" && ! -e $__ty_f/exit ]] || return 1
    while read -r __ty_k __ty_v; do
        case $__ty_k in
            pid) __ty_pid=$__ty_v ;;
            startTime) __ty_start=$__ty_v ;;
            bootId) __ty_boot=$__ty_v ;;
        esac
    done 2>/dev/null <"$__ty_f/keeper"
    read -r __ty_now </proc/sys/kernel/random/boot_id || true
    [[ -n $__ty_pid && -n $__ty_start && $__ty_boot == "$__ty_now" ]] || return 1
    # The command may hold blanks and brackets: fields count from the last one. The keeper has one thread.
    { read -r -d '' __ty_v || true; } 2>/dev/null <"/proc/$__ty_pid/stat" || return 1
    read -r -a __ty_v <<<"${__ty_v##*) }"
    [[ ${__ty_v[0]-} != [ZX] && ${__ty_v[19]-} == "$__ty_start" ]]
}
__ty_book() { # folder, place: sets __ty_b to the link's page, or to nothing
    __ty_b=
    [[ -n ${TRAINYARD_TASK_FOLDER-} && -n ${TRAINYARD_TRY-} && $1$2 != *$'\n'* ]] || return 0
    local __ty_key=${2//%/%25}
    __ty_b=${TRAINYARD_TASK_FOLDER%/*/*/*/*}/.links/${__ty_key//\//%2F}
    {
        mkdir -p -m 700 -- "$__ty_b" "$__ty_b/users" &&
            printf '%s\n%s\n' "$TRAINYARD_TASK_FOLDER" "$1" >"$__ty_b/users/.$TRAINYARD_TRY" &&
            mv -f -- "$__ty_b/users/.$TRAINYARD_TRY" "$__ty_b/users/$TRAINYARD_TRY" && # a user is there as a whole
            printf '%s\n' "$2" >"$__ty_b/place" && printf '%s\n' "$__ty_b" >>"$TRAINYARD_TASK_FOLDER/links"
    } 2>/dev/null || __ty_b=
}
__ty_storage() { # name, variable, folder, place
    local __ty_b __ty_u __ty_old=''
    set -- "$1" "$2" "${3/#\~\//$HOME/}" "$4"
    if [[ -z $3 ]]; then
        if [[ -d $4 ]]; then
            export "$2=$4" # mounted there by whoever looks after the host
            return 0
        fi
        __ty_tell "[ERROR] STEP CAUSE storage-unmapped $1"
        printf 'trainyard: %s\n' "No folder is known for the storage '$1'. Say which it is with the setting storages.$1." >&2
        exit 1
    fi
    if [[ ! -d $3 ]]; then
        __ty_tell "[ERROR] STEP CAUSE storage-missing $1"
        printf 'trainyard: %s\n' "The folder $3 of the storage '$1' is not there on $HOSTNAME. The setting storages.$1 names it." >&2
        exit 1
    fi
    export "$2=$3"
    if [[ $3 -ef $4 && ! -L $4 ]]; then
        return 0
    fi
    __ty_book "$3" "$4"
    if [[ $3 -ef $4 ]]; then
        return 0
    fi
    # Ours, as it was made, and used by nobody: it may point elsewhere now.
    if [[ -n $__ty_b && -L $4 ]] && read -r __ty_old 2>/dev/null <"$__ty_b/target" && [[ $(readlink -- "$4") == "$__ty_old" ]]; then
        for __ty_u in "$__ty_b"/users/*; do
            if __ty_uses "$__ty_u" "$3"; then
                __ty_old=
            fi
        done
        if [[ -n $__ty_old ]]; then
            rm -f -- "$4" 2>/dev/null || true
        fi
    fi
    if [[ ! $3 -ef $4 && (-e $4 || -L $4) ]]; then
        __ty_tell "[ERROR] STEP CAUSE storage-place $1"$'\t'"$4"
        printf 'trainyard: %s\n' "The storage '$1' ($3) cannot be found at $4: something else is there. Use another mountPath, or \$$2." >&2
        exit 1
    fi
    # Another task may have been faster since: nothing is linked in the folder that its link leads to.
    if { mkdir -p -- "${4%/*}" && ln -sT -- "$3" "$4"; } 2>/dev/null; then
        if [[ -n $__ty_b ]]; then
            printf '%s\n' "$3" >"$__ty_b/target"
        fi
    elif [[ ! $3 -ef $4 ]]; then
        __ty_say "The storage '$1' cannot be shown at $4 without more rights. It is at \$$2 ($3)."
    fi
    return 0
}
