// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QStringView>

namespace trainyard
{

// Matches lines that report an error, as Python, compilers, shells and logging frameworks write them. For texts of many
// lines.
const QRegularExpression &logErrorExpression();
bool isLogError(const QString &line);

} // namespace trainyard
