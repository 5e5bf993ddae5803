// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmlimits.h"

#include "engine/clusters/slurmquota.h"
#include "engine/contract/slurmtime.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <vector>

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

namespace
{

constexpr QLatin1Char limitSeparator{'\x1f'};
// What is left of a job without a time limit is counted as many thousand years of minutes.
constexpr qint64 mostMinutes = qint64(1) << 31;

// A limit with what is used of it: "8(6)"; "N" is none.
struct Counted {
    std::optional<qint64> limit, used;
};

std::optional<qint64> wholeNumber(const QString &text)
{
    bool isNumber = false;
    const double number = text.toDouble(&isNumber); // GrpWall has decimals
    return isNumber && number >= 0 && number < 1e15 ? std::optional(qint64(number)) : std::nullopt;
}

Counted countedIn(const QString &text)
{
    const qsizetype open = text.indexOf(u'(');
    return {wholeNumber(text.first(open < 0 ? text.size() : open)),
        open < 0 ? std::nullopt : wholeNumber(text.mid(open + 1).chopped(text.endsWith(u')') ? 1 : 0))};
}

// The number of a resource that was asked for: "128M" of memory is in MiB.
std::optional<qint64> amountIn(const QString &text)
{
    static const QString units = u"KMGTP"_s;
    const qsizetype unit = text.isEmpty() ? -1 : units.indexOf(text.back());
    const std::optional<qint64> whole = wholeNumber(unit < 0 ? text : text.chopped(1));
    if (!whole || unit < 0) {
        return whole;
    }
    const double number = text.chopped(1).toDouble() * std::pow(1024.0, double(unit) - 1);
    return qint64(number);
}

// The members of a record that is one line: "QOS=small(3) GrpJobs=N(1) GrpTRES=cpu=N(1),mem=N(64) ...".
QHash<QString, QString> membersIn(const QString &line)
{
    QHash<QString, QString> members;
    const QStringList words = line.split(u' ', Qt::SkipEmptyParts);
    for (const QString &word : words) {
        if (const qsizetype equals = word.indexOf(u'='); equals > 0 && !members.contains(word.first(equals))) {
            members.insert(word.first(equals), word.mid(equals + 1));
        }
    }
    return members;
}

// "small" of "small(3)"
QString withoutNumber(const QString &name) { return name.section(u'(', 0, 0); }

// Whether "ada(1001)", "ada" or "1001" is of the user or account with this name or number.
bool isOf(const QString &its, const QString &name)
{
    return !its.isEmpty() && !name.isEmpty()
        && (its == name || withoutNumber(its) == name || its.endsWith(u'(' + name + u')'));
}

// The part of a QoS about one of its users or accounts: "User Limits= 1000={MaxJobsPU=2(1) ...} ada(1001)={...}".
QHash<QString, QString> partOf(const QString &line, QLatin1StringView heading, const QString &name)
{
    const qsizetype begin = line.indexOf(heading);
    if (begin < 0) {
        return {};
    }
    static const QRegularExpression part(u"(\\S+)=\\{([^}]*)\\}"_s);
    // Behind the accounts are the users.
    const qsizetype end = line.indexOf("User Limits="_L1, begin + 1);
    const QString text = line.mid(begin + heading.size(), end < 0 ? -1 : end - begin - heading.size());
    for (auto it = part.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        if (isOf(match.captured(1), name)) {
            return membersIn(match.captured(2));
        }
    }
    return {};
}

QStringList linesWith(const QByteArray &said, QLatin1StringView begin)
{
    QStringList lines = QString::fromUtf8(said).split(u'\n');
    lines.removeIf([begin](const QString &line) { return !line.trimmed().startsWith(begin); });
    return lines;
}

// The records that can hold the limit, the nearest first.
std::vector<QHash<QString, QString>> holdersOf(
    const NamedLimit &named, const LimitedJob &job, const QHash<QString, QString> &partitionQos, const QByteArray &said)
{
    std::vector<QHash<QString, QString>> holders;
    if (named.holder == NamedLimit::Holder::Qos) {
        const QStringList names = qosOf(job, partitionQos);
        const QStringList lines = linesWith(said, "QOS="_L1);
        for (const QString &name : names) {
            for (const QString &line : lines) {
                const QString whole = line.section("Account Limits="_L1, 0, 0).section("User Limits="_L1, 0, 0);
                const QHash<QString, QString> members = membersIn(whole);
                if (withoutNumber(members.value(u"QOS"_s)) != name) {
                    continue;
                }
                holders.push_back(named.span == NamedLimit::Span::User ? partOf(line, "User Limits="_L1, job.user)
                        : named.span == NamedLimit::Span::Account      ? partOf(line, "Account Limits="_L1, job.account)
                                                                       : members);
            }
        }
        return holders;
    }
    std::vector<QHash<QString, QString>> records;
    const QStringList lines = linesWith(said, "ClusterName="_L1);
    for (const QString &line : lines) {
        records.push_back(membersIn(line));
    }
    QString account = job.account;
    for (const QHash<QString, QString> &record : records) {
        const bool isMeant
            = account.isEmpty() ? record.value(u"DefAssoc"_s) == "Yes"_L1 : record.value(u"Account"_s) == account;
        const QString partition = record.value(u"Partition"_s);
        if (isOf(record.value(u"UserName"_s), job.user) && isMeant
            && (partition.isEmpty() || job.partitions.contains(partition))) {
            account = record.value(u"Account"_s);
            holders.push_back(record);
        }
    }
    // The account, and those above it, each of which limits all below it together.
    for (std::size_t i = 0; i < records.size() && !account.isEmpty(); ++i) {
        const auto it = std::find_if(records.begin(), records.end(), [&account](const QHash<QString, QString> &record) {
            return record.value(u"Account"_s) == account && record.value(u"UserName"_s).isEmpty();
        });
        if (it == records.end()) {
            break;
        }
        holders.push_back(*it);
        account = withoutNumber(it->value(u"ParentAccount"_s));
    }
    return holders;
}

// The member of a record that has the limit.
QString memberOf(const NamedLimit &named)
{
    using Span = NamedLimit::Span;
    const QString end = named.span == Span::User ? u"PU"_s
        : named.span == Span::Account            ? u"PA"_s
        : named.span == Span::Job                ? u"PJ"_s
        : named.span == Span::Node               ? u"PN"_s
                                                 : QString();
    const bool isOfAccount = named.holder == NamedLimit::Holder::Account;
    const QString head = named.span == Span::Group ? u"Grp"_s : u"Max"_s;
    if (named.what == "jobs"_L1 || named.what == "submit"_L1) {
        return head + (named.what == "jobs"_L1 ? "Jobs"_L1 : "SubmitJobs"_L1) + (isOfAccount ? QString() : end);
    }
    if (named.what == "time"_L1) {
        return head + "Wall"_L1 + end;
    }
    return head + "TRES"_L1 + (named.isRunning ? "RunMins"_L1 : named.isMinutes ? "Mins"_L1 : ""_L1) + end;
}

// What the job adds to what is used.
std::optional<qint64> addedBy(const LimitedJob &job, const NamedLimit &named, const QString &of)
{
    if (of == "jobs"_L1 || of == "submit"_L1) {
        return 1;
    }
    const auto it = job.asked.constFind(of), time = job.asked.constFind(u"time"_s);
    if (it == job.asked.cend() || (named.isMinutes && time == job.asked.cend())) {
        return std::nullopt;
    }
    const qint64 nodes = std::max<qint64>(1, job.asked.value(u"node"_s));
    return named.isMinutes ? *it * *time : named.span == NamedLimit::Span::Node ? (*it + nodes - 1) / nodes : *it;
}

bool isOfOne(const NamedLimit &named)
{
    return named.span == NamedLimit::Span::Job || named.span == NamedLimit::Span::Node;
}

// What of that is told. sbatch refuses a job that might be put on one node as a whole; where it is not known how many
// nodes there would be, only what a single task asks for is certainly on one.
std::optional<qint64> toldOf(
    const LimitedJob &job, const NamedLimit &named, const QString &of, const std::optional<qint64> &added, qint64 limit)
{
    if (named.span != NamedLimit::Span::Node || job.asked.contains(u"node"_s)) {
        return added;
    }
    const qint64 one = job.ofTask.value(of);
    return one > limit ? std::optional(one) : std::nullopt;
}

// Whether this is what the job waits for, as far as can be seen.
bool isReached(const NamedLimit &named, const Counted &counted, const std::optional<qint64> &added)
{
    if (!counted.limit) {
        return false;
    }
    if (isOfOne(named)) {
        return added && *added > *counted.limit;
    }
    const bool isOpen = (named.isMinutes || named.what == "time"_L1) && !added; // it may run for as long as it likes
    return isOpen || (counted.used && *counted.used + added.value_or(0) > *counted.limit);
}

QJsonObject numbersOf(
    const NamedLimit &named, const QString &of, const Counted &counted, const std::optional<qint64> &added)
{
    QJsonObject numbers{{u"limit"_s, *counted.limit}, {u"of"_s, of}};
    if (!isOfOne(named) && counted.used && *counted.used < mostMinutes) {
        numbers.insert(u"used"_s, *counted.used);
    }
    // A job that is one more is nothing to tell, nor how much of what is used up it would take.
    const bool isBudget = !isOfOne(named) && ((named.isMinutes && !named.isRunning) || of == "time"_L1);
    if (added && of != "jobs"_L1 && of != "submit"_L1 && !isBudget) {
        numbers.insert(u"asked"_s, *added);
    }
    if (named.isMinutes) {
        numbers.insert(u"minutes"_s, true);
    }
    if (named.isRunning) {
        numbers.insert(u"running"_s, true);
    }
    if (isOfOne(named)) {
        numbers.insert(u"span"_s, named.span == NamedLimit::Span::Job ? u"job"_s : u"node"_s);
    }
    return numbers;
}

} // namespace

