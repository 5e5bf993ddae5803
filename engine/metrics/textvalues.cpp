// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/rowofnames.h"
#include "engine/metrics/textreader.h"

#include <algorithm>
#include <array>
#include <span>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

bool isLearningRateName(std::string_view name)
{
    const std::string text = lowered(name);
    return text == "lr" || text == "l.r." || text == "learning rate" || text == "learning_rate";
}

// At least two more numbers and nothing else but blanks.
bool isListOfNumbers(std::string_view line, std::size_t i)
{
    int numbers = 0;
    for (i = skipBlanks(line, i); i < line.size() && beginsNumber(line, i); i = skipBlanks(line, i)) {
        Number number;
        if (lexNumber(line, i, number) != Lexed::Number || number.unit != Unit::None) {
            return false;
        }
        i = number.end;
        ++numbers;
    }
    return numbers >= 2 && i >= line.size();
}

// "done (%): 3.3"
bool isShareDone(std::string_view name)
{
    const std::string text = lowered(name);
    return text == "done (%)" || text == "progress (%)" || text == "completed (%)" || text == "complete (%)";
}

// "0.31 * 6400, ": how many samples a value is the mean of
bool isWeightBehind(std::string_view rest)
{
    constexpr std::size_t weight = 2; // behind "* "
    const std::size_t end = digitsEnd(rest, weight);
    const char next = at(rest, skipBlanks(rest, end));
    return end > weight + 1 && (next == ',' || next == ';' || next == '\0');
}

} // namespace

void TextReader::after(std::size_t end)
{
    m_i = m_start = end;
    m_passed = 0;
    m_isFirst = false;
}

// A number that may be part of a name. Behind many of them no name begins before the next sign that parts the line; to
// ask for each of them what the words before it say would take a time that grows with the square of the line.
void TextReader::passOver(std::size_t end)
{
    constexpr int mostInName = 16;
    m_i = end;
    if (++m_passed > mostInName) {
        m_i = std::min(m_line.find_first_of(",;|", end), m_line.size());
    }
}

// Behind "(15.6)", "+/- 0.1 (jitter = 0.0)" and the like, which say more about the value before.
std::size_t TextReader::afterAside(std::size_t end) const
{
    std::size_t i = skipBlanks(m_line, end);
    bool spread = false;
    static constexpr std::array spreads{"+/-"sv, "+-"sv, "\xC2\xB1"sv, "(+/-"sv, "+ "sv};
    const char opening = at(m_line, i);
    const bool maySpread = opening == '+' || opening == '(' || opening == '\xC2';
    for (const std::string_view sign : std::span(spreads).subspan(maySpread ? 0 : spreads.size())) {
        if (m_line.substr(i).starts_with(sign)) {
            i += sign.size();
            i = skipBlanks(m_line, i);
            Number number;
            if (i < m_line.size() && beginsNumber(m_line, i)) {
                lexNumber(m_line, i, number);
                i = number.end;
            }
            spread = true;
            end = i;
            i = skipBlanks(m_line, i);
            break;
        }
    }
    if (at(m_line, i) != '(') {
        return end;
    }
    const std::size_t inside = skipBlanks(m_line, i + 1);
    const char c = at(m_line, inside);
    const bool number = inside < m_line.size() && (beginsNumber(m_line, inside) || c == '*' || c == '~' || c == '+');
    const bool word = m_line.substr(inside).starts_with("best") || m_line.substr(inside).starts_with("Best")
        || m_line.substr(inside).starts_with("avg") || m_line.substr(inside).starts_with("nan")
        || m_line.substr(inside).starts_with("inf") || m_line.substr(inside).starts_with("init:")
        || m_line.substr(inside).starts_with("init=");
    if (!number && !spread && !word) {
        return end;
    }
    const std::size_t close = m_line.find(')', inside);
    return close == std::string_view::npos || close - i > 80 ? end : close + 1;
}

