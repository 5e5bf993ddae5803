// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/filemetrics.h"
#include "engine/metrics/continuation.h"

#include <QStringList>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace trainyard
{

metrics::Axis axisOfFile(series::Axis axis); // as an output counts it

// All that several tries of a task have in files, the oldest first, as one: of each is left what no later one makes
// void. A file that all tries have written is whole in the last one.
void leaveOutVoid(std::vector<std::vector<FileMetrics::Grown>> &tries);

// The metrics in the files of a task whose tries may each have begun files of their own. Follows the newest try. Not
// thread-safe.
class ContinuedFiles
{
public:
    ContinuedFiles(const QStringList &earlier, const QString &newest); // the folders of the tries, in their order
    std::vector<FileMetrics::Grown> takeNew(); // as FileMetrics has it
    // ms UTC, when the first values of the tries were written that still count, from 0; the newest is the last. Empty:
    // all are of the newest.
    const std::map<std::size_t, qint64> &begins() const { return m_begins; }
    std::optional<std::vector<Error>> takeRemarks() { return m_newest->takeRemarks(); } // of the newest try

private:
    void readEarlier();
    bool changesEarlier(const std::vector<FileMetrics::Grown> &grown);
    std::vector<FileMetrics::Grown> all();

    QStringList m_earlier;
    QString m_folder; // of the newest
    std::optional<FileMetrics> m_newest;
    std::vector<std::vector<FileMetrics::Grown>> m_ofEarlier; // whole; empty: they have none
    std::map<std::size_t, qint64> m_begins;
    metrics::Continuation m_later; // reported by the newest
    std::set<QString> m_told; // names of it
    bool m_hasRead = false;
};

} // namespace trainyard
