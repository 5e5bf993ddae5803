// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/textline.h"

#include "engine/metrics/relevance.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <cmath>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t mostPairs = 400;
constexpr std::size_t farBehind = 32; // blanks

constexpr bool isQuote(char c) { return c == '\'' || c == '"'; }

// Where a number may begin: not inside a word such as "mAP50" or "v1.2".
constexpr bool mayStart(std::string_view text, std::size_t i)
{
    if (i == 0) {
        return true;
    }
    switch (text[i - 1]) {
    case ' ':
    case '\t':
    case '=':
    case ':':
    case '(':
    case '[':
    case '{':
    case '|':
    case ',':
    case ';':
    case '#':
    case '>':
    case '~':
    case '@':
        return true;
    default:
        return isQuote(text[i - 1]) || static_cast<unsigned char>(text[i - 1]) >= 0x80;
    }
}

constexpr bool beginsNumber(std::string_view text, std::size_t i)
{
    const char c = text[i];
    if (isDigit(c)) {
        return true;
    }
    if (c == '.') {
        return isDigit(at(text, i + 1));
    }
    if (c == '-' || c == '+') {
        return isDigit(at(text, i + 1)) || (at(text, i + 1) == '.' && isDigit(at(text, i + 2)));
    }
    return false;
}

// "Val. Loss", "Avg. Reward"
bool isShortened(std::string_view text)
{
    const std::string last = lowered(text.substr(text.find_last_of(" :") + 1));
    return isPartName(last) || (last.size() == text.size() && last.find('-') != std::string::npos) || last == "avg"
        || last == "ave" || last == "acc" || last == "no" || last == "std";
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

// "112.1TFLOPS": a number with letters behind it that name nothing is no value, but it is whole.
bool isUnitBehind(std::string_view token)
{
    const std::size_t letters = token.find_first_not_of("0123456789.eE+-");
    const std::string_view unit = letters == std::string_view::npos ? std::string_view() : token.substr(letters);
    return !unit.empty() && unit.size() <= 12 && !hasKnownWord(unit)
        && std::all_of(unit.begin(), unit.end(), [](char c) { return isLetter(c) || c == '/' || c == '%'; });
}

// The reading of one line. `m_start` is where the text begins that may become the next name; everything before it is
// used up. Large because every rule asks how far the line is used up and what the words before were: a rule is a
// method, and what they share stays private to the reading of this one line.
class TextReader
{
public:
    TextReader(std::string_view line, Record &record) : m_line(line), m_record(record) { }

    void read();

private:
    enum class Joint { None, Sign, Verb };
    struct Named {
        std::string_view name;
        std::string_view context;
        Joint joint = Joint::None;
    };

    Named nameBefore(std::size_t end) const;
    void takeNumber(const Number &number, std::size_t begin);
    bool takeGluedStep();
    void takeStepWithNumber(std::size_t word);
    std::optional<double> timeLeftAt(std::size_t begin) const;
    void takeShare(std::size_t end);
    bool isStepBehind(const Named &named, const Number &number) const;
    void takeBare(const Number &number, std::size_t begin);
    bool takeStep(const Named &named, const Number &number);
    void addStep(const StepName &name, const Number &number, bool isBare = false);
    void addPair(const Named &named, const Number &number, bool isJoined);
    void after(std::size_t end);
    std::size_t afterAside(std::size_t end) const;
    bool takePartWithCounts(std::string_view inside);
    void openBracket();
    void valuesOf(std::string_view whole, std::string_view inside);
    void openParenthesis();
    void blanks();
    void endOfPart(std::size_t next);
    bool isAfterStep() const { return m_lastWasStep && trimmedJoint(m_line.substr(m_start, m_i - m_start)).empty(); }
    static std::string_view trimmedJoint(std::string_view text);

    std::string_view m_line;
    Record &m_record;
    std::size_t m_i = 0, m_start = 0;
    bool m_lastWasStep = false;
    bool m_isFirst = true; // nothing was used up yet
    bool m_stop = false;
    std::optional<Number> m_bare; // a number without a name before it: "0.5 avg loss"
    std::string_view m_tag; // "TRAIN" of "[TRAIN] ..."
    std::optional<StepName> m_namedStep; // "validation loss at iteration 1000 | ..." has its number, not its value
};

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
            if (c == '=' || c == '<' || c == '>' || c == '!' || c == '+' || c == '-' || c == '*') {
                return {}; // a comparison
            }
            if (c == ':') {
                text.remove_suffix(1);
            }
        }
    } else if (text.ends_with("->") || text.ends_with("=>")) {
        named.joint = Joint::Verb;
        text.remove_suffix(2);
    } else {
        for (const std::string_view verb : {" is", " was", " reached", " of", " is:", " ~", " ->"}) {
            if (text.ends_with(verb)) {
                named.joint = Joint::Verb;
                text.remove_suffix(verb.size());
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
            && isUpper(at(text, skipBlanks(text, i))) && !isShortened(text.substr(0, i - 1));
        if (colon || sentence) {
            named.context = colon ? trimmedJoint(text.substr(0, i - 1)) : std::string_view();
            text = trimmed(text.substr(i));
            break;
        }
    }
    text = trimmedJoint(text);
    while (text.size() > 1 && isQuote(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isQuote(text.back())) {
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
    while (text.size() > 2 && text.ends_with("*")) {
        text.remove_suffix(1);
    }
    if (text.size() > 4 && (text.starts_with("and ") || text.starts_with("the "))) {
        text = trimmed(text.substr(4));
    }
    // "Epoch 74 CV info cv_loss 7.5": the last word is a name by itself.
    const std::size_t last = text.find_last_of(' ') + 1;
    if (named.joint == Joint::None && last > 0 && text.find('_', last) != std::string_view::npos
        && kindOf(text.substr(last)) == NameKind::Metric && !isPartName(text.substr(0, text.find(' ')))) {
        text = text.substr(last);
    }
    named.name = text;
    return named;
}

void TextReader::after(std::size_t end)
{
    m_i = m_start = end;
    m_isFirst = false;
}

// Behind "(15.6)", "+/- 0.1 (jitter = 0.0)" and the like, which say more about the value before.
std::size_t TextReader::afterAside(std::size_t end) const
{
    std::size_t i = skipBlanks(m_line, end);
    bool spread = false;
    for (const std::string_view sign : {"+/-", "+-", "\xC2\xB1", "(+/-", "+ "}) {
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
    const bool word = m_line.substr(inside).starts_with("best") || m_line.substr(inside).starts_with("avg")
        || m_line.substr(inside).starts_with("nan") || m_line.substr(inside).starts_with("inf");
    if (!number && !spread && !word) {
        return end;
    }
    const std::size_t close = m_line.find(')', inside);
    return close == std::string_view::npos || close - i > 80 ? end : close + 1;
}

void TextReader::addStep(const StepName &name, const Number &number, bool isBare)
{
    if (m_record.steps.size() < 8) {
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
    if (const std::optional<StepName> step = stepName(named.name)) {
        // 9.000 is a count that some loggers print so.
        const bool half = !number.isWhole && number.value != std::floor(number.value);
        if ((half || (!number.isWhole && named.joint != Joint::Sign)) && step->axis != Axis::Epoch) {
            return false;
        }
        if (named.joint == Joint::Verb && step->isPlural) {
            return false;
        }
        // "it 5" and "ep 5" are too short to be sure without a sign or a total.
        addStep(*step, number);
        if (!number.total) {
            takeShare(number.end);
        }
        after(number.end);
        return true;
    }
    if (const std::optional<NamedStep> inner = stepBehindName(named.name); inner && number.isWhole) {
        // "Cost after iteration 100: 0.67"
        addStep(inner->step, number);
        std::size_t i = skipBlanks(m_line, number.end);
        if (at(m_line, i) == ':' || at(m_line, i) == '=' || m_line.substr(i).starts_with("is ")) {
            i = skipBlanks(m_line, i + (m_line[i] == 'i' ? 3 : 1));
            Number value;
            if (i < m_line.size() && beginsNumber(m_line, i) && lexNumber(m_line, i, value) == Lexed::Number) {
                addPair({inner->name, named.context, Joint::Sign}, value, true);
                after(afterAside(value.end));
                m_lastWasStep = false;
                return true;
            }
            if (const std::optional<Number> other = lexNotFinite(m_line, i)) {
                addPair({inner->name, named.context, Joint::Sign}, *other, true);
                after(other->end);
                m_lastWasStep = false;
                return true;
            }
        }
        after(number.end);
        return true;
    }
    return false;
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
    if (number.unit == Unit::Percent && lowered(named.name).ends_with("progress") && number.value >= 0
        && number.value <= 100) {
        m_record.fraction = number.value / 100;
        return;
    }
    const bool metric = kind == NameKind::Metric || kind == NameKind::Faint;
    // "loss 0.5 != 0.4", "loss = 0.5 * x": code and complaints
    const std::string_view rest = m_line.substr(skipBlanks(m_line, number.end));
    for (const std::string_view sign : {"!=", "==", "<", ">", "->", "* ", "is not", "is in"}) {
        if (rest.starts_with(sign)) {
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
    pair.context = named.context.empty() && metric ? std::string(m_tag) : std::string(named.context);
    if (!named.context.empty()) {
        m_tag = named.context; // also of the values behind this one
    }
    // "val Loss: 0.2 Acc: 0.9": the accuracy is the validation's, too.
    const std::string_view first = std::string_view(named.name).substr(0, named.name.find_first_of(" _"));
    if (isPartName(first)) {
        m_tag = first;
        pair.context = named.context;
    }
    pair.kind = kind;
    pair.isWhole = number.isWhole && number.unit != Unit::Percent;
    pair.decimals = number.decimals;
    pair.isJoined = isJoined;
    pair.value = number.value;
    if (number.total) {
        if (!metric || *number.total <= 0 || number.value > *number.total) {
            return; // a count of something
        }
        pair.value = number.value / *number.total;
        pair.isWhole = false;
        pair.decimals = 6;
    }
    for (const Pair &other : m_record.pairs) {
        if (other.name == pair.name && other.context == pair.context) {
            return; // what is left of an earlier state of the line
        }
    }
    m_record.pairs.push_back(std::move(pair));
    m_lastWasStep = false;
}

void TextReader::takeBare(const Number &number, std::size_t begin)
{
    // A number at the very beginning may be the step of the line: "0 Batch accuracy: 0.9", "100:\tlearn: 0.2".
    if (m_isFirst && skipBlanks(m_line, 0) == begin && m_record.steps.empty()) {
        const char next = at(m_line, number.end);
        if (number.isWhole && number.unit == Unit::None && number.value >= 0 && number.value < 1e12
            && at(m_line, begin) != '+'
            && !(at(m_line, skipBlanks(m_line, number.end)) == '|' && m_line.find('=') != std::string_view::npos)
            && (isBlank(next) || next == ':' || next == ',' || next == ')')) {
            const bool counted = next == ':';
            addStep(
                {counted ? Axis::Iteration : (number.total ? Axis::Batch : Axis::Epoch), false, false}, number, true);
            const char behind = at(m_line, number.end + 1);
            m_record.mayBeRank = counted && (behind == ' ' || behind == '\0') && !number.total;
            after(number.end + (counted || next == ',' || next == ')' ? 1 : 0));
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
    after(number.end);
}

void TextReader::takeNumber(const Number &number, std::size_t begin)
{
    const Named named = nameBefore(begin);
    const std::string_view raw = trimmedJoint(m_line.substr(m_start, begin - m_start));
    if (raw.empty()) {
        takeBare(number, begin);
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
    if (takeStep(named, number)) {
        return;
    }
    if (named.joint == Joint::Sign && isPartName(named.name) && number.isWhole && next == '[') { // "Train: 0 [ 50/1251"
        m_tag = named.name;
        addStep({Axis::Epoch, false, false, false}, number);
        after(number.end);
        return;
    }
    const std::size_t colon = number.end;
    if (named.joint == Joint::Sign && !number.isWhole && at(m_line, colon) == ':') {
        const std::size_t value = skipBlanks(m_line, colon + 1);
        if (value < m_line.size() && beginsNumber(m_line, value)) {
            m_i = number.end; // "AP @ IoU=0.50: 0.79"
            return;
        }
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
        addPair(named, number, true);
        m_bare.reset();
        m_lastWasStep = false;
        after(afterAside(number.end));
        return;
    }
    if (named.joint == Joint::Verb && !partOfName) {
        if (kindOf(named.name) == NameKind::Metric || endsAsMetric(named.name)) {
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
        m_i = number.end;
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
        || behind == ']' || rest > end + 1 || (rest > end && m_line[end] == '\t')
        || (m_line.substr(end).starts_with(" - ")) || lowered(named.name) == "lr";
    const bool short_ = std::count(named.name.begin(), named.name.end(), ' ') < 2;
    if (alone && short_ && !number.total && named.context.empty()) {
        addPair(named, number, false);
        after(end);
        return;
    }
    if (number.unit == Unit::Time || number.unit == Unit::Size) {
        after(number.end); // "time 6m 20s"
        return;
    }
    ++m_record.looseNumbers;
    m_i = number.end;
}

// Whether a whole number between the name of a metric and its value counts: it is no part of the name.
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

std::optional<double> TextReader::timeLeftAt(std::size_t begin) const
{
    const Named named = nameBefore(begin);
    return !named.name.empty() && kindOf(named.name) == NameKind::TimeLeft ? durationAt(m_line, begin) : std::nullopt;
}

// "Step 450 (45.0%)"
void TextReader::takeShare(std::size_t end)
{
    const std::size_t open = skipBlanks(m_line, end);
    Number share;
    if (at(m_line, open) == '(' && isDigit(at(m_line, open + 1)) && lexNumber(m_line, open + 1, share) == Lexed::Number
        && share.unit == Unit::Percent && share.value <= 100 && at(m_line, share.end) == ')') {
        m_record.fraction = share.value / 100;
    }
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
        = end >= m_i && (next == '\0' || isBlank(next) || next == ':' || next == ',' || next == ']' || next == '|');
    if (end == digits || letters - word < 4 || !isWhole
        || !trimmedJoint(m_line.substr(m_start, word - m_start)).empty()) {
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
        const std::string_view name = trimmedJoint(m_line.substr(m_start, m_i - m_start));
        if (!name.empty() && name.size() < 30) {
            if (kindOf(name) == NameKind::TimeLeft) {
                const std::string_view number = m_line.substr(0, m_start);
                std::size_t begin = number.find_last_of(",;|(") + 1;
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
    if (!trimmed(m_line.substr(0, next)).empty()) {
        m_isFirst = m_isFirst && trimmed(m_line.substr(0, next)) == "|";
    }
}

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
        && inside.find_first_not_of("0123456789-") == std::string_view::npos;
    const std::string_view digits = range ? inside.substr(dash + 1) : inside; // "Batch [0-100]"
    const bool numeric = !digits.empty() && beginsNumber(digits, 0) && digits.front() != '-'
        && lexNumber(digits, 0, number) == Lexed::Number;
    const Named named = nameBefore(m_i);
    const std::optional<StepName> counted = named.name.empty() ? std::nullopt : stepName(named.name);
    const std::size_t next = close + 1;
    if (numeric && number.isWhole && number.unit == Unit::None) {
        const std::string_view rest = trimmed(digits.substr(number.end));
        const bool only = rest.empty() || rest.front() == '(';
        if (counted && only) {
            m_record.isOfEvaluation = m_record.isOfEvaluation || isOfEvaluation(named.name);
            addStep(*counted, number);
            after(next);
            return;
        }
        if (const std::size_t left = rest.find('<'); named.name.empty() && m_isFirst && number.total
            && *number.total > 0 && left != std::string_view::npos
            && durationAt(rest, 0)) { // "[ 500/1000 01:10 < 01:12, 6.9 it/s, Epoch 1/2]"
            m_record.fraction = std::min(1.0, number.value / *number.total);
            m_record.secondsLeft = durationAt(rest, left + 1);
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
                const bool paired = at(m_line, next) == '[';
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
        bool hasDigit = false;
        for (const char c : inside) {
            hasDigit = hasDigit || isDigit(c);
        }
        if (!hasDigit) {
            if (inside.size() < 24 && isLetter(at(inside, 0))) {
                m_tag = inside;
            }
            m_i = m_start = next;
            return;
        }
        endOfPart(m_i + 1);
        m_isFirst = true;
        return;
    }
    if (named.joint == Joint::Sign && isLetter(at(inside, 0))
        && inside.find_first_of("0123456789") != std::string_view::npos) {
        endOfPart(m_i + 1); // "model: [Iter 20/30000] ..."
        return;
    }
    if (named.joint == Joint::Sign
        || (named.joint == Joint::Verb
            && endsAsMetric(named.name))) { // a list of values: one for each group of parameters, or for each class
        const NameKind kind = kindOf(named.name);
        const bool isSetting = kind != NameKind::Metric && kind != NameKind::Faint;
        Number value;
        if (!inside.empty() && beginsNumber(inside, 0) && lexNumber(inside, 0, value) == Lexed::Number
            && inside.find_first_of("([{") == std::string_view::npos
            && (isSetting || inside.find(',') == std::string_view::npos)) {
            addPair(named, value, true);
        }
        m_lastWasStep = false;
        after(next);
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
    after(next); // "shape torch.Size([12, 3, 4])", "@[ IoU=0.50:0.95 ]"
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

void TextReader::openParenthesis()
{
    const std::string_view before = m_line.substr(m_start, m_i - m_start);
    const std::size_t close = m_line.find(')', m_i);
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
    const bool glued = m_i > m_start && !isBlank(m_line[m_i - 1]);
    if (glued) { // "D(x)", "D(G(z))", "Epoch(train)", "tensor(0.3)"
        const std::string_view text = trimmed(before);
        const std::size_t joint = text.find_last_of(":= ");
        const std::string_view wrapper = joint == std::string_view::npos ? text : text.substr(joint + 1);
        if (joint != std::string_view::npos
            && (wrapper == "tensor" || wrapper == "array" || wrapper == "Array" || wrapper == "torch.tensor"
                || wrapper == "np.float64" || wrapper == "np.float32" || wrapper == "numpy.float64"
                || wrapper == "DeviceArray" || wrapper == "Tensor")) {
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
        if ((next == ':' || next == '=') && inside.find_first_of("=:,(") == std::string_view::npos) {
            m_i = close + 1;
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

void TextReader::blanks()
{
    const std::size_t next = skipBlanks(m_line, m_i);
    const bool tab = m_line.substr(m_i, next - m_i).find('\t') != std::string_view::npos;
    if (next >= m_line.size()) {
        m_i = next;
        return;
    }
    if (next - m_i >= farBehind && m_line[next] != '|' && !(m_record.steps.empty() && m_record.pairs.empty())) {
        m_i = m_line.size(); // left of an older state of the line
        m_record.isRemains = true;
        return;
    }
    if (tab || next - m_i >= 2) {
        const std::string_view before = trimmed(m_line.substr(m_start, m_i - m_start));
        const bool joined = m_line[next] == ':' || m_line[next] == '='
            || (!before.empty() && (before.back() == ':' || before.back() == '='));
        const bool number
            = beginsNumber(m_line, next) || (m_line[next] == '#' && isDigit(at(m_line, next + 1))); // "Epoch   #1"
        if (m_line[next] == '[' && stepName(before)) { // "Epoch(train)  [1][ 50/7330]"
            m_i = next;
            return;
        }
        if (!joined && !number) {
            endOfPart(next);
            return;
        }
        if (!joined && number && m_bare) {
            endOfPart(next);
            return;
        }
    } else if (m_line.substr(m_i).starts_with(" - ") || m_line.substr(m_i).starts_with(" -- ")) {
        const std::size_t behind = skipBlanks(m_line, m_i + 2);
        if (behind < m_line.size() && isDigit(m_line[behind]) && endsAsMetric(m_line.substr(m_start, m_i - m_start))) {
            m_i = behind; // "dice_score - 0.4"
            return;
        }
        endOfPart(skipBlanks(m_line, m_i + 1) + 2);
        return;
    }
    m_i = next;
}

void TextReader::read()
{
    while (m_i < m_line.size() && !m_stop) {
        const char c = m_line[m_i];
        if (isBlank(c)) {
            blanks();
            continue;
        }
        if (beginsNumber(m_line, m_i) && mayStart(m_line, m_i)) {
            if (takeGluedStep()) {
                continue;
            }
            Number number;
            const std::size_t begin = m_i;
            switch (lexNumber(m_line, m_i, number)) {
            case Lexed::Number:
                takeNumber(number, begin);
                break;
            case Lexed::Stamp: {
                const Named named = nameBefore(begin);
                if (!named.name.empty() && kindOf(named.name) == NameKind::TimeLeft) {
                    if (const std::optional<double> left = durationAt(m_line, begin)) {
                        m_record.secondsLeft = left;
                    }
                }
                after(number.end);
                break;
            }
            case Lexed::Broken:
                if (const std::optional<double> left = timeLeftAt(begin)) { // "ETA 1h23m45s"
                    m_record.secondsLeft = left;
                    after(number.end);
                    break;
                }
                if (at(m_line, begin) != '-' && at(m_line, begin) != '+' && number.decimals > 0
                    && !isUnitBehind(m_line.substr(begin, number.end - begin))) {
                    // "val_acc: 0.5711.594 - ETA: 7s - loss: 0.66": what follows is left of an older text.
                    m_record.isRemains = true;
                    m_stop = true;
                    break;
                }
                m_i = number.end;
                break;
            }
            continue;
        }
        if (isLetter(c) || c == '-' || c == '+') {
            const std::string_view before = trimmed(m_line.substr(m_start, m_i - m_start));
            if (!before.empty() && (before.back() == ':' || before.back() == '=') && mayStart(m_line, m_i)) {
                if (const std::optional<Number> number = lexNotFinite(m_line, m_i)) {
                    takeNumber(*number, m_i);
                    continue;
                }
                // A value in words ends the name: "optimizer: adam", "mode=train".
                if (isLetter(c) && before.back() == '=') {
                    std::size_t end = m_i;
                    while (end < m_line.size() && !isBlank(m_line[end]) && m_line[end] != ',' && m_line[end] != ';'
                        && m_line[end] != '|' && m_line[end] != '(') {
                        ++end;
                    }
                    if (at(m_line, end) != '(') {
                        m_i = m_start = end;
                        m_isFirst = false;
                        continue;
                    }
                }
            } else if (isLetter(c) && mayStart(m_line, m_i) && endsAsMetric(before)) {
                if (const std::optional<Number> number = lexNotFinite(m_line, m_i)) {
                    takeNumber(*number, m_i); // "loss nan"
                    continue;
                }
            }
            const std::size_t word = m_i++;
            while (m_i < m_line.size() && (isWord(m_line[m_i]) || m_line[m_i] == '.' || m_line[m_i] == '@')) {
                ++m_i;
            }
            takeStepWithNumber(word);
            continue;
        }
        if (c == '"' && m_i > m_start && m_line[m_i - 1] == '=' && !isDigit(at(m_line, m_i + 1))) {
            // msg="step done" ends with its quote
            const std::size_t close = m_line.find('"', m_i + 1);
            if (close != std::string_view::npos && at(m_line, m_i + 1) != '-' && at(m_line, m_i + 1) != '.') {
                m_i = m_start = close + 1;
                continue;
            }
        }
        switch (c) {
        case '|': {
            // "eval  Accuracy |  0.42": only the name and its value stand between bars
            const std::size_t value = skipBlanks(m_line, m_i + 1);
            const std::string_view part = trimmedJoint(m_line.substr(m_start, m_i - m_start));
            if (value < m_line.size() && beginsNumber(m_line, value) && part.find(':') == std::string_view::npos
                && endsAsMetric(part)) {
                m_i = value;
                break;
            }
            endOfPart(m_i + 1);
            break;
        }
        case ',':
        case ';':
        case '{':
        case '}':
        case ')':
        case ']':
            endOfPart(m_i + 1);
            break;
        case '[':
            openBracket();
            break;
        case '(':
            openParenthesis();
            break;
        case '/':
            // "epoch=0/micro_step=10", "loss/accuracy: 0.3/0.9" stays a name.
            if (m_start == m_i && !m_isFirst) {
                m_start = m_i + 1;
            }
            ++m_i;
            break;
        default:
            ++m_i;
        }
    }
    m_i = m_line.size();
    endOfPart(m_i);
}

} // namespace

void readText(std::string_view line, Record &record)
{
    // COCO's summary: "Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.381"
    const std::size_t equals = line.rfind("] = ");
    if (equals != std::string_view::npos && line.find('[') < equals && endsAsMetric(line.substr(0, line.find("  ")))) {
        const std::optional<Number> value = wholeNumber(trimmed(line.substr(equals + 4)));
        if (value && equals < 120) {
            Pair pair;
            pair.name = trimmed(line.substr(0, equals + 1));
            pair.value = value->value;
            pair.kind = NameKind::Metric;
            pair.isWhole = value->isWhole;
            pair.decimals = value->decimals;
            record.pairs.push_back(std::move(pair));
            return;
        }
    }
    TextReader(line, record).read();
}

} // namespace trainyard::metrics