QStringList limitedJobsArguments()
{
    QStringList fields{
        u"JobArrayID"_s, u"UserID"_s, u"Account"_s, u"QOS"_s, u"Partition"_s, u"tres-alloc"_s, u"TimeLimit"_s};
    for (QString &field : fields) {
        field += u':' + QString(limitSeparator);
    }
    return {u"--noheader"_s, u"--array"_s, u"--me"_s, u"--Format="_s + fields.join(u',')};
}

QList<LimitedJob> limitedJobsIn(const QByteArray &said)
{
    QList<LimitedJob> jobs;
    const QList<QStringList> rows = rowsIn(said, limitSeparator, 8); // one is behind the last separator
    for (const QStringList &row : rows) {
        LimitedJob job{row.at(0), row.at(1), row.at(2), row.at(3), row.at(4).split(u',', Qt::SkipEmptyParts), {}};
        const QStringList asked = row.at(5).split(u',', Qt::SkipEmptyParts);
        for (const QString &each : asked) {
            if (const std::optional<qint64> amount = amountIn(each.section(u'=', -1))) {
                job.asked.insert(each.section(u'=', 0, -2), *amount);
            }
        }
        if (const std::optional<std::int64_t> seconds = contract::slurmSeconds(row.at(6).toStdString())) {
            job.asked.insert(u"time"_s, *seconds / 60);
        }
        jobs.append(job);
    }
    return jobs;
}

