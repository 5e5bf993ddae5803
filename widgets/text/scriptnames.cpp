// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/scriptnames.h"

#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{

QString withShortScriptName(const QString &line)
{
    static const QRegularExpression script(
        QStringLiteral("^(?:/[^:]*/(task\\.sh|commands)|/(?:dev|proc/self)/fd/(\\d+))(?=: line \\d+: )"));
    const QRegularExpressionMatch match = script.match(line);
    if (!match.hasMatch()) {
        return line;
    }
    const QString name = !match.captured(1).isEmpty()  ? match.captured(1)
        : match.captured(2) == QLatin1StringView("97") ? QStringLiteral("commands")
                                                       : QStringLiteral("task.sh");
    return name + line.mid(match.capturedLength());
}

QByteArray withShortScriptName(const QByteArray &line)
{
    constexpr qsizetype longestName = 4096; // as of a path
    constexpr QByteArrayView mark = ": line ";
    const qsizetype end
        = line.startsWith('/') ? QByteArrayView(line).first(std::min(line.size(), longestName)).indexOf(mark) : -1;
    if (end < 0) {
        return line;
    }
    // The folder of a try: runs/JOB/ATTEMPT/ROLE-INDEX/TRY
    static const QRegularExpression ofTry(
        QStringLiteral("/runs/[^/]+/\\d+/[^/]+-\\d+/\\d+/(?:sealed/|inside/)?(?:task\\.sh|commands): line "));
    constexpr qsizetype longestNumber = 24;
    const QString head = QString::fromUtf8(line.first(std::min(line.size(), end + mark.size() + longestNumber)));
    const QString shown = ofTry.match(head).hasMatch() ? withShortScriptName(head) : head;
    return shown == head ? line : shown.first(shown.indexOf(QLatin1StringView(mark))).toUtf8() + line.sliced(end);
}

} // namespace trainyard
