// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/clustertokens.h"

#include "app/common/clustersecrets.h"
#include "app/gui/controllers/secrets.h"
#include "app/gui/guisettings.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/clustersettings.h"
#include "engine/client/engineclient.h"
#include "widgets/text/texts.h"

#include <QPointer>

#include <algorithm>

namespace trainyard
{
namespace
{
bool hasTokens(const QString &id)
{
    const std::optional<ClusterPlace> place = clusterPlaceOf(id);
    return place && place->kind == openPaiKind;
}
} // namespace

DueTokens dueTokens(const QStringList &removed, const QList<ClusterInfo> &listed)
{
    DueTokens tokens;
    for (const QString &id : removed) {
        const auto known = std::find_if(
            listed.cbegin(), listed.cend(), [&id](const ClusterInfo &cluster) { return cluster.id == id; });
        if (known == listed.cend()) {
            tokens.due.append(id);
        } else if (!known->isNamed) {
            tokens.waiting.append(id);
        }
    }
    return tokens;
}

ClusterTokens::ClusterTokens(Workbench *workbench, EngineClient *client, Secrets *secrets, GuiSettings *settings)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client), m_secrets(secrets), m_settings(settings)
{
}

void ClusterTokens::forgetEngine() { m_handedOver.clear(); }

void ClusterTokens::take(const QList<ClusterInfo> &clusters)
{
    SecretVault *vault = m_secrets->vault();
    if (!vault || !vault->isThere()) {
        return;
    }
    for (const ClusterInfo &cluster : clusters) {
        if (!wantsToken(cluster) || m_handedOver.contains(cluster.id)) {
            continue;
        }
        m_handedOver.insert(cluster.id);
        vault->find(QString(clusterSecrets), {cluster.id}, this,
            [this, id = cluster.id](const Result<SecretVault::Values> &found) {
                const QString token = found ? found->value(id) : QString();
                if (!token.isEmpty()) {
                    m_client->call<api::SetTargetToken>(
                        {id, token}, this, [this](const Result<bool> &) { Q_EMIT handedOver(); });
                }
            });
    }
    const QStringList removed = m_settings->tokensToForget();
    const DueTokens tokens = dueTokens(removed, clusters);
    if (tokens.due + tokens.waiting != removed) {
        m_settings->setTokensToForget(tokens.due + tokens.waiting);
    }
    forgetDue(tokens.due);
}

void ClusterTokens::forgetDue(const QStringList &ids)
{
    for (const QString &id : ids) {
        if (m_forgetting.contains(id)) {
            continue;
        }
        m_forgetting.insert(id);
        removeKept(id, [this, id](const Removed &removed) {
            if (!removed.why.code.isEmpty()) {
                return; // the next window tries again: a keyring that is locked asks its user each time
            }
            m_forgetting.remove(id);
            QStringList left = m_settings->tokensToForget();
            left.removeAll(id);
            m_settings->setTokensToForget(left);
            if (removed.state == Removed::State::Gone) {
                m_workbench->say(
                    tr("The last job of %1 has ended. The token of the cluster was removed from the keyring.").arg(id),
                    false);
            }
        });
    }
}

// A token that cannot be kept is reported on the page in front, which shows the cluster, and the message disappears
// with it; if that page is gone, the window shows the message.
void ClusterTokens::keep(const QString &id, const QString &token)
{
    const auto say
        = [workbench = m_workbench, id, page = QPointer<Page>(m_workbench->front())](const Result<void> &kept) {
              if (kept) {
                  return;
              }
              workbench->sayOf(page,
                  tr("%1 The engine has the token of %2 in memory only, until it ends; then the cluster needs your "
                     "token again. To keep it, start or unlock a keyring, and enter the token again under Change.")
                      .arg(errorText(kept.error()), id),
                  false);
          };
    if (SecretVault *vault = m_secrets->vault()) {
        vault->keep(QString(clusterSecrets), {{id, token}}, m_workbench, say);
    } else {
        say(fail(QStringLiteral("keyring.none"), {{QStringLiteral("reason"), QString()}}));
    }
}

