# A clone beside its place, then renamed into it: nobody ever sees half of one, and tasks of one work folder can all
# ask for the same.
__ty_git_cause() {
    case $(<"$1") in
        *'Permission denied'* | *'Authentication failed'* | *'could not read Username'* | *'could not read Password'* | *'terminal prompts disabled'* | *'Host key verification failed'* | *'403'*)
            echo git-login ;;
        *'Repository not found'* | *'does not exist'* | *'does not appear to be a git repository'* | *'not found'*)
            if [[ $(<"$1") == *'Remote branch'* || $(<"$1") == *'Could not find remote branch'* ]]; then
                echo git-revision
            else
                echo git-repository
            fi
            ;;
        *'Could not resolve host'* | *'unable to access'* | *'timed out'* | *'Connection re'* | *'early EOF'* | *'RPC failed'* | *'hung up'*)
            echo git-network ;;
        *'No space left'* | *'Disk quota'*) echo git-disk ;;
        *) echo git-clone ;;
    esac
}

__ty_git_same() { # the folder holds this very clone already
    [[ -f $1/.git/trainyard-clone && $(<"$1/.git/trainyard-clone") == "$__ty_git_what" ]]
}

__ty_git_place() { # moves the finished clone; another task of the folder may have been first
    if [[ -d $2 && -z $(ls -A -- "$2") ]]; then
        rmdir -- "$2" 2>/dev/null
    fi
    mv -T -- "$1" "$2" 2>/dev/null || __ty_git_same "$2"
}

