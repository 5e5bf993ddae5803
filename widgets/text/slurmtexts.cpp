// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/slurmtexts.h"

#include "widgets/text/formats.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

struct SlurmTexts {
    Q_DECLARE_TR_FUNCTIONS(SlurmTexts)
};

// A limit of jobs, of which there may be none.
void addJobLimit(
    QStringList &words, const QJsonObject &row, QLatin1StringView name, const QString &one, const QString &many)
{
    if (const QJsonValue limit = row.value(name); limit.isDouble()) {
        words.append(limit.toInt() == 1 ? one : many.arg(limit.toInt()));
    }
}

// Adds a limit of resources, in the words of Slurm: "gres/gpu=8,cpu=64".
void addTresLimit(QStringList &words, const QJsonObject &row, QLatin1StringView name, const QString &text)
{
    if (const QString limit = row.value(name).toVariant().toString(); !limit.isEmpty()) {
        words.append(text.arg(QString(limit).replace(u',', u", "_s)));
    }
}

QString limitLine(const QString &name, const QStringList &words)
{
    return SlurmTexts::tr("%1: %2").arg(
        name, words.isEmpty() ? SlurmTexts::tr("no limits of its own") : words.join(u"; "_s));
}

} // namespace

QString slurmNodeText(const QJsonObject &node)
{
    const qint64 memory = node.value("memoryMiB"_L1).toInteger(), gpus = node.value("gpus"_L1).toInteger();
    const QString cores = formatCores(node.value("cpus"_L1).toInteger());
    const QString devices = gpus == 0 ? SlurmTexts::tr("no GPU")
        : gpus == 1                   ? SlurmTexts::tr("1 GPU")
                                      : SlurmTexts::tr("%1 GPUs").arg(gpus);
    return memory > 0 ? SlurmTexts::tr("%1, %2 of memory and %3").arg(cores, formatMiB(memory), devices)
                      : SlurmTexts::tr("%1 and %2").arg(cores, devices);
}

QString slurmReasonText(const QString &reason)
{
    struct Mark {
        char16_t sign;
        const char *text;
    };
    static constexpr Mark marks[] = {{u'*', QT_TRANSLATE_NOOP("SlurmTexts", "not answering")},
        {u'~', QT_TRANSLATE_NOOP("SlurmTexts", "powered off")}, {u'#', QT_TRANSLATE_NOOP("SlurmTexts", "powering up")},
        {u'!', QT_TRANSLATE_NOOP("SlurmTexts", "to be powered off")},
        {u'%', QT_TRANSLATE_NOOP("SlurmTexts", "powering off")},
        {u'$', QT_TRANSLATE_NOOP("SlurmTexts", "reserved for maintenance")},
        {u'@', QT_TRANSLATE_NOOP("SlurmTexts", "to be rebooted")},
        {u'^', QT_TRANSLATE_NOOP("SlurmTexts", "rebooting")}};
    QString state = reason.section(u':', 0, 0), words = reason.section(u':', 1).trimmed();
    const QChar last = state.isEmpty() ? QChar() : state.back();
    const auto *mark = std::ranges::find_if(marks, [last](const Mark &each) { return last == each.sign; });
    if (mark == std::end(marks)) {
        return reason;
    }
    state = SlurmTexts::tr("%1, %2").arg(state.chopped(1), SlurmTexts::tr(mark->text));
    const bool saysMore = !words.isEmpty() && words.compare("Not responding"_L1, Qt::CaseInsensitive) != 0;
    return saysMore ? SlurmTexts::tr("%1: %2").arg(state, words) : state;
}

QString slurmAwayText(const QJsonObject &partition)
{
    const int away = partition.value("away"_L1).toInt(), nodes = partition.value("nodes"_L1).toInt();
    if (away == 0) {
        return {};
    }
    QStringList all = partition.value("reasons"_L1).toVariant().toStringList();
    std::transform(all.begin(), all.end(), all.begin(), slurmReasonText);
    const QString reasons = all.join(u"; "_s);
    return nodes == 1 ? SlurmTexts::tr("it takes no jobs (%1)").arg(reasons)
        : away == 1
        ? SlurmTexts::tr("1 of %1 takes no jobs (%2)").arg(QString::number(nodes), reasons)
        : SlurmTexts::tr("%1 of %2 take no jobs (%3)").arg(QString::number(away), QString::number(nodes), reasons);
}

