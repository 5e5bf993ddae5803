// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <optional>

namespace trainyard
{

// When a signal ends a command, bash repeats the command behind its message, with all of its here-document. Where that
// ends a log of so many lines: the number of the line with the message, from 0. Nothing: it does not.
std::optional<qint64> commandEchoAtEnd(qint64 count, const std::function<QString(qint64 line)> &text);

} // namespace trainyard
