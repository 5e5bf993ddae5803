// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/ports.h"

#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

Result<PortTable> PortBook::draw(
    const QString &host, const QUuid &tryUuid, const QList<Port> &wanted, const QSet<int> &busy)
{
    release(tryUuid);
    const int size = std::max(0, m_range.last - m_range.first + 1);
    std::vector<bool> &used = m_used[host];
    used.resize(std::size_t(size));
    const auto isFree
        = [&](int offset) { return !used[std::size_t(offset)] && !busy.contains(m_range.first + offset); };

    PortTable table;
    Held held{host, {}};
    int start = size > 0 ? int(qHash(tryUuid, 0x7072) % std::size_t(size)) : 0;
    for (const Port &port : wanted) {
        const int count = int(std::clamp<qint64>(port.count, 0, size + 1));
        // Walks once around the range; a run never goes over its end.
        int found = count == 0 ? start : -1;
        int run = 0;
        for (int step = 0; found < 0 && count <= size && step < size + count; ++step) {
            const int offset = (start + step) % size;
            run = offset == 0 ? 0 : run;
            run = isFree(offset) ? run + 1 : 0;
            if (run == count) {
                found = offset - count + 1;
            }
        }
        if (found < 0) {
            for (const auto &[first, number] : held.ranges) {
                std::fill_n(used.begin() + first, number, false);
            }
            return fail(u"ports.none"_s,
                QJsonObject{{u"host"_s, host}, {u"wanted"_s, port.count}, {u"first"_s, m_range.first},
                    {u"last"_s, m_range.last}});
        }
        std::fill_n(used.begin() + found, count, true);
        held.ranges.emplace_back(found, count);
        QList<int> numbers;
        for (int i = 0; i < count; ++i) {
            numbers.append(m_range.first + found + i);
        }
        table.append({port.label, numbers});
        start = size > 0 ? (found + count) % size : 0;
    }
    m_held.insert(tryUuid, held);
    return table;
}

void PortBook::setRange(const PortRange &range)
{
    const int shift = m_range.first - range.first;
    const int size = std::max(0, range.last - range.first + 1);
    m_range = range;
    m_used.clear();
    for (Held &held : m_held) {
        std::vector<bool> &used = m_used[held.host];
        used.resize(std::size_t(size));
        std::vector<std::pair<int, int>> kept;
        for (const auto &[first, count] : held.ranges) {
            const int begin = std::clamp(first + shift, 0, size);
            const int end = std::clamp(first + shift + count, 0, size);
            if (begin < end) {
                std::fill_n(used.begin() + begin, end - begin, true);
                kept.emplace_back(begin, end - begin);
            }
        }
        held.ranges = std::move(kept);
    }
}

void PortBook::adopt(const QString &host, const QUuid &tryUuid, const PortTable &ports)
{
    release(tryUuid);
    const int size = std::max(0, m_range.last - m_range.first + 1);
    std::vector<bool> &used = m_used[host];
    used.resize(std::size_t(size));
    Held held{host, {}};
    for (const auto &[label, numbers] : ports) {
        for (int number : numbers) {
            const int offset = number - m_range.first;
            if (offset >= 0 && offset < size && !used[std::size_t(offset)]) { // the range may have been changed since
                used[std::size_t(offset)] = true;
                held.ranges.emplace_back(offset, 1);
            }
        }
    }
    m_held.insert(tryUuid, held);
}

void PortBook::release(const QUuid &tryUuid)
{
    const auto it = m_held.constFind(tryUuid);
    if (it == m_held.constEnd()) {
        return;
    }
    std::vector<bool> &used = m_used[it->host];
    for (const auto &[first, count] : it->ranges) {
        std::fill_n(used.begin() + first, count, false);
    }
    m_held.erase(it);
}

bool PortBook::isHeld(const QString &host, int port) const
{
    const auto it = m_used.constFind(host);
    const int offset = port - m_range.first;
    return it != m_used.constEnd() && offset >= 0 && std::size_t(offset) < it->size() && (*it)[std::size_t(offset)];
}

} // namespace trainyard::core
