// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/textreader.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

// " [30/120]": a count in brackets
bool beginsCount(std::string_view line, std::size_t i)
{
    i = skipBlanks(line, i);
    const std::size_t word = lettersEnd(line, i);
    if (word > i) {
        const std::optional<StepName> counted = stepName(line.substr(i, word - i));
        const std::size_t digits = skipBlanks(line, at(line, word) == ':' ? word + 1 : word);
        Number inner;
        return counted && (counted->axis == Axis::Batch || counted->axis == Axis::Iteration) && !counted->isGlobal
            && isDigit(at(line, digits)) && lexNumber(line, digits, inner) == Lexed::Number && inner.isWhole
            && inner.total;
    }
    const std::size_t begin = skipBlanks(line, i + 1);
    Number count;
    return at(line, i) == '[' && isDigit(at(line, begin)) && lexNumber(line, begin, count) == Lexed::Number
        && count.isWhole && count.total && at(line, skipBlanks(line, count.end)) == ']';
}

} // namespace

// "[train: 12, 20 / 125]": a part of the data, the epoch, and the batches in it
bool TextReader::takePartWithCounts(std::string_view inside)
{
    const std::size_t colon = inside.find(':');
    if (colon == std::string_view::npos || !isPartName(inside.substr(0, colon))) {
        return false;
    }
    Number epoch, batch;
    const std::size_t first = skipBlanks(inside, colon + 1);
    if (!isDigit(at(inside, first)) || lexNumber(inside, first, epoch) != Lexed::Number || !epoch.isWhole
        || at(inside, epoch.end) != ',') {
        return false;
    }
    const std::size_t second = skipBlanks(inside, epoch.end + 1);
    if (!isDigit(at(inside, second)) || lexNumber(inside, second, batch) != Lexed::Number || !batch.total
        || batch.end != inside.size()) {
        return false;
    }
    m_tag = inside.substr(0, colon);
    addStep({Axis::Epoch, false, false, false}, epoch);
    addStep({Axis::Batch, false, false, false}, batch);
    return true;
}

