// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/exitjudge.h"

#include "engine/backend/activejob.h"
#include "engine/backend/clock.h"
#include "engine/backend/exitblame.h"
#include "engine/backend/exitplace.h"
#include "engine/backend/tryfile.h"
#include "engine/backend/trysteps.h"
#include "engine/backend/trystreams.h"
#include "engine/core/missingcommand.h"
#include "engine/core/silentcommands.h"
#include "engine/core/why/whyfailed.h"
#include "engine/launch/stepreport.h"
#include "model/base/threads.h"
#include "model/protocol/rules.h"
#include "model/template/pluginsteps.h"
#include "model/template/render.h"
#include "model/template/tags.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 classifiedLogBytes = core::whySearchedBytes;
constexpr qint64 classifiedAtOnceBytes = 128 << 10; // in the loop itself; what takes longer has a thread for it
constexpr qint64 classifiedRuntimeBytes = 64 << 10;

// The commands as the shell gets them, but with references to secrets instead of their values.
QStringList filledCommands(const JobSpec &job, const TaskRole &role)
{
    const bool refersToValues = std::any_of(
        role.commands.cbegin(), role.commands.cend(), [](const QString &each) { return each.contains("<%"_L1); });
    if (!refersToValues) {
        return role.commands;
    }
    const Result<ComposedRole> composed = composeRole(job, role);
    return composed ? QStringList{composed->userScript} : role.commands;
}

core::RawExit::Kind kindOf(contract::ExitKind kind)
{
    switch (kind) {
    case contract::ExitKind::Exited:
        return core::RawExit::Kind::Exited;
    case contract::ExitKind::Signaled:
        return core::RawExit::Kind::Signaled;
    case contract::ExitKind::Oom:
        return core::RawExit::Kind::Oom;
    case contract::ExitKind::StartFailed:
        return core::RawExit::Kind::StartFailed;
    case contract::ExitKind::Lost:
        break;
    }
    return core::RawExit::Kind::Lost;
}

core::RawExit::Phase phaseOf(launch::StepPhase phase)
{
    switch (phase) {
    case launch::StepPhase::Before:
        return core::RawExit::Phase::Before;
    case launch::StepPhase::After:
        return core::RawExit::Phase::After;
    case launch::StepPhase::User:
        break;
    }
    return core::RawExit::Phase::User;
}

// The keeper's findings about the GPUs in the kernel's log, as lines after the output.
struct GpuErrors {
    QByteArray lines;
    QStringList lost; // GPUs that have fallen off the bus
    QStringList faulty; // GPUs of which errors were told, these included
};
GpuErrors gpuErrorsOf(const QByteArray &runtime)
{
    static const QRegularExpression pattern(
        u"^\\[[^\\]\n]*\\] \\[trainyard\\] The kernel of this host said of (\\S+): (NVRM: Xid \\([^)]*\\): (\\d+)[^\n]*)"_s,
        QRegularExpression::MultilineOption);
    GpuErrors errors;
    for (auto it = pattern.globalMatch(QString::fromUtf8(runtime)); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        errors.lines += '\n' + match.captured(2).toUtf8();
        errors.faulty.append(match.captured(1));
        if (match.captured(3) == "79"_L1) {
            errors.lost.append(match.captured(1));
        }
    }
    errors.lines += errors.lines.isEmpty() ? "" : "\n";
    return errors;
}

// The driver's messages about errors of programs: access to foreign memory, failed checks, an abandoned channel. The
// program's own message says more about these. Others are faults of the device.
bool areXidsOfProgram(const QByteArray &gpuErrors)
{
    static const QStringList ofPrograms{u"13"_s, u"31"_s, u"43"_s, u"45"_s};
    static const QRegularExpression pattern(u"NVRM: Xid \\([^)]*\\): (\\d+)"_s);
    bool hasOne = false;
    for (auto it = pattern.globalMatch(QString::fromUtf8(gpuErrors)); it.hasNext();) {
        if (!ofPrograms.contains(it.next().captured(1))) {
            return false;
        }
        hasOne = true;
    }
    return hasOne;
}

constexpr qsizetype runtimeBegin = 16 << 10; // in which the helper says what the task starts with
constexpr qint64 runtimeSteps = 1 << 20; // what steps print beyond it is far from the end of the output

// Whether the output is what explains an end: the engine itself knows more of the others, and a user's own rules have
// words of their own.
bool isExplainedByOutput(const ExitRules &rules, const core::Classified &classified, bool xidOfProgram)
{
    // A status that decides alone, such as that of a signal, has no reason.
    static const QStringList reasons{QString(), u"exit.user"_s, u"exit.found"_s, u"exit.found-in-python"_s,
        u"exit.python"_s, u"exit.command-missing"_s, u"exit.command-denied"_s};
    const QString finding = classified.reasonArgs.value("finding"_L1).toString();
    const bool isOwn = std::any_of(rules.findings().cbegin(), rules.findings().cend(),
        [&](const ExitFinding &each) { return each.own && each.name == finding; });
    return reasons.contains(classified.reason) && !isOwn && !classified.saysOwnWords
        && (finding != "xid"_L1 || xidOfProgram);
}

