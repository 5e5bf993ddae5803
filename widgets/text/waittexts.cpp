// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/waittexts.h"

#include "engine/api/clusters.h"
#include "engine/api/hosterrors.h"
#include "engine/api/jobfacts.h"
#include "engine/api/reasons.h"
#include "engine/api/values.h"
#include "model/base/numberlist.h"
#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/sentences.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int mostJobs = 6;
constexpr int mostHosts = 8;

struct Waits {
    Q_DECLARE_TR_FUNCTIONS(Waits)
};

QStringList numbersOf(const QList<qint64> &jobs)
{
    QStringList numbers;
    for (const qint64 job : jobs) {
        numbers.append(QLatin1Char('#') + QString::number(job));
    }
    return numbers;
}

QString shortened(QStringList numbers)
{
    if (numbers.size() > mostJobs) {
        const qsizetype more = numbers.size() - mostJobs;
        numbers.resize(mostJobs);
        return Waits::tr("%1 and %2 more").arg(numbers.join(QStringLiteral(", "))).arg(more);
    }
    return numbers.join(QStringLiteral(", "));
}

// Why nothing new starts on the host, whatever is free there.
QString holdText(const reason::Why &hold)
{
    return std::visit(Overloaded{
                          [](const reason::WaitDrained &) { return Waits::tr("drained: nothing new starts there"); },
                          [](const reason::WaitLoginNode &) { return Waits::tr("a login node: nothing starts there"); },
                          [](const reason::WaitClosed &closed) {
                              return Waits::tr("nothing new starts there before %1").arg(closed.until);
                          },
                          [](const reason::WaitQuarantine &) { return Waits::tr("in quarantine"); },
                          [](const reason::WaitDisk &) { return Waits::tr("its disk is nearly full"); },
                          [](const auto &) { return Waits::tr("nothing new starts there"); },
                      },
        reason::any(hold.code, hold.args));
}

QString hostLine(const reason::GpusOfHost &host)
{
    QStringList parts{Waits::tr("%1 of %2 GPUs free").arg(host.free).arg(host.total)};
    if (!host.jobs.isEmpty()) {
        parts.append(Waits::tr("in use by %1").arg(shortened(numbersOf(host.jobs))));
    }
    if (host.shared.value_or(0) > 0) {
        parts.append(Waits::tr("%1 shared, with %2 left on one")
                         .arg(QString::number(*host.shared), formatMiB(host.roomMiB.value_or(0))));
    }
    if (host.foreign > 0) {
        parts.append(Waits::tr("%1 used by other programs").arg(host.foreign));
    }
    if (host.held > 0) {
        parts.append(Waits::tr("%1 locked by another engine").arg(host.held));
    }
    if (host.lost && !host.lost->isEmpty()) {
        parts.append(Waits::tr("lost: GPU %1").arg(joinedNumbers(*host.lost, QStringLiteral(", "))));
    }
    if (host.quarantined && !host.quarantined->isEmpty()) {
        parts.append(Waits::tr("in quarantine: GPU %1").arg(joinedNumbers(*host.quarantined, QStringLiteral(", "))));
    }
    if (host.hours > 0) {
        parts.append(Waits::tr("%1 of them kept until %2").arg(host.hours).arg(host.until.value_or(QString())));
    }
    if (host.excluded > 0) {
        parts.append(Waits::tr("%1 never for jobs").arg(host.excluded));
    }
    if (host.hold) {
        parts.append(holdText(*host.hold));
    }
    return parts.join(QStringLiteral("; "));
}

QString hostLine(const reason::MemoryOfHost &host)
{
    QStringList parts{Waits::tr("%1 of %2 free").arg(formatMiB(host.freeMiB), formatMiB(host.totalMiB))};
    if (!host.jobs.isEmpty()) {
        parts.append(Waits::tr("in use by %1").arg(shortened(numbersOf(host.jobs))));
    }
    if (host.hold) {
        parts.append(holdText(*host.hold));
    }
    return parts.join(QStringLiteral("; "));
}

