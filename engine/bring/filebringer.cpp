// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bring/filebringer.h"

#include "engine/contract/messages.h"

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 firstPieceBytes = 64 << 10, leastPieceBytes = 16 << 10;
constexpr int mostPieces = 4; // under way
constexpr int mostUnwritten = 8;
constexpr int mostRestarts = 3; // of a file that changes while it is read

bool isOfAll(const Error &error)
{
    return error.code == "results.no-room"_L1 || error.code == "results.folder-unwritable"_L1
        || error.code == "results.host-failed"_L1 || error.code == "host.gone"_L1;
}

bool isOfFile(const Error &error)
{
    return error.code == "results.vanished"_L1 || error.code == "results.unreadable"_L1;
}

} // namespace

FileBringer::FileBringer(BringDisk &disk, const Wanted &wanted, QObject *parent)
    : FileBringer(
        std::make_unique<DiskSink>(disk,
            BringPlace{wanted.folder, wanted.writer, BringPlace::bootOfThisComputer(), wanted.host}, wanted.order),
        wanted, parent)
{
}

FileBringer::FileBringer(std::unique_ptr<BringSink> sink, Wanted wanted, QObject *parent)
    : QObject(parent), m_sink(std::move(sink)), m_wanted(std::move(wanted)), m_pieceBytes(firstPieceBytes)
{
    for (const BringFile &file : std::as_const(m_wanted.files)) {
        m_wantedBytes += file.bytes;
    }
    m_clock.start();
}

template <typename T, typename Do> auto FileBringer::later(Do what)
{
    return [self = QPointer<FileBringer>(this), serial = m_serial, what](const Result<T> &said) {
        if (self && serial == self->m_serial) {
            what(said);
        }
    };
}

void FileBringer::start()
{
    m_sink->tidy(m_wanted.files);
    next();
}

void FileBringer::cancel(Part part)
{
    if (!m_isOver && part == Part::Drop && !m_file.path.isEmpty()) {
        m_sink->drop(m_file);
    }
    m_isOver = true;
    ++m_serial;
}

void FileBringer::dropPart()
{
    if (m_isOver && !m_file.path.isEmpty()) {
        m_sink->drop(m_file);
    }
}

void FileBringer::end(const Error &why)
{
    if (!m_isOver) {
        m_isOver = true;
        ++m_serial;
        Q_EMIT ended(why);
    }
}

void FileBringer::next()
{
    if (m_isOver) {
        return;
    }
    if (m_wanted.files.isEmpty()) {
        m_file = {};
        end({});
        return;
    }
    m_file = m_wanted.files.takeFirst();
    m_restarts = 0;
    begin();
}

void FileBringer::begin()
{
    ++m_serial;
    m_asked = m_taken = m_written = 0;
    m_early.clear();
    m_open = m_writing = 0;
    m_sink->begin(m_file, later<qint64>([this](const Result<qint64> &there) {
        if (!there) {
            leaveOut(there.error());
            return;
        }
        m_asked = m_taken = m_written = *there;
        if (m_written == m_file.bytes) {
            place();
        } else {
            askMore();
        }
    }));
}

void FileBringer::askMore()
{
    while (!m_isOver && m_open < m_mostOpen && m_writing < m_mostWriting && m_asked < m_file.bytes) {
        const qint64 offset = m_asked;
        const qint64 bytes = std::min(m_pieceBytes, m_file.bytes - offset);
        m_asked += bytes;
        ++m_open;
        const int serial = m_serial;
        m_wanted.read(m_file.path, offset, bytes,
            [self = QPointer<FileBringer>(this), serial, offset, bytes, began = m_clock.elapsed()](
                const Result<BringPiece> &piece) {
                if (self && serial == self->m_serial) {
                    self->noteSpeed(self->m_clock.elapsed() - began);
                    self->take(offset, bytes, piece);
                }
            });
        if (serial != m_serial) {
            return; // it was answered at once
        }
    }
}

void FileBringer::noteSpeed(qint64 ms)
{
    constexpr qint64 fastMs = 250, slowMs = 1000;
    --m_open;
    if (ms > slowMs) {
        m_mostOpen = 1;
        m_pieceBytes = std::max(leastPieceBytes, m_pieceBytes / 2);
    } else if (ms < fastMs) {
        m_mostOpen = m_pieceBytes == contract::mostPieceBytes ? mostPieces : m_mostOpen;
        m_pieceBytes = std::min<qint64>(contract::mostPieceBytes, 2 * m_pieceBytes);
    }
}

