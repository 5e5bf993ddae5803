// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QJsonArray>

namespace trainyard
{

// The kinds of health marks, by which settings and jobs silence them: "jump". In the order of docs/health.md.
const QStringList &healthKinds();
QString healthKind(const QString &code); // of "health.jump"; two codes may be of one kind

// As they are stored.
QJsonArray healthJson(const QList<HealthMark> &marks);
QList<HealthMark> healthFrom(const QJsonArray &json);

// The mark that says that a loss of this try was no number any more; null without one.
const HealthMark *brokenLoss(const QList<HealthMark> &marks, const TaskInfo &task);

} // namespace trainyard
