// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace trainyard
{

// Reads an amount of memory as people write it: "8 GB", "8GiB", "1.5g", "512 Mi", "2048k". Units are powers of 1024,
// whether they are written with an "i" or without, in either case of letters; the comma is a decimal point too.
// `bareIsGiB`: whether a number without a unit is in GiB; otherwise it is in MiB. Returns MiB, rounded; nothing where
// the text is not such an amount or is beyond all reason (10^15 MiB).
std::optional<qint64> parseMemory(const QString &text, bool bareIsGiB);

} // namespace trainyard
