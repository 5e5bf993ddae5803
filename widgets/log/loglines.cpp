// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/loglines.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace trainyard
{

void LogLines::setSource(std::unique_ptr<LogSource> source)
{
    m_source = std::move(source);
    m_digitsOf = -1;
    m_index.reset();
    m_live.clear();
    m_startNs.reset();
    m_cache.clear();
}

qint64 LogLines::bytes() const
{
    return std::accumulate(m_live.cbegin(), m_live.cend(), m_index.size(),
        [](qint64 sum, const LogSource::Live &line) { return sum + line.length; });
}

void LogLines::apply(const LogIndex::Delta &delta, const QList<LogSource::Live> &live)
{
    m_live = live;
    if (delta.reset) {
        m_cache.clear();
        m_startNs.reset();
    } else if (m_index.intervalCount() > 0) {
        // The last interval may have grown.
        m_cache.remove(m_index.intervalCount() - 1);
    }
    m_index.apply(delta);
}

RawLine LogLines::line(qint64 number)
{
    if (!m_source || number < 0 || number >= count()) {
        return {};
    }
    if (isLive(number)) {
        const LogSource::Live &live = m_live.at(number - m_index.lineCount());
        RawLine line{m_index.size(), live.length, live.bytes, false, live.length > live.bytes.size()};
        line.isProgress = keepLastState(line.bytes);
        line.isCut = line.isCut && !line.isProgress;
        return line;
    }
    const qint64 key = m_index.intervalOfLine(number);
    QList<RawLine> *lines = m_cache.object(key);
    if (!lines) {
        lines = new QList<RawLine>(splitInterval(*m_source, m_index.interval(key)));
        m_cache.insert(key, lines); // takes it over
    }
    return lines->value(number - m_index.interval(key).firstLine);
}

std::optional<LogSource::Origin> LogLines::origin(qint64 number)
{
    if (!m_source || number < 0 || number >= count()) {
        return std::nullopt;
    }
    if (isLive(number)) {
        return m_live.at(number - m_index.lineCount()).origin;
    }
    const RawLine raw = line(number);
    return m_source->originOfLine(raw.offset, raw.offset + raw.length);
}

std::optional<qint64> LogLines::numberOf(qint64 line)
{
    if (!m_source || line < 0 || line >= m_index.lineCount()) {
        return std::nullopt;
    }
    switch (m_source->numbers()) {
    case LogSource::Numbers::Own:
        return line + 1;
    case LogSource::Numbers::OfWhole:
        if (const auto whole = m_source->wholeLineAt(this->line(line).offset)) {
            return *whole + 1;
        }
        break;
    case LogSource::Numbers::Unknown:
        break;
    }
    return std::nullopt;
}

int LogLines::numberDigits()
{
    constexpr int least = 6;
    if (!m_source || m_source->numbers() == LogSource::Numbers::Unknown) {
        return 0;
    }
    if (m_digitsOf != m_index.lineCount()) { // asked for with each row: counted once
        m_digitsOf = m_index.lineCount();
        m_digits = std::max(least, int(QString::number(numberOf(m_digitsOf - 1).value_or(0)).size()));
    }
    return m_digits;
}

std::optional<qint64> LogLines::startNs()
{
    if (!m_startNs) {
        if (const auto first = origin(0)) {
            m_startNs = first->timeNs;
        }
    }
    return m_startNs;
}

qint64 LogLines::lineAtTime(qint64 time)
{
    qint64 from = 0, to = count();
    while (from < to) {
        const qint64 middle = from + (to - from) / 2;
        qint64 asked = middle;
        auto written = origin(asked);
        if (!written && asked > from) { // the separator of a filtered log's groups was written by no task
            written = origin(--asked);
        }
        if (!written || written->timeNs / 1'000'000 < time) {
            from = middle + 1;
        } else {
            to = asked;
        }
    }
    return from < count() ? from : -1;
}

QString LogLines::text(qint64 number) { return decodeLine(line(number)).text; }

QString LogLines::text(qint64 first, qint64 count)
{
    QStringList lines;
    qint64 size = 0;
    for (qint64 number = first; number < std::min(first + count, this->count()) && size < mostText; ++number) {
        lines.append(text(number));
        size += lines.constLast().size();
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace trainyard