// #3 and #7
QString together(QStringList words)
{
    if (words.size() < 2) {
        return words.join(QString());
    }
    const QString last = words.takeLast();
    return Waits::tr("%1 and %2").arg(words.join(QStringLiteral(", ")), last);
}

QString jobsTogether(const QStringList &numbers)
{
    return numbers.size() > mostJobs ? shortened(numbers) : together(numbers);
}

// At which hour the GPUs of the hosts are for jobs again.
QString hourOf(const QList<reason::GpusOfHost> &hosts)
{
    for (const reason::GpusOfHost &host : hosts) {
        if (host.until && !host.until->isEmpty()) {
            return Waits::tr("it is %1 (setting gpu.keepHours)").arg(*host.until);
        }
    }
    return Waits::tr("the hours of gpu.keepHours are over");
}

// Everything that has to happen in one of the ways.
QString wayText(const reason::Way &way, const QList<reason::GpusOfHost> &hosts)
{
    QStringList when;
    const QStringList ends = numbersOf(way.ends.value_or(QList<qint64>()));
    if (ends.size() > 1 && way.any.value_or(false)) {
        when.append(Waits::tr("one of %1 ends").arg(shortened(ends)));
    } else if (!ends.isEmpty()) {
        when.append(Waits::tr("tasks of %1 end").arg(jobsTogether(ends)));
    }
    if (way.foreign.value_or(false)) {
        when.append(Waits::tr("other programs leave the GPUs (or the setting gpu.foreignIsBusy is off)"));
    }
    if (way.held.value_or(false)) {
        when.append(Waits::tr("tasks of another engine end"));
    }
    QStringList lost;
    for (const reason::LostGpu &gpu : way.lost.value_or(QList<reason::LostGpu>())) {
        lost.append(Waits::tr("GPU %1 of %2").arg(gpu.index).arg(gpu.host));
    }
    if (lost.size() == 1) {
        when.append(Waits::tr("%1 is listed by its driver again").arg(lost.first()));
    } else if (!lost.isEmpty()) {
        when.append(Waits::tr("%1 are listed by their drivers again").arg(together(lost)));
    }
    if (way.hours.value_or(false)) {
        when.append(hourOf(hosts));
    }
    return together(when);
}

// The changes that would let the job start; `other` is another way.
QStringList unblockLines(
    const reason::Unblock &unblock, const QList<reason::GpusOfHost> &hosts = {}, const QString &other = {})
{
    QStringList ways;
    for (const reason::Way &way : unblock.ways.value_or(QList<reason::Way>())) {
        ways.append(wayText(way, hosts));
    }
    if (!other.isEmpty()) {
        ways.append(other);
    }
    QStringList lines;
    if (!ways.isEmpty()) {
        lines.append(Waits::tr("It can start when %1.").arg(ways.join(Waits::tr(", or "))));
    }
    if (unblock.before && !unblock.before->isEmpty()) {
        lines.append(Waits::tr("First in the queue, and so the first to take what becomes free: %1.")
                         .arg(shortened(numbersOf(*unblock.before))));
    }
    if (unblock.elsewhere && !unblock.elsewhere->isEmpty()) {
        lines.append(Waits::tr("There is room for it on %1, but it is for one host only: the one that was chosen, or "
                               "this computer because its work folder is here. Submitted to any host ('--on any' in a "
                               "shell), it may go there, with a copy of its folder.")
                         .arg(together(*unblock.elsewhere)));
    }
    return lines;
}

// Advice if there is no connection to these hosts.
QString checkLine(const QStringList &hosts)
{
    return areForWindow()
        ? Waits::tr("The page Hosts says why, and tries again at once with 'Check again' or 'Log in'.")
        : Waits::tr("'trainyardctl hosts check %1' says why, and tries again at once.")
              .arg(hosts.first(std::min<qsizetype>(hosts.size(), mostHosts)).join(u' '));
}

