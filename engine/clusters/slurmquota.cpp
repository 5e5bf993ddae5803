// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmquota.h"

#include "engine/contract/slurmtime.h"

#include <QMap>
#include <QRegularExpression>

#include <algorithm>

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

namespace
{

constexpr QLatin1Char quotaSeparator{'\x1f'};
constexpr int fieldWidth = 256; // of sinfo, which knows no separators for these fields

// A limit; none is an empty text, and of old versions -1.
void addLimit(QJsonObject &row, const QString &name, const QString &text)
{
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    if (isNumber && number >= 0) {
        row.insert(name, number);
    } else if (!isNumber && !text.isEmpty()) {
        row.insert(name, text);
    }
}

} // namespace

QList<QStringList> rowsIn(const QByteArray &said, QChar between, qsizetype fields)
{
    QList<QStringList> rows;
    const QStringList lines = QString::fromUtf8(said).split(u'\n');
    for (const QString &line : lines) {
        QStringList parts = line.split(between);
        if (parts.size() == fields) {
            for (QString &part : parts) {
                part = part.trimmed();
            }
            rows.append(parts);
        }
    }
    return rows;
}

QStringList ownJobsArguments()
{
    return {u"--noheader"_s, u"--array"_s, u"--me"_s,
        u"--format="_s + QStringList{u"%T"_s, u"%D"_s, u"%b"_s, u"%u"_s}.join(quotaSeparator)};
}

QJsonObject ownJobsIn(const QByteArray &said)
{
    int running = 0, pending = 0, gpus = 0;
    QString user;
    const QList<QStringList> rows = rowsIn(said, quotaSeparator, 4);
    for (const QStringList &row : rows) {
        user = row.at(3);
        if (row.at(0) == "COMPLETING"_L1) {
            continue; // it has ended, and its nodes are being cleared
        }
        const bool isPending = row.at(0) == "PENDING"_L1;
        pending += isPending ? 1 : 0;
        running += isPending ? 0 : 1;
        gpus += isPending ? 0 : std::max(1, row.at(1).toInt()) * gpusIn(row.at(2));
    }
    QJsonObject own{{u"running"_s, running}, {u"pending"_s, pending}, {u"gpus"_s, gpus}};
    if (!user.isEmpty()) {
        own.insert(u"user"_s, user);
    }
    return own;
}

QStringList freeGpusArguments()
{
    QStringList fields;
    for (const QString &name : {u"Partition"_s, u"NodeHost"_s, u"StateLong"_s, u"Gres"_s, u"GresUsed"_s}) {
        fields.append(name + u':' + QString::number(fieldWidth));
    }
    return {u"--noheader"_s, u"--Node"_s, u"--Format="_s + fields.join(u',')};
}

QJsonArray freeGpusIn(const QByteArray &said)
{
    struct Gpus {
        int all = 0, free = 0;
    };
    QMap<QString, Gpus> partitions;
    const QStringList lines = QString::fromUtf8(said).split(u'\n');
    for (const QString &line : lines) {
        if (line.size() <= 4 * fieldWidth) {
            continue;
        }
        const auto field = [&line](int index) { return line.mid(index * fieldWidth, fieldWidth).trimmed(); };
        const int all = gpusIn(field(3));
        if (all <= 0 || !takesJobs(field(2))) {
            continue;
        }
        Gpus &gpus = partitions[field(0).remove(u'*')];
        gpus.all += all;
        gpus.free += std::max(0, all - gpusIn(field(4)));
    }
    QJsonArray found;
    for (auto it = partitions.cbegin(); it != partitions.cend(); ++it) {
        found.append(QJsonObject{{u"name"_s, it.key()}, {u"gpus"_s, it->all}, {u"free"_s, it->free}});
    }
    return found;
}

bool takesJobs(const QString &state)
{
    static const QStringList taking{u"idle"_s, u"mixed"_s, u"allocated"_s, u"completing"_s, u"planned"_s};
    // With a mark behind it: planned, asleep and waking up are none that keep jobs off, while others are, such as '*'
    // of one that does not answer.
    const bool hasMark = state.endsWith(u'-') || state.endsWith(u'~') || state.endsWith(u'#');
    return taking.contains(hasMark ? state.chopped(1) : state);
}

int gpusIn(const QString &resources)
{
    // "gpu", "gres/gpu" or "gres:gpu", perhaps a type, and a number, without which it is one.
    static const QRegularExpression gpu(
        u"(?:^|,)\\s*(?:gres[/:])?gpu(?::(?![0-9]+(?:[(,]|$))[^:=,()]+)?(?:[:=]([0-9]+))?(?=[(,\\s]|$)"_s);
    int all = 0;
    for (auto it = gpu.globalMatch(resources); it.hasNext();) {
        const QString number = it.next().captured(1);
        all += number.isEmpty() ? 1 : number.toInt();
    }
    return all;
}

QStringList associationArguments(const QString &user)
{
    return {u"--noheader"_s, u"--parsable2"_s, u"show"_s, u"assoc"_s, u"where"_s, u"user="_s + user,
        u"format=Account,Partition,QOS,MaxJobs,MaxSubmit,GrpJobs,GrpTRES,MaxTRES,MaxWall,GrpTRESMins"_s};
}

