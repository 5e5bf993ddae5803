// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logerrors.h"

namespace trainyard
{

const QRegularExpression &logErrorExpression()
{
    // Words that name a number ("validation error: 0.3") are not errors.
    static const QRegularExpression expression(
        QStringLiteral("^[^\\S\\n]*(?:"
                       "Traceback \\(most recent call last\\):"
                       "|(?:\\w+\\.)*\\w*(?:Error|Exception|KeyboardInterrupt)(?::[^\\n]*)?$"
                       "|(?:\\S+:[^\\S\\n])*(?:fatal |internal )?[Ee]rror: "
                       "|[^\\n]*(?:\\b(?:ERROR|FATAL|CRITICAL)\\b|\\bpanic: |Segmentation fault|core dumped"
                       "|: command not found|CUDA out of memory|CUDA error: ))"),
        QRegularExpression::MultilineOption);
    return expression;
}

bool isLogError(const QString &line)
{
    constexpr qsizetype looked = 2000;
    return logErrorExpression().match(line.size() > looked ? line.left(looked) : line).hasMatch();
}

} // namespace trainyard
