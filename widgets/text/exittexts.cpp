// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/exittexts.h"

#include "engine/api/failurefacts.h"
#include "engine/api/reasons.h"
#include "model/runtime/exitrules.h"
#include "widgets/text/causenames.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace trainyard
{

namespace
{

constexpr int unclassified = 255;

enum class Retry { None, Always, Counted, Never };

struct Row {
    int code;
    Retry retry;
    const char *phrase;
    const char *reason;
    const char *advice;
    const char *brief = nullptr; // for a narrow column, where the phrase is long
};

struct ExitTexts {
    Q_DECLARE_TR_FUNCTIONS(ExitTexts)
};

QString translated(const char *text) { return *text ? ExitTexts::tr(text) : QString(); }

// clang-format off
std::span<const Row> rows()
{
    static const Row table[] = {
        {0, Retry::None, QT_TRANSLATE_NOOP("ExitTexts", "Succeeded"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program ended with 0."),
         ""},
        {-100, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Record removed"),
         QT_TRANSLATE_NOOP("ExitTexts", "The record of the attempt was removed from outside."),
         ""},
        {-101, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Gone"),
         QT_TRANSLATE_NOOP("ExitTexts", "The process is gone and left no record, for example because the computer was restarted."),
         ""},
        {-110, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "No answer"),
         QT_TRANSLATE_NOOP("ExitTexts", "The record of the attempt did not appear in time."),
         ""},
        {-111, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "No answer"),
         QT_TRANSLATE_NOOP("ExitTexts", "The container did not appear in time."),
         ""},
        {-120, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Could not start"),
         QT_TRANSLATE_NOOP("ExitTexts", "The task could not be created just then."),
         "",
         QT_TRANSLATE_NOOP("ExitTexts", "Not started")},
        {-200, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Impossible request"),
         QT_TRANSLATE_NOOP("ExitTexts", "No host can ever run this task as it is described."),
         QT_TRANSLATE_NOOP("ExitTexts", "Ask for less, or add a host."),
         QT_TRANSLATE_NOOP("ExitTexts", "Impossible")},
        {-210, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Stopped"),
         QT_TRANSLATE_NOOP("ExitTexts", "The job was stopped by a user."),
         ""},
        {-220, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Job ended"),
         QT_TRANSLATE_NOOP("ExitTexts", "The task was ended because the job had already been decided."),
         ""},
        {-230, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Removed"),
         QT_TRANSLATE_NOOP("ExitTexts", "The task was removed from the job."),
         ""},
        {-300, Retry::Counted, QT_TRANSLATE_NOOP("ExitTexts", "Engine trouble"),
         QT_TRANSLATE_NOOP("ExitTexts", "The task failed without a process that failed; this is an error of the engine."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the engine's log, and report it.")},
        {-310, Retry::Counted, QT_TRANSLATE_NOOP("ExitTexts", "Could not start"),
         QT_TRANSLATE_NOOP("ExitTexts", "The task could not be created, and it is not clear why."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the engine's log."),
         QT_TRANSLATE_NOOP("ExitTexts", "Not started")},
        {-1000, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Pushed out"),
         QT_TRANSLATE_NOOP("ExitTexts", "The host ran short of memory or disk and ended the task."),
         ""},
        {-1001, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Host lost"),
         QT_TRANSLATE_NOOP("ExitTexts", "The host was silent for too long, so what became of the task is not known."),
         QT_TRANSLATE_NOOP("ExitTexts", "Check the network and the host.")},
        {-1002, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Host refused"),
         QT_TRANSLATE_NOOP("ExitTexts", "The host no longer had the room that was planned."),
         ""},
        {-1003, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Pushed out"),
         QT_TRANSLATE_NOOP("ExitTexts", "The task had to make room for one of higher priority."),
         ""},
        {-1004, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Time limit"),
         QT_TRANSLATE_NOOP("ExitTexts", "The task reached its time limit."),
         QT_TRANSLATE_NOOP("ExitTexts", "Raise the limit, or save checkpoints and run again.")},
        {-1005, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Not allowed"),
         QT_TRANSLATE_NOOP("ExitTexts", "The host's rules forbid this task."),
         QT_TRANSLATE_NOOP("ExitTexts", "Ask who looks after the host.")},
        {-1006, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Host refused"),
         QT_TRANSLATE_NOOP("ExitTexts", "The host refused the task because of trouble of its own."),
         ""},
        {-1100, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Never created"),
         QT_TRANSLATE_NOOP("ExitTexts", "The job was accepted but could never be created."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at its events.")},
        {-1300, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Out of memory while preparing"),
         QT_TRANSLATE_NOOP("ExitTexts", "The preparation of the task ran out of memory."),
         "",
         QT_TRANSLATE_NOOP("ExitTexts", "OOM")},
        {-1200, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Out of memory"),
         QT_TRANSLATE_NOOP("ExitTexts", "The task used more memory than it asked for."),
         QT_TRANSLATE_NOOP("ExitTexts", "Raise memoryMB, or use less: smaller batches, fewer workers."),
         QT_TRANSLATE_NOOP("ExitTexts", "OOM")},
        {-1201, Retry::Counted, QT_TRANSLATE_NOOP("ExitTexts", "Container not created"),
         QT_TRANSLATE_NOOP("ExitTexts", "The container could not be created."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the task's runtime log."),
         QT_TRANSLATE_NOOP("ExitTexts", "No container")},
        {-1202, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Not executable"),
         QT_TRANSLATE_NOOP("ExitTexts", "The command to start is not allowed to be executed."),
         QT_TRANSLATE_NOOP("ExitTexts", "Check the permissions of the file.")},
        {-1203, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Not found"),
         QT_TRANSLATE_NOOP("ExitTexts", "The shell or the program to start does not exist there."),
         QT_TRANSLATE_NOOP("ExitTexts", "Check the image, or the host's shell.")},
        {-1204, Retry::Counted, QT_TRANSLATE_NOOP("ExitTexts", "Could not start"),
         QT_TRANSLATE_NOOP("ExitTexts", "The process could not be started."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the task's runtime log."),
         QT_TRANSLATE_NOOP("ExitTexts", "Not started")},
        {-1205, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "GPU lost"),
         QT_TRANSLATE_NOOP("ExitTexts", "A GPU that was given to the task is no longer there."),
         QT_TRANSLATE_NOOP("ExitTexts", "Check the host's GPUs.")},
        {128, Retry::Counted, QT_TRANSLATE_NOOP("ExitTexts", "GPU memory errors"),
         QT_TRANSLATE_NOOP("ExitTexts", "A GPU reports uncorrectable memory errors, so its results cannot be trusted."),
         QT_TRANSLATE_NOOP("ExitTexts", "Have the GPU checked, or reset it."),
         QT_TRANSLATE_NOOP("ExitTexts", "GPU memory")},
        {130, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Interrupted"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program got SIGINT."),
         ""},
        {131, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Quit"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program got SIGQUIT."),
         ""},
        {132, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Illegal instruction"),
         QT_TRANSLATE_NOOP("ExitTexts", "The processor does not know an instruction of the program."),
         QT_TRANSLATE_NOOP("ExitTexts", "Use a build of the program for this processor."),
         QT_TRANSLATE_NOOP("ExitTexts", "Wrong CPU")},
        {134, Retry::Counted, QT_TRANSLATE_NOOP("ExitTexts", "Aborted"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program ended itself with abort()."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the end of the log.")},
        {135, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Bus error"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program used memory in a way that is not possible; a full /dev/shm or a file that was cut does this too."),
         QT_TRANSLATE_NOOP("ExitTexts", "Raise shmMB, or look at the end of the log.")},
        {136, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Arithmetic fault"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program divided by zero, or the like."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the end of the log."),
         QT_TRANSLATE_NOOP("ExitTexts", "Math fault")},
        {137, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Killed"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program was likely ended by SIGKILL; the status does not say who sent it."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at how much memory it used: the kernel sends SIGKILL when the memory runs out.")},
        {139, Retry::Counted, QT_TRANSLATE_NOOP("ExitTexts", "Segmentation fault"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program used memory that is not its own."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the end of the log; versions of libraries that do not fit are a usual cause."),
         QT_TRANSLATE_NOOP("ExitTexts", "Segfault")},
        {141, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Broken pipe"),
         QT_TRANSLATE_NOOP("ExitTexts", "A program wrote to a pipe whose reader had ended (pipefail is on)."),
         QT_TRANSLATE_NOOP("ExitTexts", "Readers such as head end early; add '|| true' to the command, or use 'set +o pipefail'.")},
        {143, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Terminated"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program was likely ended by SIGTERM; the status does not say who sent it."),
         ""},
        {220, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Command not found"),
         QT_TRANSLATE_NOOP("ExitTexts", "A command of the job does not exist there."),
         QT_TRANSLATE_NOOP("ExitTexts", "Check the spelling, or install it in a prerequisite."),
         QT_TRANSLATE_NOOP("ExitTexts", "No command")},
        {221, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Out of memory"),
         QT_TRANSLATE_NOOP("ExitTexts", "TensorFlow ran out of memory."),
         QT_TRANSLATE_NOOP("ExitTexts", "Use smaller batches, or ask for more."),
         QT_TRANSLATE_NOOP("ExitTexts", "OOM")},
        {222, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "MPI address fault"),
         QT_TRANSLATE_NOOP("ExitTexts", "MPI reports an invalid address."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the end of the log."),
         QT_TRANSLATE_NOOP("ExitTexts", "MPI address")},
        {223, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "GPU memory error"),
         QT_TRANSLATE_NOOP("ExitTexts", "A GPU had an uncorrectable memory error during the run."),
         QT_TRANSLATE_NOOP("ExitTexts", "Have the GPU checked."),
         QT_TRANSLATE_NOOP("ExitTexts", "GPU memory")},
        {224, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "GPU driver too old"),
         QT_TRANSLATE_NOOP("ExitTexts", "The driver does not support the CUDA version of the program."),
         QT_TRANSLATE_NOOP("ExitTexts", "Update the driver, or use an older CUDA."),
         QT_TRANSLATE_NOOP("ExitTexts", "Driver too old")},
        {225, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "cuDNN too old"),
         QT_TRANSLATE_NOOP("ExitTexts", "The cuDNN library is older than the program needs."),
         QT_TRANSLATE_NOOP("ExitTexts", "Use a matching version.")},
        {226, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "GPU out of memory"),
         QT_TRANSLATE_NOOP("ExitTexts", "The memory of the GPU is exhausted."),
         QT_TRANSLATE_NOOP("ExitTexts", "Use smaller batches or more GPUs."),
         QT_TRANSLATE_NOOP("ExitTexts", "GPU OOM")},
        {228, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Wrong argument"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program was given an option or argument that it does not take."),
         QT_TRANSLATE_NOOP("ExitTexts", "Check the command line.")},
        {229, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Unreadable data"),
         QT_TRANSLATE_NOOP("ExitTexts", "A data or model file cannot be read."),
         QT_TRANSLATE_NOOP("ExitTexts", "Check the files."),
         QT_TRANSLATE_NOOP("ExitTexts", "Bad data")},
        {230, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Wrong path"),
         QT_TRANSLATE_NOOP("ExitTexts", "The path to load from or save to is not usable."),
         QT_TRANSLATE_NOOP("ExitTexts", "Check the path.")},
        {231, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Error in the program"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program has a syntax error, or uses a name that does not exist."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the end of the log."),
         QT_TRANSLATE_NOOP("ExitTexts", "Program error")},
        {232, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Import error"),
         QT_TRANSLATE_NOOP("ExitTexts", "A Python module cannot be imported."),
         QT_TRANSLATE_NOOP("ExitTexts", "Install it in a prerequisite, or use another image.")},
        {233, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Index out of range"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program went beyond the end of a list."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the end of the log."),
         QT_TRANSLATE_NOOP("ExitTexts", "Index error")},
        {234, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Segmentation fault"),
         QT_TRANSLATE_NOOP("ExitTexts", "The log reports a segmentation fault."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the end of the log."),
         QT_TRANSLATE_NOOP("ExitTexts", "Segfault")},
        {235, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Core dumped"),
         QT_TRANSLATE_NOOP("ExitTexts", "The log reports that a program crashed."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the end of the log.")},
        {249, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Peers not reachable"),
         QT_TRANSLATE_NOOP("ExitTexts", "The other tasks could not be reached by ssh in time."),
         QT_TRANSLATE_NOOP("ExitTexts", "Check the network between the hosts."),
         QT_TRANSLATE_NOOP("ExitTexts", "No peers")},
        {250, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Barrier failed"),
         QT_TRANSLATE_NOOP("ExitTexts", "Waiting for the other tasks failed for now."),
         ""},
        {251, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "No room in time"),
         QT_TRANSLATE_NOOP("ExitTexts", "Not all tasks found room in time."),
         QT_TRANSLATE_NOOP("ExitTexts", "Ask for less, or wait longer."),
         QT_TRANSLATE_NOOP("ExitTexts", "No room")},
        {252, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Barrier failed"),
         QT_TRANSLATE_NOOP("ExitTexts", "Waiting for the other tasks cannot work."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the task's runtime log.")},
        {253, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Port in use"),
         QT_TRANSLATE_NOOP("ExitTexts", "A port of the task is used by another program."),
         ""},
        {254, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Image not found"),
         QT_TRANSLATE_NOOP("ExitTexts", "The image does not exist, or may not be read."),
         QT_TRANSLATE_NOOP("ExitTexts", "Check its name and the registry login."),
         QT_TRANSLATE_NOOP("ExitTexts", "No image")},
        {255, Retry::Counted, QT_TRANSLATE_NOOP("ExitTexts", "Failed"),
         QT_TRANSLATE_NOOP("ExitTexts", "The program ended with an error that has no known pattern."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the end of the log.")},
        {-2001, Retry::Never, QT_TRANSLATE_NOOP("ExitTexts", "Login refused"),
         QT_TRANSLATE_NOOP("ExitTexts", "The host refused the login, or its key has changed."),
         QT_TRANSLATE_NOOP("ExitTexts", "Connect once with ssh by hand.")},
        {-2002, Retry::Always, QT_TRANSLATE_NOOP("ExitTexts", "Host unreachable"),
         QT_TRANSLATE_NOOP("ExitTexts", "The host could not be reached when the task was to start."),
         "",
         QT_TRANSLATE_NOOP("ExitTexts", "Unreachable")},
        {-2010, Retry::Counted, QT_TRANSLATE_NOOP("ExitTexts", "Folder or disk not usable"),
         QT_TRANSLATE_NOOP("ExitTexts", "The working folder is missing, or the disk is full."),
         QT_TRANSLATE_NOOP("ExitTexts", "Make room, or choose another folder."),
         QT_TRANSLATE_NOOP("ExitTexts", "Folder or disk")},
        {-2020, Retry::Counted, QT_TRANSLATE_NOOP("ExitTexts", "Prerequisite failed"),
         QT_TRANSLATE_NOOP("ExitTexts", "A command of a prerequisite or plugin failed."),
         QT_TRANSLATE_NOOP("ExitTexts", "Look at the task's runtime log."),
         QT_TRANSLATE_NOOP("ExitTexts", "Prerequisite")},
    };
    return table;
}
// clang-format on

QString retryText(Retry retry)
{
    switch (retry) {
    case Retry::Always:
        return ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "It is retried automatically, without using up retries."));
    case Retry::Counted:
        return ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "It is retried while retries are left."));
    case Retry::Never:
        return ExitTexts::tr(
            QT_TRANSLATE_NOOP("ExitTexts", "It is not retried: as long as nothing changes, the same would happen."));
    case Retry::None:
        break;
    }
    return {};
}

Retry retryOf(const QString &behavior)
{
    return behavior.startsWith(QLatin1StringView("TRANSIENT")) ? Retry::Always
        : behavior == QLatin1StringView("PERMANENT")           ? Retry::Never
        : behavior == QLatin1StringView("SUCCEEDED")           ? Retry::None
                                                               : Retry::Counted;
}

std::optional<ExitRules> &givenRules()
{
    static std::optional<ExitRules> rules;
    return rules;
}

// What the user's own table of exit rules says about a code, where it says something.
const ExitSpecEntry *ownEntry(int code)
{
    const ExitSpecEntry *entry = givenRules() ? givenRules()->find(code) : nullptr;
    const ExitSpecEntry *bundled = ExitRules::bundled().find(code);
    const bool same = entry && bundled && entry->phrase == bundled->phrase && entry->reason == bundled->reason
        && entry->repair == bundled->repair && entry->behavior == bundled->behavior;
    return same ? nullptr : entry;
}

} // namespace

