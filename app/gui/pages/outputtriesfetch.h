// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/outputtries.h"

#include <functional>

class QObject;

namespace trainyard
{

class EngineClient;

// Asks the engine for the tries of the first tasks of a job, over all of its attempts: those of each task in their
// order, as far as they are read. `done` is called while `context` lives; with nothing when the engine does not answer.
void fetchOutputTries(EngineClient *client, QObject *context, const QString &uuid, int tasks,
    std::function<void(const QList<QList<OutputTry>> &)> done);

} // namespace trainyard
