// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>

namespace trainyard
{

// What is said of the references in the commands of a job that referred to nothing when it ran, one sentence each;
// empty where there are none. `parameters`: their values then, as JobSummary::parameters has them.
QString unresolvedText(const QByteArray &yaml, const QJsonObject &parameters);

} // namespace trainyard