void TextReader::addPair(const Named &named, const Number &number, bool isJoined)
{
    if (m_record.pairs.size() >= mostPairs) {
        return;
    }
    const NameKind kind = kindOf(named.name);
    if (kind == NameKind::TimeLeft) {
        return; // the caller has its duration
    }
    // Without an epoch, "Progress: 45/100, Speed: 12.5 MB/s" is of files.
    if (number.total && number.isWhole && isJoined && !m_record.steps.empty() && lowered(named.name) == "progress") {
        addStep({Axis::Batch, false, false, false}, number); // "Epoch: 1, Progress: 640/6000, Loss: 0.5"
        return;
    }
    const bool isShare = (number.unit == Unit::Percent && lowered(named.name).ends_with("progress"))
        || (isJoined && isShareDone(named.name));
    if (isShare && number.value >= 0 && number.value <= 100) {
        m_record.fraction = number.value / 100;
        return;
    }
    const bool metric = kind == NameKind::Metric || kind == NameKind::Faint;
    // "loss 0.5 != 0.4", "loss = 0.5 * x": code and complaints
    const std::string_view rest = m_line.substr(skipBlanks(m_line, number.end));
    static constexpr std::array signs{"!="sv, "=="sv, "<"sv, ">"sv, "->"sv, "* "sv, "is not"sv, "is in"sv};
    const bool isPlain = rest.empty() || isLetter(rest.front()) || rest.front() == ',';
    for (const std::string_view sign : std::span(signs).subspan(isPlain && at(rest, 0) != 'i' ? signs.size() : 0)) {
        // "0.5 * 1,200 @ 30": how many it is the mean of; "<iter: 5, lr:1e-3> loss": the end of the bracket
        const bool isMean = sign == "* " && isDigit(at(rest, 2)) && (!isJoined || isWeightBehind(rest));
        const bool isBracket = sign == ">" && at(m_line, number.end) == '>' && m_line.find('<') < m_start;
        if (rest.starts_with(sign) && !isMean && !isBracket) {
            return;
        }
    }
    if (rest.starts_with("+ ") && !isDigit(at(rest, 2))) {
        return; // "0.4 + 0.01" has its spread
    }
    if (!canBeName(named.name, metric) || number.unit == Unit::Time || number.unit == Unit::Size
        || number.unit == Unit::Ordinal || (number.unit == Unit::Rate && kind != NameKind::Speed)) {
        return;
    }
    if (isListOfNumbers(m_line, number.end)) {
        return; // "bbox_copypaste: 0.2 0.4 0.2": what each is stands elsewhere
    }
    Pair pair;
    pair.name = named.name;
    // A learning rate is of no part of the data, wherever it stands.
    pair.context = named.context.empty() && (metric || kind == NameKind::Unknown) ? std::string(m_tag)
                                                                                  : std::string(named.context);
    if (!named.context.empty()) {
        m_tag = named.context; // also of the values behind this one
    }
    // "val Loss: 0.2 Acc: 0.9": the accuracy is the validation's, too.
    const auto firstEnd
        = std::find_if(named.name.begin(), named.name.end(), [](char c) { return c == ' ' || c == '_'; });
    const std::string_view first = named.name.substr(0, static_cast<std::size_t>(firstEnd - named.name.begin()));
    if (isPartName(first)) {
        // "train=0.5 val=0.7 loss=0.3": the parts are values themselves, one after the other.
        const bool isValue
            = first.size() == named.name.size() && !m_record.pairs.empty() && isPartName(m_record.pairs.back().name);
        m_tag = isValue ? std::string_view() : first;
        pair.context = named.context;
    }
    pair.kind = kind;
    // "Training loss: l1=0.5, l2=0.25, total=0.75": the sum of them is what the line is about.
    if (kind == NameKind::Other && isJoined && number.decimals > 0 && endsAsMetric(m_tag)
        && lowered(named.name) == "total") {
        pair.kind = NameKind::Metric;
    }
    pair.isWhole = number.isWhole && number.unit != Unit::Percent;
    pair.isPercent = number.unit == Unit::Percent;
    pair.isUnclear = number.isUnclear;
    pair.decimals = number.decimals;
    pair.isJoined = isJoined;
    pair.value = number.value;
    if (number.total) {
        if (!metric || *number.total <= 0 || number.value > *number.total) {
            return; // a count of something
        }
        pair.value = shareShown(number).value_or(number.value / *number.total);
        pair.isWhole = false;
        pair.decimals = 6;
    }
    if (isSaidTwice(pair)) {
        return;
    }
    if (m_record.pairs.empty()) {
        constexpr std::size_t usual = 4;
        m_record.pairs.reserve(usual);
    }
    m_record.pairs.push_back(std::move(pair));
    m_lastWasStep = false;
}

