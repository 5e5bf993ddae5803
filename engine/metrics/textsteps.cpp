// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/textreader.h"

#include <algorithm>
#include <cmath>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

// "Best valid mIoU 0.71 Epoch 2": the step of the best, which says nothing of where the output is
bool TextReader::isStepOfBest() const
{
    if (!m_record.steps.empty() || m_record.pairs.empty() || m_record.pairs.front().kind != NameKind::Other) {
        return false;
    }
    const std::vector<std::string> words = wordsOf(m_record.pairs.front().name);
    return !words.empty() && words.front() == "best";
}

void TextReader::addStep(const StepName &name, const Number &number, bool isBare)
{
    // "[1, 2000] loss: 2.1 iteration 3": the epoch and the batch in front say it all
    const bool isTwice = !name.isGlobal && !isBare && m_record.steps.size() == 2 && !m_record.pairs.empty()
        && std::all_of(m_record.steps.begin(), m_record.steps.end(), [](const StepMark &mark) { return mark.isBare; });
    if (m_record.steps.size() < 8 && !isTwice && !isStepOfBest()) {
        m_record.steps.push_back({name, number.value, number.total, isBare, !number.isWhole});
    }
    m_lastWasStep = true;
    m_bare.reset();
}

bool TextReader::takeStep(const Named &named, const Number &number)
{
    const bool countable = (number.isWhole || number.decimals > 0)
        && (number.unit == Unit::None || number.unit == Unit::Ordinal) && number.value >= 0;
    if (!countable || named.name.empty()) {
        return false;
    }
    // "epoch/iter: 52/13673": each has its own count
    if (const std::size_t slash = named.name.find('/');
        slash != std::string_view::npos && number.total && number.isWhole && named.joint == Joint::Sign) {
        const std::optional<StepName> outer = stepName(named.name.substr(0, slash));
        const std::string_view second = named.name.substr(slash + 1);
        const std::optional<StepName> inner = stepName(second);
        // "step/total_step: 5/60": the names of the two numbers
        const std::string whole = lowered(second.substr(0, second.find('_')));
        if (outer && !outer->isPlural && (whole == "total" || whole == "max" || whole == "all" || whole == "num")
            && second.size() > whole.size() && number.value <= *number.total) {
            addStep(*outer, number);
            after(number.end);
            return true;
        }
        if (outer && inner && outer->axis == Axis::Epoch && inner->axis != Axis::Epoch) {
            Number count = number;
            count.value = *number.total;
            count.total.reset();
            Number epoch = number;
            epoch.total.reset();
            addStep(*outer, epoch);
            addStep(*inner, count);
            after(number.end);
            return true;
        }
    }
    std::optional<StepName> step = stepName(named.name);
    // "Val @ epoch 3 | mAP: 0.5": the part of the data, and where it is
    if (const std::size_t place = named.name.find(" @ "); !step && m_isFirst && number.isWhole
        && place != std::string_view::npos && isPartName(named.name.substr(0, place))) {
        step = stepName(named.name.substr(place + 3));
        m_tag = step ? named.name.substr(0, place) : m_tag;
    }
    // "Gen 3: mean=0.5": at the beginning of a line it is a generation; elsewhere it is what generates.
    if (!step && m_isFirst && named.joint == Joint::None && number.isWhole
        && (named.name == "Gen" || named.name == "gen")
        && (at(m_line, number.end) == ':' || at(m_line, skipBlanks(m_line, number.end)) == '|' || number.total)) {
        step = StepName{Axis::Round, false, false, false};
    }
    // "epoch done epoch=3": the key is one word, whatever the message before it is.
    const std::size_t key = named.name.rfind(' ');
    if (!step && key != std::string_view::npos && named.joint == Joint::Sign && number.isWhole
        && m_line.substr(0, m_i).ends_with('=') && m_i > 1 && !isBlank(m_line[m_i - 2])
        && kindOf(named.name) == NameKind::Unknown) {
        step = stepName(named.name.substr(key));
    }
    // "Evaluating the model on the dev dataset after epoch 3:" above its values
    if (const std::size_t after = named.name.rfind(" after "); !step && after != std::string_view::npos
        && number.isWhole && m_record.pairs.empty() && m_line.substr(number.end) == ":") {
        constexpr std::size_t length = std::string_view(" after ").size();
        step = stepName(named.name.substr(after + length));
    }
    // "Log records from the iteration 558:" above its values
    if (!step && m_isFirst && number.isWhole && !number.total && named.joint == Joint::None && named.context.empty()
        && m_record.steps.empty() && m_record.pairs.empty() && m_line.substr(number.end) == ":") {
        step = stepOfHeading(named.name);
    }
    // "Newton iteration 3: residual = 0.5": what iterates may have any name.
    if (const std::size_t blank = named.name.find(' '); !step && m_isFirst && blank != std::string_view::npos
        && number.isWhole && named.joint == Joint::None && at(m_line, number.end) == ':' && m_record.pairs.empty()) {
        const std::string_view who = named.name.substr(0, blank);
        const std::optional<StepName> counted = stepName(named.name.substr(blank + 1));
        const bool isName = lettersEnd(who, 0) == who.size() && kindOf(who) == NameKind::Unknown;
        step = isName && counted && counted->axis == Axis::Iteration && !counted->isPlural ? counted : std::nullopt;
    }
    // "loss: 0.5 @ step 100": where it was measured; "best: 0.5 @ epoch 3" says nothing of where the output is.
    if (!step && named.name.starts_with('@') && number.isWhole && !m_record.pairs.empty()
        && m_record.pairs.front().kind == NameKind::Metric) {
        step = stepName(named.name.substr(1));
    }
    if (step) {
        // 9.000 is a count that some loggers print so.
        const bool half = !number.isWhole && number.value != std::floor(number.value);
        if ((half || (!number.isWhole && named.joint != Joint::Sign)) && step->axis != Axis::Epoch) {
            return false;
        }
        if (named.joint == Joint::Verb && step->isPlural) {
            return false;
        }
        // "it 5" and "ep 5" are too short to be sure without a sign or a total.
        // "eval epoch: 3, loss: 0.5": the values behind it are of that part.
        const std::string_view first = named.name.substr(0, named.name.find(' '));
        if (first.size() < named.name.size() && (isPartName(lowered(first)) || isOfEvaluation(first))) {
            m_tag = first;
        } else if (isPartName(lowered(named.context)) && isOfEvaluation(named.context)) { // "EVAL : epoch=3 loss=0.5"
            m_tag = named.context;
        }
        addStep(*step, number);
        takeShare(number);
        after(takeTotal(number));
        return true;
    }
    if (const std::optional<NamedStep> inner = number.isWhole ? stepBehindName(named.name) : std::nullopt) {
        takeStepInName(*inner, named.context, number);
        return true;
    }
    return false;
}

