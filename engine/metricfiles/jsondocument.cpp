// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/jsondocument.h"

#include <string>

namespace trainyard::metricfiles
{

std::optional<std::string_view> documentOf(Source &source, Output &output)
{
    if (source.size() > Source::mostAtOnce) {
        output.note(note::tooLarge, 0, std::to_string(Source::mostAtOnce));
        return std::nullopt;
    }
    return source.view(0, static_cast<std::size_t>(source.size()));
}

State unreadable(JsonScanner::Token token, std::size_t size, Output &output)
{
    const bool isCut = token == JsonScanner::Token::Cut;
    output.note(isCut ? note::cut : note::badRecord, isCut ? size : 0);
    return isCut ? State::Waiting : State::Damaged;
}

} // namespace trainyard::metricfiles
