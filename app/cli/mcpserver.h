// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcparguments.h"
#include "app/cli/mcpfiles.h"
#include "app/cli/mcpprotocol.h"
#include "app/cli/mcptools.h"
#include "app/cli/mcpwatch.h"

#include <QElapsedTimer>
#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <map>
#include <memory>

namespace trainyard::cli::mcp
{

// Serves one assistant over standard input and output. Each call of a tool is answered by a command of trainyardctl in
// a separate process: a slow one does not delay others, can be cancelled, and affects nothing else when it ends. Only a
// subscription makes this process a client of the engine, one that only reads.
class Server : public QObject
{
    Q_OBJECT
public:
    explicit Server(const Roots &roots, Offered offered, QObject *parent = nullptr);
    ~Server() override;

    void start();

Q_SIGNALS:
    void finished(); // the assistant has ended

private:
    class Running;
    void readInput();
    void takeLine(const MessageLines::Line &line);
    void carryOut(const Outcome &outcome);
    void answer(qint64 number, const Found &found);
    void beginNext();
    Begun begun(const ToolCall &call) const;
    void lookUp(const Subscribing &subscribing);
    void watchOnlyWhatIsWanted();
    void tellUpdates();
    void endOfInput();
    void endWhenIdle();

    Roots m_roots;
    Offered m_offered;
    QString m_session; // by which the engine knows what this assistant has proposed
    Protocol m_protocol;
    MessageLines m_lines;
    QElapsedTimer m_clock;
    std::unique_ptr<QSocketNotifier> m_input;
    QList<ToolCall> m_waiting;
    std::map<qint64, std::unique_ptr<Running>> m_running; // by the number of the call
    std::unique_ptr<ResourceWatch> m_watch; // null: there is no subscription
    int m_lookups = 0; // that are not over
    QTimer m_updates; // until the next one is due
    bool m_isOver = false; // nothing more is asked
};

} // namespace trainyard::cli::mcp