# The login, again and again, in pieces that are read whole (a pipe gives up to 4096 bytes at once): git asks for it once
# for each server that it talks to, and several of its processes may ask at the same time. The blank line ends what git
# reads of a piece.
__ty_git_feed() {
    local LC_ALL=C __ty_piece
    printf -v __ty_piece 'username=%s\npassword=%s\n\n' "$__ty_git_user" "$__ty_git_password"
    printf -v __ty_piece '%s%*s\n' "$__ty_piece" $((4095 - ${#__ty_piece})) ''
    while printf '%s' "$__ty_piece"; do :; done
}

# An ssh of the user's own stays: it may name the only key that the server takes. What is set for some folders or
# addresses only is known to git alone.
__ty_git_has_ssh() {
    local __ty_given="${__ty_git_options[*]} $__ty_git_settings"
    [[ -n ${GIT_SSH_COMMAND-} || -n ${GIT_SSH-} || ${__ty_given,,} == *core.sshcommand=* ]] \
        || git -C / config --get-regexp '^(core\.sshcommand$|includeif\.)' >/dev/null 2>&1
}

# Runs git. It gets a login through a pipe and settings that have a secret through its environment: nobody sees them
# among its arguments, and nothing of them stays in the clone. Helpers of the user's own would write the login down.
__ty_git_run() {
    local -a __ty_login=()
    local __ty_server
    if [[ ${#__ty_git_servers[@]} != 0 ]]; then
        __ty_login=(-c credential.helper=)
        for __ty_server in "${__ty_git_servers[@]}"; do
            __ty_login+=(-c "credential.$__ty_server.helper=!f() { [ \"\$1\" != get ] || dd bs=4096 count=1 2>/dev/null </dev/fd/96; }; f")
        done
        exec 96< <(__ty_git_feed 2>/dev/null 97<&- 98>&- 99>&-)
    fi
    if [[ -n $__ty_git_settings ]]; then
        local -x GIT_CONFIG_PARAMETERS="${GIT_CONFIG_PARAMETERS:+$GIT_CONFIG_PARAMETERS }$__ty_git_settings"
    fi
    if ! __ty_git_has_ssh; then
        local -x GIT_SSH_COMMAND='ssh -o BatchMode=yes'
    fi
    local __ty_status=0
    # An ssh of the user's own has no BatchMode, and could ask in a window.
    LC_ALL=C GIT_TERMINAL_PROMPT=0 SSH_ASKPASS_REQUIRE=never git "${__ty_login[@]}" "$@" || __ty_status=$?
    if [[ ${#__ty_git_servers[@]} != 0 ]]; then
        exec 96<&-
    fi
    return "$__ty_status"
}

__ty_git() {
    local __ty_to=$__ty_git_folder __ty_part __ty_try __ty_cause=git-clone __ty_what=
    if [[ -z $__ty_to ]]; then
        __ty_to=$(__ty_private code)/repository
    fi
    [[ $__ty_to != '~/'* ]] || __ty_to=$HOME/${__ty_to:2}
    [[ $__ty_to == /* ]] || __ty_to=$PWD/$__ty_to
    while [[ $__ty_to == ?*/ ]]; do
        __ty_to=${__ty_to%/} # else what is cloned beside it would be in it
    done
    if ((${#__ty_git_user} + ${#__ty_git_password} > 1000)) || [[ $__ty_git_user$__ty_git_password == *$'\n'* ]]; then
        __ty_fail 1 git-login "The login in repo_uri has more than 1000 characters, or a line break."
    fi
    type -P git >/dev/null || __ty_fail 127 git-missing "The git plugin needs git, and $HOSTNAME has none."
    if __ty_git_same "$__ty_to"; then
        __ty_say "The repository is in $__ty_to already, and stays as it is."
    else
        if [[ -e $__ty_to && (! -d $__ty_to || -n $(ls -A -- "$__ty_to")) ]]; then
            __ty_fail 1 git-folder "$__ty_to is not an empty folder: nothing is cloned into it."
        fi
        mkdir -p -- "${__ty_to%/*}" || __ty_fail 1 git-folder "$__ty_to cannot be made."
        # Tasks in containers and on other hosts have the same numbers of processes.
        __ty_part=${__ty_to%/*}/.${__ty_to##*/}.${TRAINYARD_TRY:-$HOSTNAME.$BASHPID}.part
        local __ty_said
        __ty_said=$(mktemp) || __ty_fail 1 git-disk "No temporary file can be made."
        # A stop ends git as well, which removes its clone then, but not always: not when it checks out afterwards.
        trap 'rm -rf -- "$__ty_part"; rm -f -- "$__ty_said"; exit 143' TERM INT HUP QUIT USR1 USR2
        for ((__ty_try = 1; ; ++__ty_try)); do
            rm -rf -- "$__ty_part"
            if __ty_git_run clone --quiet "${__ty_git_options[@]}" -- "$__ty_git_uri" "$__ty_part" </dev/null 2>"$__ty_said" \
                && if [[ -n $__ty_git_revision ]]; then
                    __ty_git_run -C "$__ty_part" -c advice.detachedHead=false checkout --quiet "$__ty_git_revision" -- 2>"$__ty_said" || {
                        __ty_cause=git-revision
                        false
                    }
                fi; then
                break
            fi
            cat -- "$__ty_said" >&2
            [[ $__ty_cause == git-revision ]] || __ty_cause=$(__ty_git_cause "$__ty_said")
            rm -rf -- "$__ty_part"
            if [[ $__ty_cause != git-network || $__ty_try -ge 5 ]]; then
                rm -f -- "$__ty_said"
                __ty_fail 1 "$__ty_cause" "The repository was not cloned."
            fi
            sleep $((1 << __ty_try))
        done
        rm -f -- "$__ty_said"
        printf '%s' "$__ty_git_what" >"$__ty_part/.git/trainyard-clone"
        if ! __ty_git_place "$__ty_part" "$__ty_to"; then
            rm -rf -- "$__ty_part"
            __ty_fail 1 git-folder "$__ty_to is not an empty folder: nothing is cloned into it."
        fi
        rm -rf -- "$__ty_part"
        trap - TERM INT HUP QUIT USR1 USR2
        __ty_say "The repository is in $__ty_to."
    fi
    export TRAINYARD_CODE_DIR=$__ty_to
    if [[ -z ${PAI_CODE_DIR-} ]]; then
        export PAI_CODE_DIR=$__ty_to
    fi
}
__ty_git
