// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QObject>
#include <QStringList>

#include <functional>

namespace trainyard
{

class EngineClient;

// The words that run `program` in a terminal of the desktop: $TERMINAL if it is set, else the first one that is
// installed. Empty: there is none. `find` gives the path of a program, or nothing.
QStringList terminalCommand(
    const QString &wanted, const QStringList &program, const std::function<QString(const QString &name)> &find);

// What runs in the terminal: beside a running task a shell in its environment; of another one a shell in its folder, by
// ssh where its host is not this computer.
QStringList shellInFolder(const TaskFolder &folder, const QString &shell);

// Terminals at the places of tasks.
class TaskTerminals : public QObject
{
    Q_OBJECT
public:
    TaskTerminals(EngineClient *client, QObject *parent);
    // What fails is told by `problem`, as a sentence.
    void open(const JobSummary &job, const TaskInfo &task, const std::function<void(const QString &sentence)> &problem);

private:
    EngineClient *m_client;
};

} // namespace trainyard
