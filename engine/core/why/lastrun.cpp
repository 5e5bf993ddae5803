// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/lastrun.h"

#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

using Role = FailureCause::Role;

constexpr qsizetype linesOfBanner = 200;
constexpr qsizetype bannerLines = 3;

bool isLaunchersMain(const PythonBlock &block)
{
    const std::optional<WhyFrame> &outermost = block.errors.constFirst().outermost;
    if (!outermost) {
        return false;
    }
    const QString &file = outermost->file;
    return file.endsWith("/runpy.py"_L1) || file.endsWith("/bin/torchrun"_L1) || file.endsWith("/bin/accelerate"_L1)
        || file.endsWith("/torch/distributed/launch.py"_L1) || file.endsWith("/torch/distributed/run.py"_L1);
}

// The words of a line without what differs between two runs.
QByteArray bannerOf(QByteArrayView words)
{
    QByteArray banner;
    for (const char c : headOf(words, 200)) {
        banner += c >= '0' && c <= '9' ? '#' : c;
    }
    return banner;
}

// The first lines of an output that are not repetitions.
QList<QByteArray> bannerBefore(const QList<WhyLine> &lines, qsizetype end)
{
    QList<QByteArray> banner;
    QHash<QByteArray, int> times;
    for (qsizetype i = 0; i < end && i < linesOfBanner; ++i) {
        const QByteArrayView words = lines.at(i).words;
        if (words.size() >= 8 && !words.startsWith(' ') && !words.startsWith('\t')) {
            const QByteArray line = bannerOf(words);
            banner.append(line);
            ++times[line];
        }
    }
    banner.removeIf([&](const QByteArray &line) { return times.value(line) > 1; });
    return banner.first(std::min(banner.size(), bannerLines));
}

} // namespace

qsizetype lastRunBegin(const QList<WhyLine> &lines, const QList<PythonBlock> &blocks, const WhySigns &signs)
{
    qsizetype begin = 0;
    // A launcher that has died cannot report that a process of its own failed: that was the next one.
    qsizetype reporting = -1;
    for (qsizetype i = blocks.size() - 1; i >= 0; --i) {
        const PythonBlock &block = blocks.at(i);
        if (block.context != PythonBlock::Context::Plain || !isLaunchersMain(block)) {
            continue;
        }
        const bool isReport = block.errors.constLast().type.endsWith("ChildFailedError"_L1);
        const bool isOfLauncher = !block.errors.constLast().own;
        if (reporting >= 0 && isOfLauncher) {
            begin = std::max(begin, block.last + 1);
            break;
        }
        reporting = reporting < 0 && isReport ? i : reporting;
    }
    const auto firstError = std::find_if(signs.all.cbegin(), signs.all.cend(),
        [&](const WhySign &sign) { return sign.fatal || sign.role == Role::Report; });
    if (firstError == signs.all.cend()) {
        return begin;
    }
    // The first lines of the output come again after an error. They are not steps: each has come only once before.
    const QList<QByteArray> banner = bannerBefore(lines, firstError->line);
    if (banner.size() < bannerLines) {
        return begin;
    }
    for (qsizetype i = lines.size() - 1; i > firstError->last; --i) {
        const WhyLine &line = lines.at(i);
        if (line.words.size() < 8 || bannerOf(line.words) != banner.constFirst()) {
            continue;
        }
        qsizetype known = 1;
        for (qsizetype j = i + 1; j < lines.size() && j < i + 12 && known < banner.size(); ++j) {
            known += bannerOf(lines.at(j).words) == banner.at(known) ? 1 : 0;
        }
        if (known == banner.size()) {
            return std::max(begin, i);
        }
    }
    return begin;
}

} // namespace trainyard::core
