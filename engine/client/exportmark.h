// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/exportmark.h"

#include <QString>

namespace trainyard
{

inline QString exportMark() { return QString::fromLatin1(metrics::exportMark); } // the title of the last column
inline QString exportVersion() { return QString::fromLatin1(metrics::exportVersion); } // what it has in each row

} // namespace trainyard
