// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpaicheck.h"

#include "engine/clusters/openpailist.h"

#include <QJsonArray>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

OpenPaiCheck::OpenPaiCheck(
    OpenPaiClient &client, const OpenPaiTarget &target, const ClusterInfo &info, const Then &then)
    : m_client(client), m_target(target), m_info(info), m_then(then)
{
}

void OpenPaiCheck::run(OpenPaiClient &client, const OpenPaiTarget &target, const ClusterInfo &info, const Then &then)
{
    std::make_shared<OpenPaiCheck>(client, target, info, then)->nextStep();
}

void OpenPaiCheck::add(const char *id, const QString &code, const QJsonObject &args)
{
    m_info.steps.append({QString::fromLatin1(id), code.isEmpty(), code, args});
}

bool OpenPaiCheck::failed(const char *id, const OpenPaiClient::Answer &answer)
{
    if (answer.isGood()) {
        return false;
    }
    add(id, answer.failure.error.code, answer.failure.error.args);
    m_then(m_info);
    return true;
}

void OpenPaiCheck::nextStep()
{
    const std::shared_ptr<OpenPaiCheck> self = shared_from_this();
    switch (m_info.steps.size()) {
    case 0:
        m_client.info([self](const OpenPaiClient::Answer &answer) {
            if (self->failed("answers", answer)) {
                return;
            }
            const QJsonObject info = answer.object();
            const QString version = info.value("version"_L1).toString();
            if (version.isEmpty()) { // something answers, which is none
                self->add("answers", u"openpai.no-api"_s,
                    {{u"target"_s, self->m_target.id()}, {u"detail"_s, self->m_target.address}});
                self->m_then(self->m_info);
                return;
            }
            self->add("answers", {}, {{u"address"_s, self->m_target.address}, {u"version"_s, version}});
            self->nextStep();
        });
        return;
    case 1:
        if (!m_client.hasToken()) {
            add("login", u"openpai.no-token"_s, {{u"target"_s, m_target.id()}});
            m_then(m_info);
            return;
        }
        m_client.user([self](const OpenPaiClient::Answer &answer) {
            if (self->failed("login", answer)) {
                return;
            }
            const QJsonObject user = answer.object();
            self->m_allowed = user.value("virtualCluster"_L1).toVariant().toStringList();
            self->m_isAdmin = user.value("admin"_L1).toBool();
            self->add("login", {}, {{u"user"_s, self->m_target.user}});
            self->nextStep();
        });
        return;
    case 2:
        m_client.virtualClusters([self](const OpenPaiClient::Answer &answer) {
            if (!self->failed("virtual-clusters", answer)) {
                self->lookAtClusters(answer.object());
            }
        });
        return;
    case 3:
        m_client.skuTypes(m_target.virtualCluster, [self](const OpenPaiClient::Answer &answer) {
            // A cluster that schedules without SKUs may not even know the question.
            const bool hasNone = answer.failure.error.code == "openpai.no-api"_L1;
            if (hasNone || !self->failed("skus", answer)) {
                const QJsonArray skus = hasNone ? QJsonArray() : openpai::skusIn(answer.object());
                self->add("skus", {}, {{u"cluster"_s, self->m_target.virtualCluster}, {u"skus"_s, skus}});
                self->nextStep();
            }
        });
        return;
    case 4:
        m_client.storages([self](const OpenPaiClient::Answer &answer) {
            if (self->failed("storages", answer)) {
                return;
            }
            QStringList names;
            const QJsonArray storages = answer.object().value("storages"_L1).toArray();
            for (const QJsonValue &each : storages) {
                names.append(each.toObject().value("name"_L1).toString());
            }
            self->add("storages", {}, {{u"names"_s, QJsonArray::fromStringList(names)}});
            self->m_then(self->m_info);
        });
        return;
    default:
        m_then(m_info);
    }
}

void OpenPaiCheck::lookAtClusters(const QJsonObject &clusters)
{
    const QString &wanted = m_target.virtualCluster;
    const QJsonObject args{
        {u"target"_s, m_target.id()}, {u"detail"_s, wanted}, {u"cluster"_s, wanted}, {u"user"_s, m_target.user}};
    QJsonArray found;
    for (auto it = clusters.constBegin(); it != clusters.constEnd(); ++it) {
        const QJsonObject cluster = it.value().toObject();
        const QJsonObject used = cluster.value("resourcesUsed"_L1).toObject();
        const QJsonObject all = cluster.value("resourcesGuaranteed"_L1).toObject();
        const int gpus = all.value("gpu"_L1).toInt();
        found.append(QJsonObject{{u"name"_s, it.key()}, {u"gpus"_s, gpus},
            {u"freeGpus"_s, std::max(0, gpus - used.value("gpu"_L1).toInt())},
            {u"isOwn"_s, m_isAdmin || m_allowed.contains(it.key())}});
    }
    if (!clusters.contains(wanted)) {
        add("virtual-clusters", u"openpai.no-virtual-cluster"_s, args);
        m_then(m_info);
        return;
    }
    if (!m_isAdmin && !m_allowed.contains(wanted)) {
        add("virtual-clusters", u"openpai.cluster-forbidden"_s, args);
        m_then(m_info);
        return;
    }
    add("virtual-clusters", {}, {{u"clusters"_s, found}});
    nextStep();
}

} // namespace trainyard
