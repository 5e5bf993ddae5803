// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace trainyard
{

// "0,1,2"
inline QString joinedNumbers(const QList<int> &numbers, const QString &between)
{
    QStringList words;
    for (const int number : numbers) {
        words.append(QString::number(number));
    }
    return words.join(between);
}

} // namespace trainyard