LimitedJob untakenJob(const ScriptInput &input, const QString &user)
{
    LimitedJob job{{}, user, valueOfOption(input.options, "--account="_L1), valueOfOption(input.options, "--qos="_L1),
        valueOfOption(input.options, "--partition="_L1).split(u',', Qt::SkipEmptyParts), {}};
    for (const Component &component : input.layout.components) {
        const int tasks = input.isArray ? 1 : component.tasks; // each element has one task
        job.asked[u"cpu"_s] += qint64(tasks) * component.cpus;
        job.asked[u"mem"_s] += tasks * component.memoryMiB;
        job.asked[u"gres/gpu"_s] += qint64(tasks) * component.gpus;
        job.ofTask[u"cpu"_s] = std::max<qint64>(job.ofTask.value(u"cpu"_s), component.cpus);
        job.ofTask[u"mem"_s] = std::max<qint64>(job.ofTask.value(u"mem"_s), component.memoryMiB);
        job.ofTask[u"gres/gpu"_s] = std::max<qint64>(job.ofTask.value(u"gres/gpu"_s), component.gpus);
    }
    job.asked.removeIf([](const auto &each) { return each.value() <= 0; });
    const QString time = valueOfOption(input.options, "--time="_L1);
    if (input.limitMs > 0) {
        job.asked.insert(u"time"_s, contract::minutesToAsk(input.limitMs, input.graceMs));
    } else if (const auto seconds = contract::slurmSeconds(time.toStdString())) {
        job.asked.insert(u"time"_s, *seconds / 60);
    }
    return job;
}

