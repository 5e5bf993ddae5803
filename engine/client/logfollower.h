// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/logreader.h"

#include <QObject>
#include <QTimer>

namespace trainyard
{

// Follows a try's output.log: first what is there, then what comes. It polls the size of the file, often while the log
// grows and seldom while it does not. (inotify reports nothing on some file systems, and an fstat takes a microsecond.)
// The folder and its files need not exist yet.
class LogFollower : public QObject
{
    Q_OBJECT
public:
    explicit LogFollower(const QString &folder, QObject *parent = nullptr);

    void start(qint64 offset = 0);
    void stop();
    QString folder() const { return m_reader.folder(); }
    qint64 offset() const { return m_offset; } // of the next byte
    bool isFinished() const { return m_finished; }
    LogReader &reader() { return m_reader; }

Q_SIGNALS:
    void grown(qint64 offset, const QByteArray &bytes); // at most 256 KiB at a time
    // These bytes are gone: the log had exceeded its limit and grew faster than it was read.
    void skipped(qint64 from, qint64 to);
    void finished(); // the exit record is there and every byte was given

private:
    void look();

    LogReader m_reader;
    QTimer m_timer;
    qint64 m_offset = 0;
    int m_interval;
    bool m_finished = false;
};

} // namespace trainyard
