// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/hosts/copyroom.h"

namespace trainyard
{

// The space that copies of the output of clusters leave free on the disk of this computer, according to these settings.
inline CopyReserve copyReserveBy(const Settings &settings)
{
    return [&settings](qint64 diskBytes) {
        return copyReserveBytes(settings.integer(QStringLiteral("disk.holdMiB")), diskBytes);
    };
}

} // namespace trainyard
