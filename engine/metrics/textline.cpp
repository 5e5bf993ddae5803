// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/textline.h"

#include "engine/metrics/namedlists.h"
#include "engine/metrics/partvalues.h"
#include "engine/metrics/relevance.h"
#include "engine/metrics/textreader.h"
#include "engine/metrics/vocabulary.h"

#include <algorithm>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

constexpr std::size_t farBehind = 32; // blanks

// How long the dash or point is that parts a line there: "Epoch 3 \u2014 loss: 0.5".
std::size_t partingSignAt(std::string_view text, std::size_t i)
{
    if (i >= text.size() || static_cast<signed char>(text[i]) >= 0) {
        return 0; // each of them begins with a byte that is not of ASCII
    }
    for (const std::string_view sign : {"\xE2\x80\x93"sv, "\xE2\x80\x94"sv, "\xE2\x80\xA2"sv, "\xC2\xB7"sv}) {
        if (text.substr(i).starts_with(sign)) {
            return sign.size();
        }
    }
    return 0;
}

// "112.1TFLOPS": a number that is followed by letters without a meaning is not a value, but it is complete.
bool isUnitBehind(std::string_view token)
{
    const std::size_t letters = token.find_first_not_of("0123456789.eE+-");
    const std::string_view unit = letters == std::string_view::npos ? std::string_view() : token.substr(letters);
    return !unit.empty() && unit.size() <= 12 && !hasKnownWord(unit)
        && std::all_of(unit.begin(), unit.end(), [](char c) { return isLetter(c) || c == '/' || c == '%'; });
}

// Behind "3d_train": a name may begin with digits.
std::size_t nameWithDigitAt(std::string_view line, std::size_t begin)
{
    std::size_t i = begin;
    while (isDigit(at(line, i))) {
        ++i;
    }
    const std::size_t letters = lettersEnd(line, i);
    if (i == begin || letters == i || at(line, letters) != '_' || !isLetter(at(line, letters + 1))) {
        return begin;
    }
    while (isWord(at(line, i))) {
        ++i;
    }
    return i;
}

// "step=100 split=val loss=0.5"
bool isKeyOfPart(std::string_view key)
{
    key = lastWordOf(key);
    return key == "split" || key == "phase" || key == "subset" || key == "stage" || key == "set";
}

} // namespace

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
        const std::string_view arrow = m_line.substr(next, 3);
        const bool joined = m_line[next] == ':' || m_line[next] == '=' || arrow == "\xE2\x86\x92"
            || arrow == "\xE2\x87\x92" || (!before.empty() && (before.back() == ':' || before.back() == '='));
        const bool number
            = beginsNumber(m_line, next) || (m_line[next] == '#' && isDigit(at(m_line, next + 1))); // "Epoch   #1"
        if ((m_line[next] == '[' && stepName(before)) // "Epoch(train)  [1][ 50/7330]"
            || (m_line[next] == '(' && endsAsMetric(before))) { // "MAE  (mm): 0.5"
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
    } else if (m_line[next] == '-'
        && (m_line.substr(m_i).starts_with(" - ") || m_line.substr(m_i).starts_with(" -- "))) {
        const std::size_t behind = skipBlanks(m_line, m_i + 2);
        const std::string_view name = m_line.substr(m_start, m_i - m_start);
        if (behind < m_line.size() && isDigit(m_line[behind])
            && (endsAsMetric(name) || (m_isFirst && stepName(trimmed(name))))) {
            m_i = behind; // "dice_score - 0.4", "epoch - 3/10"
            return;
        }
        endOfPart(skipBlanks(m_line, m_i + 1) + 2);
        return;
    }
    if (const std::size_t sign = partingSignAt(m_line, next); sign > 0 && isBlank(at(m_line, next + sign))) {
        endOfPart(next + sign);
        return;
    }
    m_i = next;
}

// "train_loss, val_loss 0.5 0.4": each name has the number at its place
bool TextReader::takeNamedList()
{
    const std::vector<NamedNumber> list = namedListOf(m_line);
    for (const NamedNumber &each : list) {
        const std::optional<StepName> step = each.number.isWhole ? stepName(each.name) : std::nullopt;
        if (step && !step->isPlural) {
            addStep(*step, each.number);
        } else {
            Pair pair;
            pair.name = each.name;
            pair.context = each.part;
            pair.kind = kindOf(each.name);
            pair.value = each.number.value;
            pair.isWhole = each.number.isWhole;
            pair.isUnclear = each.number.isUnclear;
            pair.decimals = each.number.decimals;
            m_record.pairs.push_back(std::move(pair));
        }
    }
    return !list.empty();
}

void TextReader::read()
{
    const std::vector<PartValue> parts = partValuesOf(m_line);
    for (const PartValue &each : parts) {
        addPair({each.name, each.part, Joint::Sign}, each.number, true);
    }
    if (!parts.empty() || takeNamedList()) {
        return;
    }
    while (m_i < m_line.size() && !m_stop) {
        const char c = m_line[m_i];
        if (isBlank(c)) {
            blanks();
            continue;
        }
        if (const std::size_t word = nameWithDigitAt(m_line, m_i); word > m_i && mayStart(m_line, m_i)) {
            m_i = word;
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
                if (takeStepOfSeveral(number, begin) || takeStepOfRange(number, begin)) {
                    break;
                }
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
                passOver(number.end);
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
                // A value in words ends the name: "optimizer: adam", "mode=train"; "==== Epoch" has none.
                if (isLetter(c) && before.back() == '=' && before.find_first_not_of('=') != std::string_view::npos) {
                    std::size_t end = m_i;
                    while (end < m_line.size() && !isBlank(m_line[end]) && m_line[end] != ',' && m_line[end] != ';'
                        && m_line[end] != '|' && m_line[end] != '(') {
                        ++end;
                    }
                    if (at(m_line, end) != '(') {
                        const std::string_view value = m_line.substr(m_i, end - m_i);
                        if (isOfEvaluation(value) && isKeyOfPart(before.substr(0, before.size() - 1))) {
                            m_tag = value;
                        }
                        ++m_record.wordValues;
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
            if (m_i > m_start && isBlank(m_line[m_i - 1]) && isBlank(at(m_line, m_i + 1)) && !m_isFirst
                && trimmed(m_line.substr(m_start, m_i - m_start)).empty()) {
                endOfPart(m_i + 1); // "loss 0.5 / acc 0.7"
                break;
            }
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
    if (m_openingCount && m_record.steps.empty() && !m_record.pairs.empty()) {
        addStep({Axis::Step, false, false, false}, *m_openingCount, true);
    }
    takePartsOfUnknown();
}

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
            pair.isUnclear = value->isUnclear;
            pair.decimals = value->decimals;
            record.pairs.push_back(std::move(pair));
            return;
        }
    }
    TextReader(line, record).read();
}

} // namespace trainyard::metrics
