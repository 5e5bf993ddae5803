// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/silentcommands.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype mostSilent = 3;
constexpr qsizetype longestSilent = 80;

// Commands for which bash does not end: it decides by the status, or a command follows a failure.
bool decides(const QString &line)
{
    static const QRegularExpression deciding(u"\\A(?:if|elif|while|until|!|case|for|#)(?:\\s|\\z)|\\|\\|"_s);
    return deciding.match(line).hasMatch();
}

bool isSilent(const QString &line)
{
    static const QRegularExpression condition(u"\\A(?:\\(\\(|let\\s|\\[\\[?\\s|test\\s)"_s);
    static const QRegularExpression search(
        u"(?:\\A|[|;&]\\s*|\\$\\(\\s*|`)(?:[efz]?grep|pgrep|pidof|cmp|diff|read|expr|false)(?:\\s|\\z)"_s);
    static const QRegularExpression leaving(u"(?:\\A|[|;&{]\\s*)(?:exit|return)\\s+[1-9]"_s);
    static const QRegularExpression thrownAway(u"(?:2>>?|&>>?|>&)\\s*/dev/null|2>&-"_s);
    const auto has = [&line](const QRegularExpression &each) { return each.match(line).hasMatch(); };
    return has(condition) || has(search) || has(leaving) || has(thrownAway);
}

QString shortened(const QString &line)
{
    return line.size() <= longestSilent ? line : QString(line.left(longestSilent - 1) + u'…');
}

// The lines without comments and without the documents that they hold.
QStringList linesOf(const QStringList &commands)
{
    static const QRegularExpression heredoc(u"<<-?\\s*['\"\\\\]?(?<end>\\w+)"_s);
    QStringList lines;
    QString end; // of the document that is read
    for (const QString &each : commands.join(u'\n').split(u'\n')) {
        const QString line = each.trimmed();
        if (!end.isEmpty()) {
            end = line == end ? QString() : end;
            continue;
        }
        end = line.contains("<<<"_L1) ? QString() : heredoc.match(line).captured(u"end"_s);
        if (!line.isEmpty() && !line.startsWith(u'#')) {
            lines.append(line);
        }
    }
    return lines;
}

} // namespace

QStringList silentCommands(const QStringList &commands)
{
    const QStringList lines = linesOf(commands);
    QStringList silent;
    for (qsizetype i = 0; i < lines.size() && silent.size() < mostSilent; ++i) {
        const QString &line = lines.at(i);
        // Behind "&&" only the last command is looked at, but the status of the last line is that of all.
        const bool isGuarded = line.contains("&&"_L1) && i + 1 < lines.size();
        if (!decides(line) && isSilent(isGuarded ? line.section(u"&&"_s, -1).trimmed() : line)) {
            silent.append(shortened(line));
        }
    }
    return silent;
}

QString onlyProgram(const QStringList &commands)
{
    static const QRegularExpression ofShell(u"[|&;<>$`(){}\\\\]"_s);
    static const QRegularExpression shell(
        u"\\A(?:\\S*/)?(?:(?:ba|da|z|k|fi|tc|c)?sh|source|\\.|eval|exec|command|time|set|cd"
        "|env|nohup|stdbuf|timeout|nice|make|srun|mpirun|mpiexec|[^\\s=]+=\\S*|\\S+\\.sh)(?:\\s|\\z)"_s);
    const QStringList lines = linesOf(commands);
    const bool isOne = lines.size() == 1 && !lines.constFirst().contains(ofShell) && !lines.constFirst().contains(shell)
        && !decides(lines.constFirst()) && !isSilent(lines.constFirst());
    return isOne ? shortened(lines.constFirst()) : QString();
}

} // namespace trainyard::core