template <typename Host> QStringList hostLines(const QList<Host> &hosts)
{
    QStringList lines;
    for (const Host &host : hosts.first(std::min<qsizetype>(hosts.size(), mostHosts))) {
        lines.append(host.host + QStringLiteral(": ") + hostLine(host));
    }
    if (hosts.size() > mostHosts) {
        lines.append(Waits::tr("%1 more hosts").arg(hosts.size() - mostHosts));
    }
    return lines;
}

// Additional lines for a reason beside its sentence.
struct WaitLines {
    QStringList operator()(const reason::WaitGpu &wait) const
    {
        return hostLines(wait.hosts) + unblockLines(wait.unblock, wait.hosts);
    }
    QStringList operator()(const reason::WaitGpuMemory &wait) const
    {
        return hostLines(wait.hosts) + unblockLines(wait.unblock, wait.hosts);
    }
    QStringList operator()(const reason::WaitGpuType &wait) const
    {
        return hostLines(wait.hosts) + unblockLines(wait.unblock, wait.hosts);
    }
    QStringList operator()(const reason::WaitMemory &wait) const
    {
        // For one host the sentence has the figures already, and what would help names the jobs that use it.
        const bool isSaid = wait.hosts.size() == 1 && !wait.hosts.constFirst().hold
            && wait.hosts.constFirst().freeMiB == wait.freeMiB && wait.hosts.constFirst().totalMiB == wait.totalMiB
            && !wait.unblock.ways.value_or(QList<reason::Way>()).isEmpty();
        return (isSaid ? QStringList() : hostLines(wait.hosts)) + unblockLines(wait.unblock);
    }
    QStringList operator()(const reason::WaitHosts &wait) const
    {
        const bool isAway = wait.what == QLatin1StringView("away") && !wait.connecting.value_or(false);
        return hostLines(wait.hosts) + unblockLines(wait.unblock, wait.hosts)
            + (isAway && !wait.away.isEmpty() ? QStringList(checkLine(wait.away)) : QStringList());
    }
    QStringList operator()(const reason::WaitHost &wait) const
    {
        const QStringList away = wait.hosts.isEmpty() && !wait.host.isEmpty() ? QStringList(wait.host) : wait.hosts;
        const bool comesByItself = wait.connecting.value_or(false) || away.contains(QLatin1StringView("local"));
        return away.isEmpty() || comesByItself ? QStringList() : QStringList(checkLine(away));
    }
    QStringList operator()(const reason::WaitQueue &wait) const
    {
        const QString head = QLatin1Char('#') + QString::number(wait.job);
        return QStringList{Waits::tr("There is room for it, but it could hold up %1.").arg(head)}
        + unblockLines(wait.unblock, {},
            (areForWindow() ? Waits::tr("it is dragged above %1 in the list of jobs")
                            : Waits::tr("it is moved before %1 ('trainyardctl move')"))
                .arg(head));
    }
    QStringList operator()(const reason::WaitPort &wait) const
    {
        QStringList lines;
        for (const reason::PortOfHost &each : wait.hosts.first(std::min<qsizetype>(wait.hosts.size(), mostHosts))) {
            lines.append(Waits::tr("%1: port %2 in use by %3")
                             .arg(each.host)
                             .arg(each.port)
                             .arg(numbersOf({each.job}).join(QString())));
        }
        if (const qsizetype rest = wait.hosts.size() + wait.more.value_or(0) - lines.size(); rest > 0) {
            lines.append(Waits::tr("%1 more ports").arg(rest));
        }
        return lines + unblockLines(wait.unblock);
    }
    QStringList operator()(const reason::WaitRuntime &wait) const
    {
        QStringList lines;
        QStringList away, unknown, silent;
        for (const reason::RuntimeOfHost &each : wait.hosts) {
            const bool isUnknown = each.unknown.value_or(false);
            const bool isSilent = each.silent.value_or(false) && !each.away;
            if (isSilent) {
                silent.append(each.host);
            } else if (each.has) {
                away.append(each.host);
            } else if (isUnknown) {
                unknown.append(each.host);
            }
            if (lines.size() < mostHosts) {
                lines.append(each.host + QStringLiteral(": ")
                    + (isSilent         ? Waits::tr("the Docker daemon does not answer")
                            : each.has  ? Waits::tr("cannot be reached now")
                            : isUnknown ? Waits::tr("cannot be reached now, and may have %1").arg(wait.runIn)
                                        : Waits::tr("%1 is not installed").arg(wait.runIn)));
            }
        }
        if (wait.hosts.size() > mostHosts) {
            lines.append(Waits::tr("%1 more hosts").arg(wait.hosts.size() - mostHosts));
        }
        if (!silent.isEmpty()) {
            lines.append(Waits::tr("It can start when the daemon answers on %1; it is asked every few seconds.")
                             .arg(silent.join(Waits::tr(" or "))));
            return lines;
        }
        lines.append(away.isEmpty()
                ? (areForWindow()
                        ? Waits::tr("It can start when %1 is installed and the host has been checked again ('Check "
                                    "again' on the page Hosts).")
                        : Waits::tr("It can start when %1 is installed and the host has been checked again "
                                    "('trainyardctl hosts check')."))
                      .arg(wait.runIn)
                : Waits::tr("It can start when %1 can be reached.").arg(away.join(Waits::tr(" or "))));
        if (away.isEmpty() && !unknown.isEmpty()) {
            lines.append(checkLine(unknown));
        }
        return lines;
    }
    QStringList operator()(const reason::WaitPeers &wait) const
    {
        if (wait.how == QLatin1StringView("refused")) {
            return {
                Waits::tr("The connection is refused: a firewall is in between, or another computer has the address.")};
        }
        if (wait.how == QLatin1StringView("silent")) {
            return {Waits::tr("Nothing answers there: a firewall is in between, or another network has the address.")};
        }
        if (wait.how == QLatin1StringView("another")) {
            return {Waits::tr("Something else answers there: another computer has the address, too.")};
        }
        return {Waits::tr("%1 has no route to this address.").arg(wait.host)};
    }
    QStringList operator()(const auto &) const { return {}; }
};

