// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/lineprefix.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <memory>

namespace trainyard
{

// Writes what a log contains now into a file, on a thread of the pool. The file is replaced atomically, once everything
// is written. When the saver is deleted or cancelled, the writing stops and leaves nothing.
class LogSaver : public QObject
{
    Q_OBJECT
public:
    // `prefix`: what is written before each line.
    LogSaver(LogSourceFactory source, const QString &path, LinePrefix prefix = {}, QObject *parent = nullptr);
    ~LogSaver() override;
    QString path() const { return m_path; }
    void start();
    void cancel(); // nothing is said any more

Q_SIGNALS:
    void progressed(int percent);
    void finished(const QString &error); // in the system's words; empty: the file is there

private:
    LogSourceFactory m_source;
    QString m_path;
    LinePrefix m_prefix;
    std::shared_ptr<std::atomic_bool> m_cancelled;
};

} // namespace trainyard
