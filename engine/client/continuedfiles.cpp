// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/continuedfiles.h"

#include <algorithm>
#include <map>
#include <utility>

namespace trainyard
{
namespace
{

metrics::Point stepOf(const FileMetrics::Grown &grown, const series::Point &point)
{
    return {grown.name.toStdString(), axisOfFile(grown.axis), point.x, std::nullopt, point.value, 0};
}

std::map<std::size_t, qint64> beginsOf(const std::vector<std::vector<FileMetrics::Grown>> &tries)
{
    std::map<std::size_t, qint64> begins;
    for (std::size_t i = 0; i < tries.size(); ++i) {
        for (const FileMetrics::Grown &grown : tries[i]) {
            for (const series::Point &point : grown.points) {
                const auto [known, isNew] = begins.try_emplace(i, point.time);
                known->second = isNew ? point.time : std::min<qint64>(known->second, point.time);
            }
        }
    }
    return begins;
}

} // namespace

metrics::Axis axisOfFile(series::Axis axis)
{
    switch (axis) {
    case series::Axis::Step:
        return metrics::Axis::Step;
    case series::Axis::Epoch:
        return metrics::Axis::Epoch;
    case series::Axis::Time:
        return metrics::Axis::Time;
    case series::Axis::Other:
        break;
    }
    return metrics::Axis::Row;
}

void leaveOutVoid(std::vector<std::vector<FileMetrics::Grown>> &tries)
{
    metrics::Continuation later;
    for (std::size_t i = tries.size(); i-- > 0;) {
        for (FileMetrics::Grown &grown : tries[i]) {
            if (i + 1 < tries.size()) {
                std::erase_if(
                    grown.points, [&](const series::Point &point) { return later.isVoid(stepOf(grown, point)); });
            }
        }
        if (i + 1 < tries.size()) {
            std::erase_if(tries[i], [](const FileMetrics::Grown &grown) { return grown.points.empty(); });
        }
        for (const FileMetrics::Grown &grown : tries[i]) {
            std::ranges::for_each(grown.points, [&](const series::Point &point) { later.note(stepOf(grown, point)); });
        }
    }
}

ContinuedFiles::ContinuedFiles(const QStringList &earlier, const QString &newest)
    : m_earlier(earlier), m_folder(newest), m_newest(newest)
{
}

std::vector<FileMetrics::Grown> ContinuedFiles::takeNew()
{
    std::vector<FileMetrics::Grown> grown = m_newest->takeNew();
    const bool isFirst = !std::exchange(m_hasRead, true);
    if (isFirst) {
        readEarlier();
    }
    if (m_ofEarlier.empty()) {
        return grown;
    }
    return changesEarlier(grown) || isFirst ? all() : grown;
}

void ContinuedFiles::readEarlier()
{
    bool hasAny = false;
    for (const QString &folder : std::as_const(m_earlier)) {
        m_ofEarlier.push_back(FileMetrics(folder).takeNew());
        hasAny = hasAny || !m_ofEarlier.back().empty();
    }
    if (!hasAny) {
        m_ofEarlier.clear();
    }
}

bool ContinuedFiles::changesEarlier(const std::vector<FileMetrics::Grown> &grown)
{
    bool changes = false;
    for (const FileMetrics::Grown &one : grown) {
        changes = (!m_told.insert(one.name).second && one.isNew) || changes; // removed with the values before it
        for (const series::Point &point : one.points) {
            changes = m_later.note(stepOf(one, point)) || changes;
        }
    }
    return changes;
}

// Rare: when the newest try has written its first values, and when one of its files starts over.
std::vector<FileMetrics::Grown> ContinuedFiles::all()
{
    m_newest.emplace(m_folder);
    std::vector<std::vector<FileMetrics::Grown>> tries = m_ofEarlier;
    tries.push_back(m_newest->takeNew());
    m_later = {};
    std::set<QString> gone = std::exchange(m_told, {});
    changesEarlier(tries.back());
    leaveOutVoid(tries);
    m_begins = beginsOf(tries);
    std::map<QString, FileMetrics::Grown> joined;
    for (std::vector<FileMetrics::Grown> &ofTry : tries) {
        for (FileMetrics::Grown &one : ofTry) {
            const auto [known, isNew] = joined.try_emplace(one.name, one);
            if (isNew) {
                continue;
            }
            FileMetrics::Grown &whole = known->second;
            if (whole.axis != one.axis) { // they do not make one curve
                whole = std::move(one);
                continue;
            }
            whole.source = one.source;
            whole.points.insert(whole.points.end(), one.points.begin(), one.points.end());
        }
    }
    std::vector<FileMetrics::Grown> told;
    for (auto &[name, whole] : joined) {
        whole.isNew = true;
        gone.erase(name);
        m_told.insert(name);
        told.push_back(std::move(whole));
    }
    for (const QString &name : gone) {
        told.push_back({name, {}, series::Axis::Step, true, {}});
    }
    return told;
}

} // namespace trainyard
