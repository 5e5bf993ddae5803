// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <vector>

namespace trainyard
{

// Writes small files that have to be on the disk before something is done, many at once. On another thread, and with
// one wait for the disk: a wait for each of a thousand of them would take seconds.
class NoteWriter : public QObject
{
    Q_OBJECT
public:
    struct Note {
        QString file; // in a folder that is there
        QByteArray text;
    };
    NoteWriter();
    ~NoteWriter() override; // waits for what is being written

    // Each of them is written atomically. `then` is called later on the thread of this object, when all are on the disk
    // or one could not be written, and not at all when this object is gone. They are written in the order of the
    // requests. Code: slurm.folder {folder, message}.
    using Then = std::function<void(const Result<void> &)>;
    void write(std::vector<Note> notes, const Then &then);

private:
    QThreadPool m_thread; // one
};

} // namespace trainyard
