// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/whylinks.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype linesBeforePreparation = 8;
constexpr qsizetype linesAfterPreparation = 3;
constexpr qsizetype longestLinked = 2000;

// The parts of a path, an address or a module that tell it from others.
QStringList namesIn(const QString &text)
{
    static const QRegularExpression separators(u"(?:[\\\\/\\s'\"=:,()<>]|--)+"_s); // models--lab--bert
    static const QSet<QString> common{u"data"_s, u"home"_s, u"tmp"_s, u"usr"_s, u"var"_s, u"opt"_s, u"mnt"_s, u"src"_s,
        u"lib"_s, u"bin"_s, u"root"_s, u"work"_s, u"file"_s, u"main"_s, u"https"_s, u"http"_s, u"com"_s};
    QStringList names;
    for (QString name : text.split(separators, Qt::SkipEmptyParts)) {
        name = name.toLower();
        if (name.size() >= 3 && !common.contains(name)) {
            names.append(name);
        }
    }
    return names;
}

} // namespace

bool isLinkedPreparation(const QList<WhyLine> &lines, const WhySign &preparation, const WhySign &missing)
{
    // A tool that only fetches may have fetched something else.
    static const QSet<QString> fetching{u"dns"_s, u"ssl-verify"_s, u"proxy"_s, u"network-unreachable"_s,
        u"connection-refused"_s, u"connection-timeout"_s, u"git-auth"_s, u"git-repository"_s, u"ssh-auth"_s,
        u"ssh-host-key"_s, u"hub-auth"_s, u"hub-not-found"_s};
    static const QRegularExpression installer(
        u"\\bpip3?\\b|Retrying \\(Retry\\(|No matching distribution|Could not find a "
        u"version|\\b[Cc]onda|\\bmamba\\b|\\buv\\b"
        "|\\bpoetry\\b|/simple/|\\bapt(?:-get)?\\b|\\A[EW]: |\\bnpm\\b|\\bcpan|\\bCRAN\\b|\\bcargo\\b|[Ii]nstall|[Pp]ackage"_s);
    if (!fetching.contains(preparation.cause)) {
        return true;
    }
    const bool isModule = missing.cause == "module-missing"_L1 || missing.cause == "pip-not-found"_L1;
    if (missing.cause != "file-missing"_L1 && !isModule) {
        return true;
    }
    QStringList wanted;
    for (const QLatin1StringView key : {"file"_L1, "module"_L1, "name"_L1}) {
        wanted += namesIn(missing.args.value(key).toString());
    }
    // A short name says something only as a whole part of an address: "cd ml", of "https://git.example/lab/ml.git".
    static const QRegularExpression shortName(u"\\A\\w{1,2}\\z"_s);
    const QString file = missing.args.value("file"_L1).toString();
    const QRegularExpression partOfAddress(
        shortName.match(file).hasMatch() ? u"[/:]%1(?:\\.git)?/?(?=['\"\\s]|\\z)"_s.arg(file) : u"(?!)"_s);
    if (isModule) {
        wanted = wanted.join(u'.').split(u'.', Qt::SkipEmptyParts); // a module is in the package of its first name
    }
    const qsizetype from = std::max<qsizetype>(0, preparation.line - linesBeforePreparation);
    const qsizetype to = std::min(
        {lines.size() - 1, preparation.last + linesAfterPreparation, std::max(preparation.last, missing.line - 1)});
    for (qsizetype i = from; i <= to; ++i) {
        const QString text = QString::fromUtf8(headOf(lines.at(i).words, longestLinked));
        if (isModule && installer.match(text).hasMatch()) {
            return true;
        }
        const bool isNamed = std::any_of(wanted.cbegin(), wanted.cend(),
            [&](const QString &name) { return text.contains(name, Qt::CaseInsensitive); });
        if (isNamed || partOfAddress.match(text).hasMatch()) {
            return true;
        }
    }
    return false;
}

bool endsOtherwise(QByteArrayView words, const WhySign &sign, std::optional<int> status)
{
    constexpr int lastOwnStatus = 123; // beyond: of `timeout`, of shells, signals
    static const QRegularExpression curl(u"\\Acurl: \\((\\d+)\\)"_s);
    if (sign.block >= 0 || !status || *status <= 0 || *status > lastOwnStatus) {
        return false;
    }
    const QRegularExpressionMatch match = curl.match(QString::fromUtf8(headOf(words, 40)));
    if (match.hasMatch()) {
        return match.captured(1).toInt() != *status;
    }
    constexpr int lastOfSmallTools = 2;
    if (isOfSmallTool(words) && *status > lastOfSmallTools) {
        return true;
    }
    // git ends with 128 after "fatal:", ssh with 255 when it fails itself.
    return words.startsWith("fatal: ") || words.startsWith("ssh: ");
}

