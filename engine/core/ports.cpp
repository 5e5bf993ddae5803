// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/ports.h"

#include "engine/api/reasons.h"

#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

Result<PortTable> PortBook::draw(const QString &host, const QUuid &tryUuid, const QList<Port> &wanted,
    const QSet<int> &busy, const QMap<QString, int> &firstPorts)
{
    release(tryUuid);
    const int size = std::max(0, m_range.last - m_range.first + 1);
    std::vector<bool> &used = m_used[host];
    used.resize(std::size_t(size));

    PortTable table;
    Held held{host, {}, {}};
    // The fixed ports come first, so that no drawn number is in their way.
    QHash<QString, QList<int>> fixed;
    for (const Port &port : wanted) {
        if (const int first = firstPorts.value(port.label); first > 0) {
            const Result<QList<int>> numbers = takeFixed(held, tryUuid, port, first, busy);
            if (!numbers) {
                giveBack(held);
                return tl::unexpected(numbers.error());
            }
            fixed.insert(port.label, *numbers);
        }
    }
    const QHash<int, QUuid> taken = m_fixed.value(host);
    const auto isFree = [&](int offset) {
        const int number = m_range.first + offset;
        return !used[std::size_t(offset)] && !busy.contains(number) && !taken.contains(number);
    };
    int start = size > 0 ? int(qHash(tryUuid, 0x7072) % std::size_t(size)) : 0;
    for (const Port &port : wanted) {
        if (const auto it = fixed.constFind(port.label); it != fixed.cend()) {
            table.append({port.label, *it});
            continue;
        }
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
            giveBack(held);
            return fail(size > 0 ? u"ports.none"_s : u"ports.no-range"_s,
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

Result<QList<int>> PortBook::takeFixed(
    Held &held, const QUuid &tryUuid, const Port &port, int first, const QSet<int> &busy)
{
    reason::FixedPort about{held.host, port.label, first};
    if (first > highestPort || port.count > highestPort - first + 1) {
        return tl::unexpected(errorOf(reason::FixedPortRange{about}));
    }
    QList<int> numbers;
    for (int number = first; number < first + int(port.count); ++number) {
        about.port = number;
        if (isReserved(held.host, number)) {
            const QString holder = holderOf(held.host, number).toString(QUuid::WithoutBraces);
            return tl::unexpected(errorOf(reason::FixedPortHeld{about, holder}));
        }
        if (busy.contains(number)) {
            return tl::unexpected(errorOf(reason::FixedPortBusy{about}));
        }
        m_fixed[held.host].insert(number, tryUuid);
        held.fixed.push_back(number);
        numbers.append(number);
    }
    return numbers;
}

void PortBook::giveBack(const Held &held)
{
    std::vector<bool> &used = m_used[held.host];
    for (const auto &[first, count] : held.ranges) {
        std::fill_n(used.begin() + first, count, false);
    }
    for (const int number : held.fixed) {
        m_fixed[held.host].remove(number);
    }
}

QUuid PortBook::holderOf(const QString &host, int port) const
{
    if (const QUuid holder = m_fixed.value(host).value(port); !holder.isNull()) {
        return holder;
    }
    const int offset = port - m_range.first;
    for (auto it = m_held.cbegin(); it != m_held.cend(); ++it) {
        for (const auto &[first, count] : it->ranges) {
            if (it->host == host && offset >= first && offset < first + count) {
                return it.key();
            }
        }
    }
    return {};
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

void PortBook::restore(const QString &host, const QUuid &tryUuid, const PortTable &ports)
{
    release(tryUuid);
    const int size = std::max(0, m_range.last - m_range.first + 1);
    std::vector<bool> &used = m_used[host];
    used.resize(std::size_t(size));
    Held held{host, {}, {}};
    for (const auto &[label, numbers] : ports) {
        for (int number : numbers) {
            const int offset = number - m_range.first;
            if (offset >= 0 && offset < size && !used[std::size_t(offset)]) { // the range may have been changed since
                used[std::size_t(offset)] = true;
                held.ranges.emplace_back(offset, 1);
            } else if (!isReserved(host, number)) {
                m_fixed[host].insert(number, tryUuid);
                held.fixed.push_back(number);
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
    giveBack(*it);
    m_held.erase(it);
}

bool PortBook::isReserved(const QString &host, int port) const
{
    if (m_fixed.value(host).contains(port)) {
        return true;
    }
    const auto it = m_used.constFind(host);
    const int offset = port - m_range.first;
    return it != m_used.constEnd() && offset >= 0 && std::size_t(offset) < it->size() && (*it)[std::size_t(offset)];
}

} // namespace trainyard::core
