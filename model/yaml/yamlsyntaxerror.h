// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/base/textrange.h"

#include <functional>
#include <optional>

namespace YAML
{
class Exception;
}

namespace trainyard::yamltree
{

// The place of the innermost list or map that is open and begins with that bracket.
using PlaceOfOpen = std::function<std::optional<qsizetype>(char bracket)>;

// Says in words of ours what the parser has found wrong, and where: mostly not where it stumbled. `offset`: of the text
// that the parser has read. `input` is what it read for the bytes. With fixes where it is certain what was meant.
Diagnostic syntaxError(const QByteArray &bytes, const QByteArray &input, const YAML::Exception &error, qsizetype offset,
    const PlaceOfOpen &placeOf);

// What is wrong with a line that should be a key, if it has a colon without a blank behind it; with its fix.
std::optional<Diagnostic> withoutBlank(const QByteArray &bytes, ByteRange line);

// A tab in the indentation of the line of `pos` or of the nearest line with content before it.
std::optional<ByteRange> indentationTab(const QByteArray &bytes, qsizetype pos);

} // namespace trainyard::yamltree