// Whether a step failed that did not say why itself: what it printed is the end of the output.
bool isStepsOwn(const core::Classified &classified)
{
    static const QStringList reasons{
        u"exit.step"_s, u"exit.step-after"_s, u"exit.environment"_s, u"exit.environment-of"_s};
    return reasons.contains(classified.reason);
}

// Classifies the end of a try. For any thread.
core::event::TryEnded withResult(const ExitRules &rules, core::event::TryEnded event, const core::RawExit &raw,
    const ExitJudge::About &about, const QByteArray &gpuErrors)
{
    const QString output
        = about.log.isEmpty() ? QString() : about.log + u'/' + QLatin1StringView(contract::file::output);
    const QByteArray end = output.isEmpty() ? QByteArray() : tryFileEnd(output, classifiedLogBytes);
    const qint64 size = end.size() < classifiedLogBytes ? end.size() : QFileInfo(output).size();
    TryLines written = about.log.isEmpty() ? TryLines{} : tryLines(about.log, end, size);
    const QByteArray runtime = about.log.isEmpty()
        ? QByteArray()
        : tryFileBegin(about.log + u'/' + QLatin1StringView(contract::file::runtime), runtimeSteps);
    const bool isFromBegin = size == end.size();
    const core::StepLines steps
        = isFromBegin ? stepLinesIn(written.text, launch::printedSteps(runtime)) : core::StepLines();
    const QByteArray said = steps.ignored.isEmpty() ? written.text : withoutLines(written.text, steps.ignored);
    const QByteArray log = gpuErrors.isEmpty() ? said : said + gpuErrors;
    core::Classified classified = core::classifyExit(rules, raw, log);
    core::nameMissingCommand(raw, log, &classified);
    const bool xidOfProgram = areXidsOfProgram(gpuErrors);
    const bool isStep = isStepsOwn(classified);
    if (isStep || (raw.phase == core::RawExit::Phase::User && isExplainedByOutput(rules, classified, xidOfProgram))) {
        const qint64 before = isFromBegin ? 0 : tryFileLines(output, size - end.size());
        if (written.errors && written.errors->lastLine > 0) {
            written.errors->lastLine += before;
        }
        const FailureFacts found = core::whyFailed(FailureCauses::bundled(),
            {.status = core::rawExitOf(raw),
                .output = written.text,
                .firstLine = before + 1,
                .errors = written.errors,
                .memory = about.memory,
                .steps = steps});
        FailureFacts facts = blamingCopy(blamingLeftOut(blamingSecrets(blamingReferences(found, about.unresolved),
                                                            isStep ? about.secretsOfSteps : about.secrets,
                                                            isStep ? about.takenApartOfSteps : about.takenApart),
                                             leftOutVariables(runtime.first(std::min(runtime.size(), runtimeBegin)))),
            about.worksInCopy, about.work);
        if (facts.cause != found.cause && !isStep
            && (facts.cause == "reference-unresolved"_L1 || facts.cause == "secret-split"_L1)) {
            // The finding of the rules in the same line follows from how the shell read the reference.
            classified.reason = u"exit.user"_s;
            classified.reasonArgs = {{u"status"_s, core::rawExitOf(raw).value_or(0)}};
        }
        if (about.isLogElsewhere) {
            facts.args.remove(u"silent"_s); // it is not known whether it was
            facts.args.insert(u"logOn"_s, about.host);
        }
        facts = suspecting(facts, about.silent, about.onlyProgram);
        facts = isStep ? facts : placedInCommands(facts, about.lines);
        if (!(isStep || xidOfProgram) || facts.certainty != "unknown"_L1) {
            classified.reasonArgs.insert(failureKey, facts.toJson());
        }
    }
    event.result.code = classified.code;
    event.result.reason = classified.reason;
    event.result.reasonArgs = classified.reasonArgs;
    // It may be right on other hosts, so the sentence names the one where it is not.
    if (classified.reason.startsWith("launch.cwd-"_L1) || classified.reason == "launch.container-service"_L1) {
        event.result.reasonArgs.insert(u"host"_s, about.host);
    }
    return event;
}

} // namespace

// Whether a shell may read some of it as its own.
static bool hasShellCharacter(const Value &value)
{
    static const QRegularExpression shells(u"[\\s'\"`$\\\\()<>;&|{}#]"_s);
    return shells.match(value.toText()).hasMatch();
}

