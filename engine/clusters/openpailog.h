// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/openpaiclient.h"
#include "engine/contract/mask.h"
#include "engine/hosts/copyroom.h"

#include <QStringList>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trainyard
{

// The part that was read of a file that grows elsewhere and can be read only by its address: from an offset where the
// server supports that, otherwise as a whole. Its last line feed is held back, because a server may add one that is not
// in the file. Pure.
class GrowingText
{
public:
    qint64 taken() const { return m_taken; }
    // The new part of an answer that begins at taken().
    QByteArray more(const QByteArray &bytes);
    // The new part of an answer that has the whole file. Nothing: it does not continue what was read, so it is another
    // file.
    std::optional<QByteArray> whole(const QByteArray &bytes);
    // The new part of an answer that has only the end. It starts at the beginning of a line if the answer does not
    // contain what was taken.
    QByteArray end(const QByteArray &tail);
    QByteArray rest(); // what is held back, when nothing more comes
    void restart(); // with another file

private:
    QByteArray take(const QByteArray &bytes);
    qint64 m_taken = 0;
    QByteArray m_last; // bytes of what was taken
    bool m_isLineFeedHeld = false;
};

// Copies the output of one task on an OpenPAI cluster into the folder of its try (docs/task-folder.md), with the values
// of secrets masked. It reads only on request.
class OpenPaiLog : public QObject
{
    Q_OBJECT
public:
    // Where the output is: retries of the cluster have others.
    struct Place {
        QString name; // of the job there
        int attempt = 0;
        QString role;
        int index = 0, taskAttempt = 0;
        friend bool operator==(const Place &, const Place &) = default;
    };
    OpenPaiLog(
        OpenPaiClient &client, const QString &folder, const QStringList &secrets, const CopyReserve &reserve = {});
    ~OpenPaiLog() override;
    bool isBusy() const { return m_isBusy; }
    bool knowsPlaces() const { return m_knowsPlaces; } // otherwise each look costs all of it
    qint64 bytes() const { return m_bytes; } // that are here
    bool lacksRoom() const { return m_lacksRoom; } // on this disk, for what has been read
    bool wasHad() const { return m_wasHad; } // at the last look: nothing failed that may succeed another time
    void look(const Place &place, const std::function<void()> &then);
    void end(); // nothing more comes

private:
    struct File {
        QString there, here; // names
        GrowingText text;
        bool isBegun = false;
        QString uri, rotatedUri; // where it is now
        std::string unwritten = {}; // that did not fit on the disk
    };
    void listed(const OpenPaiClient::Answer &answer);
    void fetch(std::size_t which);
    void fetched(std::size_t which, const OpenPaiClient::Answer &answer);
    void takeRotated(std::size_t which);
    void takeEnd(std::size_t which);
    void append(File &file, const QByteArray &bytes);
    void write(File &file, const std::string &bytes);
    bool writeRest(File &file); // false: there is no room; it is kept
    bool writeIndex(qint64 offset, const std::string &bytes);
    void finish();

    OpenPaiClient &m_client;
    QString m_folder;
    contract::Secrets m_secrets;
    CopyReserve m_reserve;
    std::vector<File> m_files;
    std::vector<contract::Masker> m_maskers; // of m_files
    Place m_place;
    bool m_isBusy = false, m_wasHad = false, m_knowsPlaces = true, m_atLineBegin = true, m_lacksRoom = false;
    qint64 m_bytes = 0;
    std::function<void()> m_then;
};

} // namespace trainyard
