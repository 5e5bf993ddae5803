// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/scriptnames.h"

#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{

namespace
{

// Where the path begins that goes on at `at`. In front of a line it may have blanks; behind other text it begins after
// a character that separates words, or after a number: "65%/tmp", "3.5it/s/tmp".
std::optional<qsizetype> pathBegin(const QString &text, qsizetype at)
{
    if (text.startsWith(u'/') && !QStringView(text).first(at).contains(u':')) {
        return 0;
    }
    static const QRegularExpression separator(QStringLiteral(R"([^\w/.~+-])"));
    static const QRegularExpression number(QStringLiteral(R"(^(?:\d[\w.]*(?:/(?:\d[\d.]*|s)(?=/))*)?(?=/))"));
    const QString before = text.first(at);
    const qsizetype from = before.lastIndexOf(separator) + 1;
    const QRegularExpressionMatch match = number.match(text.sliced(from, at + 1 - from));
    return match.hasMatch() ? std::optional(from + match.capturedLength()) : std::nullopt;
}

} // namespace

QString withShortScriptName(const QString &line)
{
    static const QRegularExpression script(
        QStringLiteral("^(?:/[^:]*/(task\\.sh|commands)|/(?:dev|proc/self)/fd/(\\d+))(?=: line \\d+: )"));
    const QRegularExpressionMatch match = script.match(line);
    if (!match.hasMatch()) {
        return line.contains(QLatin1StringView(": line ")) ? QString::fromUtf8(withShortScriptName(line.toUtf8()))
                                                           : line;
    }
    const QString name = !match.captured(1).isEmpty()  ? match.captured(1)
        : match.captured(2) == QLatin1StringView("97") ? QStringLiteral("commands")
                                                       : QStringLiteral("task.sh");
    return name + line.mid(match.capturedLength());
}

std::optional<ScriptFolder> scriptFolderIn(const QByteArray &line)
{
    constexpr qsizetype longestLine = 32 << 10, longestName = 4096, longestNumber = 24; // the second one as of a path
    constexpr QByteArrayView mark = ": line ";
    // The folder of a try: runs/JOB/ATTEMPT/ROLE-INDEX/TRY
    static const QRegularExpression ofTry(
        QStringLiteral("/runs/[^/]+/\\d+/[^/]+-\\d+/\\d+/(?:sealed/|inside/)?(?=(?:task\\.sh|commands): line \\d+: )"));
    const QByteArrayView head = QByteArrayView(line).first(std::min(line.size(), longestLine));
    for (qsizetype at = head.indexOf(mark); at >= 0; at = head.indexOf(mark, at + 1)) {
        const QByteArrayView before = head.first(at);
        if (!before.endsWith("/task.sh") && !before.endsWith("/commands")) {
            continue;
        }
        const qsizetype from = std::max(before.lastIndexOf('\r') + 1, at - longestName);
        const qsizetype to = std::min(line.size(), at + mark.size() + longestNumber);
        const QString text = QString::fromLatin1(QByteArrayView(line).sliced(from, to - from)); // a character each
        const QRegularExpressionMatch match = ofTry.match(text);
        const std::optional<qsizetype> begin = match.hasMatch() ? pathBegin(text, match.capturedStart()) : std::nullopt;
        if (begin) {
            return ScriptFolder{from + *begin, match.capturedEnd() - *begin};
        }
    }
    return std::nullopt;
}

QByteArray withShortScriptName(const QByteArray &line)
{
    const std::optional<ScriptFolder> folder = scriptFolderIn(line);
    return folder ? QByteArray(line).remove(folder->at, folder->length) : line;
}

} // namespace trainyard
