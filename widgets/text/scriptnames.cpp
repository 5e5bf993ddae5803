// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/scriptnames.h"

#include <QRegularExpression>

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

} // namespace trainyard
