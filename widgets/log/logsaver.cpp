// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logsaver.h"

#include "engine/client/wholefile.h"
#include "model/base/threads.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSaveFile>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace trainyard
{
namespace
{
constexpr qint64 blockSize = 1 << 20; // a cancel waits for one at most

// Writes the prefix before each line of what it is given in pieces.
class PrefixedLines
{
public:
    PrefixedLines(LogSource &source, const LinePrefix &prefix) : m_source(&source), m_prefix(prefix) { }
    QByteArray of(qint64 at, const QByteArray &block)
    {
        if (m_prefix.isEmpty()) {
            return block;
        }
        QByteArray lines;
        for (qsizetype from = 0; from < block.size();) {
            const qsizetype newline = block.indexOf('\n', from);
            const qsizetype to = newline < 0 ? block.size() : newline + 1;
            if (m_begins) {
                const qint64 end = newline >= 0 ? at + newline : endOfLine(at + block.size());
                lines += prefixOf(m_source->originOfLine(at + from, end));
            }
            lines += QByteArrayView(block).sliced(from, to - from);
            m_begins = newline >= 0;
            from = to;
        }
        return lines;
    }
    QByteArray of(const LogSource::Live &line)
    {
        return m_prefix.isEmpty() ? line.bytes : QByteArray(prefixOf(line.origin) + line.bytes);
    }

private:
    // Where the line ends that goes on there.
    qint64 endOfLine(qint64 from)
    {
        constexpr qint64 atOnce = 64 << 10;
        for (;;) {
            const QByteArray bytes = m_source->read(from, atOnce);
            const qsizetype newline = bytes.indexOf('\n');
            if (newline >= 0 || bytes.isEmpty()) {
                return from + std::max<qsizetype>(newline, 0);
            }
            from += bytes.size();
        }
    }
    QByteArray prefixOf(const std::optional<LogSource::Origin> &origin)
    {
        if (!origin) { // between groups of lines with a hit
            return {};
        }
        const qint64 time = origin->timeNs;
        const qint64 start = m_startNs.value_or(time), before = m_beforeNs.value_or(time);
        m_startNs = start;
        m_beforeNs = time;
        return m_prefix.of(*origin, start, before);
    }
    LogSource *m_source;
    LinePrefix m_prefix;
    bool m_begins = true;
    std::optional<qint64> m_startNs, m_beforeNs;
};

// The error in the system's words; none when the file is complete or `goOn` returned false.
QString copy(
    LogSource &source, const QString &path, const LinePrefix &prefix, const std::function<bool(int percent)> &goOn)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return file.errorString();
    }
    PrefixedLines lines(source, prefix);
    const qint64 size = source.size();
    for (qint64 at = 0; at < size;) {
        if (!goOn(int(at * 100 / size))) {
            file.cancelWriting();
            return {};
        }
        const QByteArray block = source.read(at, std::min(blockSize, size - at));
        if (block.isEmpty()) {
            break; // it shrank meanwhile: what is left of it is there
        }
        if (!writeAll(file, lines.of(at, block))) {
            return file.errorString();
        }
        at += block.size();
    }
    bool isFirst = true;
    for (const LogSource::Live &line : source.liveLines()) { // what is not finished yet
        if (!writeAll(file, isFirst ? lines.of(line) : QByteArray('\n' + lines.of(line)))) {
            return file.errorString();
        }
        isFirst = false;
    }
    if (!goOn(100)) {
        file.cancelWriting();
        return {};
    }
    return commitWhole(file).value_or(QString());
}
} // namespace

LogSaver::LogSaver(LogSourceFactory source, const QString &path, LinePrefix prefix, QObject *parent)
    : QObject(parent), m_source(std::move(source)), m_path(path), m_prefix(std::move(prefix)),
      m_cancelled(std::make_shared<std::atomic_bool>(false))
{
}

LogSaver::~LogSaver() { cancel(); }

void LogSaver::cancel() { *m_cancelled = true; }

void LogSaver::start()
{
    // The guard is read on the saver's thread only.
    const QPointer<LogSaver> guard(this);
    threads::runOnPool([guard, source = m_source, path = m_path, prefix = m_prefix, cancelled = m_cancelled] {
        const auto say = [&](const std::function<void(LogSaver *)> &what) {
            threads::callLater(QCoreApplication::instance(), [guard, cancelled, what] {
                if (guard && !*cancelled) {
                    what(guard);
                }
            });
        };
        int said = 0;
        const std::unique_ptr<LogSource> log = source();
        const QString error = copy(*log, path, prefix, [&](int percent) {
            if (percent != said) {
                said = percent;
                say([percent](LogSaver *saver) { Q_EMIT saver->progressed(percent); });
            }
            return !*cancelled;
        });
        say([error](LogSaver *saver) { Q_EMIT saver->finished(error); });
    });
}

} // namespace trainyard
