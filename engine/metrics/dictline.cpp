// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/dictline.h"

#include "engine/metrics/settingslist.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t mostEntries = 4000;
constexpr int mostDepth = 12;

// {"split": "val", "loss": 0.5}: which part of the data the values are of
bool namesPartOfData(std::string_view key)
{
    return key == "event" || key == "_type" || key == "type" || key == "split" || key == "phase" || key == "mode"
        || key == "stage" || key == "subset";
}

// "ts": 1714900050.5
bool isDateInSeconds(std::string_view key, double value)
{
    constexpr double leastSeconds = 1e9;
    return (key == "ts" || key.ends_with("stamp")) && value >= leastSeconds;
}

// What structured loggers put around their values names none of them.
bool isWrapper(std::string_view key)
{
    return key == "data" || key == "metrics" || key == "metadata" || key == "scalars" || key == "logs";
}

class DictReader
{
public:
    DictReader(std::string_view text, std::size_t begin, Record &record)
        : m_text(text), m_i(begin), m_record(record) { }
    DictRead read()
    {
        const bool fine = object({}, 0);
        takeTotal();
        if (!m_isNamedValue && isOfEvaluation(m_named)) { // {"name": "validation", "loss": 0.5}
            m_part = evaluationIn(m_named);
        }
        for (Pair &pair : m_record.pairs) {
            if (!m_part.empty() && !isOfEvaluation(pair.name)) {
                pair.context = m_part;
            }
        }
        return fine ? DictRead::Whole : m_open ? DictRead::Open : DictRead::None;
    }
    std::size_t end() const { return m_i; }

private:
    // "total_steps" beside another step is how many there are; alone it is one.
    void takeTotal()
    {
        const auto step = std::find_if(m_record.steps.begin(), m_record.steps.end(),
            [](const StepMark &mark) { return mark.name.axis == Axis::Step; });
        if (m_total && step != m_record.steps.end()) {
            step->total = m_total;
        } else if (m_total) {
            m_record.steps.push_back({{Axis::Step, true, true, false}, *m_total, {}, false, false});
        }
    }

    // "global_step/max_steps": "5/500", "remaining_time": "16m 30s"
    void takeText(std::string_view key, std::string_view text)
    {
        Number number;
        const std::optional<StepName> step = stepName(key.substr(0, key.find('/')));
        if (step && isDigit(at(text, 0)) && lexNumber(text, 0, number) == Lexed::Number && number.total
            && number.isWhole && number.end == text.size() && m_record.steps.size() < 8) {
            m_record.steps.push_back({*step, number.value, number.total, false, false});
        } else if (kindOf(key) == NameKind::TimeLeft) {
            m_record.secondsLeft = durationAt(text, 0);
        }
    }

    void skip()
    {
        while (m_i < m_text.size() && (isBlank(m_text[m_i]) || m_text[m_i] == '\n')) {
            ++m_i;
        }
        m_open = m_open || m_i >= m_text.size();
    }
    char here() const { return at(m_text, m_i); }

    bool quoted(std::string_view &inside)
    {
        const char quote = here();
        const std::size_t begin = ++m_i;
        while (m_i < m_text.size() && m_text[m_i] != quote) {
            m_i += m_text[m_i] == '\\' ? 2U : 1U;
        }
        if (m_i >= m_text.size()) {
            m_i = m_text.size();
            m_open = true;
            return false;
        }
        inside = m_text.substr(begin, m_i - begin);
        ++m_i;
        return true;
    }