// "700 -    9.61 sent/s - loss: 0.5": what has a rate is counted through the whole training.
bool TextReader::isBeforeRate(std::size_t end) const
{
    const std::size_t dash = skipBlanks(m_line, end);
    const std::size_t begin = skipBlanks(m_line, dash + 1);
    Number rate;
    return dash > end && at(m_line, dash) == '-' && begin > dash + 1 && isDigit(at(m_line, begin))
        && lexNumber(m_line, begin, rate) == Lexed::Number && rate.unit == Unit::Rate;
}

void TextReader::takeBare(const Number &number, std::size_t begin)
{
    // A number at the very beginning may be the step of the line: "0 Batch accuracy: 0.9", "100:\tlearn: 0.2".
    if (m_isFirst && skipBlanks(m_line, 0) == begin && m_record.steps.empty()) {
        const char next = at(m_line, number.end);
        if (takeTwoSteps(number)) {
            return;
        }
        if (number.isWhole && number.unit == Unit::None && number.value >= 0 && number.value < 1e12
            && at(m_line, begin) != '+'
            && !(at(m_line, skipBlanks(m_line, number.end)) == '|' && m_line.find('=') != std::string_view::npos
                && !beginsMeasure(skipBlanks(m_line, skipBlanks(m_line, number.end) + 1)))
            && (isBlank(next) || next == ':' || next == ',' || next == ')')) {
            const bool counted = next == ':' || isBeforeRate(number.end);
            addStep(
                {counted ? Axis::Iteration : (number.total ? Axis::Batch : Axis::Epoch), false, false}, number, true);
            const char behind = at(m_line, number.end + 1);
            m_record.mayBeRank = next == ':' && (behind == ' ' || behind == '\0') && !number.total;
            after(number.end + (next == ':' || next == ',' || next == ')' ? 1 : 0));
            return;
        }
    } else if (m_lastWasStep && number.isWhole && number.total && !m_record.steps.empty()) {
        // "epoch 001:    100 / 1000 loss=..."
        addStep({Axis::Batch, false, false, false}, number);
        after(number.end);
        return;
    }
    m_bare = number;
    m_record.looseNumbers += number.unit == Unit::None ? 1 : 0;
    m_record.columnNumbers += begin > 1 && isBlank(m_line[begin - 1]) && isBlank(m_line[begin - 2]) ? 1 : 0;
    after(number.end);
}