bool isGivingUp(QByteArrayView words)
{
    static const QRegularExpression givingUp(
        u"\\b(?:fail\\w*|abort\\w*|exit\\w*|giv(?:e|es|ing) up|gave up|stopp\\w*|could "
        u"?n[o']t|cannot|can't|unable|download\\w*"
        "|fetch\\w*|clon(?:e|ing)|install\\w*|upload\\w*|connect\\w*|network|offline|resolve)\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    return givingUp.match(QString::fromUtf8(headOf(words, longestLinked))).hasMatch();
}

bool isOfSmallTool(QByteArrayView words)
{
    static const QRegularExpression tool(u"\\A(?:mkdir|cp|mv|rm|rmdir|ln|ls|cat|touch|chmod|chown|chgrp|du|df|head|"
                                         u"tail|stat|find|grep|sed|sort|wc|cut|tr|tee"
                                         "|readlink|realpath|basename|dirname|mktemp|install): "_s);
    return tool.match(QString::fromUtf8(headOf(words, longestLinked))).hasMatch();
}

bool isHarmlessTool(QByteArrayView words)
{
    static const QRegularExpression harmless(
        u"\\A(?:rm|rmdir|unlink): .*No such file or directory\\s*\\z|\\A(?:mkdir|ln): .*File exists\\s*\\z"_s);
    return harmless.match(QString::fromUtf8(headOf(words, longestLinked))).hasMatch();
}

bool isOfCalledTool(QByteArrayView words)
{
    static const QRegularExpression tool(
        u"\\A(?:fatal: |ssh: |curl: \\(\\d+\\)|\\S+: line \\d+: |(?:\\S*/)?\\w*sh: (?:\\d+: )?|\\S+: \\d+: .*: not found)"_s);
    return isOfSmallTool(words) || tool.match(QString::fromUtf8(headOf(words, longestLinked))).hasMatch();
}

bool reportsOwnExit(QByteArrayView words)
{
    // MPI calls it an abort when a rank ends all others by itself.
    static const QRegularExpression exited(
        u"\\b[Ee]xited with exit code (\\d+)|\\bapplication called MPI_Abort\\(\\w+, (\\d+)\\)"_s);
    const QRegularExpressionMatch match = exited.match(QString::fromUtf8(headOf(words, longestLinked)));
    constexpr int interrupted = 130, killed = 137, terminated = 143;
    const int status = QString(match.captured(1) + match.captured(2)).toInt();
    return match.hasMatch() && status != killed && status != terminated && status != interrupted;
}

bool reportsSeveral(const QList<WhyLine> &lines, const WhySign &report)
{
    static const QSet<QString> ofOne{u"CalledProcessError"_s, u"SystemExit"_s, u"PapermillExecutionError"_s,
        u"CellExecutionError"_s, u"FailedJobError"_s};
    static const QRegularExpression linesOfOne(u"\\Amake(?:\\[\\d+\\])?: \\*\\*\\*|\\AERROR conda\\.cli|Error: Process "
                                               u"completed with exit code|\\Arsync error:"
                                               "|Could not read from remote repository|\\ACommand '\\['|\\Asrun: "
                                               "error: \\S+: task 0: Exited with exit code \\d+"
                                               "|\\Asrun: (?:Force )?Terminat"_s);
    if (report.block >= 0) {
        return !ofOne.contains(report.args.value("type"_L1).toString());
    }
    return !linesOfOne.match(QString::fromUtf8(headOf(lines.at(report.line).words, longestLinked))).hasMatch();
}

void discountKilledTasks(const QList<WhyLine> &lines, QList<WhySign> &signs)
{
    constexpr qsizetype linesOfEnd = 100; // a step of many nodes ends with as many reports
    static const QRegularExpression killed(u"\\Asrun: error: \\S+: tasks? [\\d,-]+: (?:Killed|Terminated)\\s*\\z"_s);
    static const QRegularExpression ended(
        u"\\A(?:\\S+: ){0,2}\\*\\*\\* STEP \\S+ ON \\S+ CANCELLED AT \\S+ \\*\\*\\*|\\Asrun: .*Terminating (?:StepId=|job step )"_s);
    const auto textAt
        = [&](qsizetype line) { return QString::fromUtf8(headOf(lines.at(line).words, longestLinked)).trimmed(); };
    const auto isNear = [&](qsizetype a, qsizetype b) { return std::abs(a - b) <= linesOfEnd; };
    qsizetype end = -1; // the line that ended the step
    QList<qsizetype> exits;
    for (const WhySign &sign : std::as_const(signs)) {
        if (sign.role == FailureCause::Role::Report && reportsOwnExit(lines.at(sign.line).words)) {
            exits.append(sign.line);
        }
    }
    qsizetype read = 0;
    signs.removeIf([&](const WhySign &sign) {
        if (exits.isEmpty() || sign.block >= 0
            || (sign.role != FailureCause::Role::Crash && sign.role != FailureCause::Role::Cancel)
            || !killed.match(textAt(sign.line)).hasMatch()) {
            return false;
        }
        for (read = std::max(read, sign.line - linesOfEnd); read < sign.line; ++read) {
            end = ended.match(textAt(read)).hasMatch() ? read : end;
        }
        const bool isOfOther
            = std::any_of(exits.cbegin(), exits.cend(), [&](qsizetype exit) { return isNear(exit, sign.line); });
        return end >= 0 && isNear(end, sign.line) && isOfOther;
    });
}

} // namespace trainyard::core
