// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/textreader.h"

#include <algorithm>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

// "Val. Loss", "Avg. Reward"
bool isShortened(std::string_view text)
{
    const std::string last = lowered(text.substr(text.find_last_of(" :") + 1));
    return isPartName(last) || (last.size() == text.size() && last.find('-') != std::string::npos) || last == "avg"
        || last == "ave" || last == "acc" || last == "no" || last == "std";
}

// "train.py --reward 0.5": what a program is told, and not what it measures
bool isOptionOfCommand(std::string_view text)
{
    text = trimmed(text);
    text.remove_suffix(text.ends_with('=') ? 1 : 0);
    const std::string_view last = text.substr(text.find_last_of(' ') + 1);
    return last.starts_with("--") && isLetter(at(last, 2)) && last.find(':') == std::string_view::npos;
}

// "best", "previous": a value that was another one's
bool tellsOfBest(std::string_view text)
{
    const std::vector<std::string> words = wordsOf(text);
    return std::any_of(words.begin(), words.end(), [](const std::string &w) {
        return w == "best" || w == "highest" || w == "lowest" || w == "better" || w == "previous";
    });
}

// "rate 0.5 perplexity" is "perplexity": a value with a point belongs to the words before it. So does "100 / 1311".
std::string_view behindNumber(std::string_view text)
{
    for (std::size_t blank = text.rfind(' '); blank != std::string_view::npos && blank > 0;
         blank = text.rfind(' ', blank - 1)) {
        const std::size_t begin = text.find_last_of(' ', blank - 1) + 1;
        const std::optional<Number> number = wholeNumber(text.substr(begin, blank - begin));
        const std::string_view before = trimmed(text.substr(0, begin));
        const bool isTotal = number && number->isWhole && before.size() > 2 && before.ends_with(" /")
            && isDigit(before[before.size() - 3]);
        if (number && (number->decimals > 0 || isTotal)) {
            return trimmed(text.substr(blank));
        }
    }
    return text;
}

// "saving to 'ckpt/loss", "saved to ckpt/val_loss": in the name of a file, where no value stands
bool isInFileName(std::string_view text)
{
    for (const char quote : {'\'', '"'}) {
        std::size_t opened = std::string_view::npos;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] != quote) {
                continue;
            }
            const bool opens = opened == std::string_view::npos && i > 0 && isBlank(text[i - 1]);
            opened = opens ? i : std::string_view::npos; // "cv_agg's" opens nothing
        }
        if (opened != std::string_view::npos) {
            return true;
        }
    }
    const std::size_t last = text.find_last_of(' ') + 1;
    if (last == 0 || text.find('/', last) == std::string_view::npos) {
        return false;
    }
    const std::string_view before = trimmed(text.substr(0, last));
    const std::string_view word = before.substr(before.find_last_of(' ') + 1);
    return word == "to" || word == "into" || word == "as" || word == "from";
}

} // namespace

std::string_view TextReader::trimmedJoint(std::string_view text)
{
    text = trimmed(text);
    while (!text.empty() && (text.back() == ':' || text.back() == ',' || text.back() == '-' || text.back() == '|')) {
        text = trimmed(text.substr(0, text.size() - 1));
    }
    while (!text.empty()
        && (text.front() == ':' || text.front() == ',' || text.front() == '-' || text.front() == '|'
            || text.front() == '.' || text.front() == ')' || text.front() == '/' || text.front() == '*')) {
        text = trimmed(text.substr(1));
    }
    return text;
}

