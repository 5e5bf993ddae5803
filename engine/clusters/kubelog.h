// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/mask.h"
#include "engine/hosts/copyroom.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <functional>

namespace trainyard
{
namespace kube
{

struct LogLine {
    qint64 timeNs = 0; // UTC
    QByteArray text; // with its line feed, unless it is the last and not complete
    friend bool operator==(const LogLine &, const LogLine &) = default;
};
// The lines of "kubectl logs --timestamps". A last line without an end is complete only when nothing more comes.
QList<LogLine> logLines(const QByteArray &said, bool isAll);
bool hasTime(const QList<LogLine> &lines, qint64 timeNs);
// The lines that follow the line with this time, which was taken last. They are in their order, whatever their times
// are, because the clock of the node may have been set back. If that line is missing, the younger lines.
QList<LogLine> newLines(const QList<LogLine> &lines, qint64 lastNs);
QString sinceTime(qint64 timeNs); // as kubectl takes it

// The result of comparing the last lines of an output when the clock of the node may have been set back.
struct Tail {
    QList<LogLine> fresh; // those behind the line that was taken last
    bool isAll = false; // behind them the output of a program that has ended has nothing more
    qint64 again = 0; // the number of lines to ask for instead; 0: asking is of no use
};
struct TailAsked {
    qint64 lines = 0; // one alone shows whether the clock was set back
    qint64 mostBytes = 0; // what is behind them is cut off
    bool isLast = false; // the program had ended before they were asked for
    bool isNarrowed = false; // more lines were asked for before, and those that came were here
};
// `areTaken`: whether lines are here, by all their times. It is asked only where the line that was taken last may be
// behind a cut.
Tail tailOf(const QByteArray &said, const TailAsked &asked, qint64 lastNs,
    const std::function<bool(const QList<LogLine> &)> &areTaken);

} // namespace kube

// The copy of a pod's output in the folder of its try, in the form that every log has there (docs/task-folder.md).
class KubeLog
{
public:
    // Continues what is there already. Values of `secrets` are hidden, also as programs spell them, and over several
    // lines.
    KubeLog(const QString &folder, const QStringList &secrets, const CopyReserve &reserve = {});
    // False: they could not be written, and have to be asked for again. Unless these are all that come, the last ones
    // are left out when a value may go on behind them; they are to be asked for again with what follows.
    bool append(const QList<kube::LogLine> &lines, bool isAll = true);
    bool lacksRoom() const { return m_lacksRoom; } // on this disk, at the newest append()
    bool hasTaken(const QList<kube::LogLine> &lines) const; // not one or two that have the times of others by chance
    void skipSecond(); // the rest of the second of the newest line is left out
    qint64 lastNs() const { return m_lastNs; } // the time of the line that was taken last; 0: none
    qint64 bytes() const { return m_bytes; }

private:
    QByteArray hidden(const QByteArray &lines) const;
    QList<qsizetype> borders(const QList<kube::LogLine> &lines, bool isAll) const;

    QString m_folder;
    contract::Secrets m_secrets;
    qint64 m_lastNs = 0, m_bytes = 0, m_records = 0; // of the index
    CopyReserve m_reserve;
    bool m_isLineBegun = false, m_lacksRoom = false;
};

} // namespace trainyard
