# An sshd of the task's own, run by the user on the task's port, and a client configuration in which the tasks of the
# job have names. The user's own ssh files are read where asked, and never written.
__ty_find_sshd() {
    local __ty_c
    for __ty_c in "$(type -P sshd)" /usr/sbin/sshd /usr/local/sbin/sshd /usr/local/bin/sshd /sbin/sshd; do
        if [[ $__ty_c == /* && -x $__ty_c ]]; then
            printf '%s\n' "$__ty_c"
            return 0
        fi
    done
    return 1
}

__ty_user_keys() {
    local __ty_f
    case $__ty_ssh_user_type in
        system)
            for __ty_f in "$HOME"/.ssh/id_*.pub "$HOME/.ssh/authorized_keys"; do
                [[ -r $__ty_f ]] && cat -- "$__ty_f" && echo
            done
            ;;
        custom) ;;
        *) return 0 ;;
    esac
    if [[ $__ty_ssh_user_key == /* && -r $__ty_ssh_user_key ]]; then
        printf '%s\n' "$(<"$__ty_ssh_user_key")"
    elif [[ $__ty_ssh_user_secret != 1 ]]; then
        printf '%s\n' "$__ty_ssh_user_key"
    fi
    return 0
}

# A key of the user's that is a secret: descriptor 96 becomes a file in memory that has no name any more. sshd opens it
# through /proc for each login.
__ty_secret_key() {
    [[ $__ty_ssh_user_secret == 1 && -n $__ty_ssh_user_key && $__ty_ssh_user_key != /* && -n $__ty_ssh_user_type ]] || return 1
    local __ty_f
    if [[ $(stat -f -c %T /dev/shm 2>/dev/null) != tmpfs ]] || ! __ty_f=$(mktemp /dev/shm/trainyard-key.XXXXXX 2>/dev/null); then
        __ty_say "The key of userssh is a secret, and $HOSTNAME has no /dev/shm in memory to keep it in: it lets nobody in."
        return 1
    fi
    exec 96<>"$__ty_f"
    rm -f -- "$__ty_f"
    printf '%s\n' "$__ty_ssh_user_key" >&96
}

# For every shell. What bash's %q writes for letters beyond ASCII, many do not read.
__ty_quoted() {
    local __ty_quote="'\\''" __ty_t
    __ty_t=${1//\'/$__ty_quote}
    printf "'%s'" "$__ty_t"
}

# What a login runs: the task's environment, umask and work folder, then what was asked for. sshd is for the user alone,
# and would have the files of a login so, too.
__ty_write_session() {
    printf '#!/usr/bin/env bash\numask %s\n' "$__ty_mask" >"$1/session"
    cat >>"$1/session" <<'__TY_END'
read -r __ty_server <"${0%/*}/server.pid"
while IFS= read -r -d '' __ty_e; do
    case $__ty_e in
        SSH_* | TERM=* | SHLVL=* | PWD=* | OLDPWD=* | _=* | BASH_FUNC_*) continue ;;
    esac
    [[ ${__ty_e%%=*} =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] && export "$__ty_e" 2>/dev/null
done <"/proc/$__ty_server/environ"
cd -- "${PAI_WORK_DIR:-$HOME}" 2>/dev/null || cd
unset __ty_server __ty_e
case ${SSH_ORIGINAL_COMMAND-} in
    '')
        [[ -t 0 ]] && exec bash -i
        exec bash
        ;;
    internal-sftp*)
        for __ty_s in /usr/lib/openssh/sftp-server /usr/libexec/openssh/sftp-server /usr/lib/ssh/sftp-server /usr/libexec/sftp-server; do
            [[ -x $__ty_s ]] && exec "$__ty_s"
        done
        echo "trainyard: this host has no sftp-server" >&2
        exit 127
        ;;
esac
exec bash -c "$SSH_ORIGINAL_COMMAND"
__TY_END
    chmod 700 "$1/session"
}

# Everything before `Match all` holds for the tasks of the job alone.
__ty_write_client() {
    local __ty_name __ty_alias __ty_address __ty_port __ty_user
    local __ty_escaped=${1//%/%%} __ty_program __ty_real
    printf 'tasks %s\n' "$__ty_ssh_public" >"$1/known_hosts"
    while read -r __ty_name __ty_alias __ty_address __ty_port __ty_user; do
        [[ -n $__ty_user ]] || continue
        [[ $__ty_alias == - ]] && __ty_alias=
        printf 'Host %s\n    HostName %s\n    Port %s\n    User %s\n' \
            "$__ty_name $__ty_alias" "$__ty_address" "$__ty_port" "$__ty_user"
        printf '    %s\n' "IdentityFile \"$__ty_escaped/key\"" 'IdentitiesOnly yes' 'IdentityAgent none' \
            "UserKnownHostsFile \"$__ty_escaped/known_hosts\"" 'GlobalKnownHostsFile /dev/null' 'HostKeyAlias tasks' \
            'StrictHostKeyChecking yes' 'UpdateHostKeys no' 'PasswordAuthentication no' 'KbdInteractiveAuthentication no' \
            'ControlMaster no' 'ControlPath none' 'ProxyCommand none' 'ForwardX11 no' 'ForwardAgent no' 'LogLevel ERROR' \
            'RequestTTY auto' 'PermitLocalCommand no'
    done <<<"$__ty_ssh_peers" >"$1/config"
    printf 'Match all\nInclude "%s/.ssh/config"\nInclude /etc/ssh/ssh_config\n' "$HOME" >>"$1/config"
    mkdir -p -- "$1/bin"
    for __ty_program in ssh scp sftp; do
        __ty_real=$(type -P "$__ty_program") || continue
        printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$(__ty_quoted "$__ty_real")" "$(__ty_quoted "$1/config")" >"$1/bin/$__ty_program"
        chmod 700 "$1/bin/$__ty_program"
    done
    export PATH="$1/bin:$PATH" TRAINYARD_SSH_CONFIG_FILE="$1/config"
    # MPICH gives each process the environment of the task that starts it: with its index, and with its GPUs. It is
    # called back under the name of the host, which others need not know, unless it has an interface.
    export HYDRA_ENV="${HYDRA_ENV-none}"
    if [[ -z ${HYDRA_IFACE-} ]] && read -r _ __ty_name _ < <(ip -o address show to "${PAI_CONTAINER_HOST_IP-}" 2>/dev/null); then
        export HYDRA_IFACE="$__ty_name"
    fi
    # In an allocation of Slurm, MPI would start by srun, and know nodes only: not the tasks by their names.
    if [[ -n ${SLURM_JOB_ID-} ]]; then
        export OMPI_MCA_plm="${OMPI_MCA_plm-^slurm}" OMPI_MCA_ras="${OMPI_MCA_ras-^slurm}" \
            PRTE_MCA_plm="${PRTE_MCA_plm-^slurm}" PRTE_MCA_ras="${PRTE_MCA_ras-^slurm}" \
            HYDRA_BOOTSTRAP="${HYDRA_BOOTSTRAP-ssh}" HYDRA_RMK="${HYDRA_RMK-user}" I_MPI_HYDRA_BOOTSTRAP="${I_MPI_HYDRA_BOOTSTRAP-ssh}"
    fi
}

__ty_write_server() {
    local __ty_escaped=${1//%/%%} __ty_listen=0.0.0.0
    { if [[ $__ty_ssh_job == 1 ]]; then printf '%s\n' "$__ty_ssh_public"; fi; __ty_user_keys; } >"$1/authorized_keys"
    if [[ ${PAI_CONTAINER_HOST_IP-} == 127.* ]]; then
        __ty_listen=127.0.0.1
    fi
    printf '%s\n' "Port $PAI_CONTAINER_SSH_PORT" "ListenAddress $__ty_listen" "HostKey \"$1/key\"" \
        "ForceCommand $(__ty_quoted "$1/session")" 'PidFile none' 'UsePAM no' \
        'StrictModes no' 'PermitRootLogin prohibit-password' 'PubkeyAuthentication yes' 'PasswordAuthentication no' \
        'KbdInteractiveAuthentication no' 'X11Forwarding no' 'PrintMotd no' 'Subsystem sftp internal-sftp' \
        'MaxStartups 1000' 'MaxSessions 1000' 'LogLevel INFO' >"$1/sshd_config"
    # A bash that believes to be a nested one reads no rc file: those are slow, and may wait for a lock.
    printf 'SetEnv SHLVL=9\n' >>"$1/sshd_config"
    if ! "$2" -t -f "$1/sshd_config" 2>/dev/null; then
        sed -i '/^SetEnv/d' "$1/sshd_config" # of an sshd before 7.8
    fi
}

# The supervisor stays: sessions read the task's environment from it, since sshd overwrites its own.
__ty_start_server() {
    local __ty_secret=
    if __ty_secret_key; then
        __ty_secret=1
    fi
    "$BASH" -c '
        trap "" HUP
        __ty_keys="AuthorizedKeysFile \"${2//%/%%}/authorized_keys\""
        if [[ -n $3 ]]; then
            __ty_keys+=" \"/proc/$$/fd/96\""
        fi
        printf "%s\n" "$__ty_keys" >>"$2/sshd_config"
        printf "%s\n" "$$" >"$2/server.pid.new"
        mv -f -- "$2/server.pid.new" "$2/server.pid"
        "$1" -D -f "$2/sshd_config" -E "$2/sshd.log"
        exit $?' trainyard-sshd "$1" "$2" "$__ty_secret" </dev/null >/dev/null 2>&1 97<&- 98>&- 99>&- &
    local __ty_pid=$! __ty_i
    if [[ -n $__ty_secret ]]; then
        exec 96<&-
    fi
    for ((__ty_i = 0; __ty_i < 300; ++__ty_i)); do
        if [[ -s $2/server.pid ]] && __ty_answers 127.0.0.1 "$PAI_CONTAINER_SSH_PORT"; then
            return 0
        fi
        kill -0 "$__ty_pid" 2>/dev/null || break
        sleep 0.05
    done
    sed 's/^/trainyard: sshd: /' "$2/sshd.log" >&2
    return 1
}

__ty_greets() { # an sshd answers at this address and port
    local __ty_line=
    { exec 3<>"/dev/tcp/$1/$2" && read -r -t 5 __ty_line <&3; } 2>/dev/null
    exec 3<&- 2>/dev/null
    [[ $__ty_line == SSH-* ]]
}

# Every task has begun, and one task of each address lets this one in.
__ty_barrier() {
    local __ty_line __ty_name __ty_alias __ty_address __ty_port __ty_user __ty_end=$((SECONDS + __ty_ssh_seconds))
    local -a __ty_pending=() __ty_left=()
    local -A __ty_tried=()
    while read -r __ty_line; do
        [[ -n $__ty_line ]] && __ty_pending+=("$__ty_line")
    done <<<"$__ty_ssh_peers"
    while true; do
        __ty_left=()
        for __ty_line in "${__ty_pending[@]}"; do
            read -r __ty_name __ty_alias __ty_address __ty_port __ty_user <<<"$__ty_line"
            if ! (__ty_greets "$__ty_address" "$__ty_port"); then
                __ty_left+=("$__ty_line")
            elif [[ -z ${__ty_tried[$__ty_address]-} ]]; then
                if ssh -o ConnectTimeout=10 "$__ty_name" true </dev/null >/dev/null 2>&1; then
                    __ty_tried[$__ty_address]=1
                else
                    __ty_left+=("$__ty_line")
                fi
            fi
        done
        if [[ ${#__ty_left[@]} == 0 ]]; then
            return 0
        fi
        if ((SECONDS >= __ty_end)); then
            break
        fi
        __ty_pending=("${__ty_left[@]}")
        sleep 0.5
    done
    __ty_fail 10 ssh-barrier "ssh does not reach ${#__ty_left[@]} of the job's tasks, the first is ${__ty_left[0]%% *}. Waited $__ty_ssh_seconds s."
}

__ty_ssh() {
    local __ty_server __ty_folder
    if [[ -z $__ty_ssh_key || -z ${PAI_CONTAINER_SSH_PORT-} ]]; then
        local __ty_why="ssh-keygen is missing where the engine runs. Install openssh-client there."
        case $__ty_ssh_problem in
            ssh-key.slow) __ty_why="ssh-keygen did not end within 10 seconds where the engine runs. Is that computer overloaded, or short of random numbers?" ;;
            ssh-key.failed) __ty_why="ssh-keygen failed where the engine runs. Run it there to see why." ;;
        esac
        [[ $__ty_ssh_wait == 1 ]] && __ty_fail 1 ssh-no-key "The job has no ssh key: $__ty_why"
        __ty_say "No ssh between the tasks: $__ty_why"
        return 0
    fi
    if ! __ty_server=$(__ty_find_sshd); then
        [[ $__ty_ssh_wait == 1 ]] && __ty_fail 1 ssh-no-sshd "The ssh plugin needs sshd, and $HOSTNAME has none. Install openssh-server there (its service need not run)."
        __ty_say "No ssh into this task: $HOSTNAME has no sshd. Install openssh-server there (its service need not run)."
        __ty_server=
    fi
    umask 077
    __ty_folder=$(__ty_private ssh)
    printf '%s\n' "$__ty_ssh_key" >"$__ty_folder/key"
    if [[ $__ty_ssh_job == 1 ]]; then
        __ty_write_client "$__ty_folder"
    fi
    [[ -n $__ty_server ]] || return 0
    if [[ $EUID == 0 ]]; then
        mkdir -p -m 755 /run/sshd 2>/dev/null || true # it begins for root only with this folder
    fi
    if ! id -un >/dev/null 2>&1; then
        __ty_fail 1 ssh-start "sshd does not know the user number $EUID, who the task is in its container. Run it in podman, or set containers.dockerAsRoot."
    fi
    __ty_write_session "$__ty_folder"
    __ty_write_server "$__ty_folder" "$__ty_server"
    if ! __ty_start_server "$__ty_server" "$__ty_folder"; then
        __ty_fail 1 ssh-start "sshd does not start on port $PAI_CONTAINER_SSH_PORT."
    fi
    __ty_say "ssh into this task: port $PAI_CONTAINER_SSH_PORT of $HOSTNAME."
    if [[ $__ty_ssh_wait == 1 && $__ty_ssh_job == 1 ]]; then
        __ty_barrier
    fi
}
__ty_mask=$(umask)
__ty_ssh
umask "$__ty_mask"
