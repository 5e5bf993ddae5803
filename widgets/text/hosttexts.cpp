// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/hosttexts.h"

#include "engine/api/clusters.h"
#include "engine/api/hosterrors.h"
#include "engine/api/hoststeps.h"
#include "engine/api/reasons.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"
#include "widgets/text/gputexts.h"
#include "widgets/text/sentences.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QMap>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

struct HostTexts {
    Q_DECLARE_TR_FUNCTIONS(HostTexts)
};

QString textOf(const QJsonObject &args, const char *name) { return args.value(QLatin1StringView(name)).toString(); }

QString resolveText(const QJsonObject &args)
{
    const QString proxy = textOf(args, "proxy");
    const QString address = textOf(args, "address");
    return !proxy.isEmpty() ? HostTexts::tr("reached through %1").arg(proxy)
        : address.isEmpty() ? QString()
                            : HostTexts::tr("%1, port %2").arg(address).arg(args.value("port"_L1).toInt());
}

QString loginText(const QJsonObject &args)
{
    const QString method = textOf(args, "method");
    const QString file = textOf(args, "file");
    return method.isEmpty()        ? QString()
        : !file.isEmpty()          ? HostTexts::tr("with the key %1").arg(file)
        : method == "publickey"_L1 ? HostTexts::tr("with a key")
        : method == "password"_L1 || method == "keyboard-interactive"_L1
        ? HostTexts::tr("with a password or code")
        : HostTexts::tr("by the method %1").arg(method);
}

QString diskText(const QJsonObject &args)
{
    const qint64 freeMiB = args.value("freeMiB"_L1).toInteger(-1);
    const QString folder = textOf(args, "folder");
    if (freeMiB < 0) {
        return HostTexts::tr("files of tasks are in %1").arg(folder);
    }
    return args.value("network"_L1).toBool()
        ? HostTexts::tr("%1 free in %2, which is a network file system").arg(formatMiB(freeMiB), folder)
        : HostTexts::tr("%1 free in %2").arg(formatMiB(freeMiB), folder);
}

QString gpusText(const QJsonArray &names)
{
    if (names.isEmpty()) {
        return HostTexts::tr("none");
    }
    QMap<QString, int> counts;
    for (const QJsonValue &name : names) {
        ++counts[shortGpuName(name.toString())];
    }
    QStringList parts;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
        parts.append(QString::number(it.value()) + u" × "_s + it.key());
    }
    return parts.join(u", "_s);
}

QString clockText(qint64 aheadMs)
{
    const QString seconds = QString::number(double(qAbs(aheadMs)) / 1000, 'f', 1);
    return qAbs(aheadMs) < 50 ? HostTexts::tr("the same as here")
        : aheadMs > 0         ? HostTexts::tr("%1 s ahead of this computer").arg(seconds)
                              : HostTexts::tr("%1 s behind this computer").arg(seconds);
}

QString factsText(const QString &id, const QJsonObject &args)
{
    if (id == hoststep::resolve) {
        return resolveText(args);
    }
    if (id == hoststep::connect) {
        return textOf(args, "software");
    }
    if (id == hoststep::key) {
        return textOf(args, "fingerprint");
    }
    if (id == hoststep::login) {
        return loginText(args);
    }
    if (id == hoststep::shell) {
        return HostTexts::tr("runs commands");
    }
    if (id == hoststep::folder) {
        return textOf(args, "folder");
    }
    if (id == hoststep::push) {
        const qint64 bytes = args.value("bytes"_L1).toInteger();
        const qint64 of = args.value("of"_L1).toInteger();
        return of > 0 ? HostTexts::tr("copying, %1 of %2 MiB")
                            .arg(double(bytes) / (1 << 20), 0, 'f', 1)
                            .arg(double(of) / (1 << 20), 0, 'f', 1)
            : bytes == 0 ? HostTexts::tr("was there already")
                         : HostTexts::tr("copied, %1 MiB").arg(double(bytes) / (1 << 20), 0, 'f', 1);
    }
    if (id == hoststep::agent) {
        return HostTexts::tr("version %1 answers, as %2").arg(textOf(args, "version"), textOf(args, "user"));
    }
    if (id == hoststep::system) {
        QStringList parts{textOf(args, "os"), formatCores(args.value("cpus"_L1).toInteger()),
            formatMiB(args.value("memoryMiB"_L1).toInteger()), textOf(args, "cpu")};
        parts.removeAll(QString()); // not every system says its name
        return parts.join(u", "_s);
    }
    if (id == hoststep::disk) {
        return diskText(args);
    }
    if (id == hoststep::gpus) {
        return gpusText(args.value("gpus"_L1).toArray());
    }
    if (id == hoststep::containers) {
        const QStringList names = args.value("runtimes"_L1).toVariant().toStringList();
        return names.isEmpty() ? HostTexts::tr("none; jobs with an image run in the host's shell")
                               : names.join(u", "_s);
    }
    return id == hoststep::clock ? clockText(args.value("aheadMs"_L1).toInteger()) : QString();
}

} // namespace

