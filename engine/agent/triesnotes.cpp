// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/tries.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{

using contract::ExitRecord;
using contract::StartedRecord;

void Tries::readNotes(const std::string &dir)
{
    Try *const found = find(dir);
    if (!found) {
        return;
    }
    Try &entry = *found;
    char buffer[8192];
    const ssize_t n = ::read(entry.notes, buffer, sizeof buffer);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (n <= 0) {
        m_loop.forget(entry.notes);
        ::close(entry.notes);
        entry.notes = -1;
        keeperGone(dir);
        return;
    }
    entry.text.append(buffer, static_cast<std::size_t>(n));
    while (entry.text.size() >= noteHeader) {
        std::size_t size = 0;
        for (int i = 0; i < 4; ++i) {
            size |= static_cast<std::size_t>(static_cast<unsigned char>(entry.text[static_cast<std::size_t>(i) + 1]))
                << (8 * i);
        }
        if (entry.text.size() < noteHeader + size) {
            return;
        }
        const char kind = entry.text[0];
        const std::string text = entry.text.substr(noteHeader, size);
        entry.text.erase(0, noteHeader + size);
        handleNote(entry, kind, text);
        if (!m_tries.contains(dir)) {
            return; // that was the last one
        }
    }
}

void Tries::handleNote(Try &entry, char kind, const std::string &text)
{
    if (kind == note::keeper) {
        if (const std::optional<contract::KeeperRecord> record = contract::KeeperRecord::parse(text)) {
            entry.keeper = record->process;
        }
    } else if (kind == note::started) {
        if (std::optional<StartedRecord> record = StartedRecord::parse(text)) {
            setRunning(entry, std::move(*record));
        }
    } else if (kind == note::diskFull) {
        entry.diskFull = text == "1";
    } else if (kind == note::pulling) {
        entry.pulling = text;
    } else if (kind == note::group) {
        keepCgroup(entry.limits, text);
    } else if (kind == note::exit) {
        if (const std::optional<ExitRecord> record = ExitRecord::parse(text)) {
            finish(entry.dir, *record);
        }
    }
}

// For the next tasks. An agent without tasks for a while does not need it.
void Tries::keepCgroup(const CgroupPool::Limits &limits, const std::string &paths)
{
    m_cgroups.give(limits, paths);
    if (m_cgroupsTimer == 0) {
        m_cgroupsTimer = m_loop.after(keepCgroupsMs, [this] {
            m_cgroupsTimer = 0;
            m_cgroups.clear();
        });
    }
}

void Tries::setRunning(Try &entry, StartedRecord record)
{
    entry.started = std::move(record);
    entry.tryUuid = entry.started->tryUuid;
    entry.running = true;
    entry.pulling.clear();
    if (!entry.leavesMetrics) {
        m_metrics.begin(entry.dir);
    }
    if (entry.stopWanted) {
        wake(entry);
    }
    const std::vector<Waiting> waiting = std::move(entry.waiting);
    entry.waiting.clear();
    for (const Waiting &one : waiting) {
        answer(one, entry, one.first ? "launched" : "adopted", "running", std::nullopt);
    }
    if (entry.capture) {
        // An image may have taken long to come. The container had begun a little before it was recorded.
        constexpr std::int64_t msNs = 1000000, containerMs = 2000;
        if (!entry.capture->runtime.empty()) {
            entry.capture->moment = std::max(entry.capture->moment, (entry.started->at - containerMs) * msNs);
        }
        m_captures.add(std::move(*entry.capture));
        entry.capture.reset();
    }
}

bool Tries::isCapturing(const std::string &dir) const
{
    const auto it = m_tries.find(dir);
    return (it != m_tries.end() && it->second->capture) || m_captures.isPending(dir);
}

} // namespace trainyard::agent
