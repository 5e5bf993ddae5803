// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/notewriter.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"
#include "model/base/threads.h"

#include <QFileInfo>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

Result<void> noteFailed(const QString &file, int error)
{
    return fail(u"slurm.folder"_s,
        {{u"folder"_s, QFileInfo(file).path()}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}});
}

// Flushes the file system of this file, unless its contents are known to be on the disk. 0 or errno.
int syncNote(const std::string &file, std::set<dev_t> &synced)
{
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat about = {};
    if (fd < 0) {
        return errno;
    }
    int error = ::fstat(fd, &about) == 0 ? 0 : errno;
    if (error == 0 && !synced.contains(about.st_dev)) {
        if (::syncfs(fd) == 0) {
            synced.insert(about.st_dev);
        } else { // not every file system can
            error = ::fdatasync(fd) == 0 ? 0 : errno;
        }
    }
    ::close(fd);
    return error;
}

Result<void> writeNotes(const std::vector<NoteWriter::Note> &notes)
{
    for (const NoteWriter::Note &note : notes) {
        const std::string file = pathBytes(note.file);
        if (const int error = contract::writeAtomically(file, note.text.toStdString(), false)) {
            return noteFailed(note.file, error);
        }
    }
    std::set<dev_t> synced; // nearly always there is one
    for (const NoteWriter::Note &note : notes) {
        if (const int error = syncNote(pathBytes(note.file), synced)) {
            return noteFailed(note.file, error);
        }
    }
    return {};
}

} // namespace

NoteWriter::NoteWriter() { m_thread.setMaxThreadCount(1); }

NoteWriter::~NoteWriter() { m_thread.waitForDone(); }

void NoteWriter::write(std::vector<Note> notes, const Then &then)
{
    threads::runOnPool([this, notes = std::move(notes),
                           then] { threads::callLater(this, [then, result = writeNotes(notes)] { then(result); }); },
        &m_thread);
}

} // namespace trainyard
