// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/jobwatcher.h"
#include "app/cli/session.h"

#include <functional>

namespace trainyard::cli
{

// The commands that say whether the large work folder of a job that waits for that is copied (docs/hosts.md, "Code").
QString howToAnswerCopy(const JobSummary &job);

// Asks that on the terminal while a job is watched.
class CopyAsker : public QObject
{
    Q_OBJECT
public:
    // Whether the question can be put to somebody here.
    static bool canAsk();
    // `before` is called before something is written to the terminal. Where nobody else can answer (an engine of our
    // own), the answer without a terminal is no.
    CopyAsker(Session &session, const JobWatcher &watcher, bool isOwnEngine, const std::function<void()> &before);

private:
    void look();
    void ask();

    Session &m_session;
    const JobWatcher &m_watcher;
    const bool m_isOwnEngine;
    const std::function<void()> m_before;
    bool m_isAsked = false;
};

} // namespace trainyard::cli
