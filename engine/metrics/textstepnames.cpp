// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/textreader.h"

#include <algorithm>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

// "Cost after iteration 100: 0.67": the step, and the value behind it
void TextReader::takeStepInName(const NamedStep &inner, std::string_view context, const Number &number)
{
    addStep(inner.step, number);
    std::size_t i = skipBlanks(m_line, number.end);
    std::size_t joint = 0; // how long it is
    for (const std::string_view sign : {":"sv, "="sv, "is "sv, "was "sv}) {
        joint = m_line.substr(i).starts_with(sign) ? sign.size() : joint;
    }
    if (joint > 0) {
        i = skipBlanks(m_line, i + joint);
        Number value;
        if (i < m_line.size() && beginsNumber(m_line, i) && lexNumber(m_line, i, value) == Lexed::Number) {
            addPair({inner.name, context, Joint::Sign}, value, true);
            after(afterAside(value.end));
            m_lastWasStep = false;
            return;
        }
        if (const std::optional<Number> other = lexNotFinite(m_line, i)) {
            addPair({inner.name, context, Joint::Sign}, *other, true);
            after(other->end);
            m_lastWasStep = false;
            return;
        }
    }
    after(number.end);
}

// "After 1000 iterations the loss is 0.5": how many there have been, at the beginning of a sentence
bool TextReader::takeStepOfSentence(const Number &number, std::size_t begin)
{
    const std::size_t word = skipBlanks(m_line, number.end), end = lettersEnd(m_line, word);
    std::string_view counted = m_line.substr(std::min(word, m_line.size()), end - word);
    if (!m_isFirst || !number.isWhole || number.total || number.unit != Unit::None || number.value < 0
        || lowered(trimmed(m_line.substr(m_start, begin - m_start))) != "after" || counted.size() < 2) {
        return false;
    }
    counted.remove_suffix(counted.ends_with('s') ? 1 : 0);
    const std::optional<StepName> step = stepName(counted);
    const std::string_view rest = m_line.substr(end);
    if (!step || !(rest.starts_with(", ") || rest.starts_with(" the ") || rest.starts_with(": "))) {
        return false;
    }
    addStep(*step, number);
    after(end);
    return true;
}

// "Evaluation after 5 epochs: mAP 0.5": how many there have been, and the values behind the colon
bool TextReader::takeStepOfHeading(const Number &number, std::size_t begin)
{
    constexpr std::string_view joint = " after ";
    const std::size_t word = skipBlanks(m_line, number.end), end = lettersEnd(m_line, word);
    std::string_view counted = m_line.substr(std::min(word, m_line.size()), end - word);
    if (!m_isFirst || !number.isWhole || number.total || number.unit != Unit::None || number.value < 0
        || !m_line.substr(0, begin).ends_with(joint) || !counted.ends_with('s') || at(m_line, end) != ':'
        || endsAsMetric(m_line.substr(0, begin - joint.size()))) { // "Loss after 100 steps: 0.5" has its value there
        return false;
    }
    counted.remove_suffix(1);
    const std::optional<StepName> step = stepName(counted);
    if (!step) {
        return false;
    }
    addStep(*step, number);
    after(end + 1);
    return true;
}

// "objective function for minibatches 0-9 is -0.5": a mean over some steps stands at the last one.
bool TextReader::takeStepOfRange(const Number &number, std::size_t begin)
{
    const std::string_view text = m_line.substr(begin, number.end - begin);
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos) {
        return false;
    }
    const std::optional<Number> first = wholeNumber(text.substr(0, dash));
    std::optional<Number> last = wholeNumber(text.substr(dash + 1));
    const Named named = nameBefore(begin);
    const std::optional<NamedStep> inner = stepBehindName(named.name);
    if (!inner || !first || !last || !first->isWhole || !last->isWhole || first->value > last->value) {
        return false;
    }
    last->end = number.end;
    takeStepInName(*inner, named.context, *last);
    return true;
}

// "Train loss (epoch 3): 0.5": which step the value is of
TextReader::Named TextReader::withoutStepInParentheses(Named named, std::size_t open)
{
    const std::string_view inside = trimmed(named.name.substr(open + 1, named.name.size() - open - 2));
    const std::size_t digits = std::min(inside.find_first_of("0123456789"), inside.size());
    const std::optional<StepName> step = stepName(inside.substr(0, digits));
    const std::string_view name = trimmed(named.name.substr(0, open));
    Number number;
    if (!step || step->isPlural || digits >= inside.size() || lexNumber(inside, digits, number) != Lexed::Number
        || !number.isWhole || number.end < inside.size() || !endsAsMetric(name)) {
        return named;
    }
    if (m_record.steps.empty()) {
        addStep(*step, number);
    }
    named.name = name;
    return named;
}

// "Training loss after 100 steps: 0.5": the count is the step, not a part of the name.
TextReader::Named TextReader::takeStepOfName(Named named)
{
    const std::string_view name = named.name;
    if (const std::size_t open = name.rfind('('); name.ends_with(')') && open != std::string_view::npos && open > 0) {
        return withoutStepInParentheses(named, open);
    }
    const std::size_t unit = name.rfind(' ');
    const std::size_t count = unit == std::string_view::npos || unit == 0 ? unit : name.rfind(' ', unit - 1);
    if (count == std::string_view::npos || count == 0) {
        return named;
    }
    const std::size_t joint = name.rfind(' ', count - 1);
    const std::optional<StepName> step = stepName(name.substr(unit + 1));
    const std::optional<Number> number = wholeNumber(name.substr(count + 1, unit - count - 1));
    if (joint == std::string_view::npos || name.substr(joint + 1, count - joint - 1) != "after" || !step || !number
        || !number->isWhole || !endsAsMetric(name.substr(0, joint))) {
        return named;
    }
    if (m_record.steps.empty()) {
        addStep({step->axis, step->isGlobal, false, step->isShort}, *number);
    }
    named.name = name.substr(0, joint);
    return named;
}

} // namespace trainyard::metrics