QString hostLabel(const QString &id, const QHash<QString, QString> &labels)
{
    if (const auto known = labels.constFind(id); known != labels.cend()) {
        return *known;
    }
    const std::optional<ClusterPlace> place = clusterPlaceOf(id);
    return !place               ? id
        : place->node.isEmpty() ? place->cluster
                                : HostTexts::tr("%1 (%2)").arg(place->node, place->cluster);
}

QString jobHostsText(const JobSummary &job, const QHash<QString, QString> &labels)
{
    QStringList hosts;
    for (const QString &host : job.hosts) {
        hosts.append(host == "local"_L1 ? HostTexts::tr("This computer") : hostLabel(host, labels));
    }
    return hosts.join(", "_L1);
}

QHash<QString, QString> hostLabels(const QList<HostInfo> &hosts)
{
    QHash<QString, QString> labels;
    for (const HostInfo &host : hosts) {
        labels.insert(host.id, host.label);
    }
    return labels;
}

static QString hostStateName(HostState state)
{
    switch (state) {
    case HostState::Unknown:
        return HostTexts::tr("not known yet");
    case HostState::Connecting:
        return HostTexts::tr("connecting");
    case HostState::Online:
        return HostTexts::tr("online");
    case HostState::Offline:
        return HostTexts::tr("offline");
    case HostState::NeedsLogin:
        return HostTexts::tr("needs you to log in");
    case HostState::Failed:
        return HostTexts::tr("failed");
    }
    return {};
}

// Empty: new tasks may start there.
static QString useText(const HostInfo &host)
{
    if (host.drained) {
        return host.tasks > 0 ? HostTexts::tr("draining") : HostTexts::tr("drained");
    }
    if (host.hold == reason::WaitClosed::code) {
        const reason::WaitClosed closed = valuejson::valueFrom<reason::WaitClosed>(host.holdArgs);
        return HostTexts::tr("closed until %1").arg(closed.until);
    }
    return host.hold == reason::WaitQuarantine::code ? HostTexts::tr("in quarantine") : QString();
}

QString hostStateWord(const HostInfo &host)
{
    const bool isOpen = host.state == HostState::NeedsLogin;
    return isOpen && hosterror::isKeyChanged(host.error) ? HostTexts::tr("its host key has changed")
        : isOpen && hosterror::isKeyRefused(host.error)  ? HostTexts::tr("accepts none of your keys")
                                                         : hostStateName(host.state);
}

static QString withUse(const QString &state, const HostInfo &host)
{
    const QString use = useText(host);
    return use.isEmpty() ? state : HostTexts::tr("%1, %2").arg(state, use);
}

QString hostStateAndUse(const HostInfo &host) { return withUse(hostStateWord(host), host); }

QString hostStateText(const HostInfo &host)
{
    const QString word = hostStateWord(host);
    const QString state = host.lastSeen > 0
        ? HostTexts::tr("%1, last seen %2").arg(word, formatTime(host.lastSeen, QDateTime::currentMSecsSinceEpoch()))
        : word;
    return withUse(state, host);
}

// The fault of the machine that made tasks fail.
static QString faultText(const QString &kind)
{
    static const QMap<QString, const char *> texts{
        {u"gpu-lost"_s, QT_TRANSLATE_NOOP("HostTexts", "The GPU was lost while they ran")},
        {u"gpu-memory"_s, QT_TRANSLATE_NOOP("HostTexts", "The GPU had memory errors that cannot be corrected")},
        {u"gpu-xid"_s, QT_TRANSLATE_NOOP("HostTexts", "The driver reported errors of the GPU")},
        {u"launch.keeper-died"_s, QT_TRANSLATE_NOOP("HostTexts", "The helper could not start them")},
        {u"launch.container-service"_s, QT_TRANSLATE_NOOP("HostTexts", "The container service did not answer")},
        {u"launch.container-gpu"_s, QT_TRANSLATE_NOOP("HostTexts", "Containers could not get a GPU")},
        {u"launch.runtime-missing"_s, QT_TRANSLATE_NOOP("HostTexts", "The container program was missing")},
        {u"launch.gpu-lock-failed"_s, QT_TRANSLATE_NOOP("HostTexts", "The GPUs could not be locked")},
        {u"launch.no-memory-folder"_s,
            QT_TRANSLATE_NOOP("HostTexts", "There was no folder in memory for their secrets")},
        {u"launch.folder-unwritable"_s, QT_TRANSLATE_NOOP("HostTexts", "Their folders could not be written")},
    };
    const char *text = texts.value(kind);
    return text ? HostTexts::tr(text) : HostTexts::tr("The machine failed (%1)").arg(kind);
}