void FileBringer::take(qint64 offset, qint64 asked, const Result<BringPiece> &piece)
{
    if (!piece) {
        if (isOfFile(piece.error())) {
            leaveOut(piece.error());
        } else {
            end(piece.error());
        }
        return;
    }
    if (piece->size != m_file.bytes || piece->changedNs != m_file.changedNs || piece->bytes.size() != asked) {
        restart(piece->size, piece->changedNs);
        return;
    }
    m_early.emplace(offset, piece->bytes);
    writeArrived();
    askMore();
}

void FileBringer::restart(qint64 bytes, qint64 changedNs)
{
    m_sink->drop(m_file);
    const qint64 more = bytes - m_file.bytes;
    const bool isTooLarge = bytes < 0 || bytes > mostFileBytes || (m_wanted.fileBytes > 0 && bytes > m_wanted.fileBytes)
        || (m_wanted.spareBytes >= 0 && more > m_wanted.spareBytes);
    if (++m_restarts > mostRestarts || isTooLarge) {
        leaveOut({u"results.changes"_s, {{u"path"_s, m_file.path}}});
        return;
    }
    if (m_wanted.spareBytes >= 0) {
        m_wanted.spareBytes -= more;
    }
    m_wantedBytes += more;
    m_file.bytes = bytes;
    m_file.changedNs = changedNs;
    begin();
}

void FileBringer::noteWritten(qint64 ms)
{
    constexpr qint64 fastMs = 250, slowMs = 1000;
    --m_writing;
    if (ms > slowMs) {
        m_mostWriting = 1;
        m_pieceBytes = std::max(leastPieceBytes, m_pieceBytes / 2);
    } else if (ms < fastMs) {
        m_mostWriting = std::min(mostUnwritten, m_mostWriting + 1);
    }
}

void FileBringer::writeArrived()
{
    for (auto it = m_early.find(m_taken); it != m_early.end(); it = m_early.find(m_taken)) {
        const QByteArray bytes = it->second;
        const qint64 offset = m_taken;
        const int serial = m_serial;
        m_early.erase(it);
        m_taken += bytes.size();
        ++m_writing;
        m_sink->add(m_file, offset, bytes,
            later<void>([this, began = m_clock.elapsed(), end = offset + bytes.size()](const Result<void> &added) {
                noteWritten(m_clock.elapsed() - began);
                if (!added) {
                    leaveOut(added.error());
                    return;
                }
                const int before = m_serial;
                m_written = end;
                Q_EMIT progressed();
                if (before != m_serial) {
                    return;
                }
                if (m_written == m_file.bytes) {
                    place();
                } else {
                    askMore();
                }
            }));
        if (serial != m_serial) {
            return; // it was answered at once
        }
    }
}

void FileBringer::place()
{
    ++m_serial;
    const auto known = m_wanted.book.constFind(m_file.path);
    const std::optional<KnownFile> former
        = known == m_wanted.book.cend() ? std::nullopt : std::optional<KnownFile>(*known);
    m_sink->place(m_file, former, later<bringing::Placed>([this](const Result<bringing::Placed> &placed) {
        const int serial = m_serial;
        if (!placed && placed.error().code == "results.mismatch"_L1) {
            restart(m_file.bytes, m_file.changedNs);
            return;
        }
        if (!placed) {
            leaveOut(placed.error());
            return;
        }
        m_done += m_file.bytes;
        m_asked = m_taken = m_written = 0;
        ++m_filesDone;
        m_wanted.book.insert(m_file.path, placed->known);
        Q_EMIT brought(m_file.path, placed->known, placed->isBeside);
        if (serial == m_serial) {
            Q_EMIT progressed();
        }
        if (serial == m_serial) {
            next();
        }
    }));
}

// The others may succeed, unless there is no room for any of them, or they are no longer wanted.
void FileBringer::leaveOut(const Error &why)
{
    if (isOfAll(why)) {
        end(why);
        return;
    }
    m_sink->drop(m_file);
    const int serial = ++m_serial;
    m_wantedBytes -= m_file.bytes;
    m_written = 0;
    if (why.code != "results.vanished"_L1) {
        Q_EMIT failed(why);
    }
    if (serial == m_serial) {
        next();
    }
}

} // namespace trainyard
