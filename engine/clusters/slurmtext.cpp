// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmtext.h"

#include "engine/contract/slurmtime.h"

#include <QMap>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace trainyard::slurm
{
namespace
{

using namespace Qt::StringLiterals;

constexpr char separator = '\x1f';

qint64 secondsOf(const QByteArray &text)
{
    bool isNumber = false;
    const qint64 seconds = text.trimmed().toLongLong(&isNumber);
    return isNumber ? seconds : 0;
}

// A comment may have several lines, and a line may be cut, or be about something else. A row is whole when it has all
// fields; what is not continued by the lines behind it is none.
QList<QList<QByteArray>> rowsOf(const QByteArray &said, qsizetype fields)
{
    QList<QList<QByteArray>> rows;
    QByteArray begun;
    const QList<QByteArray> lines = said.split('\n');
    for (const QByteArray &line : lines) {
        QByteArray row = begun.isEmpty() ? line : begun + '\n' + line;
        if (row.count(separator) >= fields) {
            row = line; // another one begins here
        }
        const QList<QByteArray> parts = row.split(separator);
        begun = parts.size() > 1 && parts.size() < fields ? row : QByteArray();
        if (parts.size() == fields) {
            rows.append(parts);
        }
    }
    return rows;
}

// The column of sacct; where it does not have it, another one that may have the comment.
QString lineColumn(bool hasLines) { return hasLines ? u"SubmitLine"_s : u"Comment"_s; }

QString withoutBrackets(const QString &reason)
{
    return reason.startsWith(u'(') && reason.endsWith(u')') ? reason.mid(1, reason.size() - 2) : reason;
}

QString stateWord(const QByteArray &text) { return QString::fromUtf8(text.trimmed()).section(u' ', 0, 0); }

} // namespace

QString submittedId(const QByteArray &said)
{
    static const QRegularExpression pattern(u"^(\\d+)(?:;\\S+)?\\s*$"_s, QRegularExpression::MultilineOption);
    QString id;
    for (auto it = pattern.globalMatch(QString::fromUtf8(said)); it.hasNext();) {
        id = it.next().captured(1);
    }
    return id;
}

QStringList queueArguments()
{
    const QString format
        = QStringList{u"%i"_s, u"%T"_s, u"%k"_s, u"%S"_s, u"%r"_s, u"%j"_s, u"%o"_s}.join(QLatin1Char(separator));
    return {u"--noheader"_s, u"--array"_s, u"--me"_s, u"--states=all"_s, u"--format="_s + format};
}

QStringList queueArguments(const QStringList &ids) { return queueArguments() << u"--jobs="_s + ids.join(u','); }

bool isUnknownToQueue(const QByteArray &said) { return said.contains("Invalid job id"); }

QList<QueueRow> queueRows(const QByteArray &said)
{
    QList<QueueRow> rows;
    const QList<QList<QByteArray>> lines = rowsOf(said, 7);
    for (const QList<QByteArray> &parts : lines) {
        rows.append({QString::fromUtf8(parts[0].trimmed()), stateWord(parts[1]), QString::fromUtf8(parts[2].trimmed()),
            QString::fromUtf8(parts[4].trimmed()), secondsOf(parts[3]), QString::fromUtf8(parts[5].trimmed()),
            QString::fromUtf8(parts[6].trimmed())});
    }
    return rows;
}

QStringList lineArguments()
{
    const QString format = QStringList{u"%i"_s, u"%P"_s, u"%Q"_s, u"%r"_s}.join(QLatin1Char(separator));
    return {u"--noheader"_s, u"--states=PENDING"_s, u"--format="_s + format};
}

bool waitsForItsTurn(const QString &reason)
{
    return withoutBrackets(reason) == "Priority"_L1 || withoutBrackets(reason) == "Resources"_L1;
}

QHash<QString, LinePlace> linePlaces(const QByteArray &said)
{
    struct Waiting {
        qint64 priority = 0, number = 0;
        QString id;
    };
    QMap<QString, QList<Waiting>> lines; // by partition
    QHash<QString, QString> partitions; // the first one of each job
    const QList<QList<QByteArray>> rows = rowsOf(said, 4);
    for (const QList<QByteArray> &parts : rows) {
        if (!waitsForItsTurn(QString::fromUtf8(parts[3].trimmed()))) {
            continue;
        }
        const QString id = QString::fromUtf8(parts[0].trimmed()).section(u'_', 0, 0).section(u'+', 0, 0);
        const QStringList named = QString::fromUtf8(parts[1].trimmed()).split(u',');
        for (const QString &partition : named) {
            lines[partition].append({parts[2].trimmed().toLongLong(), id.toLongLong(), id});
        }
        if (!partitions.contains(id)) {
            partitions.insert(id, named.constFirst());
        }
    }
    QHash<QString, LinePlace> places;
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        std::sort(line->begin(), line->end(), [](const Waiting &a, const Waiting &b) {
            return std::pair(b.priority, a.number) < std::pair(a.priority, b.number);
        });
        QStringList ids; // components, and parts of an array, are one job
        for (const Waiting &each : std::as_const(*line)) {
            ids.append(each.id);
        }
        ids.removeDuplicates();
        for (int i = 0; i < ids.size(); ++i) {
            if (partitions.value(ids.at(i)) == line.key()) {
                places.insert(ids.at(i), {line.key(), i + 1, int(ids.size())});
            }
        }
    }
    return places;
}

