// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/partsections.h"

#include "engine/metrics/names.h"
#include "engine/metrics/words.h"

namespace trainyard::metrics
{

std::string_view PartSections::take(std::size_t indent, std::string_view line)
{
    line = trimmed(line);
    if (line.empty()) {
        return {};
    }
    const std::size_t colon = line.find(':');
    if (colon + 1 == line.size() && isPartName(line.substr(0, colon))) {
        m_part = line.substr(0, colon);
        m_indent = indent;
        return {};
    }
    if (!m_part.empty() && indent <= m_indent) {
        m_part.clear();
    }
    return m_part;
}

void PartSections::noteOther(std::string_view line)
{
    if (!m_part.empty() && !line.empty() && !isBlank(line.front())) {
        m_part.clear();
    }
}

} // namespace trainyard::metrics