// A reason may be about one host or several, each with what is wrong there.
void nameHost(QJsonObject &object, const QHash<QString, QString> &labels)
{
    constexpr QLatin1StringView key("host");
    if (const auto host = object.find(key); host != object.end() && host->isString()) {
        *host = hostLabel(host->toString(), labels);
    }
}

} // namespace

QJsonObject withHostLabels(const QJsonObject &args, const QHash<QString, QString> &labels)
{
    QJsonObject named = args;
    nameHost(named, labels);
    if (const auto hosts = named.find(QLatin1StringView("hosts")); hosts != named.end() && hosts->isArray()) {
        QJsonArray all = hosts->toArray();
        for (QJsonValueRef each : all) {
            if (each.isObject()) {
                QJsonObject host = each.toObject();
                nameHost(host, labels);
                each = host;
            } else if (each.toString() != QLatin1StringView("local")) { // which sentences have words for
                each = hostLabel(each.toString(), labels);
            }
        }
        *hosts = all;
    }
    for (const QLatin1StringView list : {QLatin1StringView("elsewhere"), QLatin1StringView("away")}) {
        if (const auto others = named.find(list); others != named.end() && others->isArray()) {
            QJsonArray all = others->toArray();
            for (QJsonValueRef each : all) {
                each = hostLabel(each.toString(), labels);
            }
            *others = all;
        }
    }
    return named;
}