QString quarantineText(const Quarantine &quarantine)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QStringList tries;
    for (const MachineFailure &failure : quarantine.failures) {
        tries.append(
            HostTexts::tr("#%1 %2 at %3").arg(QString::number(failure.job), failure.task, formatTime(failure.at, now)));
    }
    const QString what
        = quarantine.gpu.isEmpty() ? HostTexts::tr("The host") : HostTexts::tr("GPU %1").arg(quarantine.index);
    const qsizetype count = quarantine.failures.size();
    const QString failed
        = count == 1 ? HostTexts::tr("a try failed there") : HostTexts::tr("%1 tries in a row failed there").arg(count);
    return HostTexts::tr("%1 has been in quarantine since %2: %3. %4: %5.")
        .arg(what, formatTime(quarantine.since, now), failed, faultText(quarantine.kind), tries.join(u", "_s));
}

QString stepName(const QString &id)
{
    static const QMap<QString, const char *> names{
        {hoststep::resolve, QT_TRANSLATE_NOOP("HostTexts", "Address")},
        {hoststep::connect, QT_TRANSLATE_NOOP("HostTexts", "Connect")},
        {hoststep::key, QT_TRANSLATE_NOOP("HostTexts", "Host key")},
        {hoststep::login, QT_TRANSLATE_NOOP("HostTexts", "Log in")},
        {hoststep::shell, QT_TRANSLATE_NOOP("HostTexts", "Shell")},
        {hoststep::folder, QT_TRANSLATE_NOOP("HostTexts", "Folder")},
        {hoststep::push, QT_TRANSLATE_NOOP("HostTexts", "Helper")},
        {hoststep::agent, QT_TRANSLATE_NOOP("HostTexts", "Helper answers")},
        {hoststep::system, QT_TRANSLATE_NOOP("HostTexts", "System")},
        {hoststep::disk, QT_TRANSLATE_NOOP("HostTexts", "Free disk")},
        {hoststep::gpus, QT_TRANSLATE_NOOP("HostTexts", "GPUs")},
        {hoststep::containers, QT_TRANSLATE_NOOP("HostTexts", "Containers")},
        {hoststep::cluster, QT_TRANSLATE_NOOP("HostTexts", "Slurm")},
        {hoststep::clock, QT_TRANSLATE_NOOP("HostTexts", "Clock")},
    };
    const char *name = names.value(id);
    return name ? HostTexts::tr(name) : id;
}

// The commands alone do not make a cluster.
static QString clusterText(const HostStep &step)
{
    const QString host = textOf(step.args, "host");
    const QString command = host.isEmpty() ? u"trainyardctl targets add slurm:NAME"_s
                                           : u"trainyardctl targets add slurm:NAME --login "_s + host;
    if (step.state == StepState::Running) {
        return HostTexts::tr("the commands of Slurm are installed; asking whether a cluster answers them");
    }
    if (step.state != StepState::Warned) {
        return areForWindow() ? HostTexts::tr("a Slurm cluster answers; 'Add this cluster' makes it a target of jobs")
                              : HostTexts::tr("a Slurm cluster answers; '%1' makes it a target of jobs").arg(command);
    }
    const QString what = step.code == "step.cluster.unconfigured"_L1
        ? HostTexts::tr(
            "the commands of Slurm are installed, but no slurm.conf tells them where a cluster is. If there "
            "is one, set SLURM_CONF to its file in the login files of this host, and check the host again.")
        : HostTexts::tr("the commands of Slurm are installed, but no controller answers them. If there is a cluster, "
                        "see what 'scontrol ping' says on this host, and check the host again once it answers.");
    const QString detail = textOf(step.args, "detail");
    return detail.isEmpty() ? what : HostTexts::tr("%1 scontrol says: %2").arg(what, detail);
}

QString stepText(const HostStep &step)
{
    if (step.state == StepState::Failed) {
        return reasonText(step.code, step.args);
    }
    if (step.id == hoststep::cluster) {
        return clusterText(step);
    }
    if (step.state == StepState::Waiting || (step.state == StepState::Running && step.args.isEmpty())) {
        return {};
    }
    const QString facts = factsText(step.id, step.args);
    if (step.state != StepState::Warned) {
        return facts;
    }
    const QString mind = step.id == hoststep::clock
        ? HostTexts::tr("times of its logs are compared with those of other hosts. Set its clock.")
        : step.id == hoststep::containers
        ? HostTexts::tr("the Docker daemon does not answer, so no task is started with docker.")
        : HostTexts::tr("little is left. Make room before tasks lose output.");
    return facts + u": "_s + mind;
}

