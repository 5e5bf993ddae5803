// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/outputreader.h"

#include "engine/metrics/alignednames.h"
#include "engine/metrics/barrecord.h"
#include "engine/metrics/bars.h"
#include "engine/metrics/classrows.h"
#include "engine/metrics/collector.h"
#include "engine/metrics/commanumbers.h"
#include "engine/metrics/dataframes.h"
#include "engine/metrics/linesplitter.h"
#include "engine/metrics/namedlists.h"
#include "engine/metrics/opendict.h"
#include "engine/metrics/otherline.h"
#include "engine/metrics/outputreader_p.h"
#include "engine/metrics/prefix.h"
#include "engine/metrics/relevance.h"
#include "engine/metrics/resultblock.h"
#include "engine/metrics/savedvalues.h"
#include "engine/metrics/searchlines.h"
#include "engine/metrics/solvedfields.h"
#include "engine/metrics/tables.h"
#include "engine/metrics/textline.h"
#include "engine/metrics/valueblocks.h"
#include "engine/metrics/words.h"
#include "engine/metrics/workcount.h"
#include "engine/metrics/writtenforms.h"

#include <string>
#include <utility>
#include <vector>

namespace trainyard::metrics
{

void OutputReader::Private::takeLines(std::vector<std::pair<std::uint64_t, Record>> &&lines)
{
    for (auto &[line, record] : lines) {
        m_collector.take(std::move(record), line);
    }
}

// Whether the line belongs to a table as pandas prints it.
bool OutputReader::Private::frame(std::string_view text)
{
    DataFrames::Lines rows;
    const bool isPart = m_frames.take(text.substr(0, longestLine), m_line, rows);
    takeLines(std::move(rows));
    return isPart;
}

void OutputReader::Private::closeBlock() { takeLines(m_block.close()); }

// Whether the line belongs to a block of results; another one ends the block.
bool OutputReader::Private::block(std::string_view text, std::string_view body)
{
    if (m_block.goesOn(text, body, m_line)) {
        return true;
    }
    if (m_block.isOpen()) {
        closeBlock();
    }
    return m_block.begins(text, body);
}

bool OutputReader::Private::bar(std::string_view text, bool isLast)
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
    noteBar(*found, record);
    record.isBarDone = record.isBarDone && isLast; // else it is drawn once more, with the values of the epoch
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
    if (std::optional<Record> heading = isLast ? m_headings.take(text) : std::nullopt) {
        m_collector.take(std::move(*heading), m_line);
        return;
    }
    if (std::optional<Record> solved = m_solved.take(text)) {
        m_collector.take(std::move(*solved), m_line);
        return;
    }
    if (std::optional<Record> ofTry = isLast ? lineOfSearch(text) : std::nullopt) {
        m_collector.take(std::move(*ofTry), m_line);
        return;
    }
    Record record;
    readText(text, record);
    record.isIndented = m_isIndented;
    for (Pair &pair : record.pairs) {
        pair.context = pair.context.empty() ? m_part : pair.context;
    }
    if (isLast) {
        m_evaluations.take(text, record, m_line);
    }
    m_drawnLine = isLast ? m_drawnLine : m_line;
    record.isDrawnAgain = m_drawnLine == m_line;
    record.isShareOfCount = record.isShareOfCount || (record.isDrawnAgain && record.fraction);
    if (record.pairs.empty() && isLast) {
        m_work.take(text);
    }
    record.isOfOneClass = record.isOfOneClass || m_classRows.take(record, text);
    leaveOutSaved(text, record);
    if (!isLast && record.steps.empty() && !record.secondsLeft) {
        record.pairs.clear(); // what was written over it says it better
    }
    if (isLast && m_aligned.waits(record, m_line)) {
        return;
    }
    takeLines(m_aligned.take());
    m_collector.take(std::move(record), m_line);
}

// "  File "train.py", line 12, in main": the next line is what stands there
bool OutputReader::Private::sourceOfTraceback(std::string_view text)
{
    const bool isSource = std::exchange(m_isInSource, false);
    const std::string_view body = text.substr(skipBlanks(text, 0));
    m_isInSource = body.starts_with("File \"") && body.find("\", line ") != std::string_view::npos;
    return isSource && !text.empty() && isBlank(text.front());
}

// "Test accuracy:" and below it nothing but 0.91
bool OutputReader::Private::valueBelowName(std::string_view text)
{
    const std::string above = std::exchange(m_nameAbove, {});
    text = trimmed(text);
    if (!above.empty() && !text.empty() && !isLetter(text.front())) {
        const std::optional<Number> number = wholeNumber(text);
        if (!number || number->decimals == 0) {
            return false;
        }
        Record record;
        Pair pair;
        pair.name = above;
        pair.kind = kindOf(above);
        pair.value = number->value;
        pair.isUnclear = number->isUnclear;
        pair.decimals = number->decimals;
        record.pairs.push_back(std::move(pair));
        m_collector.take(std::move(record), m_line);
        return true;
    }
    if (isNameAlone(text)) {
        m_nameAbove = trimmed(text.substr(0, text.size() - (text.ends_with(':') || text.ends_with('=') ? 1 : 0)));
    }
    return false;
}

