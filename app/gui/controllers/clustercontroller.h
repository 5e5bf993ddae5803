// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/controllers/clustertokens.h"
#include "engine/api/calls.h"
#include "engine/client/clusteroffers.h"
#include "widgets/hosts/clusterlist.h"

#include <QHash>
#include <QObject>

#include <functional>

namespace trainyard
{

class ActionRegistry;
class ClusterDialog;
class ClustersPane;
class EngineClient;
class GuiSettings;
class KubernetesDialog;
class OpenPaiDialog;
class Secrets;
class TargetBox;
class Workbench;
struct ClusterEntry;
struct KubernetesEntry;
struct OpenPaiEntry;

// The clusters that Run may hand a job to: adding, changing, checking and removing one, which is a matter of settings.
// They may be changed on a terminal, too, so they are asked for again before they are shown. Large because each kind
// of cluster is added, changed and checked in its own way.
class ClusterController : public QObject
{
    Q_OBJECT
public:
    ClusterController(Workbench *workbench, ActionRegistry *actions, EngineClient *client, TargetBox *target,
        Secrets *secrets, GuiSettings *settings);

    QList<ShownCluster> clusters() const;
    void serve(ClustersPane *pane); // at the side
    void ask();
    void addCluster(const QString &login = {}); // of Slurm; `login`: the host that has its commands
    void addKubernetes();
    void addOpenPai();
    void chooseKind(const QPoint &at); // by a menu there: one of the above
    void changeCluster(const QString &id);
    void checkCluster(const QString &id);
    void removeCluster(const QString &id); // can be undone
    // The offers of OpenPAI clusters for jobs. The first call asks the known clusters; offersChanged() is emitted when
    // they have answered.
    ClusterOffers offers();
    void showJobs(const QString &id); // that the cluster has, to open one as new

Q_SIGNALS:
    void changed(const QList<trainyard::ShownCluster> &clusters);
    void pageRequested(const QString &id); // with this cluster
    void offersChanged();
    void documentFound(const trainyard::ClusterDocument &document); // of a job that the cluster has: a new job

private:
    // This window's data about a cluster, in addition to the engine's list.
    struct Checked {
        bool isChecking = false;
        QString error;
        QList<ClusterStep> steps;
        qint64 at = 0; // UTC ms
    };
    using Changes = QList<api::NewSetting>;
    void open(ClusterDialog *dialog);
    void save(ClusterDialog *dialog, const ClusterEntry &entry);
    void open(OpenPaiDialog *dialog);
    void save(OpenPaiDialog *dialog, const OpenPaiEntry &entry);
    void logIn(OpenPaiDialog *dialog, const QString &id, const QString &password);
    void open(KubernetesDialog *dialog);
    void save(KubernetesDialog *dialog, const KubernetesEntry &entry);
    // `Dialog` has setSaveError() and setSaved().
    template <typename Dialog> void saveTo(Dialog *dialog, const Changes &settings, const QString &id);
    void saved(const QString &id);
    QStringList takenNames(QLatin1StringView kind) const;
    void askForOffers();
    // One after the other; `then` gets why one could not be set, or an empty text.
    void set(const Changes &changes, QObject *context, const std::function<void(const QString &error)> &then);
    // With all settings as they are.
    void withSettings(const std::function<void(const QJsonObject &all)> &then);
    void offerUndo(const QString &id, const Changes &before, const ClusterTokens::Removed &token);

    Workbench *m_workbench;
    ActionRegistry *m_actions;
    EngineClient *m_client;
    TargetBox *m_target;
    ClusterTokens *m_tokens;
    QList<ClusterInfo> m_clusters;
    QHash<QString, Checked> m_checked; // by id
    QHash<QString, QList<ClusterStep>> m_offers; // by id; empty while a cluster is asked
    bool m_isAsking = false, m_isAskWanted = false;
    bool m_areOffersWanted = false; // there is a form that would show them
};

} // namespace trainyard
