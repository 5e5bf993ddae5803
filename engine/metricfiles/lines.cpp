// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/lines.h"

namespace trainyard::metricfiles
{

// The line feed that ends the first line.
std::size_t Lines::endOf(std::string_view text) const
{
    const std::size_t feed = text.find('\n');
    if (!m_hasQuotedCells || m_isInLongLine || feed == std::string_view::npos
        || text.substr(0, feed).find('"') == std::string_view::npos) {
        return feed;
    }
    bool isQuoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            isQuoted = !isQuoted;
        } else if (text[i] == '\n' && !isQuoted) {
            return i;
        }
    }
    return std::string_view::npos;
}

Lines::Found Lines::next(Source &source, Output &output, std::string_view &line)
{
    const std::uint64_t begin = source.position();
    std::string_view text;
    std::size_t feed = std::string_view::npos;
    for (std::size_t wanted = 4096; feed == std::string_view::npos; wanted *= 4) {
        text = source.view(begin, wanted);
        feed = endOf(text);
        if (text.size() < wanted || wanted >= longest) {
            break;
        }
    }
    if (feed != std::string_view::npos) {
        source.moveTo(begin + feed + 1);
        if (m_isInLongLine) {
            m_isInLongLine = false;
            return Found::Skipped;
        }
        line = text.substr(0, feed);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        return Found::Line;
    }
    if (text.empty()) {
        return Found::End;
    }
    if (text.size() < longest && !m_isInLongLine) {
        line = text;
        return Found::Cut;
    }
    if (!m_isInLongLine) {
        output.note(note::longRecord, begin);
    }
    m_isInLongLine = true;
    source.moveTo(begin + text.size());
    return Found::Skipped;
}

} // namespace trainyard::metricfiles
