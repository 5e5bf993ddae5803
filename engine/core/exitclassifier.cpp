// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/exitclassifier.h"

#include "engine/api/reasons.h"
#include "engine/core/outputfindings.h"

#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cerrno>
#include <initializer_list>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype searchedBytes = 10 * 1024 * 1024;

constexpr int codeUnclassified = 255;
constexpr int codeTaskOom = -1200;
constexpr int codePreparationOom = -1300;
constexpr int codeSshBarrier = 249;

// The completion codes of the words that the keeper gives when nothing could be started.
struct StartReason {
    QLatin1StringView prefix;
    int code;
};
constexpr std::array startReasons{
    StartReason{"launch.port"_L1, 253},
    StartReason{"launch.gpu"_L1, -1002},
    // There is temporarily no room for another process.
    StartReason{"launch.processes"_L1, -1002},
    StartReason{"launch.memory"_L1, -1002},
    StartReason{"launch.descriptors"_L1, -1002},
    StartReason{"launch.keeper"_L1, -120},
    StartReason{"launch.cwd"_L1, -2010},
    StartReason{"launch.folder"_L1, -2010},
    StartReason{"launch.disk"_L1, -2010},
    StartReason{"launch.work"_L1, -2010},
    StartReason{"launch.image"_L1, 254},
    StartReason{"launch.container-shell-missing"_L1, -1203},
    StartReason{"launch.container-gpu"_L1, -1205},
    StartReason{"launch.container-service"_L1, -120}, // it starts again, or is started by hand
    StartReason{"launch.container"_L1, -1201},
    StartReason{"launch.runtime"_L1, -1201},
    StartReason{"launch.pull"_L1, -120},
    StartReason{"launch.shell-missing"_L1, -1203},
    StartReason{"launch.permission"_L1, -1202},
};

int startFailedCode(const RawExit &exit)
{
    for (const StartReason &reason : startReasons) {
        if (exit.reason.startsWith(reason.prefix)) {
            return reason.code;
        }
    }
    switch (exit.value) {
    case ENOENT:
        return -1203;
    case EACCES:
    case EPERM:
    case ENOEXEC:
        return -1202;
    case ENOSPC:
    case EDQUOT:
    case EROFS:
    case ENOTDIR:
        return -2010;
    case EADDRINUSE:
        return 253;
    default:
        return -1204;
    }
}

// "NVRM: Xid (PCI:0000:3b:00): 79, ...": whether one of these errors is among the lines.
bool hasXid(const QByteArray &lines, std::initializer_list<int> numbers)
{
    static const QRegularExpression pattern(u"NVRM: Xid \\([^)]*\\): (\\d+)"_s);
    for (auto it = pattern.globalMatch(QString::fromUtf8(lines)); it.hasNext();) {
        if (std::find(numbers.begin(), numbers.end(), it.next().captured(1).toInt()) != numbers.end()) {
            return true;
        }
    }
    return false;
}

Classified withReason(int code, const QString &reason, const QJsonObject &args = {})
{
    Classified result;
    result.code = code;
    result.reason = reason;
    result.reasonArgs = args;
    return result;
}

// "launch.cwd-missing /data/x": the word, then its argument.
Classified withKeeperReason(int code, const QString &text, const QString &fallback, const QJsonObject &args)
{
    if (text.isEmpty()) {
        return withReason(code, fallback, args);
    }
    const qsizetype blank = text.indexOf(u' ');
    QJsonObject all = args;
    if (blank > 0) {
        all.insert(u"detail"_s, text.mid(blank + 1));
    }
    return withReason(code, blank > 0 ? text.left(blank) : text, all);
}