QStringList slurmUseFacts(const QJsonObject &args)
{
    const int running = args.value("running"_L1).toInt(), pending = args.value("pending"_L1).toInt();
    const int gpus = args.value("gpus"_L1).toInt();
    QString jobs = running == 0 ? SlurmTexts::tr("no job runs")
        : running == 1          ? SlurmTexts::tr("1 job runs")
                                : SlurmTexts::tr("%1 jobs run").arg(running);
    if (gpus > 0) {
        jobs = gpus == 1 ? SlurmTexts::tr("%1 with 1 GPU").arg(jobs)
                         : SlurmTexts::tr("%1 with %2 GPUs").arg(jobs, QString::number(gpus));
    }
    QStringList lines{pending == 0 ? SlurmTexts::tr("%1, none waits").arg(jobs)
            : pending == 1         ? SlurmTexts::tr("%1, 1 waits").arg(jobs)
                                   : SlurmTexts::tr("%1, %2 wait").arg(jobs, QString::number(pending))};
    const QJsonArray partitions = args.value("partitions"_L1).toArray();
    for (const QJsonValue &each : partitions) {
        const QJsonObject partition = each.toObject();
        lines.append(
            SlurmTexts::tr("partition %1: %2 of %3 GPUs free")
                .arg(partition.value("name"_L1).toString(), QString::number(partition.value("free"_L1).toInt()),
                    QString::number(partition.value("gpus"_L1).toInt())));
    }
    return lines;
}

static QString limitAmount(const QJsonObject &numbers, qint64 amount);

// A budget of computing time: "cpu=60000,gres/gpu=600" in minutes.
static void addBudget(QStringList &words, const QJsonObject &row)
{
    const QStringList all = row.value("groupTresMinutes"_L1).toString().split(u',', Qt::SkipEmptyParts);
    for (const QString &each : all) {
        words.append(SlurmTexts::tr("%1 together")
                         .arg(limitAmount({{u"of"_s, each.section(u'=', 0, -2)}, {u"minutes"_s, true}},
                             each.section(u'=', -1).toLongLong())));
    }
}

QStringList slurmLimitFacts(const QJsonObject &args)
{
    QStringList lines;
    const QJsonArray associations = args.value("associations"_L1).toArray();
    for (const QJsonValue &each : associations) {
        const QJsonObject row = each.toObject();
        QStringList words;
        addJobLimit(words, row, "maxJobs"_L1, SlurmTexts::tr("1 job at a time"), SlurmTexts::tr("%1 jobs at a time"));
        addJobLimit(
            words, row, "maxSubmit"_L1, SlurmTexts::tr("1 job in the queue"), SlurmTexts::tr("%1 jobs in the queue"));
        addJobLimit(words, row, "groupJobs"_L1, SlurmTexts::tr("1 job together"), SlurmTexts::tr("%1 jobs together"));
        addTresLimit(words, row, "groupTres"_L1, SlurmTexts::tr("%1 together"));
        addTresLimit(words, row, "maxTres"_L1, SlurmTexts::tr("%1 for a job"));
        addTresLimit(words, row, "maxWall"_L1, SlurmTexts::tr("time limit %1"));
        addBudget(words, row);
        const QString account = row.value("account"_L1).toString(), partition = row.value("partition"_L1).toString();
        QString line
            = limitLine(partition.isEmpty() ? SlurmTexts::tr("account %1").arg(account)
                                            : SlurmTexts::tr("account %1 in partition %2").arg(account, partition),
                words);
        const QStringList qos = row.value("qos"_L1).toVariant().toStringList();
        if (!qos.isEmpty()) {
            line = SlurmTexts::tr("%1; QoS %2").arg(line, qos.join(u", "_s));
        }
        lines.append(line);
    }
    const QJsonArray all = args.value("qos"_L1).toArray();
    for (const QJsonValue &each : all) {
        const QJsonObject row = each.toObject();
        QStringList words;
        addJobLimit(words, row, "maxJobs"_L1, SlurmTexts::tr("1 job at a time"), SlurmTexts::tr("%1 jobs at a time"));
        addJobLimit(
            words, row, "maxSubmit"_L1, SlurmTexts::tr("1 job in the queue"), SlurmTexts::tr("%1 jobs in the queue"));
        addTresLimit(words, row, "maxTresOfUser"_L1, SlurmTexts::tr("%1 for all your jobs"));
        addTresLimit(words, row, "groupTres"_L1, SlurmTexts::tr("%1 for all users together"));
        addTresLimit(words, row, "maxTres"_L1, SlurmTexts::tr("%1 for a job"));
        addTresLimit(words, row, "maxWall"_L1, SlurmTexts::tr("time limit %1"));
        addBudget(words, row);
        lines.append(limitLine(SlurmTexts::tr("QoS %1").arg(row.value("name"_L1).toString()), words));
    }
    return lines;
}