void ClusterTokens::remove(const QString &id, const std::function<void(const Removed &removed)> &then)
{
    if (!hasTokens(id)) {
        then({});
        return;
    }
    m_client->call<api::ListTargets>({}, this, [this, id, then](const Result<QList<ClusterInfo>> &listed) {
        // Where that is not known, its jobs may still need it.
        if (!listed || dueTokens({id}, *listed).due.isEmpty()) {
            QStringList waiting = m_settings->tokensToForget();
            waiting.removeAll(id);
            m_settings->setTokensToForget(waiting << id);
            const SecretVault *vault = m_secrets->vault();
            then({Removed::State::KeptForJobs, {}, {}, vault && vault->isThere()});
            return;
        }
        removeKept(id, then);
    });
}

void ClusterTokens::removeKept(const QString &id, const std::function<void(const Removed &removed)> &then)
{
    m_handedOver.remove(id);
    SecretVault *vault = m_secrets->vault();
    if (!vault || !vault->isThere()) {
        then({});
        return;
    }
    vault->find(QString(clusterSecrets), {id}, this, [this, id, then](const Result<SecretVault::Values> &found) {
        const QString token = found ? found->value(id) : QString();
        if (found && token.isEmpty()) {
            then({});
            return;
        }
        SecretVault *there = m_secrets->vault();
        if (!found) {
            const bool isNone = found.error().code == QLatin1String("keyring.none");
            then({isNone ? Removed::State::NoToken : Removed::State::MayBeThere, {}, found.error()});
            return;
        }
        if (!there) {
            then({Removed::State::StillThere, {},
                {QStringLiteral("keyring.none"), {{QStringLiteral("reason"), QString()}}}});
            return;
        }
        there->forget(QString(clusterSecrets), {id}, this, [this, id, token, then](const Result<void> &forgotten) {
            if (!forgotten) {
                then({Removed::State::StillThere, {}, forgotten.error()});
                return;
            }
            // It is removed from the engine's memory as well. A token that is in no keyring stays there, because it
            // could not be restored otherwise.
            m_client->call<api::SetTargetToken>({id, QString()}, this, [](const Result<bool> &) {});
            then({Removed::State::Gone, token, {}});
        });
    });
}

void ClusterTokens::bringBack(const QString &id, const Removed &removed)
{
    QStringList left = m_settings->tokensToForget();
    left.removeAll(id);
    m_settings->setTokensToForget(left);
    if (removed.state != Removed::State::Gone) {
        return;
    }
    m_handedOver.insert(id);
    m_client->call<api::SetTargetToken>(
        {id, removed.token}, this, [this](const Result<bool> &) { Q_EMIT handedOver(); });
    keep(id, removed.token);
}

QString ClusterTokens::removedWords(const QString &id, const Removed &removed)
{
    const QString name = clusterPlaceOf(id)->cluster;
    switch (removed.state) {
    case Removed::State::Gone:
        return tr("The cluster %1 was removed, and its token was removed from the keyring.").arg(name);
    case Removed::State::StillThere:
        return tr("The cluster %1 was removed. Its token is still in the keyring: %2 Once the keyring can be reached, "
                  "'trainyardctl targets remove %3' removes the token.")
            .arg(name, errorText(removed.why), id);
    case Removed::State::MayBeThere:
        return tr("The cluster %1 was removed. Its token may still be in the keyring: %2 Once the keyring can be "
                  "reached, 'trainyardctl targets remove %3' removes the token, if there is one.")
            .arg(name, errorText(removed.why), id);
    case Removed::State::KeptForJobs:
        if (removed.hasKeyring) {
            return tr("The cluster %1 was removed. Jobs that it has are followed until they end; the keyring keeps its "
                      "token until then, if it has one.")
                .arg(name);
        }
        break;
    case Removed::State::NoToken:
        break;
    }
    return tr("The cluster %1 was removed. Jobs that it has are followed until they end.").arg(name);
}

} // namespace trainyard
