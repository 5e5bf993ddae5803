// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/textreader.h"

#include <algorithm>
#include <array>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

// "Episode 3 finished after 20 timesteps and got 1.5 reward": the value stands before its name. Only in the sentence
// of a step, and where nothing follows that would make it a part of something else.
bool TextReader::takeGainInWords(const Number &number, std::size_t begin)
{
    static constexpr std::array verbs{"got"sv, "received"sv, "earned"sv, "collected"sv, "obtained"sv};
    static constexpr std::array gains{"reward"sv, "total reward"sv, "return"sv, "score"sv};
    if (m_record.steps.empty() || number.total || number.unit != Unit::None) {
        return false;
    }
    const std::string_view before = trimmed(m_line.substr(0, begin));
    const std::string_view verb = before.substr(before.find_last_of(' ') + 1);
    const std::string_view behind = m_line.substr(number.end);
    const std::size_t sign = behind.find_first_of(".,;!|(");
    const std::string_view name = trimmed(behind.substr(0, sign));
    if (std::find(verbs.begin(), verbs.end(), verb) == verbs.end() || !behind.starts_with(' ')
        || std::find(gains.begin(), gains.end(), lowered(name)) == gains.end()) {
        return false;
    }
    addPair({name, {}, Joint::Sign}, number, true);
    after(sign == std::string_view::npos ? m_line.size() : number.end + sign);
    return true;
}

} // namespace trainyard::metrics
