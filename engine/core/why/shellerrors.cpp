// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/shellerrors.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestShellLine = 2000;

// The names by which shells refer to themselves if their commands come from an argument, their input or our script.
bool isNoScript(const QString &name)
{
    static const QRegularExpression shells(
        u"\\A-?(?:ba|da|z|k|a)?sh\\z|\\A(?:environment|main|eval|task\\.sh|\\d+)\\z"_s);
    // The link to the commands in the folder of a try, of a container or not (docs/task-folder.md).
    static const QRegularExpression ofTask(u"/(?:\\d+|inside)/commands\\z"_s);
    return shells.match(name.section(u'/', -1)).hasMatch() || name.startsWith("/proc/"_L1)
        || name.startsWith("/dev/fd/"_L1) || name.startsWith("/memfd:"_L1) || ofTask.match(name).hasMatch();
}

// Other programs that name a line so.
bool isOtherProgram(const QString &name)
{
    static const QRegularExpression others(u"\\A(?:[gmn]?awk|sed|bc|dc|m4|gnuplot)\\z"_s);
    return others.match(name.section(u'/', -1)).hasMatch();
}

} // namespace

std::optional<ShellError> shellErrorIn(QByteArrayView words)
{
    // bash, and dash, which names the line only by its number.
    static const QRegularExpression ofBash(
        u"\\A(?<file>[^\\s:][^:]*): (?:eval: )?(?:line|Zeile|ligne|l[ií]nea|riga|linha) (?<line>\\d+): (?! *\\d+ [A-Z])(?!warning: )(?<said>\\S.*)\\z"_s);
    static const QRegularExpression ofDash(
        u"\\A(?<file>[^\\s:]+): (?<line>\\d+): (?<said>(?:.*: )?(?:not found|parameter not set|Permission denied"
        "|Bad substitution|Syntax error: .*|cannot (?:open|create) .*|arithmetic expression: .*|can't cd to .*"
        "|Illegal number: .*|unexpected operator|bad variable name|is read only))\\z"_s);
    // zsh: "run.zsh:3: command not found: foo".
    static const QRegularExpression ofZsh(
        u"\\A(?<file>[^\\s:]+):(?<line>\\d+): (?<said>(?:command not found: |no such file or directory: |permission "
        u"denied: "
        "|parse error near |no matches found: |read-only variable: |bad (?:math expression|substitution|option|pattern)"
        "|division by zero|not valid in this context: ).*|\\w+: parameter not set)\\z"_s);
    static const QRegularExpression missing(u"\\A(?<file>\\S.*): No such file or directory\\z"
                                            "|\\Acannot open (?<file2>\\S+): No such file"_s);
    static const QRegularExpression denied(u"\\A(?<file>\\S.*): Permission denied\\z"
                                           "|\\Acannot (?:open|create) (?<file2>\\S+): Permission denied"
                                           "|\\Apermission denied: (?<file3>\\S.*)\\z"_s);
    if (words.indexOf(": ") < 0) {
        return std::nullopt;
    }
    // Workflow programs indent what a command said.
    constexpr qsizetype mostIndent = 4;
    qsizetype indent = 0;
    while (indent < words.size() && words[indent] == ' ') {
        ++indent;
    }
    const QString text
        = QString::fromUtf8(headOf(indent <= mostIndent ? words.sliced(indent) : words, longestShellLine));
    QRegularExpressionMatch match = ofBash.match(text);
    if (!match.hasMatch()) {
        match = ofDash.match(text);
    }
    if (!match.hasMatch()) {
        match = ofZsh.match(text);
    }
    const QString file = match.captured(u"file"_s);
    if (!match.hasMatch() || isOtherProgram(file)) {
        return std::nullopt;
    }
    ShellError error;
    error.said = match.captured(u"said"_s).trimmed();
    const int line = match.captured(u"line"_s).toInt();
    if (isNoScript(file)) {
        error.row = line;
    } else {
        error.place = WhyFrame{file, {}, line};
    }
    const QRegularExpressionMatch opened = missing.match(error.said);
    error.missingFile = opened.captured(u"file"_s) + opened.captured(u"file2"_s);
    const QRegularExpressionMatch refused = denied.match(error.said);
    error.deniedFile = refused.captured(u"file"_s) + refused.captured(u"file2"_s) + refused.captured(u"file3"_s);
    return error;
}

} // namespace trainyard::core
