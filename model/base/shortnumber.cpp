// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/shortnumber.h"

#include <QLocale>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard
{

QString shortNumber(double number)
{
    static const QRegularExpression zeros(u"e([+-])0+"_s);
    return QString::number(number, 'g', QLocale::FloatingPointShortest).replace(zeros, u"e\\1"_s);
}

} // namespace trainyard
