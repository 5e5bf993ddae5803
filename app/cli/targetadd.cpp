// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/targetadd.h"

#include "app/cli/clustertoken.h"
#include "app/cli/console.h"
#include "app/cli/session.h"
#include "app/cli/targetcheck.h"
#include "app/cli/targetnames.h"
#include "engine/client/clustersettings.h"
#include "engine/client/kubeoptions.h"
#include "engine/client/openpaisettings.h"
#include "engine/client/slurmoptions.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// The settings of a cluster before `add` changes them: those that are not given are kept. A new one begins without
// settings, whatever a former one of its name has left.
class KnownTarget
{
public:
    KnownTarget(const QString &id, const QJsonObject &settings)
        : m_settings(clustersIn(settings).contains(id) ? settings : QJsonObject())
    {
    }
    bool isThere() const { return !m_settings.isEmpty(); }
    QString text(const QString &key) const { return m_settings.value(key).toString(); }
    QString text(const QString &key, const std::optional<QString> &given) const { return given.value_or(text(key)); }

private:
    QJsonObject m_settings;
};

Result<KnownTarget> knownTarget(Session &session, const QString &id)
{
    const Result<QJsonObject> all = session.call<api::GetSettings>({});
    if (!all) {
        return tl::unexpected<Error>(all.error());
    }
    const KnownTarget known(id, *all);
    if (known.isThere()) {
        errorLine(tr("%1 exists already. What is not given stays as it is.").arg(id));
    }
    return known;
}

// Those behind "--", as a setting has them. Nothing: none are given.
std::optional<QString> givenOptions(const TargetsValues &values)
{
    QStringList options;
    for (const QString &word : values.words.mid(1)) {
        options.append(slurmOptionWord(word));
    }
    return options.isEmpty() ? std::nullopt : std::optional(options.join(u' '));
}

// One after the other; an empty text takes the setting away. The last one is that with which the target is there.
int setTarget(Session &session, const QList<std::pair<QString, QString>> &settings)
{
    for (const auto &[key, text] : settings) {
        const QJsonValue value = text.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(text);
        if (const Result<bool> set = session.call<api::SetSetting>({key, value}); !set) {
            return report(set.error());
        }
    }
    return exitOk;
}

// A sentence for an option that clusters of this kind do not have: it would be lost without a word. Or nothing.
QString optionOfOthers(const TargetsValues &values, const QString &id)
{
    enum Kind { Slurm, OpenPai, Kubernetes };
    const QStringList kinds{tr("Slurm"), tr("OpenPAI"), tr("Kubernetes")};
    const Kind kind = isOpenPai(id) ? OpenPai : kubeNameIn(id) ? Kubernetes : Slurm;
    const struct {
        bool isGiven;
        QString option;
        Kind of;
    } all[] = {
        {values.folder.has_value(), targetsLine().name(&TargetsValues::folder), Slurm},
        {values.login.has_value(), targetsLine().name(&TargetsValues::login), Slurm},
        {values.images.has_value(), targetsLine().name(&TargetsValues::images), Slurm},
        {values.modules.has_value(), targetsLine().name(&TargetsValues::modules), Slurm},
        {values.user.has_value(), targetsLine().name(&TargetsValues::user), OpenPai},
        {values.cluster.has_value(), targetsLine().name(&TargetsValues::cluster), OpenPai},
        {values.isPlain, targetsLine().name(&TargetsValues::isPlain), OpenPai},
        {values.isTokenOnInput, targetsLine().name(&TargetsValues::isTokenOnInput), OpenPai},
        {values.isPassword, targetsLine().name(&TargetsValues::isPassword), OpenPai},
        {values.isPasswordOnInput, targetsLine().name(&TargetsValues::isPasswordOnInput), OpenPai},
        {values.queue.has_value(), targetsLine().name(&TargetsValues::queue), Kubernetes},
    };
    for (const auto &each : all) {
        if (each.isGiven && each.of != kind) {
            return tr("%1 is for clusters of %2, and %3 is one of %4. Leave it out.")
                .arg(each.option, kinds.at(each.of), id, kinds.at(kind));
        }
    }
    return {};
}

