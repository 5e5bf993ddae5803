// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/logreader.h"

#include <QByteArray>
#include <QList>

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
    };
    virtual ~LogSource() = default;
    virtual qint64 size() = 0;
    virtual QByteArray read(qint64 offset, qint64 length) = 0;
    virtual std::optional<Origin> originAt(qint64 offset) = 0;
    virtual bool isComplete() = 0; // nothing more will come
};
using LogSourceFactory = std::function<std::unique_ptr<LogSource>()>;

// A try's output.log, or only what went to one stream; offsets count the bytes of what is shown. With both streams a
// line of one is never continued by the other: when stderr is in the middle of a line (a progress bar) and stdout
// writes, a line break is shown that is not in the file, and the later one of the file is left out.
class TryLogSource final : public LogSource
{
public:
    TryLogSource(const QString &folder, Filter filter);
    static LogSourceFactory factory(const QString &folder, Filter filter);
    qint64 size() override;
    QByteArray read(qint64 offset, qint64 length) override;
    std::optional<Origin> originAt(qint64 offset) override;
    bool isComplete() override { return m_reader.isComplete(); }

private:
    // A stretch of the file, or a line break that is not in the file.
    struct Run {
        qint64 at = 0; // offset in what is shown
        qint64 from = 0; // offset in the file
        qint64 length = 0;
        bool inserted = false;
    };
    void readRuns();
    void show(qint64 from, qint64 length);
    void showBoth(const LogReader::Record &record);
    qsizetype runAt(qint64 offset) const;
    LogReader m_reader;
    Filter m_filter;
    QList<Run> m_runs;
    qint64 m_recordsRead = 0;
    qint64 m_size = 0;
    // Of both streams together: which wrote the last line, whether it is unfinished, and which one's line was broken
    // off.
    LogReader::Stream m_lastStream = LogReader::Stream::Out;
    bool m_inLine = false;
    bool m_brokenOff[2] = {false, false};
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
