// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/stepreport.h"

#include <QByteArray>

#include <algorithm>

namespace trainyard::launch
{

namespace
{

// The last place of `mark` in a line that begins with the time and our name: what steps print is in this log too.
qsizetype lastOwn(QByteArrayView log, QByteArrayView mark)
{
    for (qsizetype at = log.lastIndexOf(mark); at >= 0; at = at > 0 ? log.lastIndexOf(mark, at - 1) : -1) {
        const qsizetype begin = log.first(at).lastIndexOf('\n') + 1;
        const QByteArrayView time = log.sliced(begin, at - begin);
        if (time.startsWith('[') && !time.contains(']')) {
            return at;
        }
    }
    return -1;
}

} // namespace

std::optional<StepFailure> stepFailure(QByteArrayView runtimeLog)
{
    static constexpr QByteArrayView ownMark = "] [trainyard] [ERROR] STEP FAILED ";
    static constexpr QByteArrayView strictMark = "] [trainyard] [ERROR] STRICT STEP FAILED ";
    const qsizetype ownAt = lastOwn(runtimeLog, ownMark);
    const qsizetype strictAt = lastOwn(runtimeLog, strictMark);
    const QByteArrayView mark = strictAt > ownAt ? strictMark : ownMark;
    const qsizetype at = std::max(ownAt, strictAt);
    if (at < 0) {
        return std::nullopt;
    }
    const qsizetype begin = at + mark.size();
    const qsizetype end = runtimeLog.indexOf('\n', begin);
    if (end < 0) {
        return std::nullopt; // not whole
    }
    const QByteArray line = runtimeLog.sliced(begin, end - begin).toByteArray();
    const qsizetype first = line.indexOf(' ');
    const qsizetype second = line.indexOf(' ', first + 1);
    if (first < 0 || second < 0) {
        return std::nullopt;
    }
    bool isNumber = false;
    StepFailure failure;
    failure.strict = strictAt > ownAt;
    failure.phase = line.startsWith("after ") ? StepPhase::After : StepPhase::Before;
    failure.status = line.mid(first + 1, second - first - 1).toInt(&isNumber);
    failure.name = QString::fromUtf8(line.mid(second + 1));
    if (!isNumber) {
        return std::nullopt;
    }
    // The line must be from this step, not from an earlier one that was allowed to fail.
    const QByteArrayView before = runtimeLog.first(at);
    const qsizetype began = std::max(lastOwn(before, "] [trainyard] [INFO] before begins: "),
        lastOwn(before, "] [trainyard] [INFO] after begins: "));
    static constexpr QByteArrayView causeMark = "] [trainyard] [ERROR] STEP CAUSE ";
    const qsizetype cause = lastOwn(before, causeMark);
    if (cause > began) {
        const qsizetype from = cause + causeMark.size();
        const qsizetype to = before.indexOf('\n', from);
        const QString words = QString::fromUtf8(before.sliced(from, (to < 0 ? before.size() : to) - from));
        failure.cause = words.section(QLatin1Char(' '), 0, 0);
        failure.about = words.section(QLatin1Char(' '), 1);
    }
    return failure;
}

QList<PrintedStep> printedSteps(QByteArrayView runtimeLog)
{
    using End = PrintedStep::End;
    static constexpr QByteArrayView own = "[trainyard] ", printed = "[openpai-runtime] ";
    static constexpr QByteArrayView ignored = "[WARNING] before failed with ", ended = "[INFO] before ended with ";
    QList<PrintedStep> steps;
    bool isWithin = false;
    for (qsizetype begin = 0; begin < runtimeLog.size();) {
        const qsizetype end = runtimeLog.indexOf('\n', begin);
        if (end < 0) {
            break; // not whole
        }
        const QByteArrayView line = runtimeLog.sliced(begin, end - begin);
        begin = end + 1;
        const qsizetype time = line.startsWith('[') ? line.indexOf("] ") : -1;
        const QByteArrayView said = time < 0 ? QByteArrayView() : line.sliced(time + 2);
        if (isWithin && said.startsWith(printed)) {
            steps.last().lines.append(said.sliced(printed.size()));
        }
        if (!said.startsWith(own)) {
            continue;
        }
        const QByteArrayView text = said.sliced(own.size());
        if (text.startsWith("[INFO] before begins: ")) {
            steps.append(PrintedStep());
            isWithin = true;
        } else if (isWithin && (text.startsWith(ignored) || text.startsWith(ended))) {
            const bool isGood = text.startsWith(ended) && text.sliced(ended.size()).startsWith("0: ");
            steps.last().end = text.startsWith(ignored) ? End::Ignored : isGood ? End::Good : End::Failed;
            isWithin = false;
        }
    }
    return steps;
}

QList<ServiceReport> serviceReports(QByteArrayView runtimeLog)
{
    static constexpr QByteArrayView mark = "] SERVICE ";
    QList<ServiceReport> services;
    for (qsizetype at = runtimeLog.indexOf(mark); at >= 0; at = runtimeLog.indexOf(mark, at + mark.size())) {
        const qsizetype end = runtimeLog.indexOf('\n', at);
        if (end < 0) {
            break; // not whole
        }
        // Only lines that a step wrote, and those begin with the time and our name.
        const qsizetype begin = at == 0 ? 0 : runtimeLog.first(at).lastIndexOf('\n') + 1;
        const QByteArrayView head = runtimeLog.sliced(begin, at - begin);
        if (!head.startsWith('[') || head.count(']') != 2
            || !(head.endsWith(QByteArrayView("] [trainyard] [INFO"))
                || head.endsWith(QByteArrayView("] [trainyard] [ERROR")))) {
            continue;
        }
        const QString words = QString::fromUtf8(runtimeLog.sliced(at + mark.size(), end - at - mark.size()));
        ServiceReport report;
        report.name = words.section(QLatin1Char(' '), 0, 0);
        const QString rest = words.section(QLatin1Char(' '), 1);
        (rest.startsWith(QLatin1StringView("http://")) ? report.address : report.state) = rest;
        services.removeIf([&](const ServiceReport &other) { return other.name == report.name; });
        services.append(report);
    }
    return services;
}

std::optional<HoldReport> holdReport(QByteArrayView runtimeLog)
{
    static constexpr QByteArrayView mark = "] [trainyard] [INFO] HELD OPEN ";
    const qsizetype at = lastOwn(runtimeLog, mark);
    const qsizetype end = at < 0 ? -1 : runtimeLog.indexOf('\n', at);
    if (end < 0) {
        return std::nullopt; // not whole
    }
    const QByteArray words = runtimeLog.sliced(at + mark.size(), end - at - mark.size()).toByteArray();
    const qsizetype blank = words.indexOf(' ');
    bool isStatus = false;
    bool isTime = false;
    HoldReport report;
    report.status = words.left(blank).toInt(&isStatus);
    report.until = words.mid(blank + 1).toLongLong(&isTime) * 1000;
    return blank > 0 && isStatus && isTime ? std::optional(report) : std::nullopt;
}

} // namespace trainyard::launch
