// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/lineowner.h"
#include "engine/metrics/textreader.h"

#include <algorithm>
#include <cmath>

namespace trainyard::metrics
{

// "Step 450 (45.0%)", "Iteration:  400 / 2000 [ 20%]"
void TextReader::takeShare(const Number &count)
{
    const std::size_t open = skipBlanks(m_line, count.end);
    const char bracket = at(m_line, open);
    const std::size_t inside = skipBlanks(m_line, open + 1);
    Number share;
    if ((bracket != '(' && bracket != '[') || !isDigit(at(m_line, inside))
        || lexNumber(m_line, inside, share) != Lexed::Number || share.unit != Unit::Percent || share.value > 100
        || at(m_line, skipBlanks(m_line, share.end)) != (bracket == '(' ? ')' : ']')) {
        return;
    }
    if (!count.total) {
        m_record.fraction = share.value / 100;
    } else if (*count.total > 0 && std::abs(share.value - 100 * count.value / *count.total) <= 1) {
        m_record.fraction = count.value / *count.total;
        m_record.isShareOfCount = true;
    }
}

// "Epoch 3 (3/200)", "Epoch 3 (4/200)": how many there will be. Where the count ends.
std::size_t TextReader::takeTotal(const Number &count)
{
    const std::size_t open = skipBlanks(m_line, count.end);
    Number again;
    // "iteration: 1 of max_iter: 6"
    if (constexpr std::string_view of = "of "; !count.total && count.isWhole && !m_record.steps.empty()
        && open > count.end && m_line.substr(open).starts_with(of)) {
        std::size_t colon = open + of.size();
        while (isWord(at(m_line, colon))) {
            ++colon;
        }
        const std::string name = lowered(m_line.substr(open + of.size(), colon - open - of.size()));
        const std::size_t digits = skipBlanks(m_line, colon + 1);
        if ((name.starts_with("max_") || name.starts_with("total_")) && at(m_line, colon) == ':'
            && isDigit(at(m_line, digits)) && lexNumber(m_line, digits, again) == Lexed::Number && again.isWhole
            && !again.total && again.value >= count.value) {
            m_record.steps.back().total = again.value;
            return again.end;
        }
    }
    if (count.total || !count.isWhole || m_record.steps.empty() || m_record.steps.back().name.axis != Axis::Epoch
        || at(m_line, open) != '(' || !isDigit(at(m_line, open + 1))
        || lexNumber(m_line, open + 1, again) != Lexed::Number || !again.total || !again.isWhole
        || at(m_line, again.end) != ')' || (again.value != count.value && again.value != count.value + 1)
        || again.value > *again.total) {
        return count.end;
    }
    m_record.steps.back().total = again.total;
    return again.end + 1;
}

// "2.5% done (600/23456)", "40% complete"
bool TextReader::takeShareDone(const Number &number)
{
    if (number.unit != Unit::Percent || number.value < 0 || number.value > 100) {
        return false;
    }
    const std::size_t word = skipBlanks(m_line, number.end);
    std::size_t end = word;
    while (isLetter(at(m_line, end))) {
        ++end;
    }
    const std::string_view said = m_line.substr(std::min(word, m_line.size()), end - word);
    if (said != "done" && said != "complete" && said != "completed") {
        return false;
    }
    m_record.fraction = number.value / 100;
    after(end);
    return true;
}

// "train:  25% 50/200 loss=0.5": the two agree, so that what is counted needs no word.
bool TextReader::takeShareBeforeCount(const Number &share)
{
    const std::size_t begin = skipBlanks(m_line, share.end);
    Number count;
    if (share.unit != Unit::Percent || begin == share.end || !m_record.steps.empty() || !m_record.pairs.empty()
        || !isDigit(at(m_line, begin)) || lexNumber(m_line, begin, count) != Lexed::Number || !count.total
        || *count.total <= 0 || count.value > *count.total
        || std::abs(share.value - 100 * count.value / *count.total) > 1
        || !beginsMetric(skipBlanks(m_line, count.end))) {
        return false;
    }
    addStep({Axis::Batch, false, false, false}, count);
    after(count.end);
    return true;
}

// "Process 100/3161 (3.16%)": what is counted has any name, but its share says that it is counted up to a total.
bool TextReader::takeShareOfWork(const Named &named, const Number &number)
{
    const std::size_t open = skipBlanks(m_line, number.end);
    const std::size_t inside = skipBlanks(m_line, open + 1);
    if (!number.total || *number.total <= 0 || number.value > *number.total || at(m_line, open) != '('
        || !isDigit(at(m_line, inside)) || kindOf(named.name) != NameKind::Unknown) {
        return false;
    }
    Number share;
    if (lexNumber(m_line, inside, share) != Lexed::Number || share.unit != Unit::Percent
        || at(m_line, skipBlanks(m_line, share.end)) != ')'
        || std::abs(share.value - 100 * number.value / *number.total) > 1) {
        return false;
    }
    addStep({Axis::Batch, false, false, false}, number);
    after(skipBlanks(m_line, share.end) + 1);
    return true;
}

// "[ 500/1000 01:10 < 01:12, 6.9 it/s, Epoch 1/2]", "[   2/1000 : < :, Epoch 0/2]" before the first step, and
// "[1000/1000 02:20, Epoch 2/2]" when no time is left: `behind` is what follows the count.
bool TextReader::takeBarOfNotebook(const Number &count, std::string_view behind)
{
    if (!count.total || *count.total <= 0) {
        return false;
    }
    const std::size_t sign = behind.find('<');
    const bool saysTimeLeft = sign != std::string_view::npos;
    const std::string_view taken = trimmed(behind.substr(0, std::min(sign, behind.find(','))));
    std::size_t end = 0;
    const bool isTime = taken == ":" || (durationAt(taken, 0, &end) && end == taken.size());
    const std::size_t last = behind.rfind(',');
    const bool namesEpoch = last != std::string_view::npos && beginsWithStep(trimmed(behind.substr(last + 1)));
    const bool isDone = count.value >= *count.total;
    if (!(saysTimeLeft && durationAt(behind, 0)) && !(isTime && namesEpoch && (saysTimeLeft || isDone))) {
        return false;
    }
    m_record.fraction = std::min(1.0, count.value / *count.total);
    m_record.secondsLeft = saysTimeLeft ? durationAt(behind, sign + 1) : std::nullopt;
    m_record.isShareOfCount = true;
    return true;
}

// "54404/60000 (0.90673)": the share as the program itself shows it
std::optional<double> TextReader::shareShown(const Number &count) const
{
    const std::size_t open = skipBlanks(m_line, count.end);
    const std::size_t inside = skipBlanks(m_line, open + 1);
    Number share;
    if (at(m_line, open) != '(' || !isDigit(at(m_line, inside)) || lexNumber(m_line, inside, share) != Lexed::Number
        || share.unit != Unit::None || share.total || share.decimals < 2 || at(m_line, share.end) != ')'
        || std::abs(share.value - count.value / *count.total) > std::pow(10.0, -share.decimals)) {
        return {};
    }
    return share.value;
}

// "acc: 364159.0/388505.0=0.9373": the quotient is the value
std::optional<Number> TextReader::quotientAt(std::size_t begin) const
{
    Number share;
    constexpr std::string_view digits = "0123456789.";
    const std::size_t slash = m_line.find_first_not_of(digits, begin);
    const std::size_t sign = at(m_line, slash) == '/' ? m_line.find_first_not_of(digits, slash + 1) : slash;
    if (at(m_line, slash) != '/' || at(m_line, sign) != '=' || !isDigit(at(m_line, sign + 1))
        || lexNumber(m_line, sign + 1, share) != Lexed::Number || share.decimals == 0) {
        return {};
    }
    const std::optional<Number> whole = wholeNumber(m_line.substr(slash + 1, sign - slash - 1)),
                                part = wholeNumber(m_line.substr(begin, slash - begin));
    const double percent = share.unit == Unit::Percent ? 100 : 1;
    const bool isQuotient = whole && part && whole->value > 0
        && std::abs(percent * part->value / whole->value - share.value) <= std::pow(10.0, -share.decimals);
    return isQuotient ? std::optional(share) : std::nullopt;
}

} // namespace trainyard::metrics
