# Storages are folders of the settings. Where a job expects one, a link is made if that place may be written.
__ty_storage() { # name, variable, folder, place
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
    if [[ $3 -ef $4 ]]; then
        return 0
    fi
    if [[ -e $4 || -L $4 ]]; then
        __ty_tell "[ERROR] STEP CAUSE storage-place $1"
        printf 'trainyard: %s\n' "The storage '$1' ($3) cannot be found at $4: something else is there. Use another mountPath, or \$$2." >&2
        exit 1
    fi
    if ! { mkdir -p -- "${4%/*}" && ln -s -- "$3" "$4"; } 2>/dev/null && [[ ! $3 -ef $4 ]]; then
        __ty_say "The storage '$1' cannot be shown at $4 without more rights. It is at \$$2 ($3)."
    fi
    return 0
}
