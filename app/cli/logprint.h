// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/loglines.h"
#include "engine/api/values.h"

#include <QObject>
#include <QSet>
#include <QTimer>

#include <deque>
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

// Follows logs as they are added, lines in the order of their times as far as they have arrived, on stdout. The logs of
// one label come one after the other. One that is followed by another is given up when nothing came for a while and it
// is still not complete (its host is away).
class LogFollow : public QObject
{
    Q_OBJECT
public:
    explicit LogFollow(const LogStyle &style, QObject *parent = nullptr);
    ~LogFollow() override;

    enum class From { Start, Tail };

    // The same folder again is nothing new. `beginning` is said on stderr before its first line. Tail: of what is there
    // now only as many lines as the style wants.
    void add(const LogSource &source, const QString &beginning = {}, From from = From::Start);
    // What is added from now on comes after everything before. `beginning` is said between them.
    void addBorder(const QString &beginning);
    // No more sources come: done() follows when all that was added is written.
    void close();

Q_SIGNALS:
    void done();
    void outputEnded(); // nothing more can be written, or nobody reads it

private:
    struct Followed;
    struct Chain;
    struct Stage;
    void look();
    void wake();
    bool readLines(Chain &chain, bool isLast);
    bool goOn();

    struct Arrived {
        qint64 timeNs;
        QByteArray text;
    };
    LogStyle m_style;
    QTimer m_timer;
    std::deque<std::unique_ptr<Stage>> m_stages; // the first is read; never empty
    QSet<QString> m_folders;
    std::vector<Arrived> m_arrived; // read in this look
    int m_interval;
    bool m_closed = false;
};

} // namespace trainyard::cli
