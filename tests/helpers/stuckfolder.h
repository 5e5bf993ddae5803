// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <memory>

class QSocketNotifier;

// A folder in which nobody who asks for a file ever gets an answer, not even by a signal, as on a dead disk. It is a
// file system of its own (FUSE), so it needs root. The event loop has to run meanwhile.
class StuckFolder
{
public:
    explicit StuckFolder(const QString &path); // made when it is not there
    ~StuckFolder(); // lets go of whoever waits
    StuckFolder(const StuckFolder &) = delete;
    StuckFolder &operator=(const StuckFolder &) = delete;

    // Empty when it is there, else why not.
    const QString &problem() const { return m_problem; }
    int waiting() const { return m_waiting; } // how many have asked
    void release();

private:
    QString m_path, m_problem;
    int m_device = -1;
    int m_waiting = 0;
    std::unique_ptr<QSocketNotifier> m_notifier;

    void read();
    void answer(quint64 request, int error, const QByteArray &bytes = {}) const;
};