    void add(const std::string &name, std::string_view key, const Number &number, bool isTop)
    {
        if (m_inSettings > 0 || isDateInSeconds(key, number.value)) {
            return;
        }
        if (isTop) {
            if (const std::optional<StepName> step = stepName(key);
                step && number.value >= 0 && (number.isWhole || step->axis == Axis::Epoch || number.decimals == 1)) {
                if (key == "total_steps") {
                    m_total = number.value;
                } else if (m_record.steps.size() < 8) {
                    m_record.steps.push_back({*step, number.value, {}, false, !number.isWhole});
                }
                return;
            }
        }
        // {"train": {"epoch": 3}} counts as well, but may count something else than the rest; {"loss": {"step": 0.5}}
        // is a loss.
        if ((!isTop && number.isWhole && stepName(key)) || m_record.pairs.size() >= mostEntries) {
            return;
        }
        Pair pair;
        pair.name = name;
        pair.kind = kindOf(name);
        pair.value = number.value;
        pair.isWhole = number.isWhole;
        pair.isUnclear = number.isUnclear;
        pair.decimals = number.decimals;
        const bool metric = pair.kind == NameKind::Metric || pair.kind == NameKind::Faint;
        if (canBeName(name, true) || metric) {
            m_record.isOfDetails = !isTop && (m_record.isOfDetails || m_record.pairs.empty());
            m_record.pairs.push_back(std::move(pair));
        }
    }

    // A value in words, up to what ends it. Numbers inside a call count: tensor(0.3, device='cuda:0').
    std::optional<Number> word()
    {
        const std::size_t begin = m_i;
        int depth = 0;
        while (m_i < m_text.size()) {
            const char c = m_text[m_i];
            if (c == '\'' || c == '"') {
                std::string_view inside;
                if (!quoted(inside)) {
                    return {};
                }
                continue;
            }
            if (c == '(' || c == '[') {
                ++depth;
            } else if (c == ')' || c == ']') {
                --depth;
            } else if (depth <= 0 && (c == ',' || c == '}' || c == '\n')) {
                break;
            } else if (c == '{') {
                return {};
            }
            ++m_i;
        }
        m_open = m_open || m_i >= m_text.size();
        std::string_view text = trimmed(m_text.substr(begin, m_i - begin));
        if (const std::optional<Number> number = wholeNumber(text)) {
            return number;
        }
        const std::size_t open = text.find('(');
        if (open != std::string_view::npos && open > 0 && isLetter(text.front())) {
            const std::string_view inside = trimmed(text.substr(open + 1));
            return wholeNumber(trimmed(inside.substr(0, inside.find_first_of(",)"))));
        }
        return {};
    }

    // "step": [0, 20] of structured loggers: the epoch, and what is counted inside it.
    void stepList(std::string_view key)
    {
        const std::size_t begin = m_i + 1;
        list();
        if (key != "step" || m_i <= begin) {
            return;
        }
        std::string_view inside = m_text.substr(begin, m_i - begin - 1);
        for (const Axis axis : {Axis::Epoch, Axis::Iteration}) {
            const std::size_t comma = inside.find(',');
            const std::optional<Number> number = wholeNumber(trimmed(inside.substr(0, comma)));
            if (!number || !number->isWhole || m_record.steps.size() >= 8) {
                return;
            }
            m_record.steps.push_back({{axis, false, false, false}, number->value, {}, false, false});
            inside = comma == std::string_view::npos ? std::string_view() : inside.substr(comma + 1);
        }
    }

    void list()
    {
        int depth = 0;
        while (m_i < m_text.size()) {
            const char c = m_text[m_i];
            if (c == '\'' || c == '"') {
                std::string_view inside;
                if (!quoted(inside)) {
                    return;
                }
                continue;
            }
            depth += c == '[' || c == '(' || c == '{' ? 1 : c == ']' || c == ')' || c == '}' ? -1 : 0;
            ++m_i;
            if (depth == 0) {
                return;
            }
        }
        m_open = true;
    }

