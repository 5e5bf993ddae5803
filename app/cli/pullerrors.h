// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/base/result.h"

#include <QSet>

#include <optional>

namespace trainyard::cli
{

// Errors about the files of tasks as they are said: with the task and its host, unless the sentence itself names the
// host or it is about this computer.
class PullErrors
{
public:
    // The error that concerns all files of a task. It is empty if it was already reported for another task of that
    // host.
    std::optional<QString> ofTask(const Error &why, const TaskInfo &task);
    bool isFirst(const QString &what) // of what is said once
    {
        const qsizetype before = m_once.size();
        m_once.insert(what);
        return m_once.size() > before;
    }
    static QString ofFile(const Error &why, const TaskInfo &task);
    // Where the files of a task are whose host was removed: what came before. Empty if nothing did.
    static QString whereTheyAre(const Error &why, const TaskInfo &task, const QString &folder);

private:
    QSet<QString> m_once;
    QSet<QString> m_said; // the words, and of which host where they do not name one
};

} // namespace trainyard::cli
