// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/comparetexts.h"

#include "engine/api/compare/comparemetrics.h"
#include "engine/api/compare/untrackedfiles.h"
#include "engine/api/foreignid.h"
#include "engine/api/namesinanycase.h"
#include "widgets/text/resulttexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

class CompareWords
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::Compare)
public:
    static QString spread(const QString &mean, const QString &deviation) { return tr("%1 ± %2").arg(mean, deviation); }
    static QString betterBehind(const QString &label, const QList<JobSummary> &jobs, const QString &value)
    {
        const QString text = jobs.size() > 1
            ? tr("%1, none of which succeeded with a value, reached %2. A run that failed or was "
                 "stopped is the best only where no other one has a value.")
            : jobs.constFirst().state == State::Failed
            ? tr("%1, which failed, reached %2. A run that failed or was stopped is the best only where no other one "
                 "has a value.")
            : tr("%1, which was stopped, reached %2. A run that failed or was stopped is the best only where no other "
                 "one has a value.");
        return text.arg(label, value);
    }
    static QString newest(const QString &name, const QString &best)
    {
        return tr("%1 is the newest value of a run; %2 is its best one.").arg(name, best);
    }
    static QString ofRun(const QString &code)
    {
        return code == "name"_L1   ? tr("Name")
            : code == "hosts"_L1   ? tr("Hosts")
            : code == "target"_L1  ? tr("Sent to")
            : code == "gpus"_L1    ? tr("GPUs")
            : code == "tasks"_L1   ? tr("Tasks")
            : code == "retries"_L1 ? tr("Retries")
                                   : code;
    }
};

// The other differences between runs, one text each.
class OtherDifferences
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::Compare)
public:
    OtherDifferences(const QList<CompareFact> &different, const QList<CompareRun> &runs) : m_runs(runs)
    {
        for (const CompareFact &fact : different) {
            if (fact.kind == CompareFact::Kind::Environment && !isOwn(fact, runs)) {
                m_facts.append(fact);
            }
            m_hasHosts = m_hasHosts || (fact.kind == CompareFact::Kind::Run && fact.name == "hosts"_L1);
        }
    }

    QString text() const
    {
        constexpr qsizetype hash = 8;
        QStringList all;
        if (const QString commits = values("git.commit"_L1, hash); !commits.isNull()) {
            all.append(tr("commit%1").arg(commits));
        } else if (const QString branches = values("git.branch"_L1); !branches.isNull()) {
            all.append(tr("branch%1").arg(branches));
        }
        if (has("git.dirty"_L1) || has("git.diff"_L1)) {
            all.append(tr("uncommitted changes"));
        }
        const CompareFact *untracked = find("git.untracked"_L1);
        if (const QStringList files = untracked ? differingUntracked(*untracked, m_runs) : QStringList();
            !files.isEmpty()) {
            all.append(tr("untracked files (%1)").arg(listed(files)));
        }
        if (const QString packages = below("python.packages."_L1); !packages.isEmpty()) {
            all.append(tr("packages (%1)").arg(packages));
        }
        // A version that is empty is that of a program that does not tell it, such as a wrapper.
        if (const QString versions = values("python.version"_L1, 40, tr("version unknown")); !versions.isNull()) {
            all.append(tr("Python%1").arg(versions));
        } else if (has("python.executable"_L1)) {
            all.append(tr("the Python program"));
        }
        // A column has the hosts, and what differs with the host need not be said.
        const QString hosts = m_hasHosts ? QString() : values("host"_L1);
        if (!hosts.isNull()) {
            all.append(tr("host%1").arg(hosts));
        } else if (!m_hasHosts && (has("kernel"_L1) || has("os"_L1))) {
            all.append(tr("operating system"));
        }
        if (const QString models = values("gpus"_L1); !models.isNull()) {
            all.append(tr("GPU%1").arg(models));
        }
        if (const QString drivers = values("gpuDriver"_L1); !drivers.isNull()) {
            all.append(tr("GPU driver%1").arg(drivers));
        }
        if (has("container.image"_L1) || has("container.runtime"_L1)) {
            all.append(tr("container"));
        }
        if (has("workFolder"_L1)) {
            all.append(tr("work folder"));
        }
        if (const QString variables = below("variables."_L1); !variables.isEmpty()) {
            all.append(tr("environment variables (%1)").arg(variables));
        }
        return all.join(u", "_s);
    }