// Names and values that say nothing by themselves, further in than the line of their step above
bool OutputReader::Private::mayGoOnBelow(std::string_view text, std::uint64_t line) const
{
    const auto joint = [text](std::size_t from) { return std::min(text.find(": ", from), text.find('=', from)); };
    const std::size_t first = joint(0);
    return isBlank(text.front()) && first != std::string_view::npos && joint(first + 1) != std::string_view::npos
        && hasDigit(text) && m_collector.isBelowStep(line);
}

// Whether the line belongs to a list of settings below its heading.
bool OutputReader::Private::settings(std::string_view text, bool isLast)
{
    m_isBelowHeading = m_settings.isBelowHeading();
    if (m_block.isOpen() || !m_settings.mayMatter(text)) {
        return false;
    }
    if (!isLast) {
        m_settings.close(); // a bar
        return false;
    }
    return m_settings.take(withoutPrefix(text));
}

// LightGBM and XGBoost show the row of the best iteration once more when they stop: training does not go on from there.
bool OutputReader::Private::rowOfBest(std::string_view text)
{
    constexpr std::size_t longestHeading = 80;
    const bool isBelow = std::exchange(m_isBelowBest, false);
    const bool mayBeHeading = text.ends_with(':') && text.size() <= longestHeading;
    if (!isBelow && !mayBeHeading) {
        return false;
    }
    if (mayBeHeading) {
        const std::string words = lowered(text);
        m_isBelowBest = words.ends_with("best iteration:") || words.ends_with("best iteration is:");
    }
    return isBelow && withoutPrefix(text).starts_with('[');
}

void OutputReader::Private::state(std::string_view text, std::uint64_t line, bool isLast)
{
    m_line = line;
    if (isLast) {
        m_evaluations.noteHeading(text, m_line);
        takeLines(m_aligned.next(text));
    }
    if (!m_dict.isEmpty()) {
        if (isLast) {
            goOnWithDict(text);
        }
        return;
    }
    if (isLast && (sourceOfTraceback(text) || rowOfBest(text) || m_commits.take(text))) {
        return;
    }
    if (settings(text, isLast) || (isLast && frame(text))) {
        return;
    }
    if (isLast && !m_block.isOpen() && !m_tables.isOpen() && valueBelowName(text)) {
        return;
    }
    if (isLast && !m_block.isOpen() && !m_tables.isOpen()) {
        if (std::optional<Record> values = m_valueBlocks.take(text)) {
            m_collector.take(std::move(*values), m_line);
            return;
        }
    }
    if (!text.empty() && !m_block.isOpen() && !m_tables.isOpen()) {
        if (hasRankInFront(text) && !hasKnownWord(text.substr(0, longestLine))) {
            m_collector.noteRankPrefix();
        }
        if (!m_aligned.isInside() && !mayMatter(text) && !(isLast && mayGoOnBelow(text, m_line))) {
            m_tables.noteOther(text, m_line);
            m_parts.noteOther(text);
            return;
        }
    }
    if (isLast && m_tables.takeTimedRow(text)) {
        return;
    }
    m_isIndented = !text.empty() && isBlank(text.front());
    std::string_view body = withoutPrefix(text);
    std::size_t indent = 0; // before what is read
    for (const char *c = body.data(); !body.empty() && c != text.data() && isBlank(*(c - 1)); --c) {
        ++indent;
    }
    m_tables.setPlace(indent, m_line);
    if (isLast) {
        m_part = m_parts.take(indent, body);
    }
    const std::optional<std::string> written = m_commas.withPoints(body);
    body = written ? std::string_view(*written) : body;
    if (body.empty() || block(text, body)) {
        if (m_block.isOpen() && body.empty() && isLast) {
            closeBlock();
        }
        if (!body.empty()) {
            return;
        }
        m_tables.take(body, false);
        return;
    }
    if (const std::optional<std::string> tabs = withEscapedTabs(body)) {
        plain(*tabs, isLast);
        return;
    }
    const std::optional<std::string> pairs = withDictOfPairs(body);
    if (dict(pairs ? std::string_view(*pairs) : body) || bar(body, isLast)) {
        return;
    }
    if (const std::optional<std::string> meant = asMeant(body)) {
        plain(*meant, isLast);
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
    d->takeLines(d->m_aligned.take());
    DataFrames::Lines rows;
    d->m_frames.finish(rows);
    d->takeLines(std::move(rows));
    d->closeBlock();
    d->m_tables.finish();
    d->m_collector.finish();
}

std::vector<Point> OutputReader::takePoints() { return d->m_collector.takePoints(); }

Progress OutputReader::progress() const { return d->orOfWork(d->m_collector.progress()); }

Progress OutputReader::runProgress() const { return d->orOfWork(d->m_collector.runProgress()); }

} // namespace trainyard::metrics