void setExitRules(const ExitRules &rules) { givenRules() = rules; }

ExitText exitText(int code)
{
    if (const ExitSpecEntry *own = ownEntry(code)) {
        return {exitPhrase(code), own->reason, own->repair, retryText(retryOf(own->behavior)),
            retryOf(own->behavior) == Retry::Counted, retryOf(own->behavior) == Retry::Never};
    }
    for (const Row &row : rows()) {
        if (row.code == code) {
            return {translated(row.phrase), translated(row.reason), translated(row.advice), retryText(row.retry),
                row.retry == Retry::Counted, row.retry == Retry::Never};
        }
    }
    if (code > 0) {
        return {ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Failed")),
            ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "The program ended with a status that has no known meaning.")),
            ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Look at the end of the log.")), retryText(Retry::Counted),
            true, false};
    }
    return {ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Failed")),
        ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "The task ended for a reason that has no known meaning.")),
        ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Look at the task's runtime log.")), retryText(Retry::Counted),
        true, false};
}

QString exitPhrase(int code)
{
    if (const ExitSpecEntry *own = ownEntry(code)) {
        const ExitSpecEntry *bundled = ExitRules::bundled().find(code);
        if (!bundled || own->phrase != bundled->phrase) {
            return own->phrase;
        }
    }
    const auto known = std::ranges::find(rows(), code, &Row::code);
    return known == rows().end() || code == unclassified ? QString() : translated(known->phrase);
}

