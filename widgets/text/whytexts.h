// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"

#include <QStringList>

namespace trainyard
{

// Why a run failed, in words. The window, `show` and `why` all take them from here.
struct FailureWords {
    QString sentence; // what happened, and how sure that is
    QString quote; // what the output itself says of it; empty where the sentence has it already
    QString place; // the innermost place in the user's own code: "step in train.py, line 12"; or empty
    QStringList remedies;

    QString explanation() const; // the sentence and the quote
    QString whole() const; // ... and the place
};
FailureWords failureWords(const FailureFacts &facts);

// A command that was not found because it names a file, as ./train.sh does: PATH has nothing to do with it.
bool isMissingScript(const FailureFacts &facts);

} // namespace trainyard
