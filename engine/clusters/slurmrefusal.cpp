// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmrefusal.h"

#include "engine/contract/slurmcommand.h"

#include <QStringList>

#include <algorithm>
#include <initializer_list>

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

bool isBeforeSubmission(const QByteArray &said)
{
    const QString text = QString::fromUtf8(said);
    const auto saysOneOf = [&text](std::initializer_list<QLatin1StringView> words) {
        return std::any_of(words.begin(), words.end(),
            [&text](QLatin1StringView word) { return text.contains(word, Qt::CaseInsensitive); });
    };
    // With one of these it may have been sent before.
    if (saysOneOf({"timed out"_L1, "Zero Bytes"_L1, "receive failure"_L1, "send failure"_L1, "Connection reset"_L1,
            "retrying"_L1, "Submitted"_L1})) {
        return saysOneOf({"fatal: Could not establish a configuration source"_L1,
            "fatal: Unable to process configuration file"_L1, "fatal: Unable to process slurm.conf"_L1});
    }
    return saysOneOf({"Could not establish a configuration source"_L1, "Unable to process configuration file"_L1,
        "Unable to process slurm.conf"_L1, "(connect failure)"_L1});
}

bool isUnconfigured(const QByteArray &said)
{
    return contract::isSlurmUnconfigured({said.constData(), std::size_t(said.size())});
}

Error whyNoAnswer(const QString &program, const SlurmCommands::Answer &answer)
{
    using Kind = SlurmCommands::Answer::Kind;
    constexpr int notExecutable = 126, notFound = 127; // of a shell, and of the loader that lacks a library
    const bool isRunnable = answer.kind != Kind::Done || (answer.status != notExecutable && answer.status != notFound);
    QString detail = refusal(answer.errors.trimmed().isEmpty() ? answer.out : answer.errors);
    if (!isRunnable && detail.isEmpty()) {
        detail = u"status %1"_s.arg(answer.status);
    }
    return {answer.kind == Kind::Away       ? u"slurm.login-away"_s
            : answer.kind == Kind::Missing  ? u"slurm.no-commands"_s
            : !isRunnable                   ? u"slurm.not-runnable"_s
            : isUnconfigured(answer.errors) ? u"slurm.unconfigured"_s
                                            : u"slurm.silent"_s,
        {{u"program"_s, program}, {u"detail"_s, detail}}};
}

QString waitAfter(Refusal refusal, const QByteArray &said, bool isBehindLogin)
{
    return refusal != Refusal::Silent            ? u"wait.slurm-submit-limit"_s
        : !isBehindLogin && isUnconfigured(said) ? u"wait.slurm-unconfigured"_s
                                                 : u"wait.slurm-silent"_s;
}