int shownExit(const JobSummary &job)
{
    return shownExit(job.exitCode.value_or(0), job.rawExit, job.reason, job.reasonArgs);
}

int shownExit(int code, std::optional<int> status, const QString &reason, const QJsonObject &args)
{
    if (isOtherStatus(code, status)) {
        return *status;
    }
    const int told
        = reason::isExit(reason) && code == unclassified ? valuejson::valueFrom<reason::ExitFacts>(args).status : 0;
    return told != 0 ? told : code;
}

QString supplyPhrase(const QString &reason)
{
    static constexpr std::array<std::pair<QLatin1StringView, const char *>, 4> phrases{{
        {QLatin1StringView("code.changes"), QT_TRANSLATE_NOOP("ExitTexts", "Work folder changes all the time")},
        {QLatin1StringView("code."), QT_TRANSLATE_NOOP("ExitTexts", "Work folder not copied")},
        {QLatin1StringView("data."), QT_TRANSLATE_NOOP("ExitTexts", "Data not usable")},
        {QLatin1StringView("checkpoints."), QT_TRANSLATE_NOOP("ExitTexts", "Checkpoints not copied")},
    }};
    for (const auto &[prefix, phrase] : phrases) {
        if (reason.startsWith(prefix)) {
            return translated(phrase);
        }
    }
    return {};
}

