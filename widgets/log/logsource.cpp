// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logsource.h"

#include <QDateTime>

#include <algorithm>
#include <mutex>
#include <vector>

namespace trainyard
{
namespace
{
constexpr qint64 recordsAtOnce = 4096; // while others wait
constexpr int mostRounds = 64; // of one look
constexpr quint8 clockSteppedFlag = 8;
constexpr qint64 liveBytes = 32 << 10; // of an unfinished line
constexpr qint64 liveTail = 8 << 10; // for the last state of a longer one

std::optional<LogReader::Stream> streamOf(LogSource::Filter filter)
{
    switch (filter) {
    case LogSource::Filter::Out:
        return LogReader::Stream::Out;
    case LogSource::Filter::Err:
        return LogReader::Stream::Err;
    case LogSource::Filter::Both:
        break;
    }
    return std::nullopt;
}
} // namespace

std::optional<LogSource::Origin> LogSource::originOfLine(qint64 begin, qint64 end)
{
    const std::optional<Origin> ofFeed = originAt(end);
    return ofFeed || begin >= end ? ofFeed : originAt(end - 1);
}

struct TryLogSource::Shared {
    explicit Shared(const Choice &what)
        : choice(what), merge(int(what.folders.size()), streamOf(what.filter), what.range)
    {
    }
    const Choice choice;
    std::mutex mutex; // of the merge
    LaneMerge merge;
};

// The files of the tries, opened by one source.
class TryLogSource::Files final : public LaneMerge::Input
{
public:
    explicit Files(const QStringList &folders)
    {
        for (const QString &folder : folders) {
            m_readers.push_back(std::make_unique<LogReader>(folder));
        }
    }
    LogReader &reader(int part) { return *m_readers[std::size_t(part)]; }
    qint64 recordCount(int part) override { return reader(part).recordCount(); }
    QList<LogReader::Record> records(int part, qint64 first, qint64 count) override
    {
        return reader(part).records(first, count);
    }
    QByteArray read(int part, qint64 from, qint64 length) override { return reader(part).read(from, length); }
    LogReader::Gap gap(int part) override { return reader(part).gap(); }
    qint64 size(int part) override { return reader(part).size(); }
    bool isComplete(int part) override { return reader(part).isComplete(); }

private:
    std::vector<std::unique_ptr<LogReader>> m_readers;
};

TryLogSource::TryLogSource(const Choice &choice) : TryLogSource(std::make_shared<Shared>(choice)) { }

TryLogSource::TryLogSource(std::shared_ptr<Shared> shared)
    : m_shared(std::move(shared)), m_files(std::make_unique<Files>(m_shared->choice.folders))
{
}

TryLogSource::~TryLogSource() = default;

LogSourceFactory TryLogSource::factory(const Choice &choice)
{
    return
        [shared = std::make_shared<Shared>(choice)] { return std::unique_ptr<TryLogSource>(new TryLogSource(shared)); };
}

// In short rounds: a thread that draws asks between them where lines stand.
void TryLogSource::advance()
{
    bool hasMore = true;
    for (int round = 0; hasMore && round < mostRounds; ++round) {
        const qint64 now = QDateTime::currentMSecsSinceEpoch() * 1'000'000;
        const std::scoped_lock lock(m_shared->mutex);
        m_shared->merge.advance(*m_files, now, recordsAtOnce);
        hasMore = m_shared->merge.hasMore();
    }
}

qint64 TryLogSource::size()
{
    advance();
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->merge.shown().runs().size();
}

bool TryLogSource::isComplete()
{
    advance();
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->merge.isComplete();
}

quint64 TryLogSource::liveState()
{
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->merge.liveState();
}

bool TryLogSource::hasMore()
{
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->merge.hasMore();
}

quint64 TryLogSource::restarts()
{
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->merge.restarts();
}

LogSource::Numbers TryLogSource::numbers() const { return m_shared->choice.range ? Numbers::Unknown : Numbers::Own; }

QByteArray TryLogSource::readRun(const LogRuns::Run &run, qint64 skip, qint64 wanted)
{
    if (run.part == LogRuns::lineBreak) {
        return QByteArrayLiteral("\n");
    }
    LogReader &reader = m_files->reader(run.part);
    QByteArray part = reader.read(run.from + skip, wanted);
    const qint64 next = run.from + skip + part.size();
    if (part.size() < wanted && reader.keptFrom(next) > next) {
        part.resize(wanted, ' '); // it was shown, and is gone since
    }
    return part;
}

QByteArray TryLogSource::read(qint64 offset, qint64 length)
{
    QList<LogRuns::Run> runs;
    {
        const std::scoped_lock lock(m_shared->mutex);
        runs = m_shared->merge.shown().runs().at(offset, length);
    }
    return LogRuns::read(runs, offset, length,
        [this](const LogRuns::Run &run, qint64 skip, qint64 wanted) { return readRun(run, skip, wanted); });
}

std::optional<LogSource::Origin> TryLogSource::originAt(qint64 offset)
{
    QList<LogRuns::Run> runs;
    std::optional<qint64> timeNs;
    {
        const std::scoped_lock lock(m_shared->mutex);
        timeNs = m_shared->merge.shown().timeAt(offset);
        runs = m_shared->merge.shown().runs().at(offset, 1);
        if (timeNs && !runs.isEmpty() && runs.constFirst().part == LogRuns::lineBreak) {
            runs = m_shared->merge.shown().runs().at(--offset, 1); // the line that it ends
        }
    }
    if (runs.isEmpty() || runs.constFirst().part == LogRuns::lineBreak) {
        return {};
    }
    const LogRuns::Run &run = runs.constFirst();
    LogReader &reader = m_files->reader(run.part);
    const qint64 index = reader.recordIndexAt(quint64(run.from + offset - run.at));
    const auto record = index >= 0 ? reader.record(index) : std::nullopt;
    if (!record) {
        return {};
    }
    return Origin{timeNs.value_or(record->timeNs), record->stream == LogReader::Stream::Err,
        (record->flags & clockSteppedFlag) != 0, run.part};
}

QList<LogSource::Live> TryLogSource::liveLines()
{
    QList<LaneMerge::Live> open;
    {
        const std::scoped_lock lock(m_shared->mutex);
        open = m_shared->merge.live();
    }
    QList<Live> lines;
    for (const LaneMerge::Live &line : std::as_const(open)) {
        Live live;
        live.origin = {line.timeNs, line.isError, false, line.part};
        for (const LaneMerge::Piece &piece : line.pieces) {
            live.length += piece.length;
            if (live.bytes.size() < liveBytes) {
                live.bytes += m_files->read(line.part, piece.from, std::min(piece.length, liveBytes));
            }
        }
        if (live.length > live.bytes.size()) { // perhaps a bar that nothing has interrupted for long
            const LaneMerge::Piece &last = line.pieces.constLast();
            const qint64 looked = std::min(last.length, liveTail);
            const QByteArray tail = m_files->read(line.part, last.end() - looked, looked);
            live.bytes = tail.contains('\r') ? tail : live.bytes.left(liveBytes);
        }
        lines.append(live);
    }
    return lines;
}

LogSourceFactory RuntimeLogSource::factory(const QString &folder)
{
    return [folder] { return std::make_unique<RuntimeLogSource>(folder); };
}

} // namespace trainyard
