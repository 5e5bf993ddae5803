// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/clustercontroller.h"

#include "app/gui/targetbox.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/clustersettings.h"
#include "engine/client/engineclient.h"
#include "engine/client/kubeoptions.h"
#include "engine/client/slurmoptions.h"
#include "widgets/common/infobar.h"
#include "widgets/hosts/clusterdialog.h"
#include "widgets/hosts/clusterjobsdialog.h"
#include "widgets/hosts/clusterspane.h"
#include "widgets/hosts/kubernetesdialog.h"
#include "widgets/hosts/openpaidialog.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QMenu>
#include <QPushButton>

namespace trainyard
{

ClusterController::ClusterController(Workbench *workbench, ActionRegistry *actions, EngineClient *client,
    TargetBox *target, Secrets *secrets, GuiSettings *settings)
    : QObject(workbench->window()), m_workbench(workbench), m_actions(actions), m_client(client), m_target(target),
      m_tokens(new ClusterTokens(workbench, client, secrets, settings))
{
    actions->add({"addCluster", QStringLiteral("plus"), tr("Add a &Slurm cluster…"),
                     tr("Add a cluster whose commands are on this computer or on a host")},
        this, [this] { addCluster(); });
    actions->add({"addKubernetes", QStringLiteral("plus"), tr("Add a &Kubernetes cluster…"),
                     tr("Add a cluster that kubectl reaches from this computer")},
        this, [this] { addKubernetes(); });
    actions->add({"addOpenPai", QStringLiteral("plus"), tr("Add an &OpenPAI cluster…"),
                     tr("Add a cluster that is reached by its address")},
        this, [this] { addOpenPai(); });
    connect(client, &EngineClient::reset, this, [this] {
        m_tokens->forgetEngine();
        m_offers.clear();
        ask();
    });
    connect(m_tokens, &ClusterTokens::handedOver, this, &ClusterController::ask);
    connect(target, &TargetBox::aboutToShow, this, &ClusterController::ask);
}

QList<ShownCluster> ClusterController::clusters() const
{
    QList<ShownCluster> all;
    for (const ClusterInfo &cluster : m_clusters) {
        const Checked checked = m_checked.value(cluster.id);
        ShownCluster shown{cluster, checked.isChecking, checked.error, checked.at};
        shown.info.steps = checked.steps;
        all.append(shown);
    }
    return all;
}

void ClusterController::serve(ClustersPane *pane)
{
    pane->setClusters(clusters());
    connect(this, &ClusterController::changed, pane, &ClustersPane::setClusters);
    connect(pane, &ClustersPane::wanted, this, &ClusterController::ask);
    connect(pane, &ClustersPane::addRequested, this, &ClusterController::chooseKind);
    connect(pane, &ClustersPane::clusterRequested, this, &ClusterController::pageRequested);
    connect(pane, &ClustersPane::checkRequested, this, &ClusterController::checkCluster);
    connect(pane, &ClustersPane::removeRequested, this, &ClusterController::removeCluster);
}

// Looking starts no engine: when one is there, reset() asks. One question at a time; what is asked for meanwhile is
// asked afterwards, as the answer that is on its way may be older than a change.
void ClusterController::ask()
{
    if (m_client->status() != EngineClient::Status::Ready) {
        return;
    }
    m_isAskWanted = m_isAsking;
    if (m_isAsking) {
        return;
    }
    m_isAsking = true;
    m_client->call<api::ListTargets>({}, this, [this](const Result<QList<ClusterInfo>> &found) {
        m_isAsking = false;
        if (found) {
            m_clusters = *found;
            m_target->setClusters(*found);
            Q_EMIT changed(clusters());
            m_tokens->take(*found);
            askForOffers();
        }
        if (m_isAskWanted) {
            ask();
        }
    });
}

ClusterOffers ClusterController::offers()
{
    if (!m_areOffersWanted) {
        m_areOffersWanted = true;
        QMetaObject::invokeMethod(this, &ClusterController::askForOffers, Qt::QueuedConnection);
    }
    ClusterOffers all;
    for (const QList<ClusterStep> &steps : std::as_const(m_offers)) {
        all.add(steps);
    }
    return all;
}

// Once for each cluster and engine. A cluster without a token is asked when it has one.
void ClusterController::askForOffers()
{
    if (!m_areOffersWanted || m_client->status() != EngineClient::Status::Ready) {
        return;
    }
    for (const ClusterInfo &cluster : std::as_const(m_clusters)) {
        if (cluster.kind != openPaiKind || !cluster.isNamed || !cluster.error.isEmpty()
            || m_offers.contains(cluster.id)) {
            continue;
        }
        m_offers.insert(cluster.id, {});
        m_client->call<api::CheckTarget>({cluster.id}, this, [this, id = cluster.id](const Result<ClusterInfo> &found) {
            if (found) {
                m_offers.insert(id, found->steps);
                Q_EMIT offersChanged();
            }
        });
    }
}

QStringList ClusterController::takenNames(QLatin1StringView kind) const
{
    QStringList names;
    for (const ClusterInfo &cluster : m_clusters) {
        if (cluster.isNamed && cluster.kind == kind) {
            names.append(cluster.name);
        }
    }
    return names;
}

void ClusterController::addCluster(const QString &login)
{
    auto *dialog = new ClusterDialog(takenNames(slurmKind), m_workbench->window());
    open(dialog);
    dialog->setLogin(login);
}

void ClusterController::addOpenPai() { open(new OpenPaiDialog(takenNames(openPaiKind), m_workbench->window())); }

void ClusterController::addKubernetes()
{
    open(new KubernetesDialog(takenNames(kubernetesKind), m_workbench->window()));
}

void ClusterController::chooseKind(const QPoint &at)
{
    auto *menu = new QMenu(m_workbench->window());
    menu->setObjectName(QStringLiteral("clusterKinds"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(m_actions->actions({"addCluster", "addKubernetes", "addOpenPai"}));
    menu->popup(at);
}

void ClusterController::changeCluster(const QString &id)
{
    const std::optional<ClusterPlace> place = clusterPlaceOf(id);
    if (!place) {
        return;
    }
    withSettings([this, place, keys = clusterSettings(id)](const QJsonObject &all) {
        const auto text = [&](qsizetype which) { return all.value(keys.at(which)).toString(); };
        if (place->kind == openPaiKind) {
            open(new OpenPaiDialog(
                OpenPaiEntry{place->cluster, text(0), text(1), text(2), {}, text(3) == QLatin1StringView("yes")},
                m_workbench->window()));
            return;
        }
        if (place->kind == kubernetesKind) {
            const QString options = text(0) == noKubeOptions ? QString() : text(0);
            open(new KubernetesDialog(KubernetesEntry{place->cluster, options, text(1)}, m_workbench->window()));
            return;
        }
        const QString line = text(0) == noSlurmOptions ? QString() : text(0);
        const QString images = text(3) == noSlurmImages ? QString() : text(3);
        open(new ClusterDialog(
            ClusterEntry{place->cluster, line, text(1), text(2), images, text(4)}, m_workbench->window()));
    });
}

void ClusterController::checkCluster(const QString &id)
{
    if (m_checked.value(id).isChecking) {
        return;
    }
    m_checked[id] = {true, {}, {}, 0};
    Q_EMIT changed(clusters());
    m_client->call<api::CheckTarget>({id}, this, [this, id](const Result<ClusterInfo> &checked) {
        m_checked[id] = checked ? Checked{false, {}, checked->steps, QDateTime::currentMSecsSinceEpoch()}
                                : Checked{false, errorText(checked.error()), {}, 0};
        Q_EMIT changed(clusters());
        ask(); // whether it answers is checked again
    });
}

void ClusterController::showJobs(const QString &id)
{
    auto *dialog = new ClusterJobsDialog(id, m_workbench->window());
    connect(dialog, &ClusterJobsDialog::listWanted, dialog, [this, dialog, id] {
        m_client->call<api::ListClusterJobs>({id}, dialog, [dialog](const Result<ClusterJobs> &found) {
            if (found) {
                dialog->setJobs(*found);
            } else {
                dialog->setListError(errorText(found.error()));
            }
        });
    });
    const auto change = [this, dialog, id](const QString &name, const QStringList &add, const QStringList &remove) {
        m_client->call<api::ChangeClusterTags>(
            {id, name, add, remove}, dialog, [dialog, name](const Result<ClusterTags> &found) {
                if (found) {
                    dialog->setTags(name, found->tags);
                } else {
                    dialog->setTagsError(name, errorText(found.error()));
                }
            });
    };
    connect(dialog, &ClusterJobsDialog::tagsWanted, dialog, [change](const QString &name) { change(name, {}, {}); });
    connect(dialog, &ClusterJobsDialog::tagsChangeWanted, dialog, change);
    connect(dialog, &ClusterJobsDialog::openWanted, dialog, [this, dialog, id](const QString &name) {
        m_client->call<api::GetClusterDocument>(
            {id, name}, dialog, [this, dialog](const Result<ClusterDocument> &found) {
                if (!found) {
                    dialog->setOpenError(errorText(found.error()));
                    return;
                }
                dialog->setOpened();
                Q_EMIT documentFound(*found);
            });
    });
    dialog->open();
}

void ClusterController::removeCluster(const QString &id)
{
    if (!clusterPlaceOf(id)) {
        return;
    }
    withSettings([this, id, keys = clusterSettings(id)](const QJsonObject &all) {
        Changes before, none; // it is there with the first of them: that goes first and comes back last
        for (const QString &key : keys) {
            const QJsonValue value = all.value(key);
            before.prepend({key, value.isUndefined() ? QJsonValue(QJsonValue::Null) : value});
            none.append({key, QJsonValue::Null});
        }
        set(none, this, [this, id, before](const QString &error) {
            if (error.isEmpty()) {
                m_checked.remove(id);
                m_tokens->remove(
                    id, [this, id, before](const ClusterTokens::Removed &token) { offerUndo(id, before, token); });
            } else {
                m_workbench->say(error);
            }
            ask();
        });
    });
}

void ClusterController::offerUndo(const QString &id, const Changes &before, const ClusterTokens::Removed &token)
{
    const bool isLeft = token.isLeft();
    m_workbench->say(ClusterTokens::removedWords(id, token), isLeft);
    InfoBar *bar = m_workbench->windowBar();
    if (!isLeft) {
        bar->goSoon();
    }
    QPushButton *undo = bar->addAction(tr("Undo"));
    undo->setObjectName(QStringLiteral("clusterUndo"));
    connect(undo, &QPushButton::clicked, this, [this, bar, id, before, token] {
        bar->hide();
        set(before, this, [this, id, token](const QString &error) {
            if (error.isEmpty()) {
                m_tokens->bringBack(id, token);
            } else {
                m_workbench->say(error);
            }
            ask();
        });
    });
}

} // namespace trainyard
