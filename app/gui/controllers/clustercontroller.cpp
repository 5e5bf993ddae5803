// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/clustercontroller.h"

#include "app/gui/filedialog.h"
#include "app/gui/targetbox.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "engine/client/slurmoptions.h"
#include "widgets/common/infobar.h"
#include "widgets/hosts/clusterdialog.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFileDialog>
#include <QPushButton>

namespace trainyard
{

ClusterController::ClusterController(
    Workbench *workbench, ActionRegistry *actions, EngineClient *client, TargetBox *target)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client), m_target(target)
{
    actions->add({"addCluster", QStringLiteral("plus"), tr("Add a &Slurm cluster…"),
                     tr("Add a cluster whose commands are on this computer or on a host")},
        this, [this] { addCluster(); });
    connect(client, &EngineClient::reset, this, &ClusterController::ask);
    connect(target, &TargetBox::aboutToShow, this, &ClusterController::ask);
}

QList<ShownCluster> ClusterController::clusters() const
{
    QList<ShownCluster> all;
    for (const ClusterInfo &cluster : m_clusters) {
        const Checked checked = m_checked.value(cluster.id);
        ShownCluster shown{cluster, checked.isChecking, checked.error};
        shown.info.steps = checked.steps;
        all.append(shown);
    }
    return all;
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
        }
        if (m_isAskWanted) {
            ask();
        }
    });
}

void ClusterController::addCluster()
{
    QStringList names;
    for (const ClusterInfo &cluster : std::as_const(m_clusters)) {
        if (cluster.isNamed) {
            names.append(cluster.name);
        }
    }
    open(new ClusterDialog(names, m_workbench->window()));
}

void ClusterController::changeCluster(const QString &id)
{
    withSettings(id, [this, id](const Stored &stored) {
        const QString line = stored.options.toString() == noSlurmOptions ? QString() : stored.options.toString();
        open(new ClusterDialog(
            ClusterEntry{clusterPlaceOf(id)->cluster, line, stored.folder.toString(), stored.login.toString()},
            m_workbench->window()));
    });
}

void ClusterController::open(ClusterDialog *dialog)
{
    QStringList names;
    const QList<HostInfo> hosts = m_client->hosts();
    for (const HostInfo &host : hosts) {
        if (!host.target.isEmpty()) {
            names.append(host.id);
        }
    }
    dialog->setHosts(names);
    connect(dialog, &ClusterDialog::saveRequested, this,
        [this, dialog](const ClusterEntry &entry) { save(dialog, entry); });
    connect(dialog, &ClusterDialog::folderRequested, this, [dialog](const QString &present) {
        QFileDialog *asked = makeFileDialog(
            dialog, tr("Choose the shared folder"), present.isEmpty() ? QDir::homePath() : present, QString());
        asked->setFileMode(QFileDialog::Directory);
        asked->setOption(QFileDialog::ShowDirsOnly);
        asked->resize(asked->size().expandedTo(asked->sizeHint())); // our dialog is a small one
        connect(asked, &QFileDialog::fileSelected, dialog, &ClusterDialog::setFolder);
        asked->open();
    });
    dialog->open();
}

void ClusterController::save(ClusterDialog *dialog, const ClusterEntry &entry)
{
    // The options last: with them the cluster is there.
    const Changes settings{
        {slurmLoginKey(entry.name), entry.login.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(entry.login)},
        {slurmFolderKey(entry.name), entry.folder.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(entry.folder)},
        {slurmOptionsKey(entry.name), entry.options.isEmpty() ? QString(noSlurmOptions) : entry.options}};
    set(settings, dialog, [this, dialog, id = slurmTargetId(entry.name)](const QString &error) {
        if (!error.isEmpty()) {
            dialog->setSaveError(error);
            return;
        }
        dialog->setSaved();
        ask();
        checkCluster(id);
        Q_EMIT pageRequested(id); // where its check is seen
    });
}

void ClusterController::set(
    const Changes &changes, QObject *context, const std::function<void(const QString &error)> &then)
{
    if (changes.isEmpty()) {
        then({});
        return;
    }
    m_client->call<api::SetSetting>(
        changes.constFirst(), context, [this, rest = changes.mid(1), context, then](const Result<bool> &done) {
            if (done) {
                set(rest, context, then);
            } else {
                then(errorText(done.error()));
            }
        });
}

void ClusterController::withSettings(const QString &id, const std::function<void(const Stored &stored)> &then)
{
    const std::optional<ClusterPlace> place = clusterPlaceOf(id);
    if (!place) {
        return;
    }
    m_client->call<api::GetSettings>({}, this, [this, name = place->cluster, then](const Result<QJsonObject> &all) {
        if (all) {
            then(
                {all->value(slurmOptionsKey(name)), all->value(slurmFolderKey(name)), all->value(slurmLoginKey(name))});
        } else {
            m_workbench->say(errorText(all.error()));
        }
    });
}

void ClusterController::checkCluster(const QString &id)
{
    if (m_checked.value(id).isChecking) {
        return;
    }
    m_checked[id] = {true, {}, {}};
    Q_EMIT changed(clusters());
    m_client->call<api::CheckTarget>({id}, this, [this, id](const Result<ClusterInfo> &checked) {
        m_checked[id] = checked ? Checked{false, {}, checked->steps} : Checked{false, errorText(checked.error()), {}};
        Q_EMIT changed(clusters());
        ask(); // whether it answers is known anew
    });
}

void ClusterController::removeCluster(const QString &id)
{
    withSettings(id, [this, id](const Stored &stored) {
        const QString name = clusterPlaceOf(id)->cluster;
        const auto orNull
            = [](const QJsonValue &value) { return value.isUndefined() ? QJsonValue(QJsonValue::Null) : value; };
        const Changes before{{slurmLoginKey(name), orNull(stored.login)}, {slurmFolderKey(name), orNull(stored.folder)},
            {slurmOptionsKey(name), orNull(stored.options)}};
        const Changes none{{slurmOptionsKey(name), QJsonValue::Null}, {slurmFolderKey(name), QJsonValue::Null},
            {slurmLoginKey(name), QJsonValue::Null}};
        set(none, this, [this, id, name, before](const QString &error) {
            if (error.isEmpty()) {
                m_checked.remove(id);
                offerUndo(name, before);
            } else {
                m_workbench->say(error);
            }
            ask();
        });
    });
}

void ClusterController::offerUndo(const QString &name, const Changes &before)
{
    m_workbench->say(tr("The cluster %1 was removed. Jobs that it has are followed to their end.").arg(name), false);
    InfoBar *bar = m_workbench->windowBar();
    QPushButton *undo = bar->addAction(tr("Undo"));
    undo->setObjectName(QStringLiteral("clusterUndo"));
    connect(undo, &QPushButton::clicked, this, [this, bar, before] {
        bar->hide();
        set(before, this, [this](const QString &error) {
            if (!error.isEmpty()) {
                m_workbench->say(error);
            }
            ask();
        });
    });
}

} // namespace trainyard
