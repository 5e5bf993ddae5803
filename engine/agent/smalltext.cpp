// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/smalltext.h"

#include "engine/contract/pathkinds.h"
#include "engine/contract/taskfolder.h"

#include <string.h>

#include <algorithm>

namespace trainyard::agent
{

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string> absolutePartsOf(const std::string &path)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t colon = std::min(path.find(':', at), path.size());
        if (colon > at && path[at] == '/') {
            parts.push_back(path.substr(at, colon - at));
        }
        at = colon + 1;
    }
    return parts;
}

std::string smallText(const std::string &path)
{
    constexpr std::size_t most = 64 << 10;
    return contract::isFileAt(path) ? contract::readWhole(path, most).value_or("") : std::string();
}

void wipeText(std::string &text) { ::explicit_bzero(text.data(), text.size()); }

} // namespace trainyard::agent
