// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/naturalorder.h"

#include <QCollator>

namespace trainyard
{

bool naturalLess(const QString &a, const QString &b)
{
    static const QCollator collator = [] {
        const QLocale own;
        QCollator numeric(own.language() == QLocale::C ? QLocale(QLocale::English) : own);
        numeric.setNumericMode(true);
        return numeric;
    }();
    return collator.compare(a, b) < 0;
}

} // namespace trainyard