    bool value(const std::string &name, std::string_view key, int depth)
    {
        skip();
        if (m_i >= m_text.size()) {
            return false;
        }
        const char c = here();
        if (c == '{') {
            const int settings = isKeyOfSettings(key) ? 1 : 0; // {"config": {"lr": 0.1}, "loss": 0.5}
            m_inSettings += settings;
            const bool fine = object(name, depth + 1);
            m_inSettings -= settings;
            return fine;
        }
        if (c == '[' || c == '(') {
            stepList(depth == 0 ? key : std::string_view());
            return !m_open || m_i < m_text.size();
        }
        if (c == '\'' || c == '"') {
            std::string_view inside;
            if (!quoted(inside)) {
                return false;
            }
            if (const std::optional<Number> number = wholeNumber(trimmed(inside))) {
                add(name, key, *number, name == key);
            } else if (name == key && (key == "key" || key == "metric" || key == "tag" || key == "name")) {
                m_named = inside;
            } else if (name == key && namesPartOfData(key) && isOfEvaluation(inside)) {
                m_part = evaluationIn(inside);
            } else if (name == key) {
                takeText(key, trimmed(inside));
            }
            return true;
        }
        if (const std::optional<Number> number = word()) {
            // {"key": "eval_accuracy", "value": 0.7}
            const bool isOfName = name == key && key == "value" && !m_named.empty();
            m_isNamedValue = m_isNamedValue || isOfName;
            add(isOfName ? std::string(m_named) : name, key, *number, name == key);
        }
        return true;
    }

    bool opensObject()
    {
        skip();
        return here() == '{';
    }

    bool object(const std::string &prefix, int depth)
    {
        if (depth > mostDepth) {
            return false;
        }
        ++m_i; // '{'
        for (bool first = true;; first = false) {
            skip();
            if (here() == '}') {
                ++m_i;
                return true;
            }
            if (!first) {
                if (here() != ',') {
                    return false;
                }
                ++m_i;
                skip();
                if (here() == '}') {
                    ++m_i;
                    return true;
                }
            }
            std::string_view key;
            if (here() == '\'' || here() == '"') {
                if (!quoted(key)) {
                    return false;
                }
            } else {
                const std::size_t begin = m_i;
                while (m_i < m_text.size() && (isWord(here()) || here() == '/' || here() == '.' || here() == '-')) {
                    ++m_i;
                }
                key = m_text.substr(begin, m_i - begin);
                if (key.empty()) {
                    return false;
                }
            }
            skip();
            if (here() != ':') {
                return false;
            }
            ++m_i;
            m_open = false;
            if (prefix.empty() && isWrapper(key) && opensObject()) {
                if (!object({}, depth + 1)) {
                    return false;
                }
                continue;
            }
            const std::string name = prefix.empty() ? std::string(key) : prefix + '/' + std::string(key);
            if (!value(name, key, depth)) {
                return false;
            }
        }
    }

    std::string_view m_text;
    std::size_t m_i;
    Record &m_record;
    std::optional<double> m_total; // "total_steps"
    std::string_view m_named; // what "value" is of
    bool m_isNamedValue = false;
    std::string m_part; // of the data, unless it is the training
    int m_inSettings = 0; // dictionaries of settings around what is read
    bool m_open = false;
};

} // namespace

DictRead readDict(std::string_view text, std::size_t begin, Record &record, std::size_t &end)
{
    // "{" and then a key: no set, no code, no format string.
    std::size_t first = begin + 1;
    while (first < text.size() && (isBlank(text[first]) || text[first] == '\n')) {
        ++first;
    }
    if (first < text.size()) {
        const char c = text[first];
        if (c != '\'' && c != '"' && !isLetter(c) && c != '_') {
            return DictRead::None;
        }
    }
    Record inside;
    DictReader reader(text, begin, inside);
    const DictRead read = reader.read();
    if (read == DictRead::Whole) {
        end = reader.end();
        record.shape = Shape::Dict;
        record.isOfDetails = inside.isOfDetails && record.pairs.empty();
        std::move(inside.steps.begin(), inside.steps.end(), std::back_inserter(record.steps));
        std::move(inside.pairs.begin(), inside.pairs.end(), std::back_inserter(record.pairs));
        record.secondsLeft = inside.secondsLeft ? inside.secondsLeft : record.secondsLeft;
    }
    return read;
}

} // namespace trainyard::metrics