private:
    // Such as the folder of a try: it differs although nothing is different. Which GPU of several it is says as little.
    static bool isOwn(const CompareFact &fact, const QList<CompareRun> &runs)
    {
        if (fact.name.startsWith("variables."_L1)
            && (fact.name.endsWith("_VISIBLE_DEVICES"_L1) || isOfOneRun(fact.name.sliced(10))
                || isFolderOfMachine(fact, runs))) {
            return true;
        }
        for (qsizetype i = 0; i < runs.size() && i < fact.values.size(); ++i) {
            const QString &uuid = runs.at(i).job.uuid;
            if (isKnownOf(fact, runs.at(i)) && (uuid.isEmpty() || !fact.values.at(i).contains(uuid))) {
                return false;
            }
        }
        return true;
    }

    // The name of the host, and what a cluster tells each job of its own number, nodes, ports and times. What it was
    // given, such as its partition and its processors, says more.
    static bool isOfOneRun(QStringView variable)
    {
        static constexpr std::array<QLatin1StringView, 26> parts{"_ARRAY_"_L1, "_JOBID"_L1, "_JOB_ID"_L1,
            "_HET_JOB_"_L1, "_JOB_NAME"_L1, "_JOB_GPUS"_L1, "_STEP_GPUS"_L1, "_JOB_START_"_L1, "_JOB_END_"_L1,
            "_NODELIST"_L1, "_NODENAME"_L1, "_NODE_ALIASES"_L1, "_NODEID"_L1, "_PROCID"_L1, "_LOCALID"_L1, "_GTIDS"_L1,
            "_TASK_PID"_L1, "_STEPID"_L1, "_STEP_ID"_L1, "_STEP_LAUNCHER_"_L1, "_STEP_RESV_PORTS"_L1,
            "_LAUNCH_NODE_"_L1, "_SRUN_COMM_"_L1, "_TOPOLOGY_ADDR"_L1, "_CPU_BIND"_L1, "_RESTART_COUNT"_L1};
        if (variable == "HOST"_L1 || variable == "HOSTNAME"_L1 || variable == "SLURMD_NODENAME"_L1) {
            return true;
        }
        return variable.startsWith("SLURM"_L1)
            && std::ranges::any_of(parts, [variable](QLatin1StringView part) { return variable.contains(part); });
    }

    // The home folder of a machine or its cache, or what differs only by that: paths that name the same on every host.
    static bool isFolderOfMachine(const CompareFact &fact, const QList<CompareRun> &runs)
    {
        static const QStringList always{u"variables.HOME"_s, u"variables.XDG_CACHE_HOME"_s, u"variables.TMPDIR"_s};
        if (always.contains(fact.name)) {
            return true;
        }
        std::optional<QString> first;
        for (qsizetype i = 0; i < runs.size() && i < fact.values.size(); ++i) {
            if (!isKnownOf(fact, runs.at(i))) {
                continue;
            }
            const QString home = runs.at(i).environment["variables"_L1]["HOME"_L1].toString();
            QString value = fact.values.at(i);
            if (value.isNull() || home.size() < 2) {
                return false;
            }
            value.replace(home + u'/', "~/"_L1);
            if (first && *first != value) {
                return false;
            }
            first = value;
        }
        return true;
    }

    const CompareFact *find(QLatin1StringView name) const
    {
        const auto found = std::find_if(
            m_facts.cbegin(), m_facts.cend(), [name](const CompareFact &fact) { return fact.name == name; });
        return found == m_facts.cend() ? nullptr : &*found;
    }
    bool has(QLatin1StringView name) const { return find(name); }

    // " (3.10, 3.12)", each value once; null: it does not differ, empty: there are too many to be told.
    QString values(QLatin1StringView name, qsizetype longest = 40, const QString &empty = tr("none")) const
    {
        constexpr qsizetype most = 3;
        const CompareFact *fact = find(name);
        QStringList each;
        for (qsizetype i = 0; fact && i < m_runs.size(); ++i) {
            if (!isKnownOf(*fact, m_runs.at(i))) {
                continue;
            }
            const QString value = fact->values.value(i);
            const QString text = value.isEmpty() ? empty : value.first(std::min(value.size(), longest));
            if (!each.contains(text)) {
                each.append(text);
            }
        }
        return !fact ? QString() : each.size() > most ? u""_s : u" (%1)"_s.arg(each.join(u", "_s));
    }

    // The last words of the names that begin so.
    QString below(QLatin1StringView beginning) const
    {
        QStringList names;
        for (const CompareFact &fact : m_facts) {
            if (fact.name.startsWith(beginning)) {
                names.append(fact.name.sliced(beginning.size()));
            }
        }
        return listed(names);
    }

    static QString listed(const QStringList &names)
    {
        constexpr qsizetype most = 3;
        return names.size() <= most
            ? names.join(u", "_s)
            : tr("%1 and %2 more").arg(names.first(most).join(u", "_s), QString::number(names.size() - most));
    }

    const QList<CompareRun> &m_runs;
    QList<CompareFact> m_facts;
    bool m_hasHosts = false;
};

int exponentOf(double value) { return int(std::floor(std::log10(std::abs(value)))); }

// Digits before the point are written as such, not as a power of ten, as long as they are few.
QString significant(double value, int digits)
{
    constexpr int few = 6;
    if (value == 0) {
        return u"0"_s;
    }
    const double rounded = QString::number(value, 'e', digits - 1).toDouble();
    const int before = exponentOf(rounded) + 1;
    return QString::number(rounded, 'g', before <= few ? std::max(digits, before) : digits);
}

} // namespace

