// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/namememo.h"
#include "engine/metrics/names.h"
#include "engine/metrics/vocabulary.h"
#include "engine/metrics/words.h"

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

bool looksLikeName(std::string_view name, bool isMetric)
{
    if (name.empty() || name.size() > (isMetric ? longestName : 48)) {
        return false;
    }
    int words = 1, letters = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        words += isBlank(c) && !isBlank(at(name, i + 1)) ? 1 : 0;
        letters += isLetter(c) || static_cast<unsigned char>(c) >= 0x80 ? 1 : 0;
        if (c == '\\' || c == '<' || c == '>' || c == '{' || c == '}' || c == '`' || c == '$' || c == '"' || c == '='
            || c == '!' || c == '?') {
            return false;
        }
    }
    if (letters == 0 || name.front() == '/' || name.front() == '.' || name.front() == '-' || name.front() == '+'
        || name.front() == '&' || name.find("..") != std::string_view::npos
        || name.find("://") != std::string_view::npos || name.find("//") != std::string_view::npos
        || name.find("::") != std::string_view::npos) {
        return false;
    }
    // Files: "model.py:146", "train.h5"; a point before a letter and no blank.
    for (const std::string_view ending :
        {".py"sv, ".cpp"sv, ".cc"sv, ".h5"sv, ".json"sv, ".yaml"sv, ".pt"sv, ".pth"sv, ".cu"sv, ".so"sv, ".c"sv}) {
        if (name.back() == ending.back() && name.ends_with(ending)) {
            return false;
        }
    }
    return words <= (isMetric ? 10 : 4);
}

} // namespace

bool canBeName(std::string_view name, bool isMetric)
{
    static thread_local constinit NameMemo<bool> metrics, others;
    return (isMetric ? metrics : others).of(name, [isMetric](std::string_view asked) {
        return looksLikeName(asked, isMetric);
    });
}

} // namespace trainyard::metrics