// Whether a whole number between the name of a metric and its value is a count, and not a part of the name.
bool TextReader::isStepBehind(const Named &named, const Number &number) const
{
    constexpr double leastStep = 100; // "loss 1: 0.5" is one of several losses
    const bool counts = number.isWhole && !number.total && number.unit == Unit::None && number.value >= 0;
    const char next = at(m_line, number.end);
    if (!counts || named.joint != Joint::None || !m_record.steps.empty() || m_start != 0 || !endsAsMetric(named.name)
        || at(m_line, m_i - 1) == '#') {
        return false;
    }
    return isBlank(next) ? isDigit(at(m_line, skipBlanks(m_line, number.end)))
                         : next == ':' && number.value >= leastStep;
}

// Whether a name follows that certainly is a metric, and its value: "accuracy=0.7", "mean reward: 20", "loss 0.5".
bool TextReader::beginsMetric(std::size_t begin) const
{
    const auto wordEnd = [this](std::size_t i) {
        while (isWord(at(m_line, i)) || at(m_line, i) == '/' || at(m_line, i) == '-') {
            ++i;
        }
        return i;
    };
    std::size_t end = wordEnd(begin);
    const std::string first = lowered(m_line.substr(begin, end - begin));
    if (first == "mean" || first == "average" || first == "avg" || first == "total") {
        end = wordEnd(skipBlanks(m_line, end));
    }
    const std::string_view name = m_line.substr(begin, end - begin);
    if (name.empty() || !isLetter(name.front()) || !endsAsMetric(name)) {
        return false;
    }
    const std::size_t sign = skipBlanks(m_line, end);
    const bool hasSign = at(m_line, sign) == '=' || at(m_line, sign) == ':'
        || (at(m_line, sign) == '-' && isBlank(at(m_line, sign + 1)) && sign > end); // "loss - 0.5"
    const std::size_t value = hasSign ? skipBlanks(m_line, sign + 1) : sign;
    if (value >= m_line.size()) {
        return false;
    }
    const bool isSure = kindOf(name) == NameKind::Metric;
    Number number;
    if (!beginsNumber(m_line, value)) {
        return isSure && hasSign && lexNotFinite(m_line, value).has_value();
    }
    // "score: 5" may be anything, and a whole number without a sign may be one more count.
    return (isSure || hasSign) && lexNumber(m_line, value, number) == Lexed::Number
        && (!number.isWhole || (isSure && hasSign));
}

// Also "train=0.5", whose measure is obvious.
bool TextReader::beginsMeasure(std::size_t begin) const
{
    const std::size_t end = lettersEnd(m_line, begin);
    return beginsMetric(begin)
        || (end < m_line.size() && isPartName(m_line.substr(begin, end - begin)) && m_line[end] == '='
            && end + 1 < m_line.size() && beginsNumber(m_line, end + 1));
}

// "eval 7 accuracy=0.7", "val 3: loss 0.5": a number between the part of the data and its first metric would make a
// name of every line.
bool TextReader::takeStepOfPart(const Number &number, std::size_t begin)
{
    std::string_view part = trimmed(m_line.substr(m_start, begin - m_start));
    part.remove_suffix(part.ends_with(':') ? 1 : 0);
    if (!m_isFirst || !isPartName(part) || !number.isWhole || number.total || number.unit != Unit::None
        || number.value < 0 || !m_record.steps.empty() || !m_record.pairs.empty()) {
        return false;
    }
    const bool hasSign = at(m_line, number.end) == ':' || at(m_line, number.end) == ',';
    const std::size_t behind = number.end + (hasSign ? 1 : 0);
    if (!isBlank(at(m_line, behind)) || !beginsMetric(skipBlanks(m_line, behind))) {
        return false;
    }
    // "test 1 acc=0.5 test 2 acc=0.4": several sets of one step
    for (std::size_t i = m_line.find(part, behind); i != std::string_view::npos; i = m_line.find(part, i + 1)) {
        if (isBlank(at(m_line, i + part.size())) && isDigit(at(m_line, skipBlanks(m_line, i + part.size())))) {
            return false;
        }
    }
    m_tag = part;
    addStep({Axis::Step, false, false, false}, number, true);
    after(behind);
    return true;
}

