// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/partvalues.h"
#include "engine/metrics/textreader.h"

#include <algorithm>
#include <utility>

namespace trainyard::metrics
{

// "Train / Test accuracy: 0.91 / 0.89": the two parts have the values at their places.
bool TextReader::takeTwoParts(const Named &named, const Number &number, std::size_t begin)
{
    const std::size_t slash = named.name.find('/');
    if (slash == std::string_view::npos || named.joint != Joint::Sign) {
        return false;
    }
    const std::string_view first = trimmed(named.name.substr(0, slash)), rest = trimmed(named.name.substr(slash + 1));
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    const std::string_view second = rest.substr(0, blank), what = trimmed(rest.substr(blank));
    const std::size_t sign = m_line.find('/', begin); // inside of what was read as one number, or right behind it
    if (!isPartName(first) || !isPartName(second) || !endsAsMetric(what) || sign == std::string_view::npos
        || sign > skipBlanks(m_line, number.end)) {
        return false;
    }
    Number own, other;
    const std::size_t behind = skipBlanks(m_line, sign + 1);
    const std::size_t end = endOfValue(m_line, behind, &other);
    if (end == behind || endOfValue(m_line.substr(0, sign), begin, &own) == begin) {
        return false;
    }
    for (const auto &[part, value] : {std::pair(first, own), std::pair(second, other)}) {
        const std::string name = std::string(part) + ' ' + std::string(what);
        addPair({name, named.context, Joint::Sign}, value, true);
        m_tag = {}; // it would outlive the name
    }
    after(afterAside(end));
    return true;
}

// "train: 100/937 loss: 0.5"
bool TextReader::takePartWithTotal(const Named &named, const Number &number)
{
    if (named.joint != Joint::Sign || !m_isFirst || !isPartName(named.name) || !number.isWhole || !number.total
        || !m_record.steps.empty() || !beginsMetric(skipBlanks(m_line, number.end))) {
        return false;
    }
    m_tag = named.name;
    addStep({Axis::Batch, false, false, false}, number);
    after(number.end);
    return true;
}

// "3d_train 88.1 3d_eval 63.5": what has a value for two parts of the data is measured, whatever it is.
void TextReader::takePartsOfUnknown()
{
    const auto isUnknown
        = [](const Pair &pair) { return pair.kind == NameKind::Unknown && !pair.isWhole && endsWithPart(pair.name); };
    const auto stem
        = [](const Pair &pair) { return std::string_view(pair.name).substr(0, pair.name.find_last_of("_/")); };
    for (auto first = m_record.pairs.begin(); first != m_record.pairs.end(); ++first) {
        if (!isUnknown(*first)) {
            continue;
        }
        const auto next = first + 1; // they stand one behind the other
        if (next != m_record.pairs.end() && isUnknown(*next) && stem(*next) == stem(*first)) {
            first->kind = NameKind::Faint;
        } else if (first != m_record.pairs.begin() && (first - 1)->kind == NameKind::Faint
            && endsWithPart((first - 1)->name) && stem(*(first - 1)) == stem(*first)) {
            first->kind = NameKind::Faint;
        }
    }
}

void TextReader::endOfPart(std::size_t next)
{
    if (!m_bare) {
        // "| valid |", "train: ..."
        std::string_view part = trimmedJoint(m_line.substr(m_start, m_i - m_start));
        part = part.substr(0, part.find(' '));
        if (isPartName(part)) {
            m_tag = part;
        }
    }
    if (m_bare) {
        // "0.5 avg loss", "3.3 hours left", "33 sec remaining"
        std::string_view name = trimmedJoint(m_line.substr(m_start, m_i - m_start));
        name.remove_suffix(name.ends_with('.') && name.find(' ') != std::string_view::npos ? 1 : 0); // of the sentence
        if (!name.empty() && name.size() < 30) {
            // "| epoch 001 | 0001413 updates | loss 0.5"
            const std::optional<StepName> counted = m_bare->isWhole && m_bare->unit == Unit::None && !m_bare->total
                    && m_record.steps.size() == 1 && m_record.steps.front().name.axis == Axis::Epoch
                    && at(m_line, m_i) == '|'
                    && std::all_of(
                        m_record.pairs.begin(), m_record.pairs.end(), [](const Pair &p) { return p.isWhole; })
                ? stepName(name)
                : std::nullopt;
            if (counted && counted->axis != Axis::Epoch) {
                addStep({counted->axis, counted->isGlobal, false, false}, Number(*m_bare));
            } else if (kindOf(name) == NameKind::TimeLeft) {
                constexpr std::size_t longestDuration = 64;
                const std::size_t from = m_start - std::min(m_start, longestDuration);
                const std::size_t sign = m_line.substr(from, m_start - from).find_last_of(",;|(");
                const std::size_t begin = sign != std::string_view::npos ? from + sign + 1 : from;
                if (const std::optional<double> left = durationAt(m_line, begin)) {
                    m_record.secondsLeft = left;
                }
            } else if (m_record.steps.size() == 1 && m_record.steps.front().isBare && !m_bare->isWhole
                && std::count(name.begin(), name.end(), ' ') < 2) {
                addPair({name, {}, Joint::None}, *m_bare, false);
            }
        }
        m_bare.reset();
    }
    m_i = m_start = next;
    m_passed = 0;
    if (!trimmed(m_line.substr(0, next)).empty()) {
        m_isFirst = m_isFirst && trimmed(m_line.substr(0, next)) == "|";
    }
}

} // namespace trainyard::metrics
