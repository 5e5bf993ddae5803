// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>

#include <string>

namespace trainyard
{

// A path as the system and agents take it.
inline std::string pathBytes(const QString &path) { return QFile::encodeName(path).toStdString(); }

} // namespace trainyard
