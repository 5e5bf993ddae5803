// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/lanemerge.h"

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
constexpr quint8 finishesLine = 2;
constexpr qint64 atOneMoment = 50'000'000; // ns: in which order two streams were read then says nothing
constexpr qint64 lookedAt = 64 << 10; // of a piece, for its line feeds
constexpr qsizetype mostPieces = 64; // of an unfinished line
constexpr qint64 endRecords = 65536, endRecordsAtOnce = 4096; // looked at for the last ones of both streams
constexpr qint64 mostToRestart = 4 << 20; // as much is indexed at once: the view changes in one step

int laneOf(const LogReader::Record &record) { return record.stream == LogReader::Stream::Err ? 1 : 0; }

// Where the last state of a line begins that returned to its start: at its carriage return; -1: it did not.
qsizetype lastState(QByteArrayView line)
{
    while (line.endsWith('\r')) {
        line.chop(1);
    }
    return line.lastIndexOf('\r');
}

// A line with a time in the future comes from a host whose clock is wrong, so the merge does not wait for that time.
bool isOfNow(const LogReader::Record &record, qint64 nowNs)
{
    constexpr qint64 clockError = 1'000'000'000;
    return record.timeNs > nowNs - LaneMerge::patienceNs && record.timeNs < nowNs + clockError;
}
} // namespace

LaneMerge::LaneMerge(int parts, std::optional<LogReader::Stream> stream, std::optional<LogTimeRange> range)
    : m_stream(stream), m_range(range), m_parts(std::size_t(parts))
{
}

void LaneMerge::restart()
{
    m_shown = {};
    m_parts = std::vector<Part>(m_parts.size());
    m_mustRestart = m_isPlain = false;
    ++m_liveState;
    ++m_restarts;
}

void LaneMerge::advance(Input &input, qint64 nowNs, qint64 records)
{
    m_hasMore = false;
    if (m_parts.empty()) {
        m_isComplete = false; // there is no try yet
        return;
    }
    if (advancePlain(input)) {
        return;
    }
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (input.recordCount(int(i)) < m_parts[i].recordsRead) {
            restart(); // one was replaced
            break;
        }
    }
    qint64 budget = records;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        fill(input, int(i), budget);
    }
    while (!m_hasMore && !m_mustRestart) {
        const std::optional<int> part = earliest();
        if (!part || mustWait(*part, nowNs)) {
            break;
        }
        if (budget-- <= 0) {
            m_hasMore = true;
            break;
        }
        if (take(input, *part, nowNs, budget) == Taken::Waits) {
            break;
        }
        fill(input, *part, budget);
    }
    if (m_mustRestart) {
        restart();
        m_hasMore = true;
    }
    m_isComplete
        = std::all_of(m_parts.begin(), m_parts.end(), [](const Part &part) { return part.isOver && part.isEmpty(); });
}

// Without an index, or as long as there is none, the bytes are shown as they are.
bool LaneMerge::advancePlain(Input &input)
{
    if (m_parts.size() > 1 || m_stream || m_range || m_parts[0].recordsRead > 0) {
        return false;
    }
    const bool isComplete = input.isComplete(0);
    const qint64 size = input.recordCount(0) == 0 ? input.size(0) : 0;
    if (size < m_shown.runs().size()) {
        restart(); // the index has come
    }
    m_isPlain = size > 0;
    if (m_isPlain) {
        const qint64 shown = m_shown.runs().size();
        m_shown.append(0, shown, size - shown, 0);
        m_isComplete = isComplete;
    }
    return m_isPlain;
}