// The options and the queue of a Kubernetes cluster, as its settings have them.
int addKubernetes(const QString &name, const TargetsValues &values)
{
    if (const Result<void> good = checkTargetName(name); !good) {
        return report(good.error());
    }
    const std::optional<QString> options = givenOptions(values);
    if (const Result<QStringList> good = kubeOptions(options.value_or(QString())); !good) {
        return report(good.error());
    }
    const QString queue = values.queue.value_or(QString());
    if (const Result<void> good = queue.isEmpty() ? Result<void>() : checkQueueName(queue); !good) {
        return report(good.error());
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const QString id = kubeTargetId(name);
    const Result<KnownTarget> known = knownTarget(session, id);
    if (!known) {
        return report(known.error());
    }
    const QString line = known->text(kubeOptionsKey(name), options);
    const int status = setTarget(session,
        {{kubeQueueKey(name), known->text(kubeQueueKey(name), values.queue)},
            {kubeOptionsKey(name), line.isEmpty() ? QString(noKubeOptions) : line}});
    return status == exitOk ? checkAdded(session, id, values.json) : status;
}

int addOpenPai(const TargetsValues &values)
{
    const QString id = values.words.constFirst(), name = clusterNameIn(id);
    if (const Result<void> good = checkTargetName(name); !good) {
        return report(good.error());
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const Result<KnownTarget> known = knownTarget(session, id);
    if (!known) {
        return report(known.error());
    }
    const bool isAddressGiven = values.words.size() == 2;
    if (!isAddressGiven && (values.words.size() != 1 || !known->isThere())) {
        return targetsLine().wrongUsage(
            tr("An OpenPAI cluster needs its address: 'targets add %1 https://pai.example.org --user USER'.").arg(id));
    }
    // The permission to go without TLS is given for one address, and not for the next one.
    const bool isPlain = values.isPlain || (!isAddressGiven && known->text(openPaiPlainKey(name)) == "yes"_L1);
    const QString was = known->text(openPaiAddressKey(name)), user = known->text(openPaiUserKey(name), values.user);
    const Result<QString> address = openPaiAddress(isAddressGiven ? values.words.at(1) : was, isPlain);
    if (!address && address.error().code == "openpai.plain-http"_L1) { // which names the setting
        const QString text = tr("%1 is not reached by TLS, so anyone on the network could read the token and the "
                                "secrets of jobs. Use https, or allow it with %2.")
                                 .arg(address.error().args.value("address"_L1).toString(),
                                     targetsLine().name(&TargetsValues::isPlain));
        noteFailure(address.error().code, text);
        errorLine(text);
        return exitRefused;
    }
    if (!address) {
        return report(address.error());
    }
    if (const Result<void> good = checkOpenPaiUser(user); !good) {
        return report(good.error());
    }
    // The token that it has stays, unless it is that of another user or cluster.
    const bool wantsNewToken = isLoginGiven(values) || *address != was || user != known->text(openPaiUserKey(name));
    ClusterLogin login;
    if (const int status = wantsNewToken ? readLogin(id, values, login) : int(exitOk); status != exitOk) {
        return status;
    }
    const int set = setTarget(session,
        {{openPaiUserKey(name), user}, {openPaiClusterKey(name), known->text(openPaiClusterKey(name), values.cluster)},
            {openPaiPlainKey(name), isPlain ? u"yes"_s : QString()}, {openPaiAddressKey(name), *address}});
    if (set != exitOk) {
        return set;
    }
    int handedOver = exitOk;
    if (!wantsNewToken) {
        handOverKeptToken(session, id);
    } else if (handedOver = handOverLogin(session, id, login); handedOver != exitOk && !login.isPassword) {
        return handedOver;
    }
    const int checked = checkAdded(session, id, values.json);
    return checked == exitOk ? handedOver : checked; // without the new one, it may have a former token
}

bool isHost(const QList<HostInfo> &hosts, const QString &login)
{
    return std::any_of(hosts.cbegin(), hosts.cend(),
        [&login](const HostInfo &host) { return host.id == login && !host.target.isEmpty(); });
}

int addSlurm(const QString &name, const TargetsValues &values)
{
    const std::optional<QString> options = givenOptions(values);
    if (const Result<QStringList> good = slurmOptions(options.value_or(QString())); !good) {
        return report(good.error());
    }
    if (const Result<void> good = checkSlurmImages(values.images.value_or(QString())); !good) {
        return report(good.error());
    }
    const Result<QStringList> modules = slurmModules(values.modules.value_or(QString()));
    if (!modules) {
        return report(modules.error());
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const QString id = slurmTargetId(name);
    const Result<KnownTarget> known = knownTarget(session, id);
    if (!known) {
        return report(known.error());
    }
    const QString login = known->text(slurmLoginKey(name), values.login);
    if (values.login && !login.isEmpty()) {
        const Result<QList<HostInfo>> hosts = session.call<api::ListHosts>({});
        if (!hosts) {
            return report(hosts.error());
        }
        if (!isHost(*hosts, login)) {
            return report({u"slurm.login-unknown"_s, {{u"host"_s, login}}});
        }
    }
    QString folder = known->text(slurmFolderKey(name), values.folder);
    if (values.folder && !folder.isEmpty()) {
        // On a login node it is a folder of the login node.
        folder = QDir::cleanPath(login.isEmpty() ? QFileInfo(folder).absoluteFilePath() : folder);
    }
    const QString line = known->text(slurmOptionsKey(name), options);
    const QString images = known->text(slurmImagesKey(name), values.images);
    const int status = setTarget(session,
        {{slurmLoginKey(name), login}, {slurmFolderKey(name), folder},
            {slurmImagesKey(name), images == noSlurmImages ? QString() : images},
            {slurmModulesKey(name), values.modules ? modules->join(u',') : known->text(slurmModulesKey(name))},
            {slurmOptionsKey(name), line.isEmpty() ? QString(noSlurmOptions) : line}});
    return status == exitOk ? checkAdded(session, id, values.json) : status;
}

} // namespace

int runTargetsAdd(const TargetsValues &values)
{
    if (const QString lost = optionOfOthers(values, targetIdOf(values.words.constFirst())); !lost.isEmpty()) {
        return targetsLine().wrongUsage(lost);
    }
    if (const std::optional<QString> kube = kubeNameIn(values.words.constFirst())) {
        return addKubernetes(*kube, values);
    }
    if (isOpenPai(values.words.constFirst())) {
        return addOpenPai(values);
    }
    const QString name = clusterNameIn(values.words.constFirst());
    if (values.words.constFirst().contains(u':') && !values.words.constFirst().startsWith("slurm:"_L1)) {
        return targetsLine().wrongUsage(tr("'%1' is not the name of a cluster, such as slurm:lab or kubernetes:lab.")
                                            .arg(values.words.constFirst()));
    }
    if (const Result<void> good = checkTargetName(name); !good) {
        return report(good.error());
    }
    if (!values.words.constFirst().contains(u':')) {
        errorLine(
            tr("'%1' names no kind of cluster, so it is taken for one of Slurm: %2.").arg(name, slurmTargetId(name)));
    }
    return addSlurm(name, values);
}

} // namespace trainyard::cli
