// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/memorytext.h"

#include <QRegularExpression>

#include <cmath>

namespace trainyard
{

std::optional<qint64> parseMemory(const QString &text, bool bareIsGiB)
{
    static const QRegularExpression form(QStringLiteral("^\\s*(\\d+(?:[.,]\\d+)?)\\s*(?:([kmgt])i?b?|i?b)?\\s*$"),
        QRegularExpression::CaseInsensitiveOption);
    constexpr double most = 1e15;
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const double number = match.captured(1).replace(QLatin1Char(','), QLatin1Char('.')).toDouble();
    const QString unit = match.captured(2).toLower();
    double factor = bareIsGiB ? 1024 : 1;
    if (unit == QLatin1String("k")) {
        factor = 1.0 / 1024;
    } else if (unit == QLatin1String("m")) {
        factor = 1;
    } else if (unit == QLatin1String("g")) {
        factor = 1024;
    } else if (unit == QLatin1String("t")) {
        factor = 1024 * 1024;
    }
    const double value = number * factor;
    return value > most ? std::nullopt : std::optional<qint64>(std::llround(value));
}

} // namespace trainyard
