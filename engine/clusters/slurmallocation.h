// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/notewriter.h"
#include "engine/contract/leadplan.h"
#include "engine/contract/messages.h"
#include "engine/core/jobstate.h"
#include "model/base/result.h"

#include <QString>
#include <QUuid>

#include <map>
#include <optional>
#include <vector>

namespace trainyard
{

// One submission to the cluster, by its folder, which outlives the engine: what it is to run, that it was sent, and
// under which number. Its tries name the folder in theirs.
//
// Large because each of its files is read or written by its own short method.
class SlurmAllocation
{
public:
    // `folder` is the folder of its name below one of the job.
    SlurmAllocation(const QString &folder, contract::LeadPlan plan);
    static std::optional<SlurmAllocation> load(const QString &folder);
    static QString allocationsOf(const QString &jobFolder); // where those of a job have theirs
    static QStringList submittedIn(const QString &jobFolder); // their ids at the cluster; the oldest first
    // The folder of its allocation that a try has noted, and its position in the plan.
    struct Link {
        QString folder;
        int position = -1;
    };
    static std::optional<Link> linkOf(const QString &tryFolder);
    // The errno because of which it cannot be determined now whether a try has an allocation, and which. 0: it can.
    static int unreadError(const QString &tryFolder);
    static std::optional<contract::LeadPlaces::Place> placeOfTry(const QString &tryFolder); // that was placed

    // Everything, before it is sent. Code: slurm.folder {folder, message}.
    Result<void> write(const QByteArray &script, const std::vector<contract::Launch> &launches) const;
    // Whether an error of it passes: the disk is full, or its server does not answer.
    static bool mayWriteLater(const Error &why);
    // For a cluster whose files are written there by a login node: the files of the folder in their order, of which the
    // plan is last; and what this computer keeps of them, which has no secrets. Codes as of write().
    struct Part {
        QString name;
        QByteArray bytes;
    };
    Result<std::vector<Part>> parts(const QByteArray &script, const std::vector<contract::Launch> &launches) const;
    Result<void> writeKept(const QString &loginHost) const;
    static QString loginHostOf(const QString &folder); // that it was kept for; empty: none
    void removeLaunches() const; // of tasks that never began: they may hold secrets
    static void removeLaunches(
        const QString &jobFolder); // of all allocations of a job, also of those that are not whole

    const QString &folder() const { return m_folder; }
    QString scriptFile() const;
    QString comment() const; // by which the cluster knows it
    QStringList comments() const; // the same, when it may know it from an array that it was sent in before
    const contract::LeadPlan &plan() const { return m_plan; }
    QUuid tryAt(int position) const; // the newest one that is known
    QString tryFolder(int position) const; // its folder on this computer
    // A task may be tried again in the allocation. Makes this try the newest one; false: it is not one of that task.
    bool takeUp(int position, const QUuid &tryUuid);
    bool isFollowed(int position) const; // the lead follows the newest try with another one
    bool isUndecided(int position) const; // or it has still to say so
    bool mayStartAnother(int position) const; // it has neither ended nor, as far as is seen, heard that it is to
    // Lets the try that follows the newest one be found, as write() does it with the first ones. Its UUID, or nothing:
    // there is none, or its folder cannot be written.
    std::optional<QUuid> linkNext(int position) const;
    // The same after a restart, by what has been written: the try that the lead has started behind `former`, and what
    // it is started with.
    struct Follower {
        QUuid tryUuid;
        core::PortTable ports; // empty also where the plan is of an older version
    };
    std::optional<Follower> followerOf(int position, const QUuid &former);
    std::vector<QUuid> triesOf(int position) const; // all that there can be in this allocation
    QStringList leadFiles(int position) const; // names of what the lead and the batch script write
    QString idOf(int position) const; // at the cluster, with the number of an element; empty: not submitted

    bool wasSent() const; // possibly: the answer may have been lost
    qint64 sentAt() const; // UTC ms of the last time, by the clock of the file system; 0: never
    Result<void> noteSent() const; // before it is sent
    NoteWriter::Note sentNote() const; // what that writes
    void forgetSent() const; // which has certainly not come to the cluster
    // The place in an array of several jobs that is sent as one: the name in the comment, and which element of how
    // many. Kept by noteSent().
    struct ArrayPlace {
        QString name;
        int index = 0, count = 0;
    };
    const std::optional<ArrayPlace> &array() const { return m_array; }
    void setArray(const ArrayPlace &place) { m_array = place; }
    // Lets a lead that begins later, or is about to start another task, know that this task is to end; -1: all of them.
    Part stopPart(int position) const;
    void noteStop(int position) const;
    // Its tasks go on in other allocations: after this, no try belongs to it, whatever its folder says. False: that
    // cannot be noted.
    bool noteSplit() const;
    static bool isSplit(const QString &folder);
    void leaveArray(); // which the cluster has not taken: it was not sent
    void noteFormerArray(); // before that, where its answer was lost: the cluster may have it nevertheless
    Result<void> writeArrayScript(const QByteArray &script) const; // of the array whose first element it is
    QString arrayScriptFile() const;
    const QString &id() const { return m_id; } // empty: the cluster has not taken it, as far as is known
    void setId(const QString &id) { m_id = id; }
    void keepId() const; // where it is lost, the cluster is asked by the comment after a restart
    NoteWriter::Note idNote() const; // what that writes
    QString idOfLead(); // that a lead has written: the cluster has taken it; or empty

    // Makes this computer look at what has come into the folders of the task (contract::refreshFolder).
    void refresh(int position) const;
    // The files that the lead has written since; they are read again until they exist.
    const contract::LeadPlaces *places(int position);
    std::optional<contract::LeadEnd> stopping(int position) const; // it is ending the tasks, and why
    std::optional<contract::LeadEnd> end(int position) const;
    QString lastWords(int position) const; // of the batch script

private:
    int elementOf(int position) const { return m_plan.isArray ? position : -1; }
    int newestOf(int position) const;
    bool mayBeFollowed(int position) const;
    QString folderOf(int position, int again) const;
    int linkFolder(const QString &folder, int position) const; // 0 or errno
    QString pathOf(const char *name, int position) const;
    QString leadLog(int position) const;
    Result<void> writeLinksAndPlan() const;
    QString m_folder;
    contract::LeadPlan m_plan;
    QString m_id;
    std::optional<ArrayPlace> m_array;
    QStringList m_formerArrays; // their names
    std::map<int, contract::LeadPlaces> m_places; // by element
    std::map<int, int> m_newest; // by position: how often the task has been tried again, as far as is known
};

} // namespace trainyard
