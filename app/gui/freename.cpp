// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/freename.h"

namespace trainyard
{

QString freeDocumentName(
    const QString &wanted, const QString &untitled, const std::function<bool(const QString &name)> &isTaken)
{
    if (!isTaken(wanted)) {
        return wanted;
    }
    const QString stem = untitled.section(QLatin1Char('.'), 0, 0);
    const bool isNumbered = wanted.startsWith(stem + QLatin1Char('-')); // not "untitled-2-2"
    const QString base = isNumbered ? untitled : wanted;
    const qsizetype dot = base.contains(QLatin1Char('.')) ? base.indexOf(QLatin1Char('.')) : base.size();
    QString name = base;
    for (int number = 2; isTaken(name); ++number) {
        name = base.left(dot) + QLatin1Char('-') + QString::number(number) + base.mid(dot);
    }
    return name;
}

} // namespace trainyard
