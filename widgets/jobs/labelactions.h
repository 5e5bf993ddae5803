// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <functional>

class QMenu;
class QObject;

namespace trainyard
{

// The requests of the menu entries about tags, notes, stars and archives, for every list of jobs.
struct LabelRequests {
    std::function<void(const QStringList &uuids, bool note)> edit; // tags, or the note
    std::function<void(const QStringList &uuids, bool on)> star, archive;
};
void addLabelActions(QMenu *menu, QObject *context, const QList<JobSummary> &jobs, const LabelRequests &requests);

} // namespace trainyard