core::event::TryEnded endByRecord(core::TaskRef task, const QUuid &tryUuid, const contract::ExitRecord &record)
{
    core::event::TryEnded event{
        task, tryUuid, {}, record.began, record.ended, record.kind != contract::ExitKind::StartFailed};
    if (record.maxRssKiB > 0) {
        event.usage.peakMemoryMiB = (record.maxRssKiB + 1023) / 1024;
        event.usage.cpuMs = record.userMs + record.systemMs;
    }
    event.isOwn = record.isOwn;
    if (!record.left.empty()) {
        event.usage.left.insert(u"processes"_s,
            QJsonArray::fromStringList(QString::fromStdString(record.left).split(u", "_s, Qt::SkipEmptyParts)));
    }
    if (record.lost > 0) {
        event.usage.left.insert(u"unwrittenBytes"_s, qint64(record.lost));
    }
    return event;
}

ExitJudge::ExitJudge(ExitRulesFile &rules) : m_rules(rules) { m_threads.setMaxThreadCount(2); }

ExitJudge::~ExitJudge()
{
    m_threads.clear(); // the next engine asks again how those ended
    m_threads.waitForDone();
}

ExitJudge::About ExitJudge::aboutTask(const ActiveJob &job, core::TaskRef task, const QString &host, const QString &log)
{
    About about;
    about.host = host;
    about.log = log;
    about.work = job.document.workHere();
    about.upstreamOrder = job.spec && isStrict(*job.spec);
    if (const TaskRole *role = job.spec ? job.spec->role(job.state.roleName(task)) : nullptr) {
        QStringList ofSteps;
        for (const Prerequisite &each : job.spec->prerequisites) {
            for (const Callback &callback : each.callbacks) {
                ofSteps += callback.commands;
            }
        }
        about.secrets = secretsInCommands(role->commands);
        about.secretsOfSteps = secretsInCommands(ofSteps);
        // A value that is not known, or has nothing that a shell reads as its own, is blamed for nothing.
        const auto isHarmless = [&secrets = job.spec->secrets](const QString &name) {
            const Value *value = secrets.find(name);
            return !value || !hasShellCharacter(*value);
        };
        about.secrets.removeIf(isHarmless);
        about.secretsOfSteps.removeIf(isHarmless);
        about.takenApart = secretsTakenApart(role->commands, job.spec->secrets);
        about.takenApartOfSteps = secretsTakenApart(ofSteps, job.spec->secrets);
        about.unresolved = unresolvedReferences(*job.spec, *role);
        about.lines = scriptLines(*job.spec, *role);
        const QStringList commands = filledCommands(*job.spec, *role);
        about.silent = core::silentCommands(commands);
        about.onlyProgram = core::onlyProgram(commands);
    }
    return about;
}

ExitJudge::About ExitJudge::aboutEnd(const ActiveJob &job, core::TaskRef task, const contract::ExitRecord &record,
    const QString &host, const QString &log)
{
    return record.isGood() ? About() : aboutTask(job, task, host, log);
}

void ExitJudge::judge(const core::event::TryEnded &ended, const contract::ExitRecord &record, const About &about)
{
    const QString &log = about.log;
    core::event::TryEnded event = ended;
    core::RawExit raw;
    raw.kind = kindOf(record.kind);
    raw.value = record.kind == contract::ExitKind::Oom ? record.shellStatus() : record.value;
    raw.reason = QString::fromStdString(record.reason);
    event.result.rawExit = core::rawExitOf(raw);
    if (record.isGood()) {
        Q_EMIT judged(event);
        return;
    }
    m_rules.read();
    if (raw.kind == core::RawExit::Kind::StartFailed && raw.reason.startsWith("launch.gpu-busy "_L1)) {
        Q_EMIT gpuBusy(about.host, raw.reason.section(u' ', 1));
    }
    if (log.isEmpty()) {
        Q_EMIT judged(withResult(m_rules.rules(), event, raw, about, {}));
        return;
    }
    raw.upstreamOrder = about.upstreamOrder;
    const QByteArray runtime
        = tryFileEnd(log + u'/' + QLatin1StringView(contract::file::runtime), classifiedRuntimeBytes);
    const GpuErrors errors = gpuErrorsOf(runtime);
    raw.gpuErrors = errors.lines;
    event.faultyGpus = errors.faulty;
    Q_EMIT gpusLost(about.host, errors.lost);
    if (const std::optional<launch::StepFailure> step = launch::stepFailure(runtime)) {
        raw.phase = phaseOf(step->phase);
        raw.step = step->name;
        raw.strict = step->strict;
        raw.cause = step->cause;
        raw.about = step->about;
    }
    const QString output = log + u'/' + QLatin1StringView(contract::file::output);
    if (QFileInfo(output).size() <= classifiedAtOnceBytes) {
        Q_EMIT judged(withResult(m_rules.rules(), event, raw, about, errors.lines));
        return;
    }
    // The loop goes on meanwhile.
    threads::runOnPool(
        [this, rules = m_rules.shared(), event, raw, about, lines = errors.lines] {
            threads::callLater(
                this, [this, done = withResult(*rules, event, raw, about, lines)] { Q_EMIT judged(done); });
        },
        &m_threads);
}

} // namespace trainyard
