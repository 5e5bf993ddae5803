// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/linesplitter.h"

#include <array>
#include <utility>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t longestState = 256 * 1024;

// Bytes that mean something other than text.
constexpr std::array<bool, 256> specialBytes = [] {
    std::array<bool, 256> table{};
    for (const char c : {'\n', '\r', '\b', '\x1b', '\0', '\a', '\f', '\v'}) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}();

} // namespace

LineSplitter::LineSplitter(State state) : m_state(std::move(state)) { }

void LineSplitter::take(std::string_view text)
{
    if (m_backspaces > 0) {
        // One or two correct a character, as spinners do; more go back to draw the line again.
        if (m_backspaces > 3 || m_backspaces >= m_text.size()) {
            endState();
        } else {
            m_text.resize(m_text.size() - m_backspaces);
        }
        m_backspaces = 0;
    }
    if (m_text.size() < longestState) {
        m_text.append(text.substr(0, longestState - m_text.size()));
    }
}

void LineSplitter::endState()
{
    if (!m_text.empty()) {
        m_state(m_text, m_line, false);
        m_text.clear();
    }
    m_backspaces = 0;
}

void LineSplitter::endLine()
{
    m_backspaces = 0;
    m_hasReturned = false;
    m_state(m_text, m_line, true);
    m_text.clear();
    ++m_line;
}

void LineSplitter::control(char c)
{
    switch (c) {
    case 'A': // the cursor moves to another line
    case 'B':
    case 'E':
    case 'F':
    case 'G':
    case 'H':
    case 'f':
    case 'J':
    case 'd':
        endState();
        break;
    case 'K':
        if (!m_parameters.empty() && m_parameters != "0") {
            endState(); // all of the line is gone
        }
        break;
    case 'C':
        take(" ");
        break;
    default:
        break; // colours and what changes no text
    }
}

void LineSplitter::feed(std::string_view bytes)
{
    std::size_t i = 0;
    while (i < bytes.size()) {
        const char c = bytes[i];
        switch (m_mode) {
        case Mode::Escape:
            if (c == '[') {
                m_mode = Mode::Control;
                m_parameters.clear();
            } else if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_') {
                m_mode = Mode::String;
            } else if (c == '(' || c == ')' || c == '#') {
                m_mode = Mode::Escape; // the next byte belongs to it
            } else {
                m_mode = Mode::Text;
                if (c == '\n' || c == '\r') {
                    continue; // no escape at all
                }
            }
            ++i;
            continue;
        case Mode::Control:
            if (c == '\n' || c == '\r') {
                m_mode = Mode::Text;
                continue;
            }
            ++i;
            if (c >= '@' && c <= '~') {
                m_mode = Mode::Text;
                control(c);
            } else if (m_parameters.size() < 16) {
                m_parameters += c;
            }
            continue;
        case Mode::String:
            if (c == '\n') {
                m_mode = Mode::Text;
                continue;
            }
            ++i;
            m_mode = c == '\a' ? Mode::Text : c == '\x1b' ? Mode::StringEscape : Mode::String;
            continue;
        case Mode::StringEscape:
            ++i;
            m_mode = c == '\\' ? Mode::Text : Mode::String;
            continue;
        case Mode::Text:
            break;
        }
        if (m_hasReturned && c != '\n' && c != '\r') {
            endState(); // "\r\n" only ends a line
            m_hasReturned = false;
        }
        std::size_t end = i;
        while (end < bytes.size() && !specialBytes[static_cast<unsigned char>(bytes[end])]) {
            ++end;
        }
        if (end > i) {
            take(bytes.substr(i, end - i));
            i = end;
            continue;
        }
        ++i;
        switch (c) {
        case '\n':
            endLine();
            break;
        case '\r':
            m_hasReturned = true;
            break;
        case '\b':
            ++m_backspaces;
            break;
        case '\x1b':
            m_mode = Mode::Escape;
            break;
        default:
            break;
        }
    }
}

void LineSplitter::finish()
{
    m_mode = Mode::Text;
    if (!m_text.empty()) {
        endLine();
    }
}

} // namespace trainyard::metrics