// "[10/309]" and "[3]" behind a count, "[  64/60000]", "[TRAIN]", "[9e-06, 9e-06]"
void TextReader::openBracket()
{
    const std::size_t close = m_line.find(']', m_i);
    const std::string_view before = trimmed(m_line.substr(m_start, m_i - m_start));
    if (close == std::string_view::npos) {
        if (!before.empty() && before.back() != ':' && before.back() != '=') {
            m_i = m_start = m_line.size(); // the first line of an array
            return;
        }
        endOfPart(m_i + 1);
        return;
    }
    const std::string_view inside = trimmed(m_line.substr(m_i + 1, close - m_i - 1));
    Number number;
    const std::size_t dash = inside.find('-');
    const bool range = dash != std::string_view::npos && dash > 0
        && inside.find_first_not_of("0123456789- ") == std::string_view::npos;
    const std::string_view digits = range ? trimmed(inside.substr(dash + 1)) : inside; // "Batch [0-100]"
    const bool numeric = !digits.empty() && beginsNumber(digits, 0) && digits.front() != '-'
        && lexNumber(digits, 0, number) == Lexed::Number;
    const Named named = nameBefore(m_i);
    const std::optional<StepName> counted = named.name.empty() ? std::nullopt : stepName(named.name);
    const std::size_t next = close + 1;
    if (numeric && number.isWhole && number.unit == Unit::None) {
        const std::string_view rest = trimmed(digits.substr(number.end));
        const bool only = rest.empty() || rest.front() == '(';
        if (only && !number.total && namesClass(named.name)) {
            m_record.isOfOneClass = true;
            after(next);
            return;
        }
        // "Iter(val) [50/500]" counts the data of an evaluation, which is where the training is.
        if (counted && only && number.total && counted->axis == Axis::Iteration && m_record.steps.empty()
            && named.name.ends_with(')') && isOfEvaluation(named.name)) {
            m_record.isOfEvaluation = true;
            after(next);
            return;
        }
        if (counted && only) {
            m_record.isOfEvaluation = m_record.isOfEvaluation || isOfEvaluation(named.name);
            addStep(*counted, number);
            after(next);
            return;
        }
        if (named.name.empty() && m_isFirst && takeBarOfNotebook(number, rest)) {
            after(next);
            return;
        }
        if (counted && named.joint == Joint::None && !rest.empty() && rest.front() == ',') {
            addStep(*counted, number);
            after(next);
            return;
        }
        if (number.total && only && isPartName(named.name)) { // "Test: [  0/196]", "Train: [0/300][100/1251]"
            m_tag = named.name;
            addStep({at(m_line, next) == '[' ? Axis::Epoch : Axis::Batch, false, false, false}, number);
            after(next);
            return;
        }
        if (named.name.empty() && only) {
            if (isAfterStep()) {
                addStep({Axis::Batch, false, false, false}, number, m_record.steps.back().isBare);
            } else if (m_record.steps.empty() && (m_isFirst || number.total)) {
                // "[3/10] loss" counts epochs where nothing else does; "[64/60000]" at the end counts batches.
                const bool first = m_record.pairs.empty();
                const bool paired = at(m_line, next) == '[' || (number.total && beginsCount(m_line, next));
                const Axis axis = number.total ? (first && paired ? Axis::Epoch : (first ? Axis::Step : Axis::Batch))
                                               : (paired ? Axis::Epoch : Axis::Iteration);
                addStep({axis, false, false}, number, true);
            } else if (number.total && !m_record.steps.empty()) {
                addStep({Axis::Batch, false, false, false}, number);
            }
            after(next);
            return;
        }
        if (named.name.empty() && m_isFirst && !rest.empty() && rest.front() == '|') { // "[10 | 45.12] loss=3.1"
            addStep({Axis::Step, false, false, false}, number, true);
            after(next);
            return;
        }
        if (named.name.empty() && m_isFirst && !rest.empty() && rest.front() == ',') { // "[1,  2000] loss: 2.1"
            const std::size_t second = skipBlanks(rest, 1);
            Number inner;
            if (second < rest.size() && beginsNumber(rest, second) && lexNumber(rest, second, inner) == Lexed::Number
                && inner.isWhole && trimmed(rest.substr(inner.end)).empty()) {
                addStep({Axis::Epoch, false, false, false}, number, true);
                addStep({Axis::Batch, false, false, false}, inner, true);
                after(next);
                return;
            }
        }
    }
    if (named.name.empty() && m_isFirst && takePartWithCounts(inside)) {
        after(next);
        return;
    }
    if (named.name.empty()) {
        if (!hasDigit(inside)) {
            // "[Eval][Epoch 1][Avg]": the average is that part's.
            const bool isAverage
                = lowered(inside) == "avg" || lowered(inside) == "average" || lowered(inside) == "mean";
            if (inside.size() < 24 && isLetter(at(inside, 0)) && !(isAverage && isPartName(m_tag))) {
                m_tag = inside;
            }
            m_i = m_start = next;
            return;
        }
        endOfPart(m_i + 1);
        m_isFirst = true;
        m_group = m_record.pairs.size();
        return;
    }
    if (named.joint == Joint::Sign && isLetter(at(inside, 0))
        && inside.find_first_of("0123456789") != std::string_view::npos) {
        endOfPart(m_i + 1); // "model: [Iter 20/30000] ..."
        return;
    }
    if (named.joint == Joint::Sign && isPartName(named.name)
        && inside.find_first_not_of("=>-#. ") == std::string_view::npos) { // "val: [====>   ] loss=0.5"
        m_tag = named.name;
    }
    if (named.joint == Joint::Sign
        || (named.joint == Joint::Verb
            && endsAsMetric(named.name))) { // a list of values: one for each group of parameters, or for each class
        const NameKind kind = kindOf(named.name);
        const bool isSetting = kind != NameKind::Metric && kind != NameKind::Faint;
        Number value;
        const bool isNumber
            = !inside.empty() && beginsNumber(inside, 0) && lexNumber(inside, 0, value) == Lexed::Number;
        const std::string_view behindValue = isNumber ? trimmed(inside.substr(value.end)) : std::string_view();
        const bool isWithPoint = isNumber && behindValue == "."; // as NumPy writes "[21.]"
        if (isWithPoint) {
            value.isWhole = false;
        }
        if (isNumber && inside.find_first_of("([{") == std::string_view::npos
            && (isSetting || isWithPoint || behindValue.empty())) {
            addPair(named, value, true);
        }
        m_lastWasStep = false;
        after(next);
        return;
    }
    // "loss [0.5]": an array of one value; what "IoU [0.5]: 0.7" has in brackets is a threshold
    const std::size_t value = skipBlanks(m_line, next);
    const bool isNamed = at(m_line, value) == ':' || at(m_line, value) == '='
        || (value < m_line.size() && beginsNumber(m_line, value));
    if (named.joint == Joint::None && m_i > 0 && isBlank(m_line[m_i - 1]) && !isNamed && endsAsMetric(named.name)) {
        const std::optional<Number> only = wholeNumber(inside);
        // "evaluating IoU [0.5]" begins a part; a score is rarely such a round number, and has a step beside it.
        const std::string lower = lowered(named.name);
        const bool isThreshold = m_record.steps.empty() && only && only->decimals <= 2
            && (lower.ends_with("iou") || lower.ends_with("ap"));
        if (only && only->decimals > 0 && !isThreshold) {
            addPair(named, *only, true);
            m_lastWasStep = false;
            after(next);
            return;
        }
    }
    if (m_i > m_start && isWord(m_line[m_i - 1]) && takeNamesWithBrackets()) {
        return;
    }
    if (stepName(named.name) || inside.find_first_of("0123456789") == std::string_view::npos) {
        endOfPart(m_i + 1);
        return;
    }
    if (inside.find('=') != std::string_view::npos && m_i > m_start && isWord(m_line[m_i - 1])
        && endsAsMetric(named.name)) {
        valuesOf(named.name, inside); // "tot_loss[loss=0.3, ctc_loss=0.1, over 900 frames]"
        after(next);
        return;
    }
    const std::string_view values = inside.substr(std::min(inside.size(), inside.find_first_of(":=")));
    if (m_i > m_start && isBlank(m_line[m_i - 1]) && isLetter(at(inside, 0)) && values.size() > 1
        && isDigit(at(values, skipBlanks(values, 1))) && !before.ends_with('@')) {
        endOfPart(m_i + 1); // "epoch 3 training [time: 20.5s, train loss: 26.3]"
        return;
    }
    after(next); // "shape torch.Size([12, 3, 4])", "@[ IoU=0.50:0.95 ]"
}

