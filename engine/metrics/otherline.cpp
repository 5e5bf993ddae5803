// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/otherline.h"

#include "engine/metrics/lineowner.h"
#include "engine/metrics/names.h"
#include "engine/metrics/partvalues.h"
#include "engine/metrics/settingslist.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

// "loss.cpp:12:5", "fit.py:12"
bool isPlaceInSource(std::string_view text)
{
    const std::size_t colon = text.find_last_of(':');
    return colon != std::string_view::npos && colon > 0 && colon + 1 < text.size()
        && text.find_first_not_of("0123456789", colon + 1) == std::string_view::npos && text.find('.') < colon
        && std::none_of(text.begin(), text.end(), [](char c) { return isBlank(c); });
}

// "ValueError", "torch.cuda.OutOfMemoryError", "FutureWarning"; "TestError" is one of the test.
bool isTypeOfError(std::string_view text)
{
    const std::string_view type = text.substr(text.rfind('.') + 1);
    const bool isName = !type.empty() && isUpper(type.front())
        && std::all_of(text.begin(), text.end(), [](char c) { return isWord(c) || c == '.'; });
    for (const std::string_view ending : {"Error"sv, "Warning"sv, "Exception"sv}) {
        if (isName && type.size() > ending.size() && type.ends_with(ending)) {
            return !isPartName(type.substr(0, type.size() - ending.size()));
        }
    }
    return false;
}

// "loss.cpp:12:5: note: score = 0.5", "fit.py:12: UserWarning: accuracy=0.5 is deprecated", "ValueError: loss is 3.0";
// but "MeanSquaredError: 0.5" and "ReconstructionError: train=0.5" are metrics.
bool isComplaint(std::string_view text)
{
    std::size_t colon = text.find(": ");
    if (colon == std::string_view::npos) {
        return false;
    }
    if (isPlaceInSource(text.substr(0, colon))) {
        text.remove_prefix(colon + 2);
        for (const std::string_view level : {"error: "sv, "fatal error: "sv, "warning: "sv, "note: "sv, "remark: "sv}) {
            if (text.starts_with(level)) {
                return true;
            }
        }
        // "loss_test.go:12: loss = 0.5, want 0.25": what a test expected
        if (text.find(", want ") != std::string_view::npos) {
            return true;
        }
        colon = text.find(": ");
    }
    if (colon == std::string_view::npos || !isTypeOfError(text.substr(0, colon))) {
        return false;
    }
    const std::size_t behind = skipBlanks(text, colon + 1);
    const std::size_t end = endOfValue(text, behind);
    if (end > behind && text.substr(skipBlanks(text, end)).starts_with("!= ")) {
        return true; // "AssertionError: 0.5 != 0.4 within 7 places : loss: 0.5"
    }
    return end == behind && partValuesOf(text).empty();
}

// "+ loss=0.5", "+ export LOSS=0.5": what "set -x" prints of an assignment
bool isTraceOfShell(std::string_view text)
{
    const std::size_t plus = std::min(text.find_first_not_of('+'), text.size());
    constexpr std::string_view exported = "export ";
    std::string_view command = trimmed(text.substr(plus));
    command = command.starts_with(exported) ? trimmed(command.substr(exported.size())) : command;
    const std::size_t equals = command.find('=');
    return plus > 0 && isBlank(at(text, plus)) && equals != std::string_view::npos && equals > 0
        && command.find_first_of(" \t") == std::string_view::npos
        && std::all_of(command.begin(), command.begin() + static_cast<std::ptrdiff_t>(equals), isWord);
}

} // namespace

bool isOtherLine(std::string_view text)
{
    if (isComplaint(text)) {
        return true;
    }
    const auto has = [text](std::string_view part) { return text.find(part) != std::string_view::npos; };
    if (has("def ") || has("lambda ")
        || (has("(") && (has("dict(") || has("Namespace(") || has("Config(") || has("Arguments(")))) {
        return true;
    }
    if (isObjectOfSettings(text)) {
        return true;
    }
    if (text.ends_with(");") || (text.ends_with("):") && !beginsWithStep(text))) { // "Epoch 3 (3/200):" is not code
        return true;
    }
    if (isTraceOfShell(text)) {
        return true;
    }
    if (text.starts_with("wandb: ")) {
        return true; // what was logged, once more
    }
    return text.ends_with(";") && text.find(';') == text.size() - 1 && text.find(" = ") != std::string_view::npos
        && !beginsWithStep(text);
}

} // namespace trainyard::metrics
