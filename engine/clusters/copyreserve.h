// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/hosts/copyroom.h"

namespace trainyard
{

// What copies of the output of clusters leave free of the disk of this computer, as these settings have it.
inline CopyReserve copyReserveBy(const Settings &settings)
{
    return [&settings](qint64 diskBytes) {
        return copyReserveBytes(settings.integer(QStringLiteral("disk.holdMiB")), diskBytes);
    };
}

} // namespace trainyard