bool isWithoutLines(const QByteArray &said)
{
    return said.contains("Invalid field requested") && said.contains("SubmitLine");
}

QStringList accountArguments(const QStringList &ids, bool hasLines)
{
    return {u"--noheader"_s, u"--parsable2"_s, u"--duplicates"_s, u"--allocations"_s,
        u"--delimiter="_s + QLatin1Char(separator), u"--jobs="_s + ids.join(u','),
        u"--format=JobID,State,Comment,Start,JobName,"_s + lineColumn(hasLines)};
}

QList<AccountRow> accountRows(const QByteArray &said)
{
    QList<AccountRow> rows;
    const QList<QList<QByteArray>> lines = rowsOf(said, 6);
    for (const QList<QByteArray> &parts : lines) {
        rows.append({QString::fromUtf8(parts[0].trimmed()), stateWord(parts[1]), QString::fromUtf8(parts[2].trimmed()),
            secondsOf(parts[3]), QString::fromUtf8(parts[4].trimmed()), QString::fromUtf8(parts[5].trimmed())});
    }
    return rows;
}

QList<AccountRow> newestRuns(const QList<AccountRow> &rows)
{
    QList<AccountRow> newest;
    for (const AccountRow &row : rows) {
        const auto known
            = std::find_if(newest.begin(), newest.end(), [&row](const AccountRow &each) { return each.id == row.id; });
        if (known == newest.end()) {
            newest.append(row);
        } else if (row.start == 0 || row.start >= known->start) {
            *known = row; // a job that was queued again has a line for each run; one that has not begun is the newest
        }
    }
    return newest;
}

QStringList elementsOf(const QString &id)
{
    constexpr qint64 mostElements = 100'000;
    static const QRegularExpression together(u"\\A(\\d+)_\\[([0-9,-]+)(?:%\\d+)?\\]\\z"_s);
    const QRegularExpressionMatch match = together.match(id);
    if (!match.hasMatch()) {
        return {id};
    }
    QStringList ids;
    const QStringList spans = match.captured(2).split(u',', Qt::SkipEmptyParts);
    for (const QString &span : spans) {
        const qint64 first = span.section(u'-', 0, 0).toLongLong();
        const qint64 last = std::min(span.section(u'-', -1).toLongLong(), first + mostElements);
        for (qint64 element = first; element <= last && ids.size() < mostElements; ++element) {
            ids.append(match.captured(1) + u'_' + QString::number(element));
        }
    }
    return ids;
}

QStringList searchArguments(const QString &name, const QDateTime &since, bool hasLines)
{
    return {u"--noheader"_s, u"--parsable2"_s, u"--duplicates"_s, u"--allocations"_s,
        u"--delimiter="_s + QLatin1Char(separator), u"--name="_s + name,
        u"--starttime="_s + since.toString(u"yyyy-MM-ddTHH:mm:ss"_s),
        u"--endtime=2100-01-01T00:00:00"_s, // sacct counts from when a job may begin, which may lie ahead
        u"--format=JobID,Comment,"_s + lineColumn(hasLines)};
}

QString idInAccounts(const QByteArray &said, const QString &comment)
{
    QString id;
    const QList<QList<QByteArray>> lines = rowsOf(said, 3);
    for (const QList<QByteArray> &parts : lines) {
        if (QString::fromUtf8(parts[1]).trimmed() == comment || QString::fromUtf8(parts[2]).contains(comment)) {
            id = QString::fromUtf8(parts[0].trimmed()).section(u'_', 0, 0).section(u'+', 0, 0);
        }
    }
    return id;
}

bool hasNoAccounts(const QByteArray &said)
{
    return QString::fromUtf8(said).contains("accounting storage is disabled"_L1, Qt::CaseInsensitive);
}

Phase phaseOf(const QString &state)
{
    static const QStringList pending{u"PENDING"_s, u"CONFIGURING"_s, u"REQUEUED"_s, u"REQUEUE_FED"_s, u"REQUEUE_HOLD"_s,
        u"RESV_DEL_HOLD"_s, u"SPECIAL_EXIT"_s, u"POWER_UP_NODE"_s};
    static const QStringList over{u"BOOT_FAIL"_s, u"CANCELLED"_s, u"COMPLETED"_s, u"DEADLINE"_s, u"FAILED"_s,
        u"NODE_FAIL"_s, u"OUT_OF_MEMORY"_s, u"PREEMPTED"_s, u"REVOKED"_s, u"TIMEOUT"_s, QString()};
    return pending.contains(state) ? Phase::Pending : over.contains(state) ? Phase::Over : Phase::Running;
}