bool TextReader::isRow()
{
    m_isRow = m_isRow ? *m_isRow : isRowOfNames(m_line);
    return *m_isRow;
}

void TextReader::takeNumber(const Number &number, std::size_t begin)
{
    if (takeShareDone(number) || takeShareBeforeCount(number)) {
        return;
    }
    if (takeGainInWords(number, begin) || takeMeanOfCount(number, begin)) {
        return;
    }
    if (isCountOfThings(number, begin)) {
        passOver(number.end);
        return;
    }
    const Named named = nameBefore(begin);
    if (const std::optional<Number> share
        = named.joint == Joint::Sign && endsAsMetric(named.name) ? quotientAt(begin) : std::nullopt) {
        addPair(named, *share, true);
        m_bare.reset();
        m_lastWasStep = false;
        after(share->end);
        return;
    }
    const std::string_view raw = trimmedJoint(m_line.substr(m_start, begin - m_start));
    if (raw.empty()) {
        takeBare(number, begin);
        return;
    }
    if (raw == "#" && m_isFirst && number.isWhole && !number.total && number.unit == Unit::None
        && m_record.steps.empty()) { // "#3 loss: 0.5"
        addStep({Axis::Step, false, false, false}, number, true);
        after(number.end + (at(m_line, number.end) == ':' ? 1 : 0));
        return;
    }
    if (named.name.empty()) {
        after(number.end); // behind ">=" and the like
        return;
    }
    const char next = at(m_line, skipBlanks(m_line, number.end));
    // "Test net output #1: loss" and "loss 1: 0.5": the number is part of the name.
    const bool partOfName = number.isWhole && named.joint != Joint::Sign && !number.total
        && (next == ':' || next == '=' || at(m_line, begin - 1) == '#');
    if (takeStep(named, number) || takeStepOfPart(number, begin) || takeStepOfHeading(number, begin)
        || takeStepOfSentence(number, begin)) {
        return;
    }
    // "Train: 0 [ 50/1251", "Train: 1/3 ( 33%) [ 50/1251"
    if (named.joint == Joint::Sign && isPartName(named.name) && number.isWhole
        && at(m_line, skipBlanks(m_line, afterAside(number.end))) == '[') {
        m_tag = named.name;
        addStep({Axis::Epoch, false, false, false}, number);
        after(afterAside(number.end));
        return;
    }
    if (takePartWithTotal(named, number)) {
        return;
    }
    if (named.joint == Joint::None && takeShareOfWork(named, number)) {
        return;
    }
    if (named.joint == Joint::None && number.isWhole && !number.total && namesClass(named.name)) {
        m_record.isOfOneClass = true; // "class 3 IoU 0.5"
    }
    const std::size_t colon = number.end;
    if (named.joint == Joint::Sign && !number.isWhole && at(m_line, colon) == ':') {
        const std::size_t value = skipBlanks(m_line, colon + 1);
        if (value < m_line.size() && beginsNumber(m_line, value)) {
            passOver(number.end); // "AP @ IoU=0.50: 0.79"
            return;
        }
    }
    // "1 epoch, 100 iter loss : 0.5": what the number before the name counts
    if (const std::size_t blank = named.name.find(' '); named.joint == Joint::Sign && m_bare && m_bare->isWhole
        && m_bare->unit == Unit::None && blank != std::string_view::npos
        && endsAsMetric(named.name.substr(blank + 1))) {
        if (const std::optional<StepName> step = stepName(named.name.substr(0, blank)); step && !step->isPlural) {
            addStep(*step, *m_bare);
            addPair({trimmed(named.name.substr(blank)), named.context, Joint::Sign}, number, true);
            m_lastWasStep = false;
            after(afterAside(number.end));
            return;
        }
    }
    if (takeTwoParts(named, number, begin)) {
        return;
    }
    if (named.joint == Joint::Sign) {
        if (kindOf(named.name) == NameKind::TimeLeft) {
            std::size_t end = number.end;
            if (const std::optional<double> left = durationAt(m_line, begin, &end)) {
                m_record.secondsLeft = left;
            }
            after(std::max(end, number.end));
            m_bare.reset();
            return;
        }
        addPair(takeStepOfName(named), number, true);
        m_bare.reset();
        m_lastWasStep = false;
        after(afterAside(number.end));
        return;
    }
    if (named.joint == Joint::Verb && !partOfName) {
        if (kindOf(named.name) == NameKind::Metric || endsAsMetric(named.name) || isLearningRateName(named.name)) {
            addPair(named, number, true);
        }
        m_lastWasStep = false;
        after(afterAside(number.end));
        return;
    }
    if (isStepBehind(named, number)) { // "Train loss 20 41.5", "Validation loss 1000: 0.5"
        const std::size_t value = skipBlanks(m_line, number.end + (next == ':' ? 1 : 0));
        Number inner;
        if (beginsNumber(m_line, value) && lexNumber(m_line, value, inner) == Lexed::Number && !inner.isWhole) {
            addStep({Axis::Iteration, false, false, false}, number);
            addPair(named, inner, true);
            m_lastWasStep = false;
            after(afterAside(inner.end));
            return;
        }
    }
    if (partOfName) {
        passOver(number.end);
        return;
    }
    if (kindOf(named.name) == NameKind::TimeLeft) {
        if (const std::optional<double> left = durationAt(m_line, begin)) {
            m_record.secondsLeft = left;
        }
        after(number.end);
        return;
    }
    if (endsAsMetric(named.name)) {
        addPair(named, number, false);
        after(afterAside(number.end));
        return;
    }
    // "lr 30.00", "kimg 0.0", "Batch time 7.3 (7.3)": a part of the line that is nothing but a name and a number.
    const std::size_t end = afterAside(number.end);
    const std::size_t rest = skipBlanks(m_line, end);
    const char behind = at(m_line, rest);
    const bool alone = rest >= m_line.size() || behind == ',' || behind == ';' || behind == '|' || behind == ')'
        || behind == ']' || (behind == '/' && rest > end && isBlank(at(m_line, rest + 1))) || rest > end + 1
        || (rest > end && m_line[end] == '\t') || (m_line.substr(end).starts_with(" - "))
        || isLearningRateName(named.name)
        || ((isPartName(named.name) || endsWithPart(named.name)) && number.decimals > 1
            && !m_record.steps.empty()); // "Epoch 1: train 0.52 valid 0.61", "[1] 3d_train 88.1 3d_eval 63.5"
    if (named.joint == Joint::None && m_record.steps.size() == 1 && !number.total && isRow()) {
        addPair(named, number, true);
        after(number.end);
        return;
    }
    // "Mean Reward of that batch 4.98" and nothing else
    if (m_isFirst && rest >= m_line.size() && number.decimals > 0 && named.joint == Joint::None && named.context.empty()
        && !hasDigit(named.name)) {
        for (const std::string_view joint : {" of "sv, " for "sv, " on "sv, " over "sv}) {
            if (const std::size_t i = named.name.find(joint);
                i != std::string_view::npos && endsAsMetric(named.name.substr(0, i))) {
                addPair(named, number, false);
                after(end);
                return;
            }
        }
    }
    // "val/abs_rel 0.37 val/a1 0.45": keys that name a part of the data
    if (const std::size_t slash = named.name.find('/'); slash != std::string_view::npos && number.decimals > 0
        && named.name.find(' ') == std::string_view::npos && named.context.empty()
        && isPartName(named.name.substr(0, slash))) {
        addPair(named, number, true);
        after(end);
        return;
    }
    const bool short_ = std::count(named.name.begin(), named.name.end(), ' ') < 2;
    // "sec/kimg 2020.10 maintenance 54.1": so long that one blank is left behind it
    const bool isRatio = number.decimals > 0 && named.name.find('/') != std::string_view::npos
        && named.name.find(' ') == std::string_view::npos && kindOf(named.name) == NameKind::Other;
    if ((alone || isRatio) && short_ && !number.total && named.context.empty()) {
        addPair(named, number, false);
        after(end);
        return;
    }
    if (number.unit == Unit::Time || number.unit == Unit::Size) {
        after(number.end); // "time 6m 20s"
        return;
    }
    ++m_record.looseNumbers;
    passOver(number.end);
}

} // namespace trainyard::metrics
