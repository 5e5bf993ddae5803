// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard::metrics
{

// The lines of a dictionary that is not closed yet. It is worth reading once its brackets are closed, and in between
// when it has doubled: then it may turn out to be none, and the time stays in proportion to its size.
class OpenDict
{
public:
    void begin(std::string_view text, std::size_t brace, std::uint64_t line, bool isOfSettings);
    void add(std::string_view line);
    bool mayBeWhole(); // once after each line
    std::string take(); // it is empty then

    bool isEmpty() const { return m_text.empty(); }
    const std::string &text() const { return m_text; }
    std::size_t brace() const { return m_brace; }
    std::uint64_t line() const { return m_line; } // the first one
    bool isOfSettings() const { return m_isOfSettings; }

private:
    void scan();

    std::string m_text;
    std::size_t m_brace = 0, m_scanned = 0, m_read = 0;
    std::uint64_t m_line = 0;
    long m_depth = 0;
    int m_tries = 0; // in which it had been closed, and went on all the same
    char m_quote = 0;
    bool m_isOfSettings = false;
};

} // namespace trainyard::metrics