// Whether the line has a value of that name already, of which this one is left: an earlier state of the line. Of
// "[D loss: 0.7, acc: 0.5] [G loss: 1.3, acc: 0.1]", the second accuracy is that of what its brackets begin with.
bool TextReader::isSaidTwice(Pair &pair) const
{
    const std::vector<Pair> &pairs = m_record.pairs;
    const auto same = std::find_if(pairs.begin(), pairs.end(),
        [&pair](const Pair &other) { return other.name == pair.name && other.context == pair.context; });
    if (same == pairs.end()) {
        return false;
    }
    constexpr std::size_t longestLead = 2; // "D", "G", "D1"
    const auto first = pairs.begin() + static_cast<std::ptrdiff_t>(std::min(m_group, pairs.size()));
    const std::size_t blank = first != pairs.end() && first > same ? first->name.find(' ') : std::string::npos;
    if (blank == std::string::npos || blank > longestLead) {
        return true;
    }
    pair.name.insert(0, first->name, 0, blank + 1);
    return std::any_of(first, pairs.end(), [&pair](const Pair &other) { return other.name == pair.name; });
}

// The value that has the name of the whole is the whole's own.
void TextReader::valuesOf(std::string_view whole, std::string_view inside)
{
    Record parts;
    TextReader(inside, parts).read();
    for (Pair &part : parts.pairs) {
        if (whole != "loss") {
            part.name = std::string(whole) + (whole.ends_with(part.name) ? std::string() : '/' + part.name);
        }
        const bool known = std::any_of(
            m_record.pairs.begin(), m_record.pairs.end(), [&](const Pair &other) { return other.name == part.name; });
        if (!known && m_record.pairs.size() < mostPairs) {
            m_record.pairs.push_back(std::move(part));
        }
    }
    m_lastWasStep = false;
}

} // namespace trainyard::metrics
