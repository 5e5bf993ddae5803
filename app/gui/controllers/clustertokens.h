// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "model/base/result.h"

#include <QObject>
#include <QSet>
#include <QStringList>

#include <functional>

namespace trainyard
{

class EngineClient;
class GuiSettings;
class Secrets;
class Workbench;

// The clusters that were removed while they had jobs: those whose tokens are no longer needed, and those that still
// have jobs. A cluster that was added again is neither. Pure.
struct DueTokens {
    QStringList due;
    QStringList waiting;
};
DueTokens dueTokens(const QStringList &removed, const QList<ClusterInfo> &listed);

// The tokens of clusters between the keyring, which keeps them, and the engine, which has them in memory.
class ClusterTokens : public QObject
{
    Q_OBJECT
public:
    ClusterTokens(Workbench *workbench, EngineClient *client, Secrets *secrets, GuiSettings *settings);

    void forgetEngine(); // another one is there, which has none
    // The engine has these clusters: tokens that it needs come from the keyring, and unneeded ones are removed from
    // there.
    void take(const QList<ClusterInfo> &clusters);
    // The engine has it already, or has to be asked whether it needs it again.
    void noteHandedOver(const QString &id) { m_handedOver.insert(id); }
    void noteChanged(const QString &id) { m_handedOver.remove(id); }
    void keep(const QString &id, const QString &token);

    // The state of the token of a cluster that was removed from the settings.
    struct Removed {
        enum class State { NoToken, Gone, KeptForJobs, StillThere, MayBeThere };
        State state = State::NoToken;
        QString token; // that is gone, to bring it back
        Error why; // it is still there, or this could not be checked
        bool hasKeyring = false; // that may keep it for jobs
        bool isLeft() const { return state == State::StillThere || state == State::MayBeThere; }
    };
    static QString removedWords(const QString &id, const Removed &removed); // what is said of it. Pure
    void remove(const QString &id, const std::function<void(const Removed &removed)> &then);
    void bringBack(const QString &id, const Removed &removed); // the cluster is in the settings again

Q_SIGNALS:
    void handedOver(); // what the engine says of clusters is another now

private:
    void removeKept(const QString &id, const std::function<void(const Removed &removed)> &then);
    void forgetDue(const QStringList &ids);
    Workbench *m_workbench;
    EngineClient *m_client;
    Secrets *m_secrets;
    GuiSettings *m_settings;
    QSet<QString> m_handedOver; // ids; once for each engine
    QSet<QString> m_forgetting; // ids
};

} // namespace trainyard
