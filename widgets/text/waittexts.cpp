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

QString tr(const char *text) { return QCoreApplication::translate("Waits", text); }

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
        return tr("%1 and %2 more").arg(numbers.join(QStringLiteral(", "))).arg(more);
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
    QStringList parts{tr("%1 of %2 GPUs free").arg(count("free")).arg(count("total"))};
    if (const QStringList jobs = numbersOf(host.value(QLatin1String("jobs")).toArray()); !jobs.isEmpty()) {
        parts.append(tr("in use by %1").arg(shortened(jobs)));
    }
    if (count("shared") > 0) {
        parts.append(tr("%1 shared, with %2 MiB left on one")
                         .arg(count("shared"))
                         .arg(host.value(QLatin1String("roomMiB")).toInteger()));
    }
    if (count("foreign") > 0) {
        parts.append(tr("%1 used by other programs").arg(count("foreign")));
    }
    if (count("held") > 0) {
        parts.append(tr("%1 locked by another engine").arg(count("held")));
    }
    if (const QStringList lost = indexesOf(host.value(QLatin1String("lost")).toArray()); !lost.isEmpty()) {
        parts.append(tr("lost: GPU %1").arg(lost.join(QStringLiteral(", "))));
    }
    if (count("hours") > 0) {
        parts.append(
            tr("%1 of them kept until %2").arg(count("hours")).arg(host.value(QLatin1String("until")).toString()));
    }
    if (count("excluded") > 0) {
        parts.append(tr("%1 never for jobs").arg(count("excluded")));
    }
    return parts.join(QStringLiteral("; "));
}

QString memoryLine(const QJsonObject &host)
{
    QStringList parts{tr("%1 of %2 MiB free")
                          .arg(host.value(QLatin1String("freeMiB")).toInteger())
                          .arg(host.value(QLatin1String("totalMiB")).toInteger())};
    if (const QStringList jobs = numbersOf(host.value(QLatin1String("jobs")).toArray()); !jobs.isEmpty()) {
        parts.append(tr("in use by %1").arg(shortened(jobs)));
    }
    return parts.join(QStringLiteral("; "));
}

QStringList portLines(const QJsonObject &args)
{
    const QJsonArray holders = args.value(QLatin1String("hosts")).toArray();
    const int more = args.value(QLatin1String("more")).toInt(); // that are not listed
    QStringList lines, jobs;
    for (const QJsonValue &item : holders) {
        const QString job = numbersOf({item[QLatin1String("job")]}).join(QString());
        if (lines.size() < mostHosts) {
            lines.append(tr("%1: port %2 in use by %3")
                             .arg(item[QLatin1String("host")].toString())
                             .arg(item[QLatin1String("port")].toInt())
                             .arg(job));
        }
        jobs.append(job);
    }
    if (const qsizetype rest = holders.size() + more - lines.size(); rest > 0) {
        lines.append(tr("%1 more ports").arg(rest));
    }
    jobs.removeDuplicates();
    const QString whose = more > 0 ? tr("%1 and perhaps of others").arg(shortened(jobs)) : shortened(jobs);
    lines.append(tr("It can start when %1.").arg(tr("tasks of %1 end").arg(whose)));
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
                + (has ? tr("cannot be reached now") : tr("%1 is not installed").arg(runtime)));
        }
    }
    if (hosts.size() > mostHosts) {
        lines.append(tr("%1 more hosts").arg(hosts.size() - mostHosts));
    }
    lines.append(away.isEmpty()
            ? tr("It can start when %1 is installed and the host was looked at again ('trainyardctl hosts check').")
                  .arg(runtime)
            : tr("It can start when %1 can be reached.").arg(away.join(tr(" or "))));
    return lines;
}

// A reason may speak of one host, and of several, each with what is the matter there.
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
        return {tr("There is room for it, but it could hold up %1.").arg(head),
            tr("It can start when %1 has started, or when it is moved before it ('trainyardctl move').").arg(head)};
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
    QStringList jobs;
    int foreign = 0, held = 0;
    QStringList lost;
    QString until;
    const QJsonArray hosts = args.value(QLatin1String("hosts")).toArray();
    for (const QJsonValue &item : hosts) {
        const QJsonObject host = item.toObject();
        if (lines.size() < mostHosts) {
            lines.append(host.value(QLatin1String("host")).toString() + QStringLiteral(": ")
                + (gpu ? gpuLine(host) : memoryLine(host)));
        }
        jobs += numbersOf(host.value(QLatin1String("jobs")).toArray());
        foreign += host.value(QLatin1String("foreign")).toInt();
        held += host.value(QLatin1String("held")).toInt();
        for (const QString &index : indexesOf(host.value(QLatin1String("lost")).toArray())) {
            lost.append(tr("GPU %1 of %2").arg(index, host.value(QLatin1String("host")).toString()));
        }
        if (host.value(QLatin1String("hours")).toInt() > 0) {
            until = host.value(QLatin1String("until")).toString();
        }
    }
    if (hosts.size() > mostHosts) {
        lines.append(tr("%1 more hosts").arg(hosts.size() - mostHosts));
    }
    jobs.removeDuplicates();
    const QStringList enough = numbersOf(args.value(QLatin1String("ends")).toArray());
    QStringList when;
    if (enough.size() > 1 && args.value(QLatin1String("any")).toBool()) {
        when.append(tr("one of %1 ends").arg(shortened(enough)));
    } else if (!enough.isEmpty() || !jobs.isEmpty()) {
        when.append(tr("tasks of %1 end").arg(shortened(enough.isEmpty() ? jobs : enough)));
    }
    if (foreign > 0) {
        when.append(tr("other programs leave the GPUs (or the setting gpu.foreignIsBusy is off)"));
    }
    if (held > 0) {
        when.append(tr("tasks of another engine end"));
    }
    if (!lost.isEmpty()) {
        when.append(tr("%1 is listed by its driver again").arg(lost.join(tr(" or "))));
    }
    if (!until.isEmpty()) {
        when.append(tr("it is %1 (setting gpu.keepHours)").arg(until));
    }
    if (!when.isEmpty()) {
        lines.append(tr("It can start when %1.").arg(when.join(tr(", or "))));
    }
    return lines;
}

} // namespace trainyard
