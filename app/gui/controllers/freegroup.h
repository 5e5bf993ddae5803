// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QString>

#include <functional>

class QObject;

namespace trainyard
{

class EngineClient;

// Asks the engine for a group that has no jobs: that of this name, or one with the next number, such as "train-2".
// `found` is called once, unless `context` goes before.
void findFreeGroup(EngineClient *client, const QString &name, QObject *context,
    const std::function<void(const Result<QString> &)> &found);

} // namespace trainyard
