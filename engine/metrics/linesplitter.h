// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace trainyard::metrics
{

// What a person at a terminal would have read: an output is cut into lines, and a line that is drawn again by carriage
// returns, backspaces or movements of the cursor into its states. Escapes are left out. A state is cut at 256 KiB; what
// follows is passed over. The cuts of the stream do not matter.
class LineSplitter
{
public:
    // `isLast`: a line feed ended the line, so the next state belongs to the next line.
    using State = std::function<void(std::string_view text, std::uint64_t line, bool isLast)>;
    explicit LineSplitter(State state);

    void feed(std::string_view bytes);
    void finish(); // the last line, if no line feed ended it

private:
    enum class Mode { Text, Escape, Control, String, StringEscape };
    void take(std::string_view text);
    void control(char c);
    void endState();
    void endLine();

    State m_state;
    std::string m_text;
    std::uint64_t m_line = 1;
    Mode m_mode = Mode::Text;
    bool m_hasReturned = false;
    unsigned m_backspaces = 0;
    std::string m_parameters; // of an escape sequence
};

} // namespace trainyard::metrics
