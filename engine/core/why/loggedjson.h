// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace trainyard::core
{

// A text in which JSON lines that report an error (a `level` such as "error", or the `log` of a container's log file)
// are written as a program without such a logger would: the message, then the stack. Carriage returns stand between
// the lines of one JSON line, so that each keeps its number.
QByteArray withoutLoggedJson(QByteArrayView text);
bool hasLoggedJson(QByteArrayView text);

} // namespace trainyard::core
