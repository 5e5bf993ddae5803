// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/outputreader.h"

#include "engine/metrics/bars.h"
#include "engine/metrics/collector.h"
#include "engine/metrics/dictline.h"
#include "engine/metrics/linesplitter.h"
#include "engine/metrics/opendict.h"
#include "engine/metrics/otherline.h"
#include "engine/metrics/prefix.h"
#include "engine/metrics/relevance.h"
#include "engine/metrics/settingslist.h"
#include "engine/metrics/tables.h"
#include "engine/metrics/textline.h"
#include "engine/metrics/valueblocks.h"
#include "engine/metrics/words.h"
#include "engine/metrics/workcount.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t longestLine = 16 * 1024; // of text; a dictionary may be longer
constexpr std::size_t mostBlockLines = 500;
constexpr std::size_t longestDict = 64 * 1024; // over several lines

// As Chinese and Japanese texts write them.
constexpr std::string_view wideColon = "\xEF\xBC\x9A", wideComma = "\xEF\xBC\x8C";

// How syslog, and what is built on it, writes a tab.
constexpr std::string_view escapedTab = "#011";

std::string withTabs(std::string_view text)
{
    std::string result;
    while (!text.empty()) {
        const std::size_t i = std::min(text.find(escapedTab), text.size());
        result += text.substr(0, i);
        if (i == text.size()) {
            break;
        }
        result += '\t';
        text.remove_prefix(i + escapedTab.size());
    }
    return result;
}

bool hasDigit(std::string_view text)
{
    return std::any_of(text.begin(), text.end(), [](char c) { return isDigit(c); });
}

// Python 2 prints the values of a print() as a tuple: ('Epoch:', 1, 'loss', 0.5) is "Epoch: 1, loss 0.5".
std::string asPrinted(std::string_view tuple)
{
    std::string text;
    for (std::size_t i = 1; i < tuple.size(); ++i) {
        if (tuple[i] != '\'') {
            text += tuple[i];
        } else if (at(tuple, i + 1) == ',') {
            ++i;
        }
    }
    if (!text.empty()) {
        text.pop_back();
    }
    return text;
}

// "{'" and the like: also when it cannot be read, it is no sentence.
bool looksLikeDict(std::string_view text, std::size_t brace)
{
    const char first = at(text, skipBlanks(text, brace + 1));
    return first == '\'' || first == '"';
}

// "***** Eval results *****": names in the order of the alphabet follow, so that the step may come last.
bool headsResults(std::string_view text)
{
    constexpr std::string_view border = "***";
    const bool isHeading = text.starts_with(border) && text.ends_with(border);
    return isHeading
        && (text.find(" results") != std::string_view::npos || text.find(" metrics") != std::string_view::npos)
        && std::none_of(text.begin(), text.end(), [](char c) { return isDigit(c); });
}

