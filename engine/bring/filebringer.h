// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bring/bringsink.h"

#include <QElapsedTimer>

#include <map>
#include <memory>

namespace trainyard
{

// A piece of a file, with what the file was when it was read.
struct BringPiece {
    QByteArray bytes;
    qint64 size = 0, changedNs = 0;
};

// Brings files into a folder here, or wherever a sink puts them, one after the other, from wherever `read` has them.
// Few small pieces are under way at first, and more if the connection is fast. A file that changes while it is read is
// started over. Used once; deleted by its owner when it has ended, or at any time before.
class FileBringer : public QObject
{
    Q_OBJECT
public:
    using Answer = std::function<void(const Result<BringPiece> &piece)>;
    // The answer comes later or at once, once. Errors about the file itself are results.vanished and results.unreadable
    // {path, reason}; any other error ends everything.
    using Read = std::function<void(const QString &path, qint64 offset, qint64 bytes, const Answer &answer)>;
    struct Wanted {
        Read read;
        QString folder; // here; a sink knows its own
        QList<BringFile> files;
        BringBook book; // what was brought into that folder before
        qint64 order = 0; // as in KnownFile
        qint64 fileBytes = 0; // that one may have when it has grown meanwhile; 0: any
        qint64 spareBytes = -1; // by which all together may grow meanwhile; less than 0: any
        QString writer = QStringLiteral("engine"); // as in BringPlace
        QString host = {}; // the same
    };
    FileBringer(BringDisk &disk, const Wanted &wanted, QObject *parent = nullptr);
    FileBringer(std::unique_ptr<BringSink> sink, Wanted wanted, QObject *parent = nullptr);
    void start();
    enum class Part { Keep, Drop };
    void cancel(Part part); // it reports nothing more; a part that is kept is continued later
    void dropPart(); // after ended(): the part of what was not brought to its end is not continued

    qint64 bytesDone() const { return m_done + m_written; }
    qint64 bytesWanted() const { return m_wantedBytes; }
    qsizetype filesDone() const { return m_filesDone; }
    QString current() const { return m_file.path; }

Q_SIGNALS:
    void progressed();
    void brought(const QString &path, const trainyard::KnownFile &known, bool isBeside);
    // It is left out: results.changes {path}, results.unreadable, results.not-writable.
    void failed(const trainyard::Error &why);
    // No code: all were tried. Otherwise why the rest was not: host.gone, results.no-room, ...
    void ended(const trainyard::Error &why);

private:
    void next();
    void begin();
    void askMore();
    void take(qint64 offset, qint64 asked, const Result<BringPiece> &piece);
    void restart(qint64 bytes, qint64 changedNs);
    void writeArrived();
    void place();
    void leaveOut(const Error &why);
    void end(const Error &why);
    void noteSpeed(qint64 ms);
    void noteWritten(qint64 ms);
    // Handles the answer of a sink if it is still about this file and version.
    template <typename T, typename Do> auto later(Do what);

    const std::unique_ptr<BringSink> m_sink;
    Wanted m_wanted;
    BringFile m_file;
    int m_serial = 0; // of the file and its version: answers for others are late
    int m_restarts = 0;
    qint64 m_asked = 0, m_taken = 0, m_written = 0; // of the file
    std::map<qint64, QByteArray> m_early; // that arrived before the ones in front of them
    int m_open = 0, m_writing = 0; // pieces without an answer; those on their way to the disk
    int m_mostOpen = 1, m_mostWriting = 2;
    qint64 m_pieceBytes;
    QElapsedTimer m_clock;
    qint64 m_done = 0, m_wantedBytes = 0;
    qsizetype m_filesDone = 0;
    bool m_isOver = false;
};

} // namespace trainyard