QStringList qosLimitsArguments(const QStringList &names)
{
    return {u"--oneliner"_s, u"show"_s, u"assoc_mgr"_s, u"qos="_s + names.join(u','), u"flags=qos"_s};
}

QStringList accountLimitsArguments(const QString &user)
{
    // The accounts are told in any case; of their users, only this one.
    return {u"--oneliner"_s, u"show"_s, u"assoc_mgr"_s, u"users="_s + user, u"flags=assoc"_s};
}

QStringList qosOf(const LimitedJob &job, const QHash<QString, QString> &partitionQos)
{
    QStringList names;
    const QStringList partitions = job.partitions.isEmpty() ? QStringList(QString()) : job.partitions;
    for (const QString &partition : partitions) {
        names.append(partitionQos.value(partition));
    }
    names.append(job.qos);
    names.removeAll(QString());
    names.removeDuplicates();
    return names;
}

QStringList partitionQosArguments() { return {u"--oneliner"_s, u"show"_s, u"partition"_s}; }

QHash<QString, QString> partitionQosIn(const QByteArray &said)
{
    QHash<QString, QString> found;
    const QStringList lines = linesWith(said, "PartitionName="_L1);
    for (const QString &line : lines) {
        const QHash<QString, QString> members = membersIn(line);
        const QString qos = members.value(u"QoS"_s);
        if (!qos.isEmpty() && qos != "N/A"_L1) {
            found.insert(members.value(u"PartitionName"_s), qos);
            if (members.value(u"Default"_s) == "YES"_L1) {
                found.insert(QString(), qos);
            }
        }
    }
    return found;
}

QJsonObject limitNumbers(
    const NamedLimit &named, const LimitedJob &job, const QHash<QString, QString> &partitionQos, const QByteArray &said)
{
    const QString member = memberOf(named);
    const std::vector<QHash<QString, QString>> holders = holdersOf(named, job, partitionQos, said);
    for (const QHash<QString, QString> &holder : holders) {
        const QString text = holder.value(member);
        if (!member.contains("TRES"_L1)) {
            const Counted counted = countedIn(text);
            if (const std::optional<qint64> added = addedBy(job, named, named.what); isReached(named, counted, added)) {
                return numbersOf(named, named.what, counted, toldOf(job, named, named.what, added, *counted.limit));
            }
            continue;
        }
        const QStringList all = text.split(u',', Qt::SkipEmptyParts);
        for (const QString &each : all) {
            const QString of = each.section(u'=', 0, -2);
            const Counted counted = countedIn(each.section(u'=', -1));
            const bool isMeant = named.what == "gres"_L1 ? of.startsWith("gres/"_L1) : of == named.what;
            if (const std::optional<qint64> added = addedBy(job, named, of);
                isMeant && isReached(named, counted, added)) {
                return numbersOf(named, of, counted, toldOf(job, named, of, added, *counted.limit));
            }
        }
    }
    return {};
}

Error waitReasonOfNumbers(Error why, const QJsonObject &numbers)
{
    if (numbers.isEmpty()) {
        return why;
    }
    why.args.insert(u"numbers"_s, numbers);
    const bool waitsForOthers = why.code == "wait.slurm-qos"_L1 || why.code == "wait.slurm-account"_L1;
    if (waitsForOthers && numbers.value("asked"_L1).toInteger() > numbers.value("limit"_L1).toInteger()) {
        why.code = u"wait.slurm-over-limit"_s;
        why.args.remove(u"start"_s); // Slurm expects one, and postpones it again and again
    }
    return why;
}

} // namespace trainyard::slurm