std::optional<Classified> classifyPreparation(const RawExit &exit, int raw)
{
    switch (exit.phase) {
    case RawExit::Phase::Barrier:
        if (raw == 200 || raw == 201 || raw == 210) {
            return withReason(raw == 200 ? 250 : raw == 201 ? 251 : 252, u"exit.barrier"_s);
        }
        return withReason(1, u"exit.preparation"_s, QJsonObject{{u"status"_s, raw}});
    case RawExit::Phase::PortCheck:
        return withReason(raw == 10 ? 253 : 1, u"exit.ports"_s);
    case RawExit::Phase::Image:
        return withReason(exit.imageMissing ? 254 : 1, u"exit.image"_s);
    case RawExit::Phase::Preparation:
        return withReason(1, u"exit.preparation"_s, QJsonObject{{u"status"_s, raw}});
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<int> rawExitOf(const RawExit &exit)
{
    switch (exit.kind) {
    case RawExit::Kind::Exited:
    case RawExit::Kind::Oom:
        return exit.value;
    case RawExit::Kind::Signaled:
        return 128 + exit.value;
    default:
        return std::nullopt;
    }
}

namespace
{

// The findings in the output are added to its code: the cause in words, and where in the user's program.
Classified withFindings(Classified result, const OutputCause &cause, int raw)
{
    const std::optional<OutputFinding> &finding = cause.finding;
    const std::optional<PythonError> &python = cause.python;
    if (!finding && !python) {
        return result;
    }
    reason::ExitFacts facts{.status = raw};
    if (python) {
        facts.type = python->type;
        facts.message = python->message;
        facts.file = python->file;
        facts.line = python->line;
        facts.function = python->function.isEmpty() ? u"?"_s : python->function;
    }
    if (finding) {
        facts.finding = finding->name;
        facts.reason = finding->reason;
        facts.solution = finding->solution;
        facts.evidence = QString::fromUtf8(finding->line);
    }
    result.reason = finding && python ? u"exit.found-in-python"_s : finding ? u"exit.found"_s : u"exit.python"_s;
    result.reasonArgs = valuejson::objectOf(facts);
    return result;
}

// The text of the user's table for the code that one of the user's rules gave, if no finding says more.
std::optional<OutputFinding> ownWords(const ExitRules &rules, const OutputCause &cause)
{
    const ExitSpecEntry *entry = cause.rule && cause.rule->own ? rules.find(cause.rule->code) : nullptr;
    const ExitSpecEntry *bundled = entry ? ExitRules::bundled().find(entry->code) : nullptr;
    if (!entry || entry->reason.isEmpty() || (bundled && bundled->reason == entry->reason)) {
        return std::nullopt;
    }
    return OutputFinding{entry->phrase, entry->reason, entry->repair, cause.line};
}

} // namespace

Classified classifyExit(const ExitRules &rules, const RawExit &exit, QByteArrayView userLog)
{
    const bool preparing = exit.phase == RawExit::Phase::Preparation || exit.phase == RawExit::Phase::Barrier
        || exit.phase == RawExit::Phase::PortCheck || exit.phase == RawExit::Phase::Image;
    switch (exit.kind) {
    case RawExit::Kind::Oom:
        return withReason(preparing ? codePreparationOom : codeTaskOom, u"exit.oom"_s);
    case RawExit::Kind::StartFailed:
        return withKeeperReason(
            startFailedCode(exit), exit.reason, u"launch.failed"_s, QJsonObject{{u"errno"_s, exit.value}});
    case RawExit::Kind::Lost:
        return withKeeperReason(-101, exit.reason, u"exit.lost"_s, {});
    default:
        break;
    }
    const int raw = *rawExitOf(exit);
    if (raw == 0) {
        return {};
    }
    if (exit.gpuLost || hasXid(exit.gpuErrors, {79})) {
        return withFindings(withReason(-1205, u"exit.gpu-lost"_s), causeOf(rules, raw, exit.gpuErrors), raw);
    }
    if (exit.eccRose || hasXid(exit.gpuErrors, {48, 94, 95})) {
        return withFindings(withReason(223, u"exit.gpu-ecc"_s), causeOf(rules, raw, exit.gpuErrors), raw);
    }
    if (exit.eccErrors) {
        return withReason(128, u"exit.gpu-ecc"_s);
    }
    // Below 128 is a status; the ways to be killed have codes of their own, whatever part of the task it was.
    if (preparing && raw < 128) {
        return *classifyPreparation(exit, raw);
    }
    if (preparing && (raw == 200 || raw == 201 || raw == 210)) {
        return *classifyPreparation(exit, raw);
    }
    const bool isStep = exit.phase == RawExit::Phase::Before || exit.phase == RawExit::Phase::After;
    const bool before = exit.phase == RawExit::Phase::Before && !exit.strict;
    const QJsonObject stepArgs{{u"step"_s, exit.step}, {u"status"_s, raw}};
    const QByteArrayView searched = userLog.size() > searchedBytes ? userLog.last(searchedBytes) : userLog;
    const QByteArray plain = searched.indexOf('\x1b') >= 0 ? withoutColours(searched) : QByteArray();
    const QByteArrayView log = plain.isNull() ? searched : QByteArrayView(plain);
    const auto byRule = [&](const ExitRule &rule, const QByteArray &line) {
        Classified result;
        result.code = rule.code;
        result.matched = line;
        if (const ExitSpecEntry *entry = rules.find(rule.code)) {
            result.rule = entry->phrase;
        }
        return result;
    };
    if (!isStep) {
        OutputCause cause = exit.upstreamOrder ? causeInFileOrder(rules, raw, log) : causeOf(rules, raw, log);
        const std::optional<OutputFinding> words = cause.finding ? std::nullopt : ownWords(rules, cause);
        cause.finding = words ? words : cause.finding;
        Classified result
            = withFindings(cause.rule ? byRule(*cause.rule, cause.line)
                                      : withReason(codeUnclassified, u"exit.user"_s, QJsonObject{{u"status"_s, raw}}),
                cause, raw);
        result.saysOwnWords = words.has_value();
        return result;
    }
    for (const ExitRule &rule : rules.rules()) {
        if (before && !rule.hint.isEmpty()) {
            continue; // a prerequisite has a code of its own, and its log is not the program's
        }
        if (const std::optional<QByteArray> matched = matchRule(rule, raw, log)) {
            Classified result = byRule(rule, *matched);
            result.reason = u"exit.step"_s;
            result.reasonArgs = stepArgs;
            return result;
        }
    }
    if (before) {
        if (exit.cause.isEmpty()) {
            return withReason(-2020, u"exit.step"_s, stepArgs);
        }
        QJsonObject args = stepArgs;
        args.insert(u"about"_s, exit.about.section(u'\t', 0, 0));
        args.insert(u"path"_s, exit.about.section(u'\t', 1));
        return withReason(exit.cause == "ssh-barrier"_L1 ? codeSshBarrier : -2020, u"exit."_s + exit.cause, args);
    }
    return withReason(
        codeUnclassified, exit.phase == RawExit::Phase::After ? u"exit.step-after"_s : u"exit.step"_s, stepArgs);
}

} // namespace trainyard::core
