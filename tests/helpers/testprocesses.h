// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

// Living processes that have this word among their arguments or in their environment, as far as they may be seen.
QList<qint64> processesWith(const QByteArray &word);

// What a process has used of the processors so far; -1 when it is gone.
qint64 processorMs(qint64 pid);

// Looks of a keeper at the memory of its task, which nothing tells of: they are what it reads while the task is silent.
class KeeperLooks
{
public:
    // Of this keeper, at processes with this word in their environment.
    KeeperLooks(qint64 keeper, QByteArray word);
    // So many of them hold so much each, and the keeper has looked at all of them since.
    bool hasSeen(int processes, qint64 kib);

private:
    qint64 m_keeper = 0, m_readsBefore = -1, m_readsWanted = 0;
    QByteArray m_word;
};