QString failurePhrase(int code, const QString &why, const QJsonObject &args)
{
    if (const auto gone = reason::as<reason::AfterGone>(why, args)) {
        return ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "#%1 is gone")).arg(gone->job);
    }
    if (const auto failed = reason::as<reason::AfterFailed>(why, args)) {
        const bool stopped = failed->state == stateWord(State::Stopped);
        return (stopped ? ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "#%1 was stopped"))
                        : ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "#%1 failed")))
            .arg(failed->job);
    }
    if (code == unclassified) { // what the output says tells more than a status
        return causeName(failureFacts(args));
    }
    const QString supply = ownEntry(code) ? QString() : supplyPhrase(why);
    return supply.isEmpty() ? exitPhrase(code) : supply;
}

QString failureBrief(const JobSummary &job)
{
    if (job.state != State::Failed || job.exitCode.value_or(0) == 0) {
        return {};
    }
    const QString phrase = failurePhrase(*job.exitCode, job.reason, job.reasonArgs);
    const int shown = shownExit(job);
    return !phrase.isEmpty()     ? phrase
        : shown == *job.exitCode ? ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Exit code %1")).arg(exitNumber(shown))
                                 : exitWords(*job.exitCode, shown);
}

QString failureShort(const JobSummary &job)
{
    const int code = job.state == State::Failed ? job.exitCode.value_or(0) : 0;
    if (code == 0) {
        return {};
    }
    const QString phrase = failurePhrase(code, job.reason, job.reasonArgs);
    if (phrase.isEmpty()) {
        const int shown = shownExit(job);
        return ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Exit %1")).arg(exitNumber(shown));
    }
    if (code == unclassified && phrase != exitPhrase(code)) {
        const QString brief = causeBrief(failureFacts(job.reasonArgs));
        return brief.isEmpty() ? phrase : brief;
    }
    // The user's own words, and what another job did, have no shorter form.
    const auto known = std::ranges::find(rows(), code, &Row::code);
    return known != rows().end() && known->brief && phrase == translated(known->phrase) ? translated(known->brief)
                                                                                        : phrase;
}

