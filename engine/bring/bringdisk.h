// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bring/bringplan.h"
#include "model/base/result.h"

#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include <functional>

namespace trainyard
{

// Where files come to, and which process brings them: the parts of two writers are apart.
struct BringPlace {
    QString folder;
    QString writer; // in the names of its parts; letters and digits, "p" and the number of a process for one of those
    // After a loss of power it is not known what of a part reached the disk: it is of one boot of this computer.
    QString boot = bootOfThisComputer();
    QString host = {}; // from which they come; empty: not known
    static QString bootOfThisComputer();
};

// Files that are on their way to a folder here. A file grows beside its place, under a name that says of which version
// it is, so that it can continue after an interruption or a restart; an incomplete file never has its name. Errors of
// all functions: results.no-room {folder} and results.folder-unwritable {folder, reason}, which are of all files, and
// results.not-writable {path, reason}.
namespace bringing
{

// Removes parts of this writer that belong to none of the files, in the folders of these, and those of processes that
// have been gone for long.
void tidyParts(const BringPlace &place, const QList<BringFile> &files);
// Begins the file, or continues it: how much of this version is here already.
Result<qint64> beginPart(const BringPlace &place, const BringFile &file);
Result<void> addToPart(const BringPlace &place, const BringFile &file, qint64 offset, const QByteArray &bytes);
void dropPart(const BringPlace &place, const BringFile &file);

struct Placed {
    KnownFile known;
    bool isBeside = false; // the file of that name was not brought by Trainyard, or was changed since
};
// Gives it its name. A file there is replaced only if it is as it was brought (`former`). If it came from another host,
// and what comes does not continue it, it is kept beside it.
Result<Placed> placePart(
    const BringPlace &place, const BringFile &file, qint64 order, const std::optional<KnownFile> &former);

// The files that were brought into a folder are recorded there, in a hidden file, for later copies.
QString bookFile(const QString &folder);
BringBook readBook(const QString &folder);
void writeBook(const QString &folder, const BringBook &book);
// Adds the files that are here as they are there, though this was not noted.
void addFound(const QString &folder, const QList<BringFile> &files, BringBook &book);
void dropMissing(const QString &folder, BringBook &book); // which the user has removed here since

// Keeps git, and the copy of a work folder, from including what is in a folder of Trainyard.
void hideFromGit(const QString &folder);

} // namespace bringing

// A thread for work that waits for the disk. Requests are carried out in their order.
class BringDisk : public QObject
{
    Q_OBJECT
public:
    BringDisk();
    ~BringDisk() override; // waits for what is being done

    // `work` runs on that thread; what it returns runs on this one, unless `context` is gone then.
    void run(QObject *context, std::function<std::function<void()>()> work);

private:
    QThreadPool m_thread;
};

} // namespace trainyard
