// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/patterntrial.h"

#include "engine/metrics/linesplitter.h"
#include "model/base/threads.h"

#include <QCoreApplication>
#include <QPointer>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qint64 trialBlock = 1 << 20;
constexpr qsizetype linesKept = 3;
} // namespace

void PatternTrial::start(const LogSourceFactory &log, const MetricPatterns &patterns)
{
    const int number = ++*m_newest;
    if (!log || patterns.isEmpty()) {
        Q_EMIT found({}, true);
        return;
    }
    const QPointer<PatternTrial> guard(this); // read on its own thread only
    threads::runOnPool([guard, newest = m_newest, number, log, patterns] {
        Found hits;
        metrics::LineSplitter splitter([&](std::string_view text, std::uint64_t, bool) {
            const QString line = QString::fromUtf8(text.data(), qsizetype(text.size()));
            for (const MetricPatterns::Found &each : patterns.findIn(line)) {
                Hits &of = hits[each.name];
                ++of.count;
                of.last = each.value;
                if (of.lines.size() < linesKept) {
                    of.lines.append(line);
                }
            }
        });
        const std::unique_ptr<LogSource> source = log();
        const qint64 size = source->size(), end = std::min(size, mostBytes);
        for (qint64 at = 0; at < end && *newest == number;) {
            const QByteArray block = source->read(at, std::min(trialBlock, end - at));
            if (block.isEmpty()) {
                break;
            }
            splitter.feed({block.constData(), std::size_t(block.size())});
            at += block.size();
        }
        splitter.finish();
        threads::callLater(QCoreApplication::instance(), [guard, newest, number, hits, isWhole = end == size] {
            if (guard && *newest == number) {
                Q_EMIT guard->found(hits, isWhole);
            }
        });
    });
}

} // namespace trainyard