QString spreadText(const CompareSpread &spread, bool withDeviation)
{
    if (spread.hasBroken) {
        return metricNumber(std::nan(""));
    }
    if (!withDeviation) {
        return metricNumber(spread.mean);
    }
    constexpr int ofDeviation = 2, most = 15;
    if (spread.deviation == 0 || spread.mean == 0) {
        return CompareWords::spread(metricNumber(spread.mean), significant(spread.deviation, ofDeviation));
    }
    const int digits = exponentOf(spread.mean) - exponentOf(spread.deviation) + ofDeviation;
    return CompareWords::spread(
        significant(spread.mean, std::clamp(digits, 1, most)), significant(spread.deviation, ofDeviation));
}

QStringList spreadCells(const CompareSpread &spread)
{
    return {spread.n > 1 && !spread.hasBroken ? QString::number(spread.deviation, 'g', QLocale::FloatingPointShortest)
                                              : QString(),
        QString::number(spread.n)};
}

QString factTitle(const CompareFact &fact)
{
    return fact.kind == CompareFact::Kind::Run ? CompareWords::ofRun(fact.name) : fact.name;
}

QString factHeading(const CompareFact &fact)
{
    if (fact.kind != CompareFact::Kind::Configuration) {
        return factTitle(fact);
    }
    const QString last = fact.name.section(u'.', -1);
    bool isNumber = false;
    last.toInt(&isNumber);
    return isNumber || last == "name"_L1 ? fact.name.section(u'.', -2) : last;
}

QStringList factHeadings(const QList<CompareFact> &facts)
{
    QStringList headings;
    for (const CompareFact &fact : facts) {
        headings.append(factHeading(fact));
    }
    const auto isTwice = [&headings](qsizetype place) { return headings.count(headings.at(place)) > 1; };
    for (bool isLonger = true; isLonger;) {
        isLonger = false;
        QStringList longer = headings;
        for (qsizetype i = 0; i < facts.size(); ++i) {
            const QString &name = facts.at(i).name;
            if (isTwice(i) && facts.at(i).kind == CompareFact::Kind::Configuration && headings.at(i) != name) {
                longer[i] = name.section(u'.', -headings.at(i).count(u'.') - 2);
                isLonger = true;
            }
        }
        headings = longer;
    }
    return headings;
}

QString factValue(const QString &value)
{
    constexpr qsizetype longest = 120; // of a command or a diff
    const QString line = value.first(std::min(value.size(), 8 * longest)).simplified();
    return value.isNull()       ? u"–"_s
        : value.isEmpty()       ? u"''"_s
        : line.size() > longest ? QString(line.first(longest - 1) + u'…')
                                : line;
}

QString sameWords(const QList<CompareFact> &same, const QList<CompareRun> &runs, qsizetype most, qsizetype *rest)
{
    const bool allHaveTexts
        = std::none_of(runs.cbegin(), runs.cend(), [](const CompareRun &run) { return isForeign(run.job.uuid); });
    QStringList parts;
    qsizetype more = 0;
    for (const CompareFact &fact : same) {
        if (fact.kind == CompareFact::Kind::Parameter && parts.size() < most) {
            parts.append(fact.name + u' ' + factValue(fact.values.value(0)));
        } else if (fact.kind == CompareFact::Kind::Parameter
            || (fact.kind == CompareFact::Kind::Configuration && allHaveTexts)) {
            ++more;
        }
    }
    if (rest) {
        *rest = more;
    }
    return parts.join(", "_L1);
}

QString otherDifferences(const QList<CompareFact> &different, const QList<CompareRun> &runs)
{
    return OtherDifferences(different, runs).text();
}

QString betterBehindText(const QString &label, const QList<JobSummary> &jobs, double value)
{
    return CompareWords::betterBehind(label, jobs, metricNumber(value));
}

QString newestValueRemark(const JobFilter &filter, const QList<JobSummary> &jobs)
{
    for (const FilterTerm &term : filter.terms()) {
        const bool isResult = term.field == FilterTerm::Field::Value && term.compare != FilterTerm::Compare::There
            && (term.source == FilterTerm::Source::Any || term.source == FilterTerm::Source::Result);
        if (!isResult) {
            continue;
        }
        const Better better = betterByName(term.name);
        const bool differs = std::any_of(jobs.cbegin(), jobs.cend(), [&](const JobSummary &job) {
            const bool isSetting
                = term.source == FilterTerm::Source::Any && !memberInAnyCase(job.parameters, term.name).isUndefined();
            const CompareValue value = compareValue(job, term.name, better);
            return !isSetting && value.best && value.last != value.best;
        });
        if (differs) {
            const QString name = filterQuoted(term.name);
            return CompareWords::newest(name, (better == Better::Lower ? "min:"_L1 : "max:"_L1) + name);
        }
    }
    return {};
}

QStringList parameterWords(const QJsonObject &parameters)
{
    QStringList words;
    for (auto it = parameters.begin(); it != parameters.end(); ++it) {
        words.append(it.key() + u'=' + it.value().toVariant().toString());
    }
    return words;
}

} // namespace trainyard
