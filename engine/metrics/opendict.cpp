// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/opendict.h"

#include <utility>

namespace trainyard::metrics
{

namespace
{

constexpr int mostTries = 8;

} // namespace

void OpenDict::begin(std::string_view text, std::size_t brace, std::uint64_t line, bool isOfSettings)
{
    m_text.assign(text);
    m_brace = m_scanned = brace;
    m_read = m_text.size();
    m_line = line;
    m_isOfSettings = isOfSettings;
    m_depth = 0;
    m_tries = 0;
    m_quote = 0;
    scan();
}

void OpenDict::add(std::string_view line)
{
    m_text += '\n';
    m_text += line;
    scan();
}

// As DictReader goes through it.
void OpenDict::scan()
{
    for (; m_scanned < m_text.size(); ++m_scanned) {
        const char c = m_text[m_scanned];
        if (m_quote != 0) {
            if (c == '\\') {
                ++m_scanned; // what is behind it, even if that is the next line feed
            } else if (c == m_quote) {
                m_quote = 0;
            }
        } else if (c == '\'' || c == '"') {
            m_quote = c;
        } else {
            m_depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        }
    }
}

bool OpenDict::mayBeWhole()
{
    const bool isClosed = m_quote == 0 && m_depth <= 0 && m_tries < mostTries;
    if (!isClosed && m_text.size() / 2 < m_read) {
        return false;
    }
    m_tries += isClosed ? 1 : 0;
    m_read = m_text.size();
    return true;
}

std::string OpenDict::take() { return std::exchange(m_text, {}); }

} // namespace trainyard::metrics