void LaneMerge::seek(Input &input, int number)
{
    Part &part = m_parts[std::size_t(number)];
    part.isSought = true;
    if (!m_range) {
        return;
    }
    qint64 from = 0, to = input.recordCount(number);
    while (from < to) {
        const qint64 middle = from + (to - from) / 2;
        const QList<LogReader::Record> one = input.records(number, middle, 1);
        if (!one.isEmpty() && one.constFirst().timeNs / 1'000'000 < m_range->from) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    part.recordsRead = from;
}

// Gets the next records of a part that has none left.
void LaneMerge::fill(Input &input, int number, qint64 &budget)
{
    Part &part = m_parts[std::size_t(number)];
    if (!part.isEmpty() || part.isOver) {
        return;
    }
    if (budget <= 0) {
        m_hasMore = true;
        return;
    }
    const bool isFirst = !part.isSought;
    if (isFirst) {
        seek(input, number);
    }
    // Asked first: what is there now is then all there is.
    const bool isComplete = input.isComplete(number);
    const qint64 atOnce = std::max<qint64>(64, 65536 / qint64(m_parts.size()));
    part.gap = input.gap(number);
    if (isComplete && !part.areEndsKnown) {
        budget -= lookForEnds(input, number);
        part.areEndsKnownFromStart = isFirst;
    }
    while (part.isEmpty()) {
        if (budget <= 0) {
            m_hasMore = true;
            return;
        }
        QList<LogReader::Record> block = input.records(number, part.recordsRead, std::min(atOnce, budget));
        if (block.isEmpty()) {
            if (isComplete) {
                endPart(input, number);
            }
            return;
        }
        part.recordsRead += block.size();
        budget -= block.size();
        const auto late = std::find_if(block.cbegin(), block.cend(), [this](const auto &each) { return isLate(each); });
        const bool endsHere = late != block.cend();
        block.resize(late - block.cbegin());
        block.removeIf([this](const LogReader::Record &record) {
            return record.length == 0 || (m_stream && record.stream != *m_stream);
        });
        part.next = block;
        part.at = 0;
        if (endsHere) {
            part.isOver = true; // its open lines are shown with the last of these
            if (part.isEmpty()) {
                endPart(input, number);
            }
            return;
        }
    }
}

// Where the streams of a try that has ended end, so that an unfinished line gets its place among those that follow it.
// Returns the number of records that were looked at: often all of the last ones, as one of the streams is empty.
qint64 LaneMerge::lookForEnds(Input &input, int number)
{
    Part &part = m_parts[std::size_t(number)];
    part.areEndsKnown = true;
    bool isKnown[2] = {m_stream == LogReader::Stream::Err, m_stream == LogReader::Stream::Out};
    qint64 looked = 0;
    for (qint64 to = input.recordCount(number); to > 0 && looked < endRecords && !(isKnown[0] && isKnown[1]);) {
        const qint64 from = std::max<qint64>(0, to - endRecordsAtOnce);
        const QList<LogReader::Record> block = input.records(number, from, to - from);
        for (auto record = block.crbegin(); record != block.crend(); ++record) {
            const int stream = laneOf(*record);
            if (record->length > 0 && !isLate(*record) && !std::exchange(isKnown[stream], true)) {
                part.ends[stream] = qint64(record->offset) + record->length;
            }
        }
        looked += to - from;
        to = from;
    }
    return looked;
}

void LaneMerge::endPart(Input &input, int number)
{
    Part &part = m_parts[std::size_t(number)];
    part.isOver = true;
    const int first = part.lanes[0].timeNs <= part.lanes[1].timeNs ? 0 : 1;
    for (const int stream : {first, 1 - first}) {
        Lane &lane = part.lanes[stream];
        if (lane.open.isEmpty()) {
            continue;
        }
        // Others were shown while it was live.
        const bool isLate = lane.timeNs < m_shown.lastNs();
        if (isLate && !part.areEndsKnownFromStart && m_shown.runs().size() <= mostToRestart
            && input.isComplete(number)) {
            m_mustRestart = true;
            return;
        }
        closeOpen(number, lane, std::max(lane.timeNs, m_shown.lastNs()));
    }
}

std::optional<int> LaneMerge::earliest() const
{
    std::optional<int> found;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const Part &part = m_parts[i];
        const auto timeOf = [](const Part &each) { return each.next.at(each.at).timeNs; };
        if (!part.isEmpty() && (!found || timeOf(part) < timeOf(m_parts[std::size_t(*found)]))) {
            found = int(i);
        }
    }
    return found;
}

// Lines that others write now may be earlier, and have not arrived yet.
bool LaneMerge::mustWait(int number, qint64 nowNs) const
{
    const Part &part = m_parts[std::size_t(number)];
    if (m_parts.size() == 1 || !isOfNow(part.next.at(part.at), nowNs)) {
        return false;
    }
    return std::any_of(m_parts.begin(), m_parts.end(), [](const Part &each) { return each.isEmpty() && !each.isOver; });
}

