// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/json.h"
#include "engine/metricfiles/note.h"
#include "engine/metricfiles/output.h"
#include "engine/metricfiles/source.h"

#include <cstddef>
#include <optional>
#include <string_view>

// A file that is one JSON document, which its program writes anew each time.
namespace trainyard::metricfiles
{

// What of one file is held at a time; nothing: a note says why it is read no further.
std::optional<std::string_view> documentOf(Source &source, Output &output);

// The state after a document that ends too early, or is not a document.
State unreadable(JsonScanner::Token token, std::size_t size, Output &output);

} // namespace trainyard::metricfiles
