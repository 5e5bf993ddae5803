// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QStringList>

namespace trainyard
{

// Why a job waits, beyond the sentence of its reason: a line for each host, and what would make it run.
QStringList waitDetails(const QString &code, const QJsonObject &args);

} // namespace trainyard