QString stepTime(const HostStep &step)
{
    constexpr qint64 second = 1000;
    return step.ms < 0     ? QString()
        : step.ms < second ? HostTexts::tr("%1 ms").arg(step.ms)
                           : HostTexts::tr("%1 s").arg(double(step.ms) / second, 0, 'f', 1);
}

bool isSaidByAStep(const HostInfo &host)
{
    return std::any_of(host.steps.cbegin(), host.steps.cend(),
        [&host](const HostStep &step) { return step.state == StepState::Failed && step.code == host.error; });
}

QString peerAddressText(const HostInfo &host)
{
    QStringList known;
    for (const AddressOfHost &each : host.addresses) {
        known.append(HostTexts::tr("%1 (%2)").arg(each.address, each.interface));
    }
    if (!host.address.isEmpty()) {
        return known.isEmpty() ? host.address : HostTexts::tr("%1; it has %2").arg(host.address, known.join(u", "_s));
    }
    return known.isEmpty() ? HostTexts::tr("chosen from its interfaces")
                           : HostTexts::tr("chosen from %1").arg(known.join(u", "_s));
}

QString checkText(const HostInfo &host)
{
    if (host.state != HostState::Online || host.check != StepState::Failed) {
        return {};
    }
    const QString why = reasonText(host.checkError, host.checkErrorArgs);
    return HostTexts::tr("The last check could make no new connection to %1: %2 The connection in use still answers.")
        .arg(host.id, why.endsWith(u'.') ? why : why + u'.');
}

QString lockedKeyText(const QString &file)
{
    return HostTexts::tr("The key %1 was not unlocked: its pass phrase was wrong, or was not given. So the host asks "
                         "for something else.")
        .arg(file);
}

QString hostJobsText(const HostInfo &host)
{
    constexpr qsizetype most = 20, longest = 30; // a name has no place to break at
    QStringList jobs;
    for (const JobOnHost &job : host.jobs.first(std::min(most, host.jobs.size()))) {
        const QString name = job.name.size() > longest ? job.name.left(longest - 1) + u'…' : job.name;
        jobs.append(u'#' + QString::number(job.id) + u' ' + name + u' '
            + (job.tasks == 1 ? HostTexts::tr("(1 task)") : HostTexts::tr("(%1 tasks)").arg(job.tasks)));
    }
    if (host.jobs.size() > most) {
        jobs.append(HostTexts::tr("%1 more").arg(host.jobs.size() - most));
    }
    return jobs.join(u", "_s);
}

QString hostReport(const HostInfo &host)
{
    QStringList lines{HostTexts::tr("Host %1").arg(host.id)};
    if (!host.ssh.isEmpty()) {
        lines.append(HostTexts::tr("Reached with: %1").arg(host.ssh));
    }
    lines.append(HostTexts::tr("State: %1").arg(hostStateText(host)));
    if (!host.labels.isEmpty()) {
        lines.append(HostTexts::tr("Labels: %1").arg(host.labels.join(u' ')));
    }
    if (!host.hours.isEmpty()) {
        lines.append(HostTexts::tr("Closed hours: %1").arg(host.hours));
    }
    if (!host.address.isEmpty() || !host.addresses.isEmpty()) {
        lines.append(HostTexts::tr("For tasks on other hosts: %1").arg(peerAddressText(host)));
    }
    if (const QString jobs = hostJobsText(host); !jobs.isEmpty()) {
        lines.append(HostTexts::tr("Jobs there: %1").arg(jobs));
    }
    for (const Quarantine &quarantine : host.quarantines) {
        lines.append(quarantineText(quarantine));
    }
    if (!host.error.isEmpty() && !isSaidByAStep(host)) {
        lines.append(reasonText(host.error, host.errorArgs));
    }
    if (const QString check = checkText(host); !check.isEmpty()) {
        lines.append(check);
    }
    QList<QStringList> rows;
    for (const HostStep &step : host.steps) {
        const QString mark = step.state == StepState::Passed ? u"ok"_s
            : step.state == StepState::Failed                ? HostTexts::tr("failed")
            : step.state == StepState::Warned                ? HostTexts::tr("mind")
            : step.state == StepState::Running               ? u"..."_s
                                                             : u"-"_s;
        rows.append({mark, stepName(step.id), stepTime(step), stepText(step)});
    }
    lines += alignedRows(rows);
    if (!host.banner.isEmpty()) {
        lines.append(HostTexts::tr("What its shell prints before a command: %1").arg(host.banner));
    }
    return lines.join(u'\n') + u'\n';
}

} // namespace trainyard
