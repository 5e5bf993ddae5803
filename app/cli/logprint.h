// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/loglines.h"
#include "engine/api/values.h"

#include <QObject>
#include <QSet>
#include <QTimer>

#include <memory>
#include <vector>

namespace trainyard::cli
{

struct LogStyle {
    LogLines::Streams streams;
    bool timestamps = false;
    bool labels = true; // "worker-0 | " before each line
    qint64 tail = -1; // lines of each log; -1: all
};

struct LogSource {
    QString label; // worker-0
    QString folder;
};
QString taskLabel(const TaskInfo &task);

// What is there now, on stdout: one log's bytes as they are when nothing is to be added to them, several merged by
// time.
void printLogs(const QList<LogSource> &sources, const LogStyle &style);

// What was said about the preparation of the tasks (prerequisites, the keeper), one task after the other.
void printRuntimeLogs(const QList<LogSource> &sources, bool labels);

// Follows logs as they are added, lines in the order of their times as far as they have arrived, on stdout.
class LogFollow : public QObject
{
    Q_OBJECT
public:
    explicit LogFollow(const LogStyle &style, QObject *parent = nullptr);
    ~LogFollow() override;

    void add(const LogSource &source); // the same folder again is nothing new
    // No more sources come: done() follows when every log is complete, or when those that are not (their host is away)
    // have said nothing for a while.
    void close();

Q_SIGNALS:
    void done();
    void outputFailed(); // nothing more can be written

private:
    struct Followed;
    void look();

    LogStyle m_style;
    QTimer m_timer;
    std::vector<std::unique_ptr<Followed>> m_followed;
    QSet<QString> m_folders;
    int m_interval;
    int m_quiet = 0; // milliseconds without a line after close()
    bool m_closed = false;
};

} // namespace trainyard::cli
