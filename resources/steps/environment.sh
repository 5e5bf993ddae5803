# The command that makes the environment of the task: its exports go on to all that follows.
case $__ty_environment in
    'conda '* | 'mamba '*)
        # `activate` is a function of the shell, which only rc files of interactive shells know.
        for __ty_conda in "$(type -P conda)" "${CONDA_EXE-}" "$HOME"/{miniconda3,miniforge3,mambaforge,anaconda3,.conda}/bin/conda /opt/{conda,miniconda3,miniforge3,anaconda3}/bin/conda; do
            if [[ -x $__ty_conda ]]; then
                eval "$("$__ty_conda" shell.bash hook)" || true
                break
            fi
        done
        if ! type conda >/dev/null 2>&1; then
            __ty_fail 127 "environment-of $__ty_environment_set_by" "$HOSTNAME has no conda, which '$__ty_environment' needs."
        fi
        ;;
    'micromamba '*)
        if type -P micromamba >/dev/null; then
            eval "$(micromamba shell hook -s bash)" || true
        fi
        ;;
esac
set +o errexit
eval "$__ty_environment"
__ty_status=$?
set -o errexit
if [[ $__ty_status != 0 ]]; then
    __ty_fail "$__ty_status" "environment-of $__ty_environment_set_by" "'$__ty_environment' ended with status $__ty_status."
fi
