// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <QJsonObject>
#include <QObject>
#include <QSet>

#include <functional>

namespace trainyard::cli
{

// The commands that say whether the large work folder of a job that waits for that is copied (docs/hosts.md, "Code").
QString howToAnswerCopy(const JobSummary &job);

// Asks that on the terminal while jobs are watched: once for all that wait for the same folder.
class CopyAsker : public QObject
{
    Q_OBJECT
public:
    // Whether the question can be put to the user here.
    static bool canAsk();
    // `before` is called before something is written to the terminal. If no other client can answer (with an engine
    // inside the command), the answer without a terminal is no.
    CopyAsker(Session &session, bool isOwnEngine, const std::function<void()> &before);
    void look(const JobSummary &job); // which may have changed

private:
    void ask(const JobSummary &job);

    Session &m_session;
    const bool m_isOwnEngine;
    const std::function<void()> m_before;
    QSet<QString> m_asking; // jobs
    QList<std::pair<QJsonObject, bool>> m_answers; // what was asked about, less the host
    bool m_isInterrupted = false;
};

} // namespace trainyard::cli
