// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcptext.h"

#include <QByteArray>
#include <QJsonDocument>

#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace trainyard::cli::mcp
{

// How a command of trainyardctl ended.
struct CommandEnd {
    enum class How { Exited, Crashed, TimedOut, NotStarted, Enough };
    How how = How::Exited; // Enough: it was ended because its reader was full
    int status = 0;
    QByteArray err; // what it printed to stderr
};

// The error in the words of the command; empty if it has printed none.
QString complaintOf(const QByteArray &err);

// Reads what a command prints, while it runs.
class Collector
{
public:
    Collector() = default;
    virtual ~Collector() = default;
    Collector(const Collector &) = delete;
    Collector &operator=(const Collector &) = delete;

    virtual void take(QByteArrayView bytes) = 0;
    virtual bool isFull() const = 0; // the rest need not be printed
    virtual Found end(const CommandEnd &ended) = 0;

protected:
    // Why there is no result: the command failed. Nothing if it has not.
    static std::optional<Found> failure(const CommandEnd &ended);
};

// All of it as one text.
class WholeOutput : public Collector
{
public:
    static constexpr qsizetype mostBytes = qsizetype(16) << 20;

    using Read = std::function<Found(const QByteArray &out, const CommandEnd &ended)>;
    explicit WholeOutput(Read read) : m_read(std::move(read)) { }
    void take(QByteArrayView bytes) override;
    bool isFull() const override { return m_out.size() > mostBytes; }
    Found end(const CommandEnd &ended) override;

private:
    Read m_read;
    QByteArray m_out;
};

// JSON of a command; its message about a failure is returned as such.
std::unique_ptr<Collector> jsonOutput(std::function<Found(const QJsonDocument &json)> read);

// Lines of a log.
class LogOutput : public Collector
{
public:
    explicit LogOutput(const WantedLines &wanted) : m_window(wanted) { }
    void take(QByteArrayView bytes) override;
    bool isFull() const override { return m_window.isFull(); }
    Found end(const CommandEnd &ended) override;

private:
    LineWindow m_window;
    bool m_isEmpty = true;
};

// A curve of any length in little memory: its ends and extremes, and the extremes of stretches of it.
class Curve
{
public:
    explicit Curve(qsizetype points) : m_mostStretches(std::max<qsizetype>(1, points / 2)), m_isKept(points > 0) { }
    void add(double step, double value);
    QJsonObject json() const;

private:
    struct Point {
        double step = 0, value = 0;
        QJsonObject json() const { return {{QStringLiteral("step"), step}, {QStringLiteral("value"), value}}; }
    };
    struct Stretch {
        Point least, most;
        qint64 count = 0;
    };
    void keep(const Point &point);

    qsizetype m_mostStretches;
    bool m_isKept;
    qint64 m_count = 0, m_broken = 0; // points, and those of them that are not numbers
    std::optional<Point> m_first;
    Point m_last, m_least, m_most;
    QList<Stretch> m_stretches;
    qint64 m_width = 1; // points in each of them
};

struct WantedCurves {
    qsizetype points = 0; // of each curve; 0: only its summary
    qsizetype from = 0; // the first curve
};

// The lines of 'metrics --json'.
class MetricsOutput : public Collector
{
public:
    explicit MetricsOutput(const WantedCurves &wanted) : m_wanted(wanted) { }
    void take(QByteArrayView bytes) override;
    bool isFull() const override { return false; }
    Found end(const CommandEnd &ended) override;

private:
    void takeLine(QByteArray line);
    void takePoint(const QJsonObject &point);

    struct Named {
        QString axis, unit;
        Curve curve;
    };
    WantedCurves m_wanted;
    QByteArray m_begun;
    std::map<std::pair<QString, QString>, Named> m_curves; // by task and name
    QJsonArray m_progress;
    bool m_hasMore = false; // than so many curves
};

} // namespace trainyard::cli::mcp
