// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <QStringList>
#include <QTimer>

#include <chrono>

namespace trainyard
{

// Jobs that the user removes, and may want back: they are out of sight at once, and removed when some seconds have
// passed without a regret. What is removed meanwhile joins them, and the time begins again.
class PendingRemovals : public QObject
{
    Q_OBJECT
public:
    explicit PendingRemovals(std::chrono::milliseconds grace, QObject *parent = nullptr);

    void add(const QStringList &uuids); // those that are here already stay as they are
    void undo(); // all that wait
    void undoOf(const QString &uuid); // the others wait on
    void flush(); // nothing waits any longer: the program ends
    void settled(const QString &uuid); // it is gone, or could not be removed and is back
    QStringList waiting() const { return m_waiting; } // can be restored, in the order of their arrival
    QSet<QString> hidden() const; // waiting, or being removed now

Q_SIGNALS:
    void changed();
    void due(const QStringList &uuids); // each once: to be removed now, and settled() afterwards

private:
    QTimer m_timer;
    QStringList m_waiting;
    QSet<QString> m_sent;
};

} // namespace trainyard
