// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QMap>

#include <functional>
#include <optional>

namespace trainyard
{

// Output shows a short value as it is, so a user who gives one for a run is warned. The checks warn of short values in
// the text. Values of secrets that the job does not have are ignored.
std::optional<JobNote> noteOfShortSecrets(
    const QMap<QString, QString> &given, const std::function<bool(const QString &name)> &isOfJob);

} // namespace trainyard