// Minutes as hours: accounts count in minutes, which soon are many thousands.
static QString hoursOf(qint64 minutes) { return formatHours(minutes * 60'000); }

// A number of what is limited, in its unit.
static QString limitAmount(const QJsonObject &numbers, qint64 amount)
{
    const QString of = numbers.value("of"_L1).toString();
    const QString number = QLocale().toString(amount);
    const bool isOne = amount == 1;
    if (of == "time"_L1) {
        return SlurmTexts::tr("%1 hours").arg(hoursOf(amount));
    }
    if (numbers.value("minutes"_L1).toBool()) {
        const QString hours = hoursOf(amount);
        return of == "cpu"_L1     ? SlurmTexts::tr("%1 core hours").arg(hours)
            : of == "node"_L1     ? SlurmTexts::tr("%1 node hours").arg(hours)
            : of == "gres/gpu"_L1 ? SlurmTexts::tr("%1 GPU hours").arg(hours)
            : of == "mem"_L1      ? SlurmTexts::tr("%1 GiB hours of memory").arg(hoursOf(amount / 1024))
                                  : SlurmTexts::tr("%1 hours of %2").arg(hours, of);
    }
    if (of == "mem"_L1) {
        return SlurmTexts::tr("%1 of memory").arg(formatMiB(amount));
    }
    if (of.startsWith("gres/gpu"_L1)) {
        const QString type = of.section(u':', 1);
        const QString gpus = isOne ? SlurmTexts::tr("1 GPU") : SlurmTexts::tr("%1 GPUs").arg(number);
        return type.isEmpty() ? gpus : SlurmTexts::tr("%1 of type %2").arg(gpus, type);
    }
    return of == "cpu"_L1 ? formatCores(amount)
        : of == "node"_L1 ? (isOne ? SlurmTexts::tr("1 node") : SlurmTexts::tr("%1 nodes").arg(number))
        : of == "jobs"_L1 ? (isOne ? SlurmTexts::tr("1 job") : SlurmTexts::tr("%1 jobs").arg(number))
        : of == "submit"_L1
        ? (isOne ? SlurmTexts::tr("1 job in the queue") : SlurmTexts::tr("%1 jobs in the queue").arg(number))
        : of == "billing"_L1 ? SlurmTexts::tr("%1 billing units").arg(number)
                             : SlurmTexts::tr("%1 of %2").arg(number, of);
}

// The same without a unit, behind one that has it.
static QString amountAlone(const QJsonObject &numbers, qint64 amount)
{
    const QString of = numbers.value("of"_L1).toString();
    if (of == "mem"_L1 && numbers.value("minutes"_L1).toBool()) {
        return hoursOf(amount / 1024);
    }
    return of == "time"_L1 || numbers.value("minutes"_L1).toBool() ? hoursOf(amount)
        : of == "mem"_L1                                           ? formatMiB(amount)
                                                                   : QLocale().toString(amount);
}

QString slurmLimitText(const QJsonObject &numbers)
{
    const QString limit = limitAmount(numbers, numbers.value("limit"_L1).toInteger());
    const QString span = numbers.value("span"_L1).toString();
    QStringList words{span == "job"_L1 ? SlurmTexts::tr("limit %1 for a job").arg(limit)
            : span == "node"_L1        ? SlurmTexts::tr("limit %1 on a node").arg(limit)
                                       : SlurmTexts::tr("limit %1").arg(limit)};
    if (const QJsonValue used = numbers.value("used"_L1); used.isDouble()) {
        const QString of = numbers.value("of"_L1).toString(), amount = amountAlone(numbers, used.toInteger());
        const bool isSpent
            = of == "time"_L1 || (numbers.value("minutes"_L1).toBool() && !numbers.value("running"_L1).toBool());
        words.append(isSpent        ? SlurmTexts::tr("%1 used").arg(amount)
                : of == "jobs"_L1   ? SlurmTexts::tr("%1 running").arg(amount)
                : of == "submit"_L1 ? SlurmTexts::tr("%1 there").arg(amount)
                                    : SlurmTexts::tr("%1 in use").arg(amount));
    }
    if (const QJsonValue asked = numbers.value("asked"_L1); asked.isDouble()) {
        words.append(SlurmTexts::tr("%1 asked for").arg(amountAlone(numbers, asked.toInteger())));
    }
    return words.join(u", "_s);
}

QJsonObject withLimitNumbers(const QJsonObject &args)
{
    const QJsonObject numbers = args.value("numbers"_L1).toObject();
    QJsonObject shown = args;
    for (const QLatin1StringView key : {"reason"_L1, "detail"_L1}) {
        if (const QString word = args.value(key).toString(); !numbers.isEmpty() && !word.isEmpty()) {
            shown.insert(key, SlurmTexts::tr("%1; %2").arg(word, slurmLimitText(numbers)));
        }
    }
    return shown;
}

} // namespace trainyard