bool hasLeft(const QString &state, bool wasThere) { return state.isEmpty() ? wasThere : phaseOf(state) == Phase::Over; }

bool isSuspended(const QString &state) { return state == "SUSPENDED"_L1 || state == "STOPPED"_L1; }

// Limits of an account or a quality of service that the end of other jobs does not lift.
static QLatin1StringView codeOfLimit(const QString &reason)
{
    if (!reason.startsWith("QOS"_L1) && !reason.startsWith("Assoc"_L1)) {
        return {};
    }
    if (reason.contains("PerJob"_L1) || reason.contains("PerNode"_L1) || reason.startsWith("QOSMin"_L1)
        || reason.endsWith("TimeLimit"_L1)) {
        return "wait.slurm-too-large"_L1;
    }
    const bool isUsedUp = reason.contains("Minutes"_L1) && !reason.contains("RunMinutes"_L1);
    const bool isBudget = isUsedUp || reason.contains("GrpWall"_L1) || reason.contains("UsageThreshold"_L1);
    return isBudget ? "wait.slurm-budget"_L1 : QLatin1StringView();
}

Error waitReason(const QueueRow &row, const QString &target)
{
    struct Known {
        const char *begin, *code;
    };
    // By the begin of Slurm's word; the first that fits.
    static constexpr Known known[] = {
        {"Resources", "wait.slurm-resources"},
        {"Priority", "wait.slurm-priority"},
        {"ReqNodeNotAvail", "wait.slurm-nodes"},
        {"Nodes required for job", "wait.slurm-nodes"},
        {"PartitionTimeLimit", "wait.slurm-time-limit"},
        {"PartitionNodeLimit", "wait.slurm-partition-nodes"},
        {"PartitionConfig", "wait.slurm-partition-config"},
        {"PartitionDown", "wait.slurm-partition-down"},
        {"PartitionInactive", "wait.slurm-partition-down"},
        {"NodeDown", "wait.slurm-nodes"},
        {"FrontEndDown", "wait.slurm-nodes"},
        {"AssociationJobLimit", "wait.slurm-account"},
        {"Assoc", "wait.slurm-account"},
        {"QOSNotAllowed", "wait.slurm-invalid"},
        {"QOS", "wait.slurm-qos"},
        {"MaxJobs", "wait.slurm-account"},
        {"JobHeldUser", "wait.slurm-held"},
        {"JobHeldAdmin", "wait.slurm-held-admin"},
        {"JobHoldMaxRequeue", "wait.slurm-held-admin"},
        {"launch failed requeued held", "wait.slurm-held-admin"},
        {"user env retrieval failed requeued held", "wait.slurm-held-admin"},
        {"BeginTime", "wait.slurm-begin"},
        {"DependencyNeverSatisfied", "wait.slurm-dependency-never"},
        {"Dependency", "wait.slurm-dependency"},
        {"JobArrayTaskLimit", "wait.slurm-array"},
        {"Licenses", "wait.slurm-licenses"},
        {"ReservationDeleted", "wait.slurm-reservation-gone"},
        {"Reservation", "wait.slurm-reservation"},
        {"AccountNotAllowed", "wait.slurm-invalid"},
        {"InvalidAccount", "wait.slurm-invalid"},
        {"InvalidQOS", "wait.slurm-invalid"},
        {"BadConstraints", "wait.slurm-constraints"},
    };
    const QString reason = withoutBrackets(row.reason);
    Error why{u"wait.slurm"_s, {{u"target"_s, target}, {u"reason"_s, reason}}};
    if (const QLatin1StringView limit = codeOfLimit(reason); !limit.isEmpty()) {
        why.code = limit;
    } else if (const auto *it = std::ranges::find_if(
                   known, [&reason](const Known &each) { return reason.startsWith(QLatin1StringView(each.begin)); });
               it != std::end(known)) {
        why.code = QLatin1StringView(it->code);
    }
    if (reason.isEmpty() || reason == "None"_L1) {
        why.code = u"wait.slurm-new"_s;
    }
    if (row.state == "RESV_DEL_HOLD"_L1) { // "Reservation NAME was deleted"
        why.code = u"wait.slurm-reservation-gone"_s;
    }
    if (row.start > 0) {
        why.args.insert(u"start"_s, row.start * 1000);
    }
    return why;
}

Error waitReasonOfLimit(Error why, qint64 limitMs, qint64 graceMs)
{
    if (why.code == "wait.slurm-time-limit"_L1 && limitMs > 0) {
        why.code = u"wait.slurm-job-time-limit"_s;
        why.args.insert(u"minutes"_s, qint64(contract::minutesToAsk(limitMs, graceMs)));
        why.args.insert(u"spare"_s, qint64(contract::minutesToAsk(0, 0)));
    }
    return why;
}

} // namespace trainyard::slurm
