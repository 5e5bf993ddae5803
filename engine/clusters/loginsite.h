// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/hosts/agentconnection.h"
#include "engine/hosts/awayclock.h"
#include "engine/hosts/logmirrors.h"

#include <QPointer>
#include <QTimer>

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace trainyard
{

class Settings;

// The login node of a cluster, a host of the pool, and the file system that it shares with the nodes: files are written
// there, and files that the nodes write are copied into folders of this computer, under the same names. So the code
// that follows a job reads local files. Small files are fetched by one query for all of them, logs as they grow.
//
// Large because it is all that a login node does for its clusters: what goes there, what comes from there, and the
// connection between.
class LoginSite : public QObject
{
    Q_OBJECT
public:
    struct Options {
        QString host; // its name
        std::function<AgentConnection *()> agent; // of the host; null: there is no such host
        std::function<QString()> target; // of the host, as ssh has it
        QString ownName; // of this engine among others there
        QString bookFolder; // for what is still to be done there
        CopyReserve reserve = {}; // of the disk of this computer; without: that of the settings
    };
    LoginSite(const Options &options, const Settings &settings);
    ~LoginSite() override;

    const QString &host() const { return m_options.host; }
    QString target() const { return m_options.target(); }
    QString home() const; // of the account there; empty: not known yet
    QString user() const; // its name; empty: not known yet
    bool isKnown() const { return m_options.agent() != nullptr; } // as a host of Trainyard
    bool isOnline() const;
    // Why nothing can be asked of it now. Codes: slurm.login-unknown {host}, slurm.login-away {host}.
    Error absence() const;
    Error inItsWords(const Error &problem) const; // of its commands: they are not on this computer
    void hostChanged(); // the host was replaced, or its connection has another state

    // Where runs are kept there: below `folder` or, when that is empty, below the state folder of the account. Empty:
    // not known, as the host has not been reached yet.
    QString rootFor(const QString &folder) const;
    QString helperIn(const QString &root) const; // the helper that nodes run; deliver() puts it there

    struct File {
        QString path; // there
        QByteArray bytes;
    };
    // Writes files, of mode 0600 from their begin, and the helper. One after the other: with the last one all are
    // there. Codes: host.gone, slurm.login-folder {folder, host, message}, slurm.login-swappable {folder, host, part}.
    using Delivered = std::function<void(const Result<void> &)>;
    void deliver(const QString &root, const std::vector<File> &files, const Delivered &then);

    // These files below `there`, which is below `root`, come into the folder `here` as they are written.
    void watch(const QString &root, const QString &there, const QString &here, const QStringList &names);
    // The same for the folder of a try: its log and its records, the one of its end last.
    void watchTry(const QUuid &tryUuid, const QString &root, const QString &there, const QString &here);
    void unwatch(const QString &here);
    // The newest look at everything began then (steady ms); 0: there was none.
    qint64 lookedAt() const { return m_lookedAt; }
    // Its record of the end is there, and comes when the log is here.
    bool isEndOnItsWay(const QString &here) const { return m_ends.contains(here); }
    void lookSoon();
    // The log of this try stays there, as this computer has no room for it.
    bool lacksRoom(const QUuid &tryUuid) const { return m_mirrors && m_mirrors->lacksRoom(tryUuid); }

    // Removes the run, also when the host is away now, and after a restart.
    void removeRun(const QString &root, const QString &job);
    // Removes what was written for tasks that never began; `allocation` is the name of its folder, or empty for all of
    // the job.
    void removeLaunches(const QString &root, const QString &job, const QString &allocation);

Q_SIGNALS:
    void reached(); // the host is online
    void left(); // the host is no longer online
    void looked(); // something may have come
    void roomChanged(const QUuid &tryUuid); // lacksRoom() has changed

private:
    struct Watched {
        QString here; // the folder
        QString name; // of the file
        quint64 bytes = 0;
        qint64 changedNs = 0;
    };
    struct WatchedTry {
        QUuid tryUuid;
        QString there;
    };
    struct Delivery;
    using Place = std::pair<QString, QString>; // root, and the path below it

    void proceed(const std::shared_ptr<Delivery> &delivery);
    void answered(const std::shared_ptr<Delivery> &delivery, const contract::Message &answer);
    void look();
    void lookFrom(const std::optional<Place> &after, qint64 since);
    void countUnseen();
    bool take(const QString &root, const contract::ChangedFiles &changed);
    void lookLater();
    void mirrorCompleted(const QUuid &tryUuid);
    void remove(const QString &text);
    void sendRemovals();
    void noteRemovals();
    QString removalsFolder() const { return m_options.bookFolder + QLatin1String("/removals"); }

    Options m_options;
    const Settings &m_settings;
    QPointer<AgentConnection> m_agent;
    std::unique_ptr<LogMirrors> m_mirrors; // of m_agent
    std::map<Place, Watched> m_files;
    std::set<QString> m_unseen; // roots of which something could not be read in this look
    std::map<QString, AwayClock> m_away; // of these roots, since they were last seen as a whole
    std::map<QString, WatchedTry> m_tries; // by their folders here
    std::set<QString> m_ends; // folders here of tries that have ended there
    std::map<QString, QString> m_unnoted; // removals whose notes did not fit on the disk, by their names
    std::set<QString> m_askedRemovals; // that have no answer yet, by their names
    QTimer m_timer, m_noteTimer;
    qint64 m_lookedAt = 0;
    bool m_hasMissed = false; // something of what is being looked at could not be read there, or written here
    bool m_isLooking = false, m_isOnline = false;
};

// The user of the cluster behind it, or of the one of this computer; empty: not known yet.
QString userAt(const LoginSite *site);

} // namespace trainyard
