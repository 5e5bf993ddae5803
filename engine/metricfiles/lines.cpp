// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/lines.h"

namespace trainyard::metricfiles
{

namespace
{

// A quote that nothing closes for so long opened no cell: the rows behind it are worth more.
constexpr std::size_t longestCell = 32U << 10;

} // namespace

// The line feed that ends the first line. A quote opens a cell only where the cell begins: "5\" wide" has none.
std::size_t Lines::endOf(std::string_view text) const
{
    const std::size_t feed = text.find('\n');
    if (!m_hasQuotedCells || m_isInLongLine || feed == std::string_view::npos
        || text.substr(0, feed).find('"') == std::string_view::npos) {
        return feed;
    }
    bool isQuoted = false, isBeginning = true; // of a cell
    std::size_t opened = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (isQuoted) {
            const bool isDoubled = c == '"' && i + 1 < text.size() && text[i + 1] == '"';
            i += isDoubled ? 1 : 0;
            isQuoted = c != '"' || isDoubled;
            continue;
        }
        if (c == '\n') {
            return i;
        }
        if (c == '"' && isBeginning) {
            isQuoted = true;
            opened = i;
        }
        isBeginning = c == ',' || c == ';' || c == '\t' || (c == ' ' && isBeginning);
    }
    return isQuoted && text.size() - opened > longestCell ? feed : std::string_view::npos;
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
