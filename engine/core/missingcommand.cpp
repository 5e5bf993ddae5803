// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/missingcommand.h"

#include <QJsonObject>
#include <QRegularExpression>

#include <array>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr int notExecutable = 126;
constexpr int notFound = 127;
// The message is among the last ones: with errexit only what other processes still write follows it.
constexpr qsizetype searchedEnd = 16 * 1024;
constexpr qsizetype longestCommand = 200;

QRegularExpression pattern(const QString &text) { return QRegularExpression(text); }

QString commandIn(const QString &line, int status)
{
    static const std::array missing{
        pattern(u"executable file [`']([^`']+)['`] not found in \\$PATH"_s), // crun
        pattern(u"\"([^\"]+)\": executable file not found in \\$PATH"_s), // runc
        pattern(u"(?:^|: )line \\d+: .+: (.+): bad interpreter: No such file or directory$"_s),
        pattern(u"(?:^|: )line \\d+: (.+): (?:command not found|No such file or directory)$"_s), // bash, a script
        pattern(u"^\\S+: \\d+: (.+): not found$"_s), // dash
        pattern(u"command not found: (.+)$"_s), // zsh
        pattern(u"^(?:\\S*/)?env: [‘']?(.+?)[’']?: No such file or directory$"_s),
        pattern(u"^\\S+: ([^:]+): (?:command not found|No such file or directory)$"_s), // bash -c
    };
    static const std::array denied{
        pattern(u"(?:^|: )line \\d+: (.+?): (?:Permission denied|Is a directory|cannot execute.*)$"_s),
        pattern(u"^\\S+: \\d+: (.+?): (?:Permission denied|Exec format error)$"_s),
        pattern(u"^\\S+: (.+?): (?:Permission denied|Is a directory|cannot execute.*)$"_s),
    };
    const auto first = [&line](const auto &patterns) {
        for (const QRegularExpression &each : patterns) {
            if (const auto match = each.match(line); match.hasMatch()) {
                return match.captured(1).trimmed();
            }
        }
        return QString();
    };
    return status == notFound ? first(missing) : first(denied);
}

} // namespace

void nameMissingCommand(const RawExit &exit, QByteArrayView userLog, Classified *classified)
{
    const int status = rawExitOf(exit).value_or(0);
    if (exit.phase != RawExit::Phase::User || (status != notFound && status != notExecutable)
        || classified->saysOwnWords) {
        return;
    }
    // Whatever was written before, the status is about this message.
    const QByteArray end = userLog.last(std::min(userLog.size(), searchedEnd)).toByteArray();
    const QList<QByteArray> lines = end.split('\n');
    for (auto line = lines.crbegin(); line != lines.crend(); ++line) {
        const QString text = QString::fromUtf8(line->trimmed());
        if (text.contains("error while loading shared libraries:"_L1)) {
            return; // the program is there, and ends with the same status; what was missing before did not end the task
        }
        const QString command = commandIn(text, status);
        if (!command.isEmpty()) {
            classified->reason = status == notFound ? u"exit.command-missing"_s : u"exit.command-denied"_s;
            classified->reasonArgs = {{u"command"_s, command.left(longestCommand)}, {u"status"_s, status}};
            return;
        }
    }
}

} // namespace trainyard::core
