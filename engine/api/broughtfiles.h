// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"

#include <QJsonObject>
#include <QList>
#include <QString>

#include <algorithm>
#include <tuple>

namespace trainyard
{

struct BringProblem { // a sentence by its code
    QString code;
    QJsonObject args;
    friend bool operator==(const BringProblem &, const BringProblem &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, BringProblem> &m) { members(io, "code", m.code, "args", m.args); }

// The results of a task that have come to this computer by the job's rule (docs/results.md).
struct BroughtFiles {
    QString role;
    int index = 0;
    QString to; // the folder here
    int files = 0;
    qint64 bytes = 0; // of them
    qint64 at = 0; // ms UTC, when one came last; 0: none did
    bool isPending = false; // the task has ended, and more are to come
    QList<BringProblem> problems; // found at the last look
    qint64 arrived = 0, expected = 0; // bytes of what is being brought now; 0: nothing is
    friend bool operator==(const BroughtFiles &, const BroughtFiles &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, BroughtFiles> &m)
{
    members(io, "role", m.role, "index", m.index, "to", m.to, "files", m.files, "bytes", m.bytes, "at", m.at, "pending",
        m.isPending, "problems", m.problems);
    io.when(m.expected > 0, QStringLiteral("arrived"), m.arrived);
    io.when(m.expected > 0, QStringLiteral("expected"), m.expected);
}

// More of it comes when there is room in the folder on this computer, or when it can be written to.
inline bool isHeldHere(const BroughtFiles &task)
{
    return std::any_of(task.problems.cbegin(), task.problems.cend(), [](const BringProblem &problem) {
        return problem.code == QLatin1StringView("results.no-room")
            || problem.code == QLatin1StringView("results.folder-unwritable");
    });
}

// In the order of the tasks, and not in that in which their first files came.
inline QList<BroughtFiles> inOrderOfTasks(QList<BroughtFiles> all)
{
    std::sort(all.begin(), all.end(), [](const BroughtFiles &a, const BroughtFiles &b) {
        return std::tie(a.role, a.index) < std::tie(b.role, b.index);
    });
    return all;
}

} // namespace trainyard
