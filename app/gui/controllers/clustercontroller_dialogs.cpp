// SPDX-License-Identifier: GPL-3.0-or-later
// The dialogs in which clusters are added and changed, and saving what they say.
#include "app/gui/controllers/clustercontroller.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "engine/client/kubeoptions.h"
#include "engine/client/openpaisettings.h"
#include "engine/client/slurmoptions.h"
#include "widgets/common/filedialog.h"
#include "widgets/hosts/clusterdialog.h"
#include "widgets/hosts/kubernetesdialog.h"
#include "widgets/hosts/openpaidialog.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFileDialog>

namespace trainyard
{
namespace
{

// A setting that is empty goes.
QJsonValue orNull(const QString &text) { return text.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(text); }

} // namespace

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
        QFileDialog *asked = makeFileDialog(dialog, tr("Choose the shared folder"),
            present.isEmpty() ? QDir::homePath() : beginFolderAt(present), QString());
        asked->setFileMode(QFileDialog::Directory);
        asked->setOption(QFileDialog::ShowDirsOnly);
        asked->resize(asked->size().expandedTo(asked->sizeHint())); // our dialog is a small one
        connect(asked, &QFileDialog::fileSelected, dialog, &ClusterDialog::setFolder);
        asked->open();
    });
    dialog->open();
}

template <typename Dialog> void ClusterController::saveTo(Dialog *dialog, const Changes &settings, const QString &id)
{
    set(settings, dialog, [this, dialog, id](const QString &error) {
        if (!error.isEmpty()) {
            dialog->setSaveError(error);
            return;
        }
        dialog->setSaved();
        saved(id);
    });
}

void ClusterController::save(ClusterDialog *dialog, const ClusterEntry &entry)
{
    // The options last: with them the cluster is there.
    const Changes settings{{slurmLoginKey(entry.name), orNull(entry.login)},
        {slurmFolderKey(entry.name), orNull(entry.folder)}, {slurmImagesKey(entry.name), orNull(entry.images)},
        {slurmModulesKey(entry.name), orNull(entry.modules)},
        {slurmOptionsKey(entry.name), entry.options.isEmpty() ? QString(noSlurmOptions) : entry.options}};
    saveTo(dialog, settings, slurmTargetId(entry.name));
}

void ClusterController::saved(const QString &id)
{
    ask();
    checkCluster(id);
    Q_EMIT pageRequested(id); // where its check is seen
}

void ClusterController::open(OpenPaiDialog *dialog)
{
    connect(dialog, &OpenPaiDialog::saveRequested, this,
        [this, dialog](const OpenPaiEntry &entry) { save(dialog, entry); });
    dialog->open();
}

void ClusterController::save(OpenPaiDialog *dialog, const OpenPaiEntry &entry)
{
    const QString id = openPaiTargetId(entry.name);
    // The address last: with it the cluster is there.
    const Changes settings{{openPaiUserKey(entry.name), entry.user},
        {openPaiClusterKey(entry.name), orNull(entry.virtualCluster)}, {openPaiAddressKey(entry.name), entry.address}};
    set(settings, dialog, [this, dialog, id, token = entry.token, password = entry.password](const QString &error) {
        if (!error.isEmpty()) {
            dialog->setSaveError(error);
            return;
        }
        if (!password.isEmpty()) {
            logIn(dialog, id, password);
            return;
        }
        if (token.isEmpty()) {
            m_tokens->noteChanged(id); // another address or user may have made the engine forget it
            dialog->setSaved();
            saved(id);
            return;
        }
        m_client->call<api::SetTargetToken>({id, token}, dialog, [this, dialog, id, token](const Result<bool> &taken) {
            if (!taken) {
                dialog->setSaveError(errorText(taken.error()));
                return;
            }
            m_tokens->noteHandedOver(id);
            dialog->setSaved();
            saved(id);
            m_tokens->keep(id, token);
        });
    });
}

// The settings are there by then: if the cluster does not accept the password, it waits in the list for a login.
void ClusterController::logIn(OpenPaiDialog *dialog, const QString &id, const QString &password)
{
    m_client->call<api::LogInToTarget>(
        {id, password}, dialog, [this, dialog, id](const Result<api::TokenOfTarget> &made) {
            if (!made) {
                dialog->setSaveError(errorText(made.error()));
                ask();
                return;
            }
            m_tokens->noteHandedOver(id);
            dialog->setSaved();
            saved(id);
            m_tokens->keep(id, made->token);
        });
}

void ClusterController::open(KubernetesDialog *dialog)
{
    connect(dialog, &KubernetesDialog::saveRequested, this,
        [this, dialog](const KubernetesEntry &entry) { save(dialog, entry); });
    m_client->call<api::ListContexts>({}, dialog, [dialog](const Result<QStringList> &found) {
        if (found) {
            dialog->setContexts(*found);
        } else {
            dialog->setContextsError(errorText(found.error()));
        }
    });
    dialog->open();
}

void ClusterController::save(KubernetesDialog *dialog, const KubernetesEntry &entry)
{
    // The options last: with them the cluster is there.
    const Changes settings{{kubeQueueKey(entry.name), orNull(entry.queue)},
        {kubeOptionsKey(entry.name), entry.options.isEmpty() ? QString(noKubeOptions) : entry.options}};
    saveTo(dialog, settings, kubeTargetId(entry.name));
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

void ClusterController::withSettings(const std::function<void(const QJsonObject &all)> &then)
{
    m_client->call<api::GetSettings>({}, this, [this, then](const Result<QJsonObject> &all) {
        if (all) {
            then(*all);
        } else {
            m_workbench->say(errorText(all.error()));
        }
    });
}

} // namespace trainyard