LaneMerge::Taken LaneMerge::take(Input &input, int number, qint64 nowNs, qint64 &budget)
{
    Part &part = m_parts[std::size_t(number)];
    const LogReader::Record record = part.next.at(part.at);
    const int stream = laneOf(record);
    const bool endsLine = (record.flags & finishesLine) != 0;
    Lane &other = part.lanes[1 - stream];
    if (endsLine && !other.open.isEmpty()) {
        // A bar of progress that is over, and what the program says next on the other stream, may have been read in the
        // wrong order.
        if (part.at + 1 >= part.next.size() && !part.isOver) {
            const QList<LogReader::Record> more = input.records(number, part.recordsRead, 64);
            part.recordsRead += more.size();
            budget -= more.size();
            for (const LogReader::Record &each : more) {
                if (!isLate(each) && each.length > 0) {
                    part.next.append(each);
                }
                part.isOver = part.isOver || isLate(each);
            }
        }
        if (part.at + 1 < part.next.size()) {
            LogReader::Record &after = part.next[part.at + 1];
            if (laneOf(after) != stream && after.timeNs - record.timeNs <= atOneMoment
                && input.read(number, qint64(after.offset), 1) == "\n") {
                const qint64 shown = m_shown.runs().size();
                write(input, number, 1 - stream, {qint64(after.offset), 1}, record.timeNs, true);
                if (m_shown.runs().size() > shown) {
                    m_shown.setTimeOfLast(record.timeNs);
                }
                ++after.offset;
                --after.length;
            }
        } else if (!part.isOver && isOfNow(record, nowNs) && !input.isComplete(number)) {
            return Taken::Waits;
        }
    }
    ++part.at;
    if (record.length > 0) {
        write(input, number, stream, {qint64(record.offset), record.length}, record.timeNs, endsLine);
    }
    Lane &own = part.lanes[stream];
    if (!own.open.isEmpty() && part.ends[stream] == qint64(record.offset) + record.length) {
        closeOpen(number, own, record.timeNs);
    }
    if (part.isOver && part.isEmpty()) {
        endPart(input, number);
    }
    return Taken::Yes;
}

void LaneMerge::write(Input &input, int number, int stream, Piece piece, qint64 timeNs, bool endsLine)
{
    Part &part = m_parts[std::size_t(number)];
    Lane &lane = part.lanes[stream];
    if (part.gap.contains(piece.from)) { // what is lost beyond the log's limit cannot be shown
        const qint64 end = piece.end();
        piece.from = std::min(part.gap.to, end);
        piece.length = end - piece.from;
    }
    if (piece.length <= 0) {
        return;
    }
    qint64 whole = piece.length;
    if (!endsLine) {
        const qint64 looked = std::min(piece.length, lookedAt);
        const QByteArray end = input.read(number, piece.end() - looked, looked);
        whole = piece.length - looked + end.lastIndexOf('\n') + 1;
        if (!end.contains('\n')) {
            whole = 0;
        }
    }
    if (whole > 0) {
        Piece lines{piece.from, whole};
        if (!lane.open.isEmpty()) {
            if (lane.open.constLast().end() != lines.from) { // others have written meanwhile
                QByteArray first = input.read(number, lines.from, std::min(whole, lookedAt));
                if (const qsizetype feed = first.indexOf('\n'); feed >= 0) {
                    first.truncate(feed);
                }
                if (const qsizetype state = lastState(first); state >= 0) {
                    lane.open.clear();
                    lines = {lines.from + state, whole - state};
                }
            }
            showOpen(number, lane, timeNs);
        }
        m_shown.append(number, lines.from, lines.length, timeNs);
    }
    if (whole < piece.length) {
        keepOpen(input, number, stream, {piece.from + whole, piece.length - whole}, timeNs);
    }
}

void LaneMerge::keepOpen(Input &input, int number, int stream, Piece piece, qint64 timeNs)
{
    Lane &lane = m_parts[std::size_t(number)].lanes[stream];
    lane.timeNs = timeNs;
    ++m_liveState;
    if (!lane.open.isEmpty() && lane.open.constLast().end() == piece.from) {
        lane.open.last().length += piece.length;
        return;
    }
    if (!lane.open.isEmpty()) {
        const qsizetype state = lastState(input.read(number, piece.from, std::min(piece.length, lookedAt)));
        if (state >= 0) {
            lane.open.clear();
            piece = {piece.from + state, piece.length - state};
        } else if (lane.open.size() >= mostPieces) {
            closeOpen(number, lane, timeNs);
            m_shown.breakLine();
        }
    }
    lane.open.append(piece);
}

void LaneMerge::showOpen(int number, Lane &lane, qint64 timeNs)
{
    for (const Piece &piece : std::as_const(lane.open)) {
        m_shown.append(number, piece.from, piece.length, timeNs);
    }
    m_liveState += lane.open.isEmpty() ? 0 : 1;
    lane.open.clear();
}

// A line that no line feed ends.
void LaneMerge::closeOpen(int number, Lane &lane, qint64 timeNs)
{
    showOpen(number, lane, timeNs);
    m_shown.endLine(timeNs);
    if (m_parts.size() > 1) {
        m_shown.breakLine();
    }
}

QList<LaneMerge::Live> LaneMerge::live() const
{
    QList<Live> lines;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        for (int stream = 0; stream < 2; ++stream) {
            const Lane &lane = m_parts[i].lanes[stream];
            if (!lane.open.isEmpty()) {
                lines.append({int(i), stream == 1, lane.timeNs, lane.open});
            }
        }
    }
    std::stable_sort(
        lines.begin(), lines.end(), [](const Live &one, const Live &other) { return one.timeNs < other.timeNs; });
    return lines;
}

} // namespace trainyard
