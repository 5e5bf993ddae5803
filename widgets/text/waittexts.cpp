// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/waittexts.h"

#include <QCoreApplication>
#include <QJsonArray>

namespace trainyard
{
namespace
{

constexpr int mostJobs = 6;
constexpr int mostHosts = 8;

struct Waits {
    Q_DECLARE_TR_FUNCTIONS(Waits)
};

QStringList numbersOf(const QJsonArray &jobs)
{
    QStringList numbers;
    for (const QJsonValue &job : jobs) {
        numbers.append(QLatin1Char('#') + QString::number(job.toInteger()));
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

QStringList indexesOf(const QJsonArray &gpus)
{
    QStringList indexes;
    for (const QJsonValue &gpu : gpus) {
        indexes.append(QString::number(gpu.toInt()));
    }
    return indexes;
}

QString gpuLine(const QJsonObject &host)
{
    const auto count = [&](const char *key) { return host.value(QLatin1String(key)).toInt(); };
    QStringList parts{Waits::tr("%1 of %2 GPUs free").arg(count("free")).arg(count("total"))};
    if (const QStringList jobs = numbersOf(host.value(QLatin1String("jobs")).toArray()); !jobs.isEmpty()) {
        parts.append(Waits::tr("in use by %1").arg(shortened(jobs)));
    }
    if (count("shared") > 0) {
        parts.append(Waits::tr("%1 shared, with %2 MiB left on one")
                         .arg(count("shared"))
                         .arg(host.value(QLatin1String("roomMiB")).toInteger()));
    }
    if (count("foreign") > 0) {
        parts.append(Waits::tr("%1 used by other programs").arg(count("foreign")));
    }
    if (count("held") > 0) {
        parts.append(Waits::tr("%1 locked by another engine").arg(count("held")));
    }
    if (const QStringList lost = indexesOf(host.value(QLatin1String("lost")).toArray()); !lost.isEmpty()) {
        parts.append(Waits::tr("lost: GPU %1").arg(lost.join(QStringLiteral(", "))));
    }
    if (count("hours") > 0) {
        parts.append(Waits::tr("%1 of them kept until %2")
                         .arg(count("hours"))
                         .arg(host.value(QLatin1String("until")).toString()));
    }
    if (count("excluded") > 0) {
        parts.append(Waits::tr("%1 never for jobs").arg(count("excluded")));
    }
    return parts.join(QStringLiteral("; "));
}

QString memoryLine(const QJsonObject &host)
{
    QStringList parts{Waits::tr("%1 of %2 MiB free")
                          .arg(host.value(QLatin1String("freeMiB")).toInteger())
                          .arg(host.value(QLatin1String("totalMiB")).toInteger())};
    if (const QStringList jobs = numbersOf(host.value(QLatin1String("jobs")).toArray()); !jobs.isEmpty()) {
        parts.append(Waits::tr("in use by %1").arg(shortened(jobs)));
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
QString hourOf(const QJsonArray &hosts)
{
    for (const QJsonValue &host : hosts) {
        if (const QString until = host[QLatin1String("until")].toString(); !until.isEmpty()) {
            return Waits::tr("it is %1 (setting gpu.keepHours)").arg(until);
        }
    }
    return Waits::tr("the hours of gpu.keepHours are over");
}

// Everything that has to happen in one of the ways.
QString wayText(const QJsonObject &way, const QJsonArray &hosts)
{
    QStringList when;
    const QStringList ends = numbersOf(way.value(QLatin1String("ends")).toArray());
    if (ends.size() > 1 && way.value(QLatin1String("any")).toBool()) {
        when.append(Waits::tr("one of %1 ends").arg(shortened(ends)));
    } else if (!ends.isEmpty()) {
        when.append(Waits::tr("tasks of %1 end").arg(jobsTogether(ends)));
    }
    if (way.value(QLatin1String("foreign")).toBool()) {
        when.append(Waits::tr("other programs leave the GPUs (or the setting gpu.foreignIsBusy is off)"));
    }
    if (way.value(QLatin1String("held")).toBool()) {
        when.append(Waits::tr("tasks of another engine end"));
    }
    QStringList lost;
    const QJsonArray gpus = way.value(QLatin1String("lost")).toArray();
    for (const QJsonValue &gpu : gpus) {
        lost.append(Waits::tr("GPU %1 of %2")
                        .arg(gpu[QLatin1String("index")].toInt())
                        .arg(gpu[QLatin1String("host")].toString()));
    }
    if (lost.size() == 1) {
        when.append(Waits::tr("%1 is listed by its driver again").arg(lost.first()));
    } else if (!lost.isEmpty()) {
        when.append(Waits::tr("%1 are listed by their drivers again").arg(together(lost)));
    }
    if (way.value(QLatin1String("hours")).toBool()) {
        when.append(hourOf(hosts));
    }
    return together(when);
}

// What would make the job run; `other` means that it is a further way.
QStringList waysToStart(const QJsonObject &args, const QString &other)
{
    QStringList ways;
    const QJsonArray all = args.value(QLatin1String("ways")).toArray();
    for (const QJsonValue &way : all) {
        ways.append(wayText(way.toObject(), args.value(QLatin1String("hosts")).toArray()));
    }
    if (!other.isEmpty()) {
        ways.append(other);
    }
    QStringList lines;
    if (!ways.isEmpty()) {
        lines.append(Waits::tr("It can start when %1.").arg(ways.join(Waits::tr(", or "))));
    }
    if (const QStringList before = numbersOf(args.value(QLatin1String("before")).toArray()); !before.isEmpty()) {
        lines.append(
            Waits::tr("First in the queue, and so the first to take what becomes free: %1.").arg(shortened(before)));
    }
    return lines;
}

QStringList portLines(const QJsonObject &args)
{
    const QJsonArray holders = args.value(QLatin1String("hosts")).toArray();
    const int more = args.value(QLatin1String("more")).toInt(); // that are not listed
    QStringList lines;
    for (const QJsonValue &item : holders) {
        const QString job = numbersOf({item[QLatin1String("job")]}).join(QString());
        if (lines.size() < mostHosts) {
            lines.append(Waits::tr("%1: port %2 in use by %3")
                             .arg(item[QLatin1String("host")].toString())
                             .arg(item[QLatin1String("port")].toInt())
                             .arg(job));
        }
    }
    if (const qsizetype rest = holders.size() + more - lines.size(); rest > 0) {
        lines.append(Waits::tr("%1 more ports").arg(rest));
    }
    lines += waysToStart(args, {});
    return lines;
}

QStringList runtimeLines(const QJsonObject &args)
{
    const QString runtime = args.value(QLatin1String("runIn")).toString();
    const QJsonArray hosts = args.value(QLatin1String("hosts")).toArray();
    QStringList lines;
    QStringList away;
    for (const QJsonValue &item : hosts) {
        const QString host = item[QLatin1String("host")].toString();
        const bool has = item[QLatin1String("has")].toBool();
        if (has) {
            away.append(host);
        }
        if (lines.size() < mostHosts) {
            lines.append(host + QStringLiteral(": ")
                + (has ? Waits::tr("cannot be reached now") : Waits::tr("%1 is not installed").arg(runtime)));
        }
    }
    if (hosts.size() > mostHosts) {
        lines.append(Waits::tr("%1 more hosts").arg(hosts.size() - mostHosts));
    }
    lines.append(away.isEmpty() ? Waits::tr(
                     "It can start when %1 is installed and the host was looked at again ('trainyardctl hosts check').")
                                      .arg(runtime)
                                : Waits::tr("It can start when %1 can be reached.").arg(away.join(Waits::tr(" or "))));
    return lines;
}

// A reason may be about one host or several, each with what is wrong there.
void nameHost(QJsonObject &object, const QHash<QString, QString> &labels)
{
    constexpr QLatin1StringView key("host");
    if (const auto host = object.find(key); host != object.end() && host->isString()) {
        *host = labels.value(host->toString(), host->toString());
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
            }
        }
        *hosts = all;
    }
    return named;
}

QStringList waitDetails(const QString &code, const QJsonObject &args)
{
    if (code == QLatin1String("wait.runtime")) {
        return runtimeLines(args);
    }
    if (code == QLatin1String("wait.queue")) {
        const QString head = QLatin1Char('#') + QString::number(args.value(QLatin1String("job")).toInteger());
        return QStringList{Waits::tr("There is room for it, but it could hold up %1.").arg(head)}
        + waysToStart(args, Waits::tr("it is moved before %1 ('trainyardctl move')").arg(head));
    }
    if (code == QLatin1String("wait.port")) {
        return portLines(args);
    }
    const bool gpu = code == QLatin1String("wait.gpu") || code == QLatin1String("wait.gpu-memory")
        || code == QLatin1String("wait.gpu-type");
    if (!gpu && code != QLatin1String("wait.memory")) {
        return {};
    }
    QStringList lines;
    const QJsonArray hosts = args.value(QLatin1String("hosts")).toArray();
    for (const QJsonValue &item : hosts) {
        const QJsonObject host = item.toObject();
        if (lines.size() < mostHosts) {
            lines.append(host.value(QLatin1String("host")).toString() + QStringLiteral(": ")
                + (gpu ? gpuLine(host) : memoryLine(host)));
        }
    }
    if (hosts.size() > mostHosts) {
        lines.append(Waits::tr("%1 more hosts").arg(hosts.size() - mostHosts));
    }
    lines += waysToStart(args, {});
    return lines;
}

} // namespace trainyard
