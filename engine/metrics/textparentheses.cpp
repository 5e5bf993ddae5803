// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/partvalues.h"
#include "engine/metrics/textreader.h"

#include <algorithm>

namespace trainyard::metrics
{

// "Step... (500 | loss: 0.5, ...)", "Train... (500/2000 | loss: 0.5)"
bool TextReader::takeCountBeforeBar(std::string_view before)
{
    if (!before.ends_with("...") || !m_isFirst || !m_record.steps.empty()) {
        return false;
    }
    before = before.substr(0, before.find_last_not_of('.') + 1);
    const std::optional<StepName> named = stepName(before);
    Number count;
    const std::size_t inside = m_i + 1;
    if ((!named && !isPartName(before)) || !isDigit(at(m_line, inside))
        || lexNumber(m_line, inside, count) != Lexed::Number || !count.isWhole || count.unit != Unit::None
        || at(m_line, skipBlanks(m_line, count.end)) != '|' || (!named && !count.total)) {
        return false;
    }
    addStep(named ? *named : StepName{Axis::Step, false, false, false}, count);
    after(skipBlanks(m_line, count.end) + 1);
    return true;
}

// "accuracy: (train=0.98, test=0.95) f1: (train=0.97, test=0.93)"
bool TextReader::takePartsInParentheses(std::size_t close)
{
    const std::string_view before = trimmed(m_line.substr(m_start, m_i - m_start));
    if (close == std::string_view::npos || !(before.ends_with(':') || before.ends_with('='))
        || !isPartName(m_line.substr(m_i + 1, lettersEnd(m_line, m_i + 1) - m_i - 1))) {
        return false;
    }
    const Named named = nameBefore(m_i);
    const std::vector<PartValue> values = partValuesIn(named.name, m_line.substr(m_i + 1, close - m_i - 1));
    for (const PartValue &value : values) {
        addPair({named.name, value.part, Joint::Sign}, value.number, true);
    }
    if (values.empty()) {
        return false;
    }
    m_tag = {};
    after(close + 1);
    return true;
}

void TextReader::openParenthesis()
{
    const std::string_view before = m_line.substr(m_start, m_i - m_start);
    const std::size_t close = m_line.find(')', m_i);
    // "BLEU = 27.5 58.1/33.2/21.0/13.7 (BP = 1.000 ratio = 1.012)": what a metric was made of
    if (close != std::string_view::npos && m_bare && !m_bare->isWhole && trimmed(before).empty()
        && m_record.steps.empty() && !m_record.pairs.empty() && m_record.pairs.back().kind == NameKind::Metric
        && m_line.substr(m_i, close - m_i).find('=') != std::string_view::npos) {
        after(close + 1);
        return;
    }
    if (close != std::string_view::npos && m_record.steps.empty() && isPartName(trimmed(before))) {
        Number count; // "train (1/10) loss: 0.5"
        const std::size_t inside = m_i + 1;
        if (isDigit(at(m_line, inside)) && lexNumber(m_line, inside, count) == Lexed::Number && count.total
            && count.isWhole && count.end == close) {
            m_tag = trimmed(before);
            addStep({Axis::Epoch, false, false, false}, count);
            after(close + 1);
            return;
        }
    }
    if (takeCountBeforeBar(trimmed(before))) {
        return;
    }
    if (const std::optional<StepName> step = close != std::string_view::npos ? stepName(before) : std::nullopt) {
        Number count; // "Batch(100/1879) done. Loss: 0.5"
        const std::size_t inside = skipBlanks(m_line, m_i + 1);
        if (isDigit(at(m_line, inside)) && lexNumber(m_line, inside, count) == Lexed::Number && count.total
            && count.isWhole && skipBlanks(m_line, count.end) == close) {
            addStep(*step, count);
            after(close + 1);
            return;
        }
    }
    // "(3/10) loss: 0.5", where nothing else counts
    if (Number count; m_isFirst && before.find_first_not_of(" \t>#*=-|:") == std::string_view::npos
        && isDigit(at(m_line, m_i + 1)) && lexNumber(m_line, m_i + 1, count) == Lexed::Number && count.isWhole
        && count.total && count.end == close) {
        m_openingCount = count;
        after(close + 1);
        return;
    }
    // "(0 ) loss: 0.5"
    if (Number count; m_isFirst && m_record.steps.empty() && close != std::string_view::npos
        && before.find_first_not_of(" \t>#*=-|:[") == std::string_view::npos && isDigit(at(m_line, m_i + 1))
        && lexNumber(m_line, m_i + 1, count) == Lexed::Number && count.isWhole && !count.total
        && count.unit == Unit::None && skipBlanks(m_line, count.end) == close
        && beginsMetric(skipBlanks(m_line, close + 1))) {
        addStep({Axis::Iteration, false, false, false}, count, true);
        after(close + 1);
        return;
    }
    if (takePartsInParentheses(close)) {
        return;
    }
    const bool glued = m_i > m_start && !isBlank(m_line[m_i - 1]);
    if (glued) { // "D(x)", "D(G(z))", "Epoch(train)", "tensor(0.3)"
        constexpr std::size_t farthest = 256; // behind the sign before it, no name begins
        const std::string_view text = trimmed(before.substr(before.size() - std::min(before.size(), farthest)));
        const std::size_t joint = text.find_last_of(":= ");
        const std::string_view wrapper = joint == std::string_view::npos ? text : text.substr(joint + 1);
        // "loss = param(0.3)": whatever kind of number the program has for it
        const auto holdsMetric = [&] {
            std::string_view name = trimmed(text.substr(0, joint + 1));
            if (name.empty() || (name.back() != '=' && name.back() != ':') || !isLetter(at(wrapper, 0))
                || close == std::string_view::npos) {
                return false;
            }
            name = trimmed(name.substr(0, name.size() - 1));
            return kindOf(name) == NameKind::Metric && wholeNumber(trimmed(m_line.substr(m_i + 1, close - m_i - 1)));
        };
        if (joint != std::string_view::npos
            && (wrapper == "tensor" || wrapper == "array" || wrapper == "Array" || wrapper == "torch.tensor"
                || wrapper == "np.float64" || wrapper == "np.float32" || wrapper == "numpy.float64"
                || wrapper == "DeviceArray" || wrapper == "tf.Tensor" || wrapper == "Tensor" || holdsMetric())) {
            const std::size_t inside = skipBlanks(m_line, m_i + 1);
            const std::size_t nameEnd = m_start + (static_cast<std::size_t>(wrapper.data() - m_line.data()) - m_start);
            Number number;
            std::optional<Number> value;
            if (inside < m_line.size() && beginsNumber(m_line, inside)
                && lexNumber(m_line, inside, number) == Lexed::Number) {
                value = number;
            } else {
                value = lexNotFinite(m_line, inside);
            }
            const Named named = nameBefore(nameEnd);
            if (value && (named.joint == Joint::Sign || endsAsMetric(named.name))) {
                addPair(named, *value, true);
            }
            after(close == std::string_view::npos ? m_line.size() : close + 1);
            return;
        }
        int depth = 0;
        for (std::size_t i = m_i; i < m_line.size() && i < m_i + 40; ++i) {
            depth += m_line[i] == '(' ? 1 : m_line[i] == ')' ? -1 : 0;
            if (depth == 0) {
                m_i = i + 1; // part of the name
                return;
            }
        }
        ++m_i;
        return;
    }
    if (close != std::string_view::npos && !trimmed(before).empty()) {
        // "elapsed time per iteration (ms): 5"; the name goes on to its sign.
        const char next = at(m_line, skipBlanks(m_line, close + 1));
        const std::string_view inside = m_line.substr(m_i + 1, close - m_i - 1);
        // "loss (for one batch) at step 100: 0.5"
        const std::string_view behind = m_line.substr(std::min(m_line.size(), close + 1));
        const bool isMeasured = (behind.starts_with(" at ") || behind.starts_with(" after ")) && endsAsMetric(before)
            && inside.find_first_of("0123456789") == std::string_view::npos;
        if ((next == ':' || next == '=' || isMeasured) && inside.find_first_of("=:,(") == std::string_view::npos) {
            m_i = close + 1;
            return;
        }
    }
    if (close != std::string_view::npos && endsAsMetric(before)) {
        // "f1-score (micro avg)  0.6": how it was taken is part of the name.
        const std::string_view inside = m_line.substr(m_i + 1, close - m_i - 1);
        const std::size_t value = skipBlanks(m_line, close + 1);
        const bool isName = inside.size() < 24 && isLetter(at(inside, 0))
            && inside.find_first_of("=:,(0123456789") == std::string_view::npos;
        Number number;
        if (isName && value < m_line.size() && value > close + 1 && beginsNumber(m_line, value)
            && lexNumber(m_line, value, number) == Lexed::Number && number.decimals > 0 && !number.total) {
            addPair(nameBefore(close + 1), number, false);
            m_bare.reset();
            m_lastWasStep = false;
            after(afterAside(number.end));
            return;
        }
    }
    if (close != std::string_view::npos && !trimmed(before).empty()) {
        // "Normalizer: (iou: 0.75, obj: 1.00)": parts of a setting
        const Named named = nameBefore(m_i);
        const NameKind kind = kindOf(named.name);
        if (named.joint == Joint::Sign && kind != NameKind::Metric && kind != NameKind::Faint) {
            m_i = m_start = close + 1;
            return;
        }
    }
    endOfPart(m_i + 1);
}

} // namespace trainyard::metrics
