// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QMap>

#include <functional>
#include <optional>

namespace trainyard
{

// Output shows a short value as it is; who gives one for a run is told. Of those in the text the checks tell. Those
// that the job does not have are passed over.
std::optional<JobNote> noteOfShortSecrets(
    const QMap<QString, QString> &given, const std::function<bool(const QString &name)> &isOfJob);

} // namespace trainyard
