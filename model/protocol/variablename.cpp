// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/variablename.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

bool trainyard::isVariableName(const QString &name)
{
    static const QRegularExpression shape(u"\\A[A-Za-z_][A-Za-z0-9_]*\\z"_s);
    return shape.match(name).hasMatch() && !name.startsWith("PAI_"_L1) && !name.startsWith("TRAINYARD_"_L1);
}
