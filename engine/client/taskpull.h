// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/taskfiles.h"
#include "engine/bring/filebringer.h"

#include <QObject>
#include <QPointer>

#include <memory>

namespace trainyard
{

class EngineClient;

// Copies a task's files at the user's request, wherever the task ran or runs: it lists them first, then copies them.
// Used once. Nothing blocks except the destructor, which waits for pending work of the disk; retire() does not.
class TaskPull : public QObject
{
    Q_OBJECT
public:
    struct Wanted {
        QString job, role; // the job's UUID
        int index = 0;
        qint64 order = 0; // of the task's newest try (bringOrder())
        QStringList globs;
        QString to; // an absolute folder
        bool isOurs = false; // a folder of results: git is kept out of it
        bool madeOnly = false; // as of api::FilesWanted
        int attempt = newestThatRan;
    };
    TaskPull(EngineClient &client, Wanted wanted, QObject *parent = nullptr);
    ~TaskPull() override;
    const Wanted &wanted() const { return m_wanted; }

    void look(); // looked() or ended()
    void bring(); // after looked(); ended() comes in any case
    void cancel(); // nothing more is reported; incomplete files are removed
    void retire(); // cancel(), and deletes this object when the disk has finished

    // After looked():
    const api::TaskFileList &found() const { return m_found; }
    std::optional<Error> unreadable() const; // results.unreadable: of a folder among them
    const BringPlan &plan() const { return m_plan; } // what is not here yet
    qsizetype alreadyHere() const { return m_found.files.size() - m_plan.files.size() - m_plan.ofLater; }
    // After bring():
    qint64 bytesDone() const { return m_bringer ? m_bringer->bytesDone() : 0; }
    qsizetype filesDone() const { return m_filesDone; }
    QString
    newBook() const; // the file that it has made to note what was brought; empty: it was there, or there is none
    QString current() const { return m_bringer ? m_bringer->current() : QString(); }

Q_SIGNALS:
    void looked();
    void progressed();
    void brought(const QString &path, const QString &name, bool isBeside); // `name` below the folder here
    void kept(const QString &path, const QString &name); // the earlier file at its path, from another host
    void leftOut(const trainyard::Error &why);
    void ended(const trainyard::Error &why); // no code: all were tried

private:
    void take(const api::TaskFileList &found);

    EngineClient &m_client;
    const Wanted m_wanted;
    api::TaskFileList m_found;
    BringPlan m_plan;
    BringBook m_book;
    bool m_hadBook = false; // its file
    qsizetype m_filesDone = 0;
    std::unique_ptr<BringDisk> m_disk;
    std::unique_ptr<FileBringer> m_bringer;
    bool m_isOver = false;
};

} // namespace trainyard
