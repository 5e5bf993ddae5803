// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <optional>

namespace trainyard
{

namespace shellecho
{
constexpr qint64 mostInside = 1000; // lines of a here-document
constexpr qint64 mostBehind = 3; // lines behind it: an empty one, and ends of groups of commands
constexpr qint64 mostLines = mostInside + mostBehind + 2; // that are looked at
} // namespace shellecho

// When a signal ends a command, bash repeats the command behind its message, with all of its here-document. Where that
// ends a log of so many lines: the number of the line with the message, from 0. Nothing: it does not.
std::optional<qint64> commandEchoAtEnd(qint64 count, const std::function<QString(qint64 line)> &text);

} // namespace trainyard
