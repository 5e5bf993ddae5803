# The modules of the target: what they export goes on to all that follows.
if ! type module >/dev/null 2>&1; then
    # A function of the shell, which only rc files of login shells know.
    for __ty_init in "${LMOD_PKG:+$LMOD_PKG/init/bash}" "${MODULESHOME:+$MODULESHOME/init/bash}" \
        /etc/profile.d/{00-modulepath,lmod,z00_lmod,modules}.sh /usr/share/{lmod/lmod,modules,Modules}/init/bash; do
        if [[ -n $__ty_init && -r $__ty_init ]]; then
            set +o errexit
            source "$__ty_init" >&2
            set -o errexit
            ! type module >/dev/null 2>&1 || break
        fi
    done
fi
if ! type module >/dev/null 2>&1; then
    __ty_fail 1 "module-command ${__ty_modules[0]}"$'\t'"$__ty_modules_set_by" "$HOSTNAME has no command 'module', which '${__ty_modules[0]}' needs."
fi
__ty_said=$(mktemp) || __ty_fail 1 "module-disk $__ty_modules_set_by" "No temporary file can be made."
for __ty_module in "${__ty_modules[@]}"; do
    set +o errexit
    module load "$__ty_module" 2>"$__ty_said"
    __ty_status=$?
    set -o errexit
    __ty_text=$(<"$__ty_said")
    [[ -z $__ty_text ]] || printf '%s\n' "$__ty_text" >&2
    # Versions before 4 of Environment Modules end with 0 whatever happens.
    if [[ $__ty_status != 0 || $__ty_text == *':ERROR:'* ]]; then
        rm -f -- "$__ty_said"
        __ty_fail 1 "module $__ty_module"$'\t'"$__ty_modules_set_by" "The module '$__ty_module' was not loaded on $HOSTNAME."
    fi
done
rm -f -- "$__ty_said"