bool mayBeNotFinite(std::string_view text)
{
    for (const std::string_view word : {"nan", "NaN", "inf", "Inf", "NAN"}) {
        if (text.find(word) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

} // namespace

// Large because a line goes to one reader after the other until one takes it, and the order is what matters.
class OutputReader::Private
{
public:
    Private()
        : m_splitter([this](std::string_view text, std::uint64_t line, bool isLast) { state(text, line, isLast); }),
          m_tables([this](Record &&record) { m_collector.take(std::move(record), m_line); })
    {
    }

    // A program that prints no values may still count its work.
    Progress orOfWork(Progress progress) const
    {
        if (!progress.fraction && !m_collector.hasValues()) {
            progress.fraction = m_work.fraction();
        }
        return progress;
    }
    void state(std::string_view text, std::uint64_t line, bool isLast);
    void plain(std::string_view text, bool isLast = true);
    bool block(std::string_view text, std::string_view body);
    void closeBlock();
    bool bar(std::string_view text);
    bool mayMatter(std::string_view text);
    bool message(std::string_view object);
    bool takeSolved(std::string_view text);
    bool isRowOfClass(const Record &record);
    bool dict(std::string_view text);
    void closeDict();
    void goOnWithDict(std::string_view text);
    bool settings(std::string_view text, bool isLast);

    Collector m_collector;
    LineSplitter m_splitter;
    TableReader m_tables;
    SettingsList m_settings;
    bool m_isBelowHeading = false; // of settings
    std::uint64_t m_line = 0;
    // Indented lines below "Result for ...:", which may name their step at the end.
    std::vector<std::pair<std::uint64_t, Record>> m_block;
    bool m_inBlock = false, m_inMessage = false;
    bool m_isListOfResults = false; // the block has lines such as "  eval_loss = 0.5"
    OpenDict m_dict;
    ValueBlocks m_valueBlocks;
    WorkCount m_work;
    std::vector<std::string> m_namesOfAll; // of the last line with several values, while rows of classes follow it
    std::string m_timeStep; // "0.5" of "Time = 0.5"
};

void OutputReader::Private::closeDict()
{
    const std::string lines = m_dict.take();
    std::size_t begin = 0;
    const std::uint64_t line = m_line;
    m_line = m_dict.line();
    while (begin < lines.size()) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        plain(std::string_view(lines).substr(begin, end - begin));
        begin = end + 1;
        ++m_line;
    }
    m_line = line;
}

void OutputReader::Private::closeBlock()
{
    m_inBlock = false;
    std::vector<StepMark> steps;
    for (const auto &[line, record] : m_block) {
        if (record.pairs.empty()) {
            steps.insert(steps.end(), record.steps.begin(), record.steps.end());
        }
    }
    std::vector<std::pair<std::uint64_t, Record>> lines = std::exchange(m_block, {});
    if (m_isListOfResults) { // as if the step stood above them
        std::stable_partition(lines.begin(), lines.end(), [](const auto &line) { return line.second.pairs.empty(); });
        steps.clear();
    }
    for (auto &[line, record] : lines) {
        if (record.steps.empty()) {
            record.steps = steps;
            // The step is the block's, not the line's: only what certainly is a metric counts.
            std::erase_if(
                record.pairs, [&](const Pair &pair) { return !steps.empty() && pair.kind != NameKind::Metric; });
        }
        m_collector.take(std::move(record), line);
    }
}

bool OutputReader::Private::block(std::string_view text, std::string_view body)
{
    const bool indented = isBlank(text.front()) && body.size() < text.size();
    if (m_inBlock) {
        const bool isInside = m_isListOfResults ? body.find(" = ") != std::string_view::npos && body.front() != '*'
                                                : indented && body.find(':') != std::string_view::npos;
        if (isInside && m_block.size() < mostBlockLines) {
            Record record;
            readText(body, record);
            if (!record.isEmpty()) {
                m_block.emplace_back(m_line, std::move(record));
            }
            return true;
        }
        closeBlock();
    }
    if (!indented && body.starts_with("Result") && body.back() == ':') {
        m_inBlock = true;
        m_isListOfResults = false;
        return true;
    }
    if (headsResults(body)) {
        m_inBlock = m_isListOfResults = true;
        return true;
    }
    return false;
}

// Loggers and containers that write JSON have the line in a string: {"log": "step 1 loss: 0.5\n", "stream": "stdout"}.
bool OutputReader::Private::message(std::string_view object)
{
    if (m_inMessage) {
        return false;
    }
    for (const std::string_view key : {"\"log\"", "\"message\"", "\"msg\""}) {
        std::size_t i = object.find(key);
        if (i == std::string_view::npos) {
            continue;
        }
        i = skipBlanks(object, i + key.size());
        if (at(object, i) != ':') {
            continue;
        }
        i = skipBlanks(object, i + 1);
        if (at(object, i) != '"') {
            continue;
        }
        std::string text;
        for (++i; i < object.size() && object[i] != '"'; ++i) {
            if (object[i] != '\\') {
                text += object[i];
            } else if (++i < object.size()) {
                const char c = object[i];
                text += c == 'n' || c == 'r' || c == 't' ? ' ' : c;
            }
        }
        m_inMessage = true;
        state(trimmed(text), m_line, true);
        m_inMessage = false;
        return true;
    }
    return false;
}

bool OutputReader::Private::dict(std::string_view text)
{
    const std::size_t brace = text.find('{');
    if (brace == std::string_view::npos) {
        return false;
    }
    const std::string_view before = trimmed(text.substr(0, brace));
    const bool isOfSettings = before.empty() ? m_isBelowHeading : introducesSettings(before);
    Record record;
    std::size_t end = 0;
    switch (readDict(text, brace, record, end)) {
    case DictRead::None:
        return isOfSettings && looksLikeDict(text, brace);
    case DictRead::Open:
        if (before.size() < 60 && text.size() < longestDict) {
            m_dict.begin(text, brace, m_line, isOfSettings);
            return true;
        }
        return isOfSettings && looksLikeDict(text, brace);
    case DictRead::Whole:
        break;
    }
    if (isOfSettings) {
        if (before.find('%') != std::string_view::npos) {
            bar(before); // that of a search, with the settings of its best try behind it
        } else {
            Record outside; // "Trial 3 finished with value: 0.5 and parameters: {...}"
            readText(before, outside);
            if (outside.pairs.empty() && end < text.size()) { // "Trial 3/20: params={...} -> AUC: 0.5"
                Record behind;
                readText(text.substr(end), behind);
                if (behind.steps.empty()) {
                    outside.pairs = std::move(behind.pairs);
                }
            }
            if (!outside.steps.empty() && !outside.mayBeRank && !outside.pairs.empty()) {
                m_collector.take(std::move(outside), m_line);
            }
        }
        return true;
    }
    // "step 10: {...}", "Epoch 3 - {...}": the step may stand before it.
    if (before.find('%') != std::string_view::npos && bar(before)) {
        m_collector.take(std::move(record), m_line);
        return true;
    }
    constexpr std::size_t longestIntroduction = 1000;
    if (!before.empty() && before.size() < longestIntroduction) {
        Record outside;
        readText(before, outside);
        // "step: 100, loss: 0.5, {'forward_time': 0.3}": most of what is measured stands before it.
        const bool isMeasured = std::any_of(outside.pairs.begin(), outside.pairs.end(),
            [](const Pair &pair) { return pair.kind == NameKind::Metric && pair.isJoined && !pair.isWhole; });
        if (isMeasured && !outside.steps.empty() && !outside.mayBeRank) {
            // What the dictionary says again is more exact there.
            std::erase_if(outside.pairs, [&record](const Pair &pair) {
                return std::any_of(record.pairs.begin(), record.pairs.end(),
                    [&pair](const Pair &inside) { return inside.name == pair.name; });
            });
            record.pairs.insert(record.pairs.begin(), outside.pairs.begin(), outside.pairs.end());
        }
        if (record.steps.empty() && !outside.mayBeRank) {
            record.steps = std::move(outside.steps);
        }
        record.secondsLeft = record.secondsLeft ? record.secondsLeft : outside.secondsLeft;
    }
    if (record.pairs.empty() && message(text)) {
        return true;
    }
    m_collector.take(std::move(record), m_line);
    return true;
}

bool OutputReader::Private::bar(std::string_view text)
{
    const std::optional<Bar> found = findBar(text);
    if (!found) {
        return false;
    }
    const bool done = !found->total || found->at >= *found->total;
    if (!found->before.empty() && found->before.find("  ") != std::string_view::npos
        && m_tables.take(found->before, done)) {
        Record progress;
        progress.shape = Shape::Bar;
        progress.barAt = found->at;
        progress.barTotal = found->total;
        progress.barFraction = found->fraction;
        progress.secondsLeft = found->secondsLeft;
        m_collector.take(std::move(progress), m_line);
        return true;
    }
    if (found->countsBytes) {
        return true;
    }
    Record record;
    record.shape = Shape::Bar;
    if (!found->before.empty()) {
        readText(found->before, record);
    }
    const bool side = record.pairs.empty() && record.steps.empty() && isSideWork(found->before);
    const std::size_t names = record.pairs.size();
    readText(found->behind, record);
    // "[00:01<00:09] loss: 0.5" belongs to the bar; a line with a step of its own, or a dictionary, is another one.
    bool isOther = false;
    if (!found->rest.empty()) {
        Record rest;
        readText(found->rest, rest);
        isOther = !rest.steps.empty() || found->rest.find('{') != std::string_view::npos;
        if (!isOther) {
            readText(found->rest, record);
        }
    }
    if (side && record.pairs.size() == names) {
        if (isOther) {
            state(found->rest, m_line, true);
        }
        return true;
    }
    if (const std::string part = evaluationIn(found->before); !part.empty()) {
        record.isBarOfEvaluation = true;
        for (Pair &pair : record.pairs) { // "valid: 100%|###| 9/9 [..., loss=0.4]"
            pair.context = pair.context.empty() ? part : pair.context;
        }
    }
    record.barAt = found->at;
    record.barTotal = found->total;
    record.barFraction = found->fraction;
    if (found->secondsLeft) {
        record.secondsLeft = found->secondsLeft;
    }
    record.isBarOfKeras = found->isOfKeras;
    record.isBarDone = found->isOfKeras && found->total && done && !found->saysTimeLeft;
    // "Steps: 10%|# | 10/100": the description says what is counted.
    if (!found->isOfKeras && record.steps.empty()) {
        std::string_view description = trimmed(found->before);
        while (!description.empty() && description.back() == ':') {
            description.remove_suffix(1);
        }
        if (const std::optional<StepName> step = stepName(description)) {
            const bool epochs = step->axis == Axis::Epoch;
            record.isBarOfEpochs = epochs;
            record.steps.push_back({*step, found->at, epochs ? found->total : std::nullopt, false, false});
        }
        if (lowered(description) == "epochs") {
            record.isBarOfEpochs = true;
            record.steps.push_back({{Axis::Epoch, false, false, false}, found->at, found->total, false, false});
        }
    }
    if (found->isOfKeras && record.pairs.empty() && (!found->total || !m_collector.knowsEpoch())) {
        return true; // a download
    }
    std::string drawn(found->before);
    drawn += '\n';
    drawn += found->behind;
    if (!isOther) {
        drawn += found->rest;
    }
    m_collector.take(std::move(record), m_line, drawn);
    if (isOther) {
        state(found->rest, m_line, true);
    }
    return true;
}

// "Time = 0.5", and some lines below it "GAMG:  Solving for p, Initial residual = 0.1, ...": what is solved for is part
// of the names, and how long the solver took counts no steps.
bool OutputReader::Private::takeSolved(std::string_view text)
{
    if (constexpr std::string_view time = "Time = "; text.starts_with(time)) {
        std::string_view value = trimmed(text.substr(time.size()));
        value = value.ends_with('s') ? value.substr(0, value.size() - 1) : value;
        m_timeStep = wholeNumber(value) ? value : std::string_view();
        return false;
    }
    constexpr std::string_view solving = "olving for ";
    const std::size_t i = text.find(solving);
    const std::size_t comma = text.find(',');
    if (i == std::string_view::npos || comma == std::string_view::npos || comma < i + solving.size()) {
        return false;
    }
    const std::string_view field = trimmed(text.substr(i + solving.size(), comma - i - solving.size()));
    const std::optional<Number> step = wholeNumber(m_timeStep);
    if (field.empty() || field.find(' ') != std::string_view::npos || !step) {
        return false;
    }
    Record record;
    readText(text.substr(comma + 1), record);
    std::erase_if(record.pairs, [](const Pair &pair) { return !endsAsMetric(pair.name); });
    for (Pair &pair : record.pairs) {
        pair.name = std::string(field) + ' ' + pair.name;
        pair.kind = NameKind::Metric;
    }
    record.steps = {{{Axis::Step, true, false, false}, step->value, {}, false, false}};
    m_collector.take(std::move(record), m_line);
    return true;
}

// "accuracy: 98%; precision: 94%; recall: 95%", and below it "LOC: precision: 92%; recall: 93%": a label before names
// of the line above makes a row of one class of many.
bool OutputReader::Private::isRowOfClass(const Record &record)
{
    constexpr std::size_t leastPairs = 2;
    if (record.pairs.size() < leastPairs || !record.steps.empty()) {
        m_namesOfAll.clear();
        return false;
    }
    const std::string label = lowered(record.pairs.front().context);
    const auto isAbove = [this](const Pair &pair) {
        return std::find(m_namesOfAll.begin(), m_namesOfAll.end(), pair.name) != m_namesOfAll.end();
    };
    if (!label.empty() && label.find(' ') == std::string::npos && !isPartName(label)
        && std::all_of(record.pairs.begin(), record.pairs.end(), isAbove)) {
        return true;
    }
    m_namesOfAll.clear();
    for (const Pair &pair : record.pairs) {
        if (record.pairs.front().context.empty()) {
            m_namesOfAll.push_back(pair.name);
        }
    }
    return false;
}

void OutputReader::Private::plain(std::string_view text, bool isLast)
{
    if (text.size() > longestLine) {
        text = text.substr(0, longestLine);
    }
    if (m_tables.take(text, true)) {
        return;
    }
    if ((!hasDigit(text) && !mayBeNotFinite(text)) || isOtherLine(text)) {
        return;
    }
    if (takeSolved(text)) {
        return;
    }
    Record record;
    readText(text, record);
    if (record.pairs.empty() && isLast) {
        m_work.take(text);
    }
    record.isOfOneClass = record.isOfOneClass || isRowOfClass(record);
    // "Saved checkpoint 3.pt (epoch 1 @ 330 updates, score 9.482)": it tells of a value that was printed where it
    // arose.
    if (const std::string verb = lowered(text.substr(0, text.find(' '))); verb == "saved" || verb == "saving") {
        std::erase_if(record.pairs, [](const Pair &pair) { return !pair.isJoined; });
    }
    if (!isLast && record.steps.empty() && !record.secondsLeft) {
        return; // what was written over it says it better
    }
    m_collector.take(std::move(record), m_line);
}

// Whether it is worth while to look closer.
bool OutputReader::Private::mayMatter(std::string_view text)
{
    const std::size_t begin = skipBlanks(text, 0);
    if (begin >= text.size()) {
        return true;
    }
    std::size_t digits = begin;
    while (isDigit(at(text, digits))) {
        ++digits;
    }
    const std::string_view beginning = text.substr(0, longestLine);
    if (hasKnownWord(beginning)) {
        // Without a number it can only be the header of a table, or the first line of a block.
        return hasDigit(beginning) || mayBeNotFinite(beginning) || text.back() == ':' || text.back() == '*'
            || beginning.find_first_of("\t,|{-\xE2") != std::string_view::npos
            || beginning.find("  ") != std::string_view::npos
            || stepName(beginning.substr(begin, beginning.find(' ', begin) - begin));
    }
    // "0: Loading data": the number is the rank of a launcher, in the lines with metrics, too.
    if (digits > begin && at(text, digits) == ':' && at(text, digits + 1) == ' ' && isLetter(at(text, digits + 2))) {
        m_collector.noteRankPrefix();
    }
    if (text.starts_with("Time = ")) {
        return true;
    }
    // Bars and boxes need no words, and neither does "Processed 3/10".
    if (const std::size_t of = beginning.find(" of ");
        of != std::string_view::npos && of > 0 && isDigit(beginning[of - 1]) && isDigit(at(beginning, of + 4))) {
        return true;
    }
    if (const std::size_t slash = beginning.find('/'); slash != std::string_view::npos && slash > 0
        && isDigit(beginning[slash - 1]) && isDigit(at(beginning, slash + 1))) {
        return true;
    }
    if (text[begin] == '|' || text[begin] == '{' || (text[begin] == '-' && text.find("  --") != std::string_view::npos)
        || text.find('%') != std::string_view::npos || text.find('\xE2') != std::string_view::npos
        || (at(text, digits) == '/' && digits > begin)) {
        return true;
    }
    if (text.back() == '{') {
        return introducesSettings(text.substr(0, text.size() - 1)); // what is in it would be read line by line
    }
    const std::size_t bracket = text.find('[');
    return bracket != std::string_view::npos && bracket > 3 && text.substr(bracket - 3, 3) == "it ";
}

// Whether the line belongs to a list of settings below its heading.
bool OutputReader::Private::settings(std::string_view text, bool isLast)
{
    m_isBelowHeading = m_settings.isBelowHeading();
    if (m_inBlock || !m_settings.mayMatter(text)) {
        return false;
    }
    if (!isLast) {
        m_settings.close(); // a bar
        return false;
    }
    return m_settings.take(withoutPrefix(text));
}

void OutputReader::Private::goOnWithDict(std::string_view text)
{
    m_dict.add(withoutPrefix(text));
    const bool isTooLong = m_dict.text().size() > longestDict;
    const bool mayBeWhole = text.find('}') != std::string_view::npos && m_dict.mayBeWhole();
    if (!mayBeWhole && !isTooLong) {
        return;
    }
    Record record;
    std::size_t end = 0;
    const DictRead read = readDict(m_dict.text(), m_dict.brace(), record, end);
    if (read == DictRead::Whole) {
        const std::string whole = m_dict.take();
        if (m_dict.isOfSettings()) {
            return;
        }
        Record outside;
        readText(trimmed(std::string_view(whole).substr(0, m_dict.brace())), outside);
        if (record.steps.empty()) {
            record.steps = std::move(outside.steps);
        }
        m_collector.take(std::move(record), m_line);
    } else if (read == DictRead::None && m_dict.isOfSettings()) {
        m_dict.take();
    } else if (read == DictRead::None || isTooLong) {
        closeDict();
    }
}

void OutputReader::Private::state(std::string_view text, std::uint64_t line, bool isLast)
{
    m_line = line;
    if (!m_dict.isEmpty()) {
        if (isLast) {
            goOnWithDict(text);
        }
        return;
    }
    if (settings(text, isLast)) {
        return;
    }
    if (isLast && !m_inBlock && !m_tables.isOpen()) {
        if (std::optional<Record> values = m_valueBlocks.take(text)) {
            m_collector.take(std::move(*values), m_line);
            return;
        }
    }
    if (!text.empty() && !m_inBlock && !m_tables.isOpen() && !mayMatter(text)) {
        return;
    }
    const std::string_view body = withoutPrefix(text);
    std::size_t indent = 0; // before what is read
    for (const char *c = body.data(); !body.empty() && c != text.data() && isBlank(*(c - 1)); --c) {
        ++indent;
    }
    m_tables.setIndent(indent);
    if (body.empty() || block(text, body)) {
        if (m_inBlock && body.empty() && isLast) {
            closeBlock();
        }
        if (!body.empty()) {
            return;
        }
        m_tables.take(body, false);
        return;
    }
    if (body.find(escapedTab) != std::string_view::npos) {
        plain(withTabs(body.substr(0, longestLine)), isLast);
        return;
    }
    if (dict(body) || bar(body)) {
        return;
    }
    if (body.starts_with("('") && body.ends_with(')')) {
        plain(asPrinted(body.substr(0, longestLine)), isLast);
        return;
    }
    if (body.find(wideColon) != std::string_view::npos || body.find(wideComma) != std::string_view::npos) {
        std::string narrow(body.substr(0, longestLine));
        for (const auto &[wide, plainSign] : {std::pair(wideColon, ": "), std::pair(wideComma, ", ")}) {
            for (std::size_t i = narrow.find(wide); i != std::string::npos; i = narrow.find(wide, i)) {
                narrow.replace(i, wide.size(), plainSign);
            }
        }
        plain(narrow, isLast);
        return;
    }
    plain(body, isLast);
}

OutputReader::OutputReader() : d(std::make_unique<Private>()) { }

OutputReader::~OutputReader() = default;
OutputReader::OutputReader(OutputReader &&) noexcept = default;
OutputReader &OutputReader::operator=(OutputReader &&) noexcept = default;

void OutputReader::feed(std::string_view bytes) { d->m_splitter.feed(bytes); }

void OutputReader::finish()
{
    d->m_splitter.finish();
    if (!d->m_dict.isEmpty()) {
        d->closeDict();
    }
    d->closeBlock();
    d->m_tables.finish();
    d->m_collector.finish();
}

std::vector<Point> OutputReader::takePoints() { return d->m_collector.takePoints(); }

Progress OutputReader::progress() const { return d->orOfWork(d->m_collector.progress()); }

Progress OutputReader::runProgress() const { return d->orOfWork(d->m_collector.runProgress()); }

} // namespace trainyard::metrics
