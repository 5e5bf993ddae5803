// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/linewriter.h"
#include "engine/api/values.h"
#include "widgets/text/terminaltext.h"

#include <QElapsedTimer>
#include <QObject>
#include <QSet>
#include <QTimer>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace trainyard::cli
{

struct LogSource {
    QString label; // worker/0
    QString folder;
};

// Says on stderr how much of the middle of a log is gone, if anything.
void sayCut(const QString &label, quint64 bytes);

// Writes what is there now to stdout, line by line, so that a line of one stream is never continued by the other; the
// logs of several tasks are merged by time.
void printLogs(const QList<LogSource> &sources, const LogStyle &style);

// Writes what was logged about the preparation of the tasks (prerequisites, the keeper), one task after the other.
void printRuntimeLogs(const QList<LogSource> &sources, bool labels);

// Follows logs as they are added and writes their lines to stdout, in the order of their times as far as they have
// arrived; with an exact style, which is for one log alone, in the order of its bytes. The logs of one label come one
// after the other. A log that is not complete and has a successor is given up when nothing comes for a while, because
// its host is away.
class LogFollow : public QObject
{
    Q_OBJECT
public:
    explicit LogFollow(const LogStyle &style, QObject *parent = nullptr);
    ~LogFollow() override;

    enum class From { Start, Tail };

    // Adding a folder again does nothing. `beginning` is written to stderr before its first line. With Tail, only as
    // many of the present lines are written as the style says.
    void add(const LogSource &source, const QString &beginning = {}, From from = From::Start);
    // Lines that are added from now on follow all earlier ones; `beginning` is written to stderr between them.
    void addBorder(const QString &beginning);
    // How many milliseconds the rest of a last log is waited for after its newest byte; nothing: as long as it takes.
    using Patience = std::function<std::optional<int>()>;
    // No more sources follow: done() is emitted when everything is written. Without a patience, the writers of the last
    // logs have ended.
    void close(Patience patience = {});
    // Stops following: writes the lines that have begun without an end, and ends the colours that are left open.
    void finish();
    // Whether none was given up.
    bool isWhole() const { return m_isWhole; }

Q_SIGNALS:
    void done();
    void outputEnded(); // nothing more can be written, or the reader has ended

private:
    struct Followed;
    struct Chain;
    struct Stage;
    void look();
    void wake();
    bool takeLines(Chain &chain, bool complete);
    bool readLines(Chain &chain, bool isLast);
    std::optional<int> patienceMs(const Chain &chain, bool isLast) const;
    void writeArrived();
    bool goOn();

    struct Arrived {
        std::size_t log; // of the writer
        LogLineReader::Line line;
    };
    LogStyle m_style;
    LineWriter m_writer;
    QTimer m_timer;
    std::deque<std::unique_ptr<Stage>> m_stages; // the first is read; never empty
    QSet<QString> m_folders;
    std::vector<Arrived> m_arrived; // read in this look
    QElapsedTimer m_clock;
    int m_interval;
    bool m_closed = false;
    Patience m_patience;
    bool m_isWhole = true;
};

} // namespace trainyard::cli