Refusal refusalKind(const QString &refusal)
{
    struct Known {
        const char *words;
        Refusal kind;
    };
    // The first that is in it. A word of the limit says more than the sentence that it comes with.
    static constexpr Known known[] = {
        {"Unable to contact", Refusal::Silent},
        {"timed out", Refusal::Silent},
        {"Connection refused", Refusal::Silent},
        {"temporarily un", Refusal::Silent}, // "able to accept job", "available"
        {"try again", Refusal::Silent},
        {"Zero Bytes were transmitted", Refusal::Silent},
        {"Communication connection failure", Refusal::Silent},
        {"Unable to establish", Refusal::Silent},
        // This computer does not find the cluster, or not what says where it is.
        {"configuration source", Refusal::Silent},
        {"Unable to process", Refusal::Silent}, // "configuration file", "slurm.conf file"
        {"slurm.conf", Refusal::Silent}, // "No ... found", "can't find address for host ..., check ..."
        {"Unable to resolve", Refusal::Silent},
        {"getaddrinfo", Refusal::Silent},
        {"Name or service not known", Refusal::Silent},
        {"name resolution", Refusal::Silent},
        {"No clusters can be reached", Refusal::Silent},
        {"No route to host", Refusal::Silent},
        {"is unreachable", Refusal::Silent}, // "Network"
        {"Connection reset", Refusal::Silent},
        {"standby mode", Refusal::Silent},
        {"munge", Refusal::Silent},
        {"authentication error", Refusal::Silent},
        {"authentication credential", Refusal::Silent},
        // The controller cannot keep the job: its disk is full, or it does not find the user for a moment.
        {"I/O error writing", Refusal::Silent}, // "script/environment to file"
        {"Invalid user id", Refusal::Silent},
        // The command could not do its work on this computer.
        {"Cannot allocate memory", Refusal::Silent},
        {"Too many open files", Refusal::Silent},
        {"No space left on device", Refusal::Silent},
        {"Disk quota exceeded", Refusal::Silent},
        {"Stale file handle", Refusal::Silent},
        {"Input/output error", Refusal::Silent},
        {"shared librar", Refusal::Silent},
        // How many jobs may be there: others of them end.
        {"SubmitJob", Refusal::Limit}, // Assoc..., QOS..., of a user, an account or a group
        {"MaxSubmit", Refusal::Limit},
        {"MaxJobs", Refusal::Limit},
        {"GrpJobs", Refusal::Limit},
        {"Required partition not available", Refusal::Limit},
        {"Requested nodes are busy", Refusal::Limit},
        {"Required node not available", Refusal::Limit}, // "(down, drained or reserved)"
        {"job array", Refusal::Array},
        // The limits of a single job, which do not change.
        {"MaxWall", Refusal::Final},
        {"MaxTime", Refusal::Final},
        {"PerJob", Refusal::Final},
        {"PerNode", Refusal::Final},
        {"MinGRES", Refusal::Final},
        {"MinCpu", Refusal::Final},
        {"MaxCpu", Refusal::Final},
        {"MaxNode", Refusal::Final},
        {"MaxGRES", Refusal::Final},
        {"MaxMem", Refusal::Final},
        {"MaxTRES", Refusal::Final},
        {"MaxBilling", Refusal::Final},
        {"AssocGrp", Refusal::Final}, // sbatch says it only of what alone is more than all may have
        {"QOSGrp", Refusal::Final},
        {"not permitted", Refusal::Final},
        {"Invalid", Refusal::Final},
        // Which of all of these, older versions do not say.
        {"accounting/QOS policy", Refusal::Unclear},
        // In the words of a site.
        {"array", Refusal::Array},
    };
    for (const Known &each : known) {
        if (refusal.contains(QLatin1StringView(each.words), Qt::CaseInsensitive)) {
            return each.kind;
        }
    }
    return Refusal::Final;
}

Refusal refusalOf(int status, const QString &refusal)
{
    constexpr int firstOfShells = 126; // it could not be run, and above 128, a signal has ended it
    const bool isUnheard = status <= 0 || status >= firstOfShells || refusal.isEmpty();
    return isUnheard ? Refusal::Silent : refusalKind(refusal);
}

bool isFinal(Refusal kind, int refusals, bool hasOthers)
{
    constexpr int mostUnclear = 6; // about five minutes
    return kind == Refusal::Final || kind == Refusal::Array
        || (kind == Refusal::Unclear && !hasOthers && refusals >= mostUnclear);
}

QString refusal(const QByteArray &said)
{
    QString last;
    const QStringList lines = QString::fromUtf8(said).split(u'\n');
    for (const QString &line : lines) {
        QString text = line.trimmed();
        for (const QLatin1StringView head : {"sbatch: "_L1, "error: "_L1, "fatal: "_L1}) {
            if (text.startsWith(head)) {
                text.remove(0, head.size());
            }
        }
        // The last of them follows what is wrong with an option.
        const bool saysNothing = text.startsWith("Batch job submission failed: Unspecified"_L1)
            || text == "Batch job submission failed: No error"_L1 || text.startsWith("Try \"sbatch --help\""_L1);
        // Which of the limits is in the line before, and nothing else.
        const bool saysLimit = text.contains("accounting/QOS policy"_L1) && !last.isEmpty() && !last.contains(u' ');
        if (!text.isEmpty() && (!saysNothing || last.isEmpty())) {
            last = saysLimit ? last + u": "_s + text : text;
        }
    }
    return last;
}

} // namespace trainyard::slurm
