// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/launchplan.h"
#include "model/base/shellquote.h"
#include "model/protocol/plugins.h"
#include "model/template/pluginsteps.h"

namespace trainyard::launch
{

namespace
{

// OpenPAI's header: any failing command, unset variable or failing part of a pipeline ends the task.
const QByteArray shebang = "#!/bin/bash\n";
const QByteArray userHeader = "set -o errexit -o nounset -o pipefail\n";

// Runs the steps. Each has a bash of its own, which reads its text from a pipe (never from an argument, an environment
// or a file: it may hold secrets; a here-document would be written to a file when it is long). What it exported comes
// back through a second pipe, since a later step and the user's commands go on with it. Descriptor 97 has the text, 98
// takes the exports, 99 is the task's output. The output of steps goes where the user's goes, and a copy of it into
// runtime.log, which also tells when each began and how it ended. The keeper writes that file: it gives the script the
// word __ty_mark, and the script puts marks into its two outputs (engine/agent/stepoutput.h). The mark on standard
// error goes first. Without the word, as when the script is run by hand, it writes only its own lines, into the try's
// folder if there is one.
//
// A step whose failure is ignored goes on behind a command that fails; the first one's status is what it failed with.
//
// Only what a step has changed comes back ("NAME=VALUE", or "-NAME" when it is not exported any more): bash reads a
// pipe byte by byte, and a task of a gang has some variables for each of its peers. Of exported functions, which are
// few, all come back ("()NAME=DEFINITION"), after the names of those that the step began with ("-BASH_FUNC_NAME%%"). In
// a strict job nothing comes back from a step with commands. `[` and not `[[` compares, since options (nocasematch)
// change the latter.
//
// A step's text is on the first line of what its bash runs (__ty_run), so that bash names the lines of the step's own
// text in what it says ("eval: line 3"), and a quotation that is not closed ends nothing but the step. The option that
// every text begins with takes no line either.
//
// The reader stops at the mark "=<status>", not at the end of the pipe: what a step leaves running in the background
// keeps the pipe open. Nothing here may depend on options of the user's: the dump sets what it needs.
const QByteArray stepRunner = R"BASH(
__ty_marks=0
[[ -z ${__ty_mark-} ]] || export -n __ty_mark
__ty_child='
[[ -z ${__ty_mark-} ]] || export -n __ty_mark
[[ -n ${__ty_dumped-} ]] || mapfile -d "" -t __ty_was 2>/dev/null </proc/self/environ || for __ty_n in $(compgen -e); do
    __ty_was+=("$__ty_n=${!__ty_n-}")
done
__ty_dump() {
    local __ty_s=$? IFS=$'"'"'\n'"'"' __ty_n __ty_e
    local -
    set +o errexit +o nounset +o xtrace +o verbose -o noglob
    [[ -z ${__ty_dumped-} ]] || return "$__ty_s"
    __ty_dumped=1
    local -a __ty_names=($(compgen -e)) __ty_fns=($(declare -Fx))
    local -A __ty_now=()
    for __ty_n in "${__ty_names[@]}"; do
        __ty_now[$__ty_n]=1
    done
    {
        for __ty_e in "${__ty_was[@]}"; do
            __ty_n=${__ty_e%%=*}
            if [[ -z $__ty_n || -z ${__ty_now[$__ty_n]-} ]]; then
                printf "%s\0" "-$__ty_n"
            else
                [ "$__ty_n=${!__ty_n-}" = "$__ty_e" ] || printf "%s=%s\0" "$__ty_n" "${!__ty_n-}"
                __ty_now[$__ty_n]=
            fi
        done
        for __ty_n in "${__ty_names[@]}"; do
            [[ -z ${__ty_now[$__ty_n]} ]] || printf "%s=%s\0" "$__ty_n" "${!__ty_n-}"
        done
        for __ty_n in "${__ty_fns[@]##* }"; do
            printf "()%s=" "$__ty_n"
            declare -f "$__ty_n"
            printf "\0"
        done
    } >&98
    return "$__ty_s"
}
trap "{ __ty_dump; } 2>/dev/null" EXIT
'
__ty_run='eval "$1"; shift; eval "exec 97<&-; $(</dev/fd/97)"; { __ty_dump; exit "${__ty_failed:-$?}"; } 2>/dev/null'
__ty_log() {
    local __ty_t=${2//[$'\n\r']/ }
    if [[ -n ${__ty_mark-} ]]; then
        ((++__ty_marks))
        printf '\036%s%s%d\n' "$__ty_mark" "${3-I}" "$__ty_marks" >&2
        printf '\036%s%s%d %s %s\n' "$__ty_mark" "${3-I}" "$__ty_marks" "$1" "${__ty_t:0:900}"
        return 0
    fi
    [[ -n ${TRAINYARD_TASK_FOLDER-} ]] || return 0
    { printf '[%(%a %b %e %H:%M:%S %Z %Y)T] [%s] %s\n' -1 "$1" "$__ty_t" >>"$TRAINYARD_TASK_FOLDER/runtime.log"; } 2>/dev/null
    return 0
}
__ty_carry() {
    local __ty_e __ty_n
    for __ty_e in "$@"; do
        __ty_n=${__ty_e#-}
        __ty_n=${__ty_n%%=*}
        case $__ty_n in
            "()__ty_"*) continue ;;
            BASH_FUNC_*%%)
                __ty_n=${__ty_n#BASH_FUNC_}
                unset -f "${__ty_n%%%%}" 2>/dev/null
                continue
                ;;
            "()"*)
                eval "${__ty_e#*=}" 2>/dev/null && export -f "${__ty_n#??}" 2>/dev/null
                continue
                ;;
        esac
        [[ $__ty_n =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || continue
        case $__ty_n in
            _ | SHLVL | PWD | OLDPWD | BASHOPTS | SHELLOPTS | __ty_*) continue ;;
        esac
        if [[ $__ty_e == -* ]]; then
            unset "$__ty_n" 2>/dev/null
        elif [[ ! -v $__ty_n || ${!__ty_n} != "${__ty_e#*=}" ]]; then
            export "$__ty_e" 2>/dev/null
        fi
    done
    return 0
}
__ty_step() {
    local __ty_status=1 __ty_e __ty_watch=
    [[ $3 != strict* ]] || __ty_watch='__ty_dumped=1;'
    [[ $3 != *ignore ]] || __ty_watch+='trap "__ty_failed=\${__ty_failed:-\$?}" ERR;'
    local -a __ty_env=()
    __ty_log trainyard "[INFO] $1 begins: $2" B
    while IFS= read -r -d '' __ty_e; do
        if [[ $__ty_e == =* ]]; then
            __ty_status=${__ty_e#=}
            break
        fi
        __ty_env+=("$__ty_e")
    done < <(
        exec 97< <(printf '%s' "${4/#set ?o errexit$'\n'/${4:0:14}; }") 98>&1 1>&99 </dev/null
        if [[ $4 == *'__ty_tell() {'* ]]; then export __ty_mark; else exec 99>&-; fi
        "$BASH" -c "$__ty_run" "$BASH" "$__ty_watch$__ty_child"
        printf '=%d\0' "$?" >&98
    )
    [[ ${#__ty_env[@]} -eq 0 ]] || __ty_carry "${__ty_env[@]}"
    if [[ $__ty_status != 0 && $3 == *ignore ]]; then
        __ty_log trainyard "[WARNING] $1 failed with $__ty_status, which its failurePolicy ignores: $2" E
    else
        __ty_log trainyard "[INFO] $1 ended with $__ty_status: $2" E
    fi
    if [[ $__ty_status != 0 && $3 == strict-fail ]]; then
        __ty_log trainyard "[ERROR] STRICT STEP FAILED $1 $__ty_status $2"
        exit "$__ty_status"
    fi
    if [[ $__ty_status != 0 && $3 == fail ]]; then
        __ty_log trainyard "[ERROR] STEP FAILED $1 $__ty_status $2"
        exit "$__ty_status"
    fi
}
exec 99>&1
)BASH";

const QByteArray stepRunnerEnd
    = "exec 99>&-\nunset -f __ty_log __ty_carry __ty_step\nunset __ty_mark __ty_marks\nunset __ty_child __ty_run\n";

// Runs the commands in a bash of their own, from descriptor 97. The text before them is on their first line, so that
// bash names the lines of the commands, and a link to the descriptor gives it a name that says whose they are.
const QByteArray commandsRunner = R"BASH(    exec 99>&-
    unset -f __ty_log __ty_carry __ty_step
    __ty_text=${TRAINYARD_TASK_FOLDER-}/commands
    [[ -z ${TRAINYARD_TASK_FOLDER-} ]] || ln -s /dev/fd/97 "$__ty_text" 2>/dev/null
    [[ $__ty_text -ef /dev/fd/97 ]] || __ty_text=/dev/fd/97
    exec "$BASH" "$__ty_text"
)
)BASH";

QByteArray bytesOf(const QString &text)
{
    QByteArray bytes = text.toUtf8();
    bytes.replace('\0', ""); // bash drops them too, but complains
    return bytes;
}

QByteArray withNewline(QByteArray text)
{
    if (!text.endsWith('\n')) {
        text += '\n';
    }
    return text;
}

// In a strict job only what our plugins set reaches later steps, and a failed step fails the task.
QByteArray stepCall(const char *phase, const PluginScript &step, bool strict)
{
    const bool isCommands = step.plugin == QLatin1StringView("cmd");
    const bool ignore = step.failurePolicy == FailurePolicy::Ignore;
    return QByteArray("__ty_step ") + phase + ' ' + shellQuote(bytesOf(step.name))
        + (strict && isCommands ? " strict-" : " ") + (ignore ? "ignore " : "fail ") + shellQuote(bytesOf(step.script))
        + '\n';
}

// After a failure of the commands the task, its allocation and what the commands left on the disk are kept for
// inspection.
QByteArray holdText(int minutes)
{
    return "if [[ $__ty_status != 0 ]]; then\n    __ty_hold=$((SECONDS + " + QByteArray::number(minutes * 60)
        + "))\n"
          "    printf -v __ty_until '%(%s)T' -1\n"
          "    __ty_log trainyard \"[INFO] HELD OPEN $__ty_status $((__ty_until + "
        + QByteArray::number(minutes * 60)
        + "))\"\n"
          "    printf 'trainyard: The commands ended with %s. The task is held open for "
        + QByteArray::number(minutes) + (minutes == 1 ? " minute" : " minutes")
        + ": look at it with trainyardctl exec, or stop the job.\\n' \"$__ty_status\" >&2\n"
          "    while ((SECONDS < __ty_hold)) && [[ ! -e ${TRAINYARD_TASK_FOLDER-}/release ]]; do\n        sleep 1\n    "
          "done\n"
          "fi\n";
}

QByteArray programText(const ComposedRole &role, int holdMinutes, bool strict)
{
    const QByteArray user = withNewline(bytesOf(role.userScript));
    if (role.before.isEmpty() && role.after.isEmpty() && holdMinutes == 0) {
        // It takes no line: bash names the lines of the commands as the job has them.
        return userHeader.trimmed() + "; " + user;
    }
    QByteArray text = shebang + stepRunner.mid(1);
    if (!role.before.isEmpty()) {
        text += "__ty_log openpai-runtime '[INFO] Starting to exec precommands'\n";
        for (const PluginScript &step : role.before) {
            text += stepCall("before", step, strict);
        }
        text += "__ty_log openpai-runtime '[INFO] Precommands finished'\n";
    }
    if (role.after.isEmpty() && holdMinutes == 0) {
        // Nothing is left to do afterwards, so the user's commands take over this bash. That they have succeeded is
        // the keeper's to say: they may `exec` a program or set a trap.
        return text + "__ty_log openpai-runtime '[INFO] USER COMMAND START' X\n" + stepRunnerEnd + userHeader + user;
    }
    text += "__ty_log openpai-runtime '[INFO] USER COMMAND START'\n";
    text += "(\n    exec 97< <(printf '%s' " + shellQuote("exec 97<&-; " + userHeader.trimmed() + "; " + user) + ")\n"
        + commandsRunner + "__ty_status=$?\n" + (holdMinutes > 0 ? holdText(holdMinutes) : QByteArray())
        + "[[ $__ty_status == 0 ]] || exit \"$__ty_status\"\n" + "__ty_log openpai-runtime '[INFO] USER COMMAND END'\n";
    for (const PluginScript &step : role.after) {
        text += stepCall("after", step, strict);
    }
    return text;
}

} // namespace

RoleProgram programOf(const ComposedRole &filled, const ComposedRole &masked, int holdMinutes, bool strict)
{
    RoleProgram program;
    program.script = programText(filled, holdMinutes, strict);
    program.masked = programText(masked, holdMinutes, strict);
    program.usesSecret = filled.usesSecret || masked.usesSecret;
    program.hasSteps = !filled.before.isEmpty() || !filled.after.isEmpty() || holdMinutes > 0;
    program.prerequisites = filled.prerequisiteOrder;
    return program;
}

namespace
{

QString assigned(const char *variable, const QByteArray &value)
{
    return QString::fromUtf8(QByteArray("__ty_") + variable + '=' + shellQuote(value) + '\n');
}

// The variables of this run for the steps of plugins.
ComposedRole completed(const JobSpec &job, ComposedRole role, const PluginContext &context, bool isMasked)
{
    for (PluginScript &step : role.before) {
        if (step.plugin != QLatin1StringView("ssh")) {
            continue;
        }
        QByteArray peers;
        for (const SshPeer &peer : context.peers) {
            const QString alias = peer.alias.isEmpty() ? QStringLiteral("-") : peer.alias;
            peers += QStringList{peer.name, alias, peer.address, QString::number(peer.port), peer.user}
                         .join(QLatin1Char(' '))
                         .toUtf8()
                + '\n';
        }
        step.usesSecret = true;
        role.usesSecret = true;
        step.script.prepend(assigned("ssh_key", isMasked ? maskedText().toUtf8() : context.sshPrivateKey.trimmed())
            + assigned("ssh_problem", context.sshProblem.toUtf8())
            + assigned("ssh_public", context.sshPublicKey.trimmed()) + assigned("ssh_peers", peers.trimmed()));
    }
    if (const QString text = storagesStep(storagesOf(job), context.storages); !text.isEmpty()) {
        role.before.prepend({QStringLiteral("storages"), QStringLiteral("set -o errexit\n") + text, FailurePolicy::Fail,
            false, QStringLiteral("storages")});
    }
    if (!context.environment.isEmpty()) {
        role.before.prepend({QStringLiteral("environment"),
            QStringLiteral("set -o errexit\n") + environmentStep(context.environment, context.environmentSetBy),
            FailurePolicy::Fail, false, QStringLiteral("environment")});
    }
    if (const QString text = modulesStep(context.modules, context.modulesSetBy); !text.isEmpty()) {
        role.before.prepend({QStringLiteral("modules"), QStringLiteral("set -o errexit\n") + text, FailurePolicy::Fail,
            false, QStringLiteral("modules")});
    }
    return role;
}

} // namespace

QList<SshPeer> sshPeers(const JobSpec &job, const QList<TaskPlacement> &placements,
    const std::function<QString(const TaskPlacement &)> &userOf)
{
    QHash<QString, int> spellings;
    for (const TaskRole &role : job.taskRoles) {
        ++spellings[role.name];
        if (squeezedRoleName(role.name) != role.name) {
            ++spellings[squeezedRoleName(role.name)];
        }
    }
    QList<SshPeer> peers;
    for (const TaskPlacement &placement : placements) {
        SshPeer peer;
        for (const auto &[label, numbers] : placement.ports) {
            if (label == QLatin1StringView("ssh") && !numbers.isEmpty()) {
                peer.port = numbers.first();
            }
        }
        const QString number = QLatin1Char('-') + QString::number(placement.index);
        const QString squeezed = squeezedRoleName(placement.role);
        peer.name = placement.role + number;
        if (squeezed != placement.role && !squeezed.isEmpty() && spellings.value(squeezed) == 1) {
            peer.alias = squeezed + number;
        }
        peer.address = placement.address;
        peer.user = userOf(placement);
        if (peer.port > 0 && !peer.address.isEmpty() && !peer.user.isEmpty()) {
            peers.append(peer);
        }
    }
    return peers;
}

Result<RoleProgram> programOf(const JobSpec &job, const TaskRole &role, const PluginContext &context)
{
    const Result<ComposedRole> filled = composeRole(job, role, {.fillSecrets = true, .strict = isStrict(job)});
    if (!filled) {
        return tl::unexpected(filled.error());
    }
    const Result<ComposedRole> masked = composeRole(job, role, {.strict = isStrict(job)});
    if (!masked) {
        return tl::unexpected(masked.error());
    }
    return programOf(completed(job, *filled, context, false), completed(job, *masked, context, true),
        holdMinutesOf(job), isStrict(job));
}

} // namespace trainyard::launch
