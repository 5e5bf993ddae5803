// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/tryfigures.h"

#include "engine/agent/processes.h"
#include "engine/contract/taskfolder.h"
#include "engine/series/rewriting.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard::agent
{
namespace
{

// The kernel adds up the pages of large programs for this: not each second.
constexpr std::int64_t memoryEveryMs = 5000;
constexpr std::int64_t thinEveryMs = 12 * 3600000ll; // a day of points and this wait until they are thinned
constexpr std::size_t mostPending = 100000; // points that a full disk keeps back
constexpr double mebi = 1024.0 * 1024.0;
constexpr double tenths = 10;

// Seen soon at the beginning, in few and large blocks of a long run.
std::int64_t flushEveryMs(std::int64_t age, bool isShared)
{
    return std::clamp<std::int64_t>(age / 60, isShared ? 4000 : 2000, isShared ? 30000 : 10000);
}

double rounded(double value, double partsOfOne) { return std::round(value * partsOfOne) / partsOfOne; }

} // namespace

TryFigures::TryFigures(const std::string &dir, pid_t keeper, pid_t main, std::optional<std::vector<int>> gpus)
    : m_keeper(keeper), m_main(main), m_gpus(std::move(gpus))
{
    series::Error error;
    m_writer = series::Writer::open(dir + '/' + contract::file::figures, error);
    if (m_writer) {
        series::dropRewritten(m_writer->path()); // of an earlier agent, with which its process has ended
    }
}

TryFigures::~TryFigures() = default; // the writer flushes

void TryFigures::add(const std::string &name, std::int64_t at, double value)
{
    series::Info info;
    info.name = name;
    info.axis = series::Axis::Time;
    info.stepBack = series::StepBack::Mixed; // clocks are set back
    info.mayThin = true;
    if (const std::optional<std::uint32_t> id = m_writer->define(info)) {
        m_writer->append(*id, {static_cast<double>(at), at, value});
    }
}

void TryFigures::addRate(
    const std::string &name, std::int64_t at, std::uint64_t now, std::uint64_t before, double seconds)
{
    constexpr double thousandths = 1000;
    add(name, at, now < before ? 0 : rounded(static_cast<double>(now - before) / mebi / seconds, thousandths));
}

void TryFigures::sample(const Host &host)
{
    if (!m_writer) {
        return;
    }
    m_began = m_began == 0 ? host.at : m_began;
    const std::vector<pid_t> processes = taskProcesses(m_keeper, m_main);
    const Before now{host.at, usageOf(m_keeper, processes), host.traffic};
    const double seconds = m_before ? static_cast<double>(now.at - m_before->at) / 1000.0 : 0;
    if (seconds > 0) {
        // A process that ends between the looks at it and at its parent is counted next time.
        const double cpu = std::max(0.0, now.usage.cpuSeconds - m_before->usage.cpuSeconds) / seconds * 100.0;
        add("cpu", now.at, rounded(cpu, tenths));
        addRate("disk/read", now.at, now.usage.readBytes, m_before->usage.readBytes, seconds);
        addRate("disk/written", now.at, now.usage.writtenBytes, m_before->usage.writtenBytes, seconds);
        addRate("host/network/received", now.at, now.traffic.received, m_before->traffic.received, seconds);
        addRate("host/network/sent", now.at, now.traffic.sent, m_before->traffic.sent, seconds);
    }
    m_before = now;
    if (now.at - m_memoryAt >= memoryEveryMs || now.at < m_memoryAt) {
        m_memoryAt = now.at;
        add("memory", now.at, rounded(static_cast<double>(memoryKiB(processes)) / 1024.0, tenths));
    }
    for (const contract::Gpu &gpu : host.gpus) {
        const bool isOwn = !m_gpus || std::find(m_gpus->begin(), m_gpus->end(), gpu.index) != m_gpus->end();
        if (!isOwn || gpu.missing) {
            continue;
        }
        const std::string name = "gpu/" + std::to_string(gpu.index) + '/';
        add(name + "memory", now.at, static_cast<double>(gpu.memoryUsedMiB));
        if (gpu.utilPercent >= 0) {
            add(name + "use", now.at, gpu.utilPercent);
        }
        if (gpu.powerWatt >= 0) {
            add(name + "power", now.at, rounded(gpu.powerWatt, tenths));
        }
        if (gpu.temperature >= 0) {
            add(name + "temperature", now.at, gpu.temperature);
        }
    }
    if (isRewriting()) {
        if (m_rewriting.isLate(now.at)) {
            m_rewriting.stop();
        }
        return; // what it reads stays as it is
    }
    if (now.at - m_flushed >= flushEveryMs(now.at - m_began, !m_gpus) || now.at < m_flushed) {
        m_flushed = now.at;
        flush();
    }
}

void TryFigures::flush()
{
    m_writer->flush();
    if (m_writer->pendingPoints() > mostPending) {
        m_writer.reset();
    }
}

bool TryFigures::isRewritingDue(std::int64_t now) const
{
    if (!m_writer || !m_rewriting.isRested(now)) {
        return false;
    }
    const std::optional<std::int64_t> oldest = m_writer->oldestToThin();
    return m_writer->isWorthRewriting()
        || (oldest && now - *oldest >= series::usualThinning().front().olderThan + thinEveryMs);
}

void TryFigures::startRewriting(std::int64_t now) { m_rewriting.start(*m_writer, now, series::usualThinning()); }

} // namespace trainyard::agent
