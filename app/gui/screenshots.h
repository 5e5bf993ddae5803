// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace trainyard
{

// Pictures of the program's own pages, taken from widgets that are never shown on a screen, into `folder`: the welcome
// page, each of `files` in the designer, all components. 0 when all could be written.
int takeScreenshots(const QString &folder, const QStringList &files);

} // namespace trainyard
