// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <functional>

class QMenu;
class QObject;

namespace trainyard
{

// What the entries about tags, notes, stars and archives ask for; the same for every list of jobs.
struct LabelRequests {
    std::function<void(const QStringList &uuids, bool note)> edit; // tags, or the note
    std::function<void(const QStringList &uuids, bool on)> star, archive;
};
void addLabelActions(QMenu *menu, QObject *context, const QList<JobSummary> &jobs, const LabelRequests &requests);

} // namespace trainyard
