// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whysigns.h"

namespace trainyard::core
{

// Whether a line names two causes that have nothing to do with each other, by what stands between them: "ENOSPC,
// ECONNREFUSED".
bool areListedIn(QByteArrayView between, const WhySign &known, const FailureCause &other);
// Marks the signs that stand together although they have nothing to do with each other, such as a full disk, a GPU
// without memory and a host without a name: a program ends for one reason, and lists several.
void markListed(const QList<WhyLine> &lines, QList<WhySign> &signs);

} // namespace trainyard::core