// Where a job stands in the line of a cluster, and when that expects it to start.
static QStringList lineDetails(const QJsonObject &args)
{
    QStringList lines;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (const int position = args.value(QLatin1StringView("position")).toInt(); position > 0) {
        lines.append(Waits::tr("Its position in the queue of the partition %1 is %2 of %3.")
                         .arg(args.value(QLatin1StringView("partition")).toString(), QString::number(position),
                             QString::number(args.value(QLatin1StringView("length")).toInt())));
    }
    if (const qint64 began = args.value(QLatin1StringView("began")).toInteger(); began > 0) {
        lines.append(Waits::tr("The cluster started it at %1.").arg(formatTime(began, now)));
    }
    if (const qint64 next = args.value(QLatin1StringView("next")).toInteger(); next > now) {
        lines.append(Waits::tr("The next try is at %1.").arg(formatTime(next, now)));
    }
    if (const qint64 start = args.value(QLatin1StringView("start")).toInteger(); start > now) {
        lines.append(Waits::tr("The cluster expects it to start at %1. Other jobs can change that.")
                         .arg(formatTime(start, now)));
    }
    return lines;
}

QStringList waitDetails(const QString &code, const QJsonObject &args)
{
    // Whether it is busy, or cannot be found from here, its commands say best.
    const QString said = args.value(QLatin1StringView("detail")).toString();
    const bool isSilent = code == QLatin1StringView("wait.slurm-silent")
        || code == QLatin1StringView("wait.slurm-unconfigured") || code == QLatin1StringView("job.slurm-unaccounted")
        || code == QLatin1StringView("stop.target-unsure");
    if (isSilent && !said.isEmpty()) {
        // Slurm and Kubernetes are asked by programs, an OpenPAI cluster is not.
        const bool hasCommand = !args.value(QLatin1StringView("target")).toString().startsWith(openPaiKind + u':');
        return {
            (hasCommand ? Waits::tr("Its command says: %1") : Waits::tr("What came back: %1")).arg(withFullStop(said))};
    }
    const qint64 since = args.value(QLatin1StringView("since")).toInteger();
    if (code == QLatin1StringView("job.host-out-of-reach") && since > 0) {
        const QString seen = formatTime(since, QDateTime::currentMSecsSinceEpoch());
        if (isUnstartedThere(args)) { // and has no log
            return {Waits::tr("It was last seen at %1.").arg(seen)};
        }
        return {hosterror::needsPerson(args.value(QLatin1StringView("code")).toString())
                ? Waits::tr("It was last seen at %1. The log continues when it is back.").arg(seen)
                : Waits::tr("It was last seen at %1. The engine keeps trying to reach it; the log continues when it "
                            "is back.")
                      .arg(seen)};
    }
    if (code.startsWith(QLatin1StringView("wait.slurm"))) {
        QStringList lines = lineDetails(args);
        const QString number = args.value(QLatin1StringView("number")).toString();
        if (!number.isEmpty() && code != QLatin1StringView("wait.slurm-taken")
            && code != QLatin1StringView("wait.slurm-left")) { // whose sentence has it
            lines.append(Waits::tr("Its number there is %1.").arg(number));
        }
        return lines;
    }
    return std::visit(WaitLines(), reason::any(code, args));
}

bool isUnfollowed(const JobSummary &job)
{
    static const QStringList codes{QStringLiteral("openpai.elsewhere"), QStringLiteral("openpai.note-unread"),
        QStringLiteral("kubernetes.book-unread"), QStringLiteral("slurm.folder-unread"),
        QStringLiteral("slurm.folder-away"), QStringLiteral("openpai.no-token"),
        QStringLiteral("openpai.no-token-removed"), QStringLiteral("openpai.unauthorized"),
        QStringLiteral("openpai.unauthorized-removed")};
    return !isFinal(job.state) && codes.contains(job.reason);
}

bool isUnheardStop(const JobSummary &job)
{
    static const QStringList codes{QStringLiteral("stop.target-unsure"), QStringLiteral("stop.target-silent"),
        QStringLiteral("stop.slurm-silent"), QStringLiteral("job.target-removed"), reason::StopHostAway::code};
    return job.state == State::Stopping && (isUnfollowed(job) || codes.contains(job.reason));
}

} // namespace trainyard