// "3 120 loss 0.5": the epoch and the batch, if nothing but a metric with its value follows.
bool TextReader::takeTwoSteps(const Number &number)
{
    const auto counts = [](const Number &n) {
        return n.isWhole && !n.total && n.unit == Unit::None && n.value >= 0 && n.value < 1e12;
    };
    const std::size_t second = skipBlanks(m_line, number.end);
    Number inner;
    if (!counts(number) || second == number.end || !isDigit(at(m_line, second))
        || lexNumber(m_line, second, inner) != Lexed::Number || !counts(inner) || !isBlank(at(m_line, inner.end))
        || !beginsMetric(skipBlanks(m_line, inner.end))) {
        return false;
    }
    addStep({Axis::Epoch, false, false, false}, number, true);
    addStep({Axis::Batch, false, false, false}, inner, true);
    after(inner.end);
    return true;
}

std::optional<double> TextReader::timeLeftAt(std::size_t begin) const
{
    const Named named = nameBefore(begin);
    return !named.name.empty() && kindOf(named.name) == NameKind::TimeLeft ? durationAt(m_line, begin) : std::nullopt;
}

// "At iteration 2600/2600/2741": several counts of the same work, the first of which is the program's own.
bool TextReader::takeStepOfSeveral(const Number &number, std::size_t begin)
{
    const std::string_view text = m_line.substr(begin, number.end - begin);
    if (text.find_first_not_of("0123456789/") != std::string_view::npos
        || std::count(text.begin(), text.end(), '/') != 2) {
        return false;
    }
    const Named named = nameBefore(begin);
    const std::optional<StepName> step = named.name.empty() ? std::nullopt : stepName(named.name);
    const std::optional<Number> first = wholeNumber(text.substr(0, text.find('/')));
    if (!step || !first) {
        return false;
    }
    addStep(*step, *first);
    after(number.end);
    return true;
}

// "epoch1:", "iter_100 ", "Epoch-3,": the word just read
void TextReader::takeStepWithNumber(std::size_t word)
{
    std::size_t letters = word;
    while (letters < m_i && isLetter(m_line[letters])) {
        ++letters;
    }
    std::size_t digits = letters;
    if (at(m_line, digits) == '_' || at(m_line, digits) == '-') {
        ++digits;
    }
    std::size_t end = digits;
    while (isDigit(at(m_line, end))) {
        ++end;
    }
    const char next = at(m_line, end);
    const bool isWhole
        = (end >= m_i && (next == '\0' || isBlank(next) || next == ':' || next == ',' || next == ']' || next == '|'))
        || (end > digits && (next == '-' || next == '.' || next == '=')
            && at(m_line, end + 1) == next); // "epoch3-----"
    if (end == digits || letters - word < 4 || !isWhole
        || m_line.substr(m_start, word - m_start).find_first_not_of(" \t:,-|.)/*#>=~+") != std::string_view::npos) {
        return;
    }
    const std::optional<StepName> step = stepName(m_line.substr(word, letters - word));
    const std::optional<Number> number = wholeNumber(m_line.substr(digits, end - digits));
    if (step && number && !step->isPlural) {
        addStep(*step, *number);
        after(end);
    }
}

// "1epoch", "101-200batch"
bool TextReader::takeGluedStep()
{
    std::size_t i = m_i, begin = m_i;
    while (isDigit(at(m_line, i))) {
        ++i;
    }
    if (at(m_line, i) == '-' && isDigit(at(m_line, i + 1))) {
        begin = ++i;
        while (isDigit(at(m_line, i))) {
            ++i;
        }
    }
    if (!isLetter(at(m_line, i)) || i == begin) {
        return false;
    }
    std::size_t end = i;
    while (isLetter(at(m_line, end))) {
        ++end;
    }
    const std::optional<StepName> step = stepName(m_line.substr(i, end - i));
    const std::optional<Number> number = wholeNumber(m_line.substr(begin, i - begin));
    if (!step || step->isPlural || !number || isWord(at(m_line, end)) || step->axis == Axis::None || end - i < 4) {
        return false;
    }
    addStep(*step, *number);
    after(end);
    return true;
}

} // namespace trainyard::metrics
