// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard
{

// One word for a POSIX shell, in single quotes unless it needs none. The only quoting function of the project.
QByteArray shellQuote(const QByteArray &text);

} // namespace trainyard