TextReader::Named TextReader::nameBefore(std::size_t end) const
{
    Named named;
    std::string_view text = trimmed(m_line.substr(m_start, end - m_start));
    while (!text.empty() && isQuote(text.back())) {
        text.remove_suffix(1); // of the value
    }
    text = trimmed(text);
    if (!text.empty() && (text.back() == ':' || text.back() == '=')) {
        named.joint = Joint::Sign;
        text.remove_suffix(1);
        if (!text.empty()) {
            const char c = text.back();
            const bool isName = text.ends_with("++"); // "chrF++"
            if (c == '=' || c == '<' || c == '>' || c == '!' || (c == '+' && !isName) || c == '-' || c == '*') {
                return {}; // a comparison
            }
            if (c == ':') {
                text.remove_suffix(1);
            }
        }
    } else if (text.ends_with("->") || text.ends_with("=>")) {
        named.joint = Joint::Verb;
        text.remove_suffix(2);
        while (!text.empty() && (text.back() == '=' || text.back() == '-')) {
            text.remove_suffix(1); // "===>"
        }
    } else if (text.ends_with("\xE2\x86\x92") || text.ends_with("\xE2\x87\x92")) { // arrows to the right
        named.joint = Joint::Verb;
        text.remove_suffix(3);
    } else if (text.ends_with("..")) { // "Val loss ....... 0.5"
        named.joint = Joint::Verb;
        while (!text.empty() && text.back() == '.') {
            text.remove_suffix(1);
        }
    } else if (std::string_view("sdf:~>").find(at(text, text.size() - 1)) != std::string_view::npos) { // as they end
        for (const std::string_view verb : {" is"sv, " was"sv, " reached"sv, " of"sv, " is:"sv, " ~"sv, " ->"sv}) {
            if (text.ends_with(verb)) {
                named.joint = Joint::Verb;
                text.remove_suffix(verb.size());
                if (verb == " of" && wholeNumber(text.substr(text.find_last_of(' ') + 1))) {
                    return {}; // "loss 0.5 of 12": the value stands before it
                }
                break;
            }
        }
    }
    text = trimmed(text);
    if (named.joint == Joint::Sign && text.ends_with(" is")) {
        text = trimmed(text.substr(0, text.size() - 3)); // "loss is: 0.3"
    }
    // "Test set: Avg. loss": what is before the last colon is where, not what.
    for (std::size_t i = text.size(); i-- > 1;) {
        const bool colon = text[i - 1] == ':' && isBlank(text[i]);
        const bool sentence = (text[i - 1] == '.' || text[i - 1] == '!' || text[i - 1] == '?') && isBlank(text[i])
            && (isUpper(at(text, skipBlanks(text, i))) || text[i - 1] == '!') && !isShortened(text.substr(0, i - 1));
        if (colon || sentence) {
            named.context = colon ? trimmedJoint(text.substr(0, i - 1)) : std::string_view();
            text = trimmed(text.substr(i));
            break;
        }
    }
    // "Current -> Train loss", "# Validation # PSNR": what leads to the name
    for (const std::string_view sign : {"-> "sv, " # "sv}) {
        if (const std::size_t i = text.rfind(sign);
            i != std::string_view::npos && isLetter(at(text, i + sign.size()))) {
            text = text.substr(i + sign.size());
        }
    }
    text = trimmedJoint(text);
    while (text.size() > 1 && isQuote(text.front())) {
        text.remove_prefix(1);
    }
    const bool endsWithPart = withoutQuotedPart(text).size() < text.size(); // "objective for 'output'"
    while (!text.empty() && isQuote(text.back()) && !endsWithPart) {
        text.remove_suffix(1);
    }
    while (!text.empty() && std::string_view("#>.=~+").find(text.front()) != std::string_view::npos) {
        text = trimmed(text.substr(1));
    }
    // Pictures and marks in front: "\xE2\x9C\x85 Epoch"
    while (text.starts_with('\xE2') || text.starts_with('\xF0')) {
        std::size_t i = 0;
        while (i < text.size() && static_cast<unsigned char>(text[i]) >= 0x80) {
            ++i;
        }
        if (i < text.size() && !isBlank(text[i])) {
            break; // a letter of some language
        }
        text = trimmed(text.substr(i));
    }
    if (constexpr std::string_view behindBar = "postfix:"; text.starts_with(behindBar)) {
        text.remove_prefix(behindBar.size()); // what a bar calls what stands behind it
    }
    while (text.size() > 2 && text.ends_with("*")) {
        text.remove_suffix(1);
    }
    while (text.size() > 4 && (text.starts_with("and ") || text.starts_with("the ") || text.starts_with("The "))) {
        text = trimmed(text.substr(4));
    }
    if (isInFileName(text) || (m_record.steps.empty() && isOptionOfCommand(m_line.substr(m_start, end - m_start)))) {
        return {};
    }
    text = behindNumber(text);
    // "finished with value"
    text.remove_prefix(text.starts_with("with ") ? 5 : 0);
    for (const std::string_view joint : {"ed with "sv, "ed in "sv}) {
        const std::size_t i = text.find(joint);
        if (i != std::string_view::npos && text.find(' ') == i + 2) {
            text = text.substr(i + joint.size());
        }
    }
    if (text == "is" || text == "was") {
        return {}; // "time of epoch 13 is: 30.5"
    }
    // "Epoch 74 CV info cv_loss 7.5": the last word is a name by itself.
    const std::size_t last = text.find_last_of(' ') + 1;
    if (named.joint == Joint::None && last > 0 && text.find('_', last) != std::string_view::npos
        && kindOf(text.substr(last)) == NameKind::Metric && !isPartName(text.substr(0, text.find(' ')))
        && !tellsOfBest(text.substr(0, last))) {
        text = text.substr(last);
    }
    named.name = text;
    return named;
}

} // namespace trainyard::metrics
