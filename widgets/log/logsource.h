// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/lanemerge.h"

#include <QByteArray>
#include <QList>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>

namespace trainyard
{

// A log as one stream of bytes that may grow. Not thread-safe: each thread makes its own with the same factory.
class LogSource
{
public:
    enum class Filter { Both, Out, Err };
    struct Origin {
        qint64 timeNs = 0; // UTC
        bool isError = false;
        bool clockStepped = false;
        int part = 0; // which of the tasks wrote it
    };
    // An unfinished line: it is after all others until it is finished.
    struct Live {
        QByteArray bytes; // its last state, or its beginning
        qint64 length = 0;
        Origin origin;
    };
    virtual ~LogSource() = default;
    virtual qint64 size() = 0;
    virtual QByteArray read(qint64 offset, qint64 length) = 0;
    virtual std::optional<Origin> originAt(qint64 offset) = 0; // of a byte
    // Of the line with these bytes. Lines are in the order in which they were finished: by their line feeds, of which
    // the one of this line is at `end`, unless it has none.
    std::optional<Origin> originOfLine(qint64 begin, qint64 end);
    virtual bool isComplete() = 0; // nothing more will come

    // The lines of sources that hold unfinished lines back; those of the others are in what they read.
    virtual QList<Live> liveLines() { return {}; }
    virtual quint64 liveState() { return 0; } // another one when these have changed
    virtual bool hasMore() { return false; } // size() did not look at all that is there yet
    virtual quint64 restarts() { return 0; } // how often everything that was read before became void

    // The meaning of its line numbers: they count its own lines, or those of a log of which it is a part. Or they are
    // unknown, because the lines before its first one are not read.
    enum class Numbers { Own, OfWhole, Unknown };
    virtual Numbers numbers() const { return Numbers::Own; }
    // OfWhole: which line of that, from 0, the one is that begins here; nothing: it is none of its lines.
    virtual std::optional<qint64> wholeLineAt(qint64) { return {}; }
};
using LogSourceFactory = std::function<std::unique_ptr<LogSource>()>;

// The output of one try, or those of several as one log in the order of time, or only the lines of one stream, or of a
// span of time; offsets count the shown bytes. LaneMerge describes how. Sources of one factory share their data about
// the files.
class TryLogSource final : public LogSource
{
public:
    struct Choice {
        QStringList folders; // of the tries
        Filter filter = Filter::Both;
        std::optional<LogTimeRange> range;
        friend bool operator==(const Choice &, const Choice &) = default;
    };
    explicit TryLogSource(const Choice &choice);
    TryLogSource(const QString &folder, Filter filter) : TryLogSource(Choice{{folder}, filter, {}}) { }
    ~TryLogSource() override;
    static LogSourceFactory factory(const Choice &choice);
    static LogSourceFactory factory(const QString &folder, Filter filter)
    {
        return factory(Choice{{folder}, filter, {}});
    }
    qint64 size() override;
    QByteArray read(qint64 offset, qint64 length) override;
    std::optional<Origin> originAt(qint64 offset) override;
    bool isComplete() override;
    QList<Live> liveLines() override;
    quint64 liveState() override;
    bool hasMore() override;
    quint64 restarts() override;
    Numbers numbers() const override;

private:
    struct Shared;
    class Files;
    explicit TryLogSource(std::shared_ptr<Shared> shared);
    void advance();
    QByteArray readRun(const LogRuns::Run &run, qint64 skip, qint64 wanted);
    std::shared_ptr<Shared> m_shared;
    std::unique_ptr<Files> m_files;
};

// The runtime.log of a try: what happened before and after its commands.
class RuntimeLogSource final : public LogSource
{
public:
    explicit RuntimeLogSource(const QString &folder) : m_reader(folder) { }
    static LogSourceFactory factory(const QString &folder);
    qint64 size() override { return m_reader.runtimeSize(); }
    QByteArray read(qint64 offset, qint64 length) override { return m_reader.readRuntime(offset, length); }
    std::optional<Origin> originAt(qint64) override { return {}; }
    bool isComplete() override { return m_reader.isComplete(); }

private:
    LogReader m_reader;
};

} // namespace trainyard