QList<int> failuresNamed(const QString &text)
{
    QList<int> codes;
    for (const Row &row : rows()) {
        const bool isNamed = exitPhrase(row.code).contains(text, Qt::CaseInsensitive)
            || (row.brief && translated(row.brief).contains(text, Qt::CaseInsensitive));
        if (row.code != 0 && row.code != unclassified && isNamed) {
            codes.append(row.code);
        }
    }
    return codes;
}

bool isOtherStatus(int code, std::optional<int> status)
{
    return code > 0 && status.value_or(code) != code && status.value_or(0) > 0;
}

QString exitWords(int code, std::optional<int> status)
{
    if (code == unclassified || !isOtherStatus(code, status)) {
        return exitBrief(code, status);
    }
    const QString phrase = exitPhrase(code);
    return ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Exit status %1 (%2)"))
        .arg(QString::number(*status), phrase.isEmpty() ? exitNumber(code) : phrase);
}

QString exitBrief(int code, std::optional<int> status)
{
    if (code == 0) {
        return exitNumber(code);
    }
    if ((code == unclassified && status.value_or(0) > 0) || isOtherStatus(code, status)) {
        return ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Exit status %1")).arg(*status);
    }
    const QString phrase = exitPhrase(code);
    return phrase.isEmpty() ? ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Exit code %1")).arg(exitNumber(code))
                            : phrase;
}

QString exitNumber(int code) { return QString::number(code).replace(QLatin1Char('-'), QChar(0x2212)); }

QString exitCodeText(int code)
{
    const ExitText text = exitText(code);
    QString line
        = QCoreApplication::translate("ExitTexts", "%1 (%2): %3").arg(text.phrase, QString::number(code), text.reason);
    if (!text.advice.isEmpty()) {
        line += QLatin1Char(' ') + text.advice;
    }
    return line;
}

} // namespace trainyard