QJsonArray associationsIn(const QByteArray &said)
{
    QJsonArray found;
    const QList<QStringList> rows = rowsIn(said, u'|', 10);
    for (const QStringList &row : rows) {
        QJsonObject association{{u"account"_s, row.at(0)}};
        if (!row.at(1).isEmpty()) {
            association.insert(u"partition"_s, row.at(1));
        }
        if (!row.at(2).isEmpty()) {
            association.insert(u"qos"_s, QJsonArray::fromStringList(row.at(2).split(u',', Qt::SkipEmptyParts)));
        }
        const QStringList names{u"maxJobs"_s, u"maxSubmit"_s, u"groupJobs"_s, u"groupTres"_s, u"maxTres"_s,
            u"maxWall"_s, u"groupTresMinutes"_s};
        for (qsizetype i = 0; i < names.size(); ++i) {
            addLimit(association, names.at(i), row.at(3 + i));
        }
        found.append(association);
    }
    return found;
}

QStringList qosArguments(const QJsonArray &associations)
{
    QStringList names;
    for (const QJsonValue &each : associations) {
        const QJsonArray its = each.toObject().value("qos"_L1).toArray();
        for (const QJsonValue &name : its) {
            if (!names.contains(name.toString())) {
                names.append(name.toString());
            }
        }
    }
    if (names.isEmpty()) {
        return {};
    }
    return {u"--noheader"_s, u"--parsable2"_s, u"show"_s, u"qos"_s, u"where"_s, u"name="_s + names.join(u','),
        u"format=Name,MaxJobsPU,MaxSubmitPU,GrpTRES,MaxTRES,MaxTRESPU,MaxWall,GrpTRESMins"_s};
}

QJsonArray qosIn(const QByteArray &said)
{
    QJsonArray found;
    const QList<QStringList> rows = rowsIn(said, u'|', 8);
    for (const QStringList &row : rows) {
        QJsonObject qos{{u"name"_s, row.at(0)}};
        const QStringList names{u"maxJobs"_s, u"maxSubmit"_s, u"groupTres"_s, u"maxTres"_s, u"maxTresOfUser"_s,
            u"maxWall"_s, u"groupTresMinutes"_s};
        for (qsizetype i = 0; i < names.size(); ++i) {
            addLimit(qos, names.at(i), row.at(1 + i));
        }
        if (qos.size() > 1) {
            found.append(qos);
        }
    }
    return found;
}

bool hasNoManager(const QByteArray &said)
{
    const QString text = QString::fromUtf8(said);
    return text.contains("not running a supported accounting_storage"_L1, Qt::CaseInsensitive)
        || text.contains("Only 'accounting_storage/slurmdbd' is supported"_L1, Qt::CaseInsensitive)
        || text.contains("accounting storage is disabled"_L1, Qt::CaseInsensitive);
}

QStringList usualQosArguments(const QString &user)
{
    return {u"--noheader"_s, u"--parsable2"_s, u"show"_s, u"assoc"_s, u"where"_s, u"user="_s + user,
        u"format=Account,Partition,QOS,DefaultQOS"_s};
}

QString usualQosIn(const QByteArray &said, const QString &account, const QStringList &partitions)
{
    QStringList found;
    const QList<QStringList> rows = rowsIn(said, u'|', 4);
    for (const QStringList &row : rows) {
        const bool isMeant
            = (account.isEmpty() || row.at(0) == account) && (row.at(1).isEmpty() || partitions.contains(row.at(1)));
        if (isMeant) { // without a default, Slurm takes the only one that there is, or "normal"
            const QStringList all = row.at(2).split(u',');
            const QString other = all.size() == 1 ? all.constFirst()
                : all.contains(u"normal"_s)       ? u"normal"_s
                                                  : QString();
            found.append(row.at(3).isEmpty() ? other : row.at(3));
        }
    }
    found.removeDuplicates();
    return found.size() == 1 ? found.constFirst() : QString();
}

QString valueOfOption(const QStringList &options, QLatin1StringView name)
{
    QString value;
    for (const QString &option : options) {
        value = option.startsWith(name) ? option.mid(name.size()) : value;
    }
    return value;
}

QJsonObject timeThatNeverFits(const QStringList &options, const QJsonArray &partitions)
{
    const QString least = valueOfOption(options, "--time-min="_L1); // to which the cluster may shorten it
    const QString asked = least.isEmpty() ? valueOfOption(options, "--time="_L1) : least;
    const std::optional<std::int64_t> seconds = contract::slurmSeconds(asked.toStdString());
    const QStringList named = valueOfOption(options, "--partition="_L1).split(u',', Qt::SkipEmptyParts);
    QJsonObject tooLong;
    for (const QJsonValue &each : partitions) {
        const QJsonObject partition = each.toObject();
        const QString name = partition.value("name"_L1).toString();
        if (named.isEmpty() ? !partition.value("isDefault"_L1).toBool() : !named.contains(name)) {
            continue;
        }
        const QString limit = partition.value("limit"_L1).toString();
        const std::optional<std::int64_t> most = contract::slurmSeconds(limit.toStdString());
        if (!seconds || !most || *seconds <= *most) {
            return {}; // it can start there, as far as is known
        }
        tooLong = {{u"asked"_s, asked}, {u"partition"_s, name}, {u"limit"_s, limit}};
    }
    return tooLong;
}

QJsonObject timeOfJobThatNeverFits(const ScriptInput &input, const QJsonArray &partitions)
{
    QStringList options = input.options;
    if (input.limitMs > 0) { // it counts, and not the time of the target
        options.append(u"--time="_s + QString::number(contract::minutesToAsk(input.limitMs, input.graceMs)));
    }
    return timeThatNeverFits(options, partitions);
}

Error waitReasonOfTime(Error why, const ScriptInput &input, const QJsonArray &partitions)
{
    if (why.code == "wait.slurm-partition-config"_L1 && !timeOfJobThatNeverFits(input, partitions).isEmpty()) {
        why.code = u"wait.slurm-time-limit"_s;
    }
    return why;
}

} // namespace trainyard::slurm
