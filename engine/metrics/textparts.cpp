// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/textreader.h"

#include <algorithm>

namespace trainyard::metrics
{

void TextReader::endOfPart(std::size_t next)
{
    if (!m_bare) {
        // "| valid |", "train: ..."
        std::string_view part = trimmedJoint(m_line.substr(m_start, m_i - m_start));
        part = part.substr(0, part.find(' '));
        if (isPartName(part)) {
            m_tag = part;
        }
    }
    if (m_bare) {
        // "0.5 avg loss", "3.3 hours left", "33 sec remaining"
        std::string_view name = trimmedJoint(m_line.substr(m_start, m_i - m_start));
        name.remove_suffix(name.ends_with('.') && name.find(' ') != std::string_view::npos ? 1 : 0); // of the sentence
        if (!name.empty() && name.size() < 30) {
            if (kindOf(name) == NameKind::TimeLeft) {
                constexpr std::size_t longestDuration = 64;
                const std::size_t from = m_start - std::min(m_start, longestDuration);
                const std::size_t sign = m_line.substr(from, m_start - from).find_last_of(",;|(");
                const std::size_t begin = sign != std::string_view::npos ? from + sign + 1 : from;
                if (const std::optional<double> left = durationAt(m_line, begin)) {
                    m_record.secondsLeft = left;
                }
            } else if (m_record.steps.size() == 1 && m_record.steps.front().isBare && !m_bare->isWhole
                && std::count(name.begin(), name.end(), ' ') < 2) {
                addPair({name, {}, Joint::None}, *m_bare, false);
            }
        }
        m_bare.reset();
    }
    m_i = m_start = next;
    m_passed = 0;
    if (!trimmed(m_line.substr(0, next)).empty()) {
        m_isFirst = m_isFirst && trimmed(m_line.substr(0, next)) == "|";
    }
}

} // namespace trainyard::metrics
