// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/meantjobs.h"

#include "app/cli/console.h"
#include "app/cli/groupjobs.h"
#include "app/cli/jobtable.h"
#include "engine/api/jobfilter.h"
#include "model/protocol/findings.h"
#include "widgets/text/filtertexts.h"

#include <QDateTime>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr QLatin1StringView namePrefix{"name:"};
constexpr qsizetype mostNamed = 8; // of jobs with one name

// The job that a word names by its name, if there is one.
QString nameIn(const QString &word) { return word.startsWith(namePrefix) ? word.sliced(namePrefix.size()) : word; }

// "#12 (RUNNING), #11 (WAITING)"
QString numbersWithStates(const QList<JobSummary> &jobs)
{
    QStringList titles;
    for (const JobSummary &job : jobs) {
        titles.append(tr("#%1 (%2)").arg(QString::number(job.id), shownState(job)));
    }
    return titles.join(u", "_s);
}

// "38", "40-42" of "38,40-42"; nothing where the word is not a list of numbers.
QStringList numbersIn(const QString &word)
{
    const QStringList parts = word.split(u',', Qt::SkipEmptyParts);
    const bool areNumbers
        = std::all_of(parts.cbegin(), parts.cend(), [](const QString &part) { return jobNumbersIn(part).has_value(); });
    return areNumbers && parts.size() > 1 ? parts : QStringList();
}

// The group that a filter is about, and nothing else; the name as it is spelled.
QString onlyGroupOf(const JobFilter &filter, const QString &word)
{
    const QList<FilterTerm> &terms = filter.terms();
    const bool isGroup = terms.size() == 1 && terms.constFirst().field == FilterTerm::Field::Group
        && !terms.constFirst().isNegated && terms.constFirst().words.size() == 1;
    return isGroup ? word.section(u':', 1).remove(u'"').trimmed() : QString();
}

// Words alone are names of jobs.
bool isFilterOfJobs(const JobFilter &filter)
{
    const QList<FilterTerm> &terms = filter.terms();
    const bool isName
        = terms.size() == 1 && terms.constFirst().field == FilterTerm::Field::Name && !terms.constFirst().isNegated;
    return !isName && std::any_of(terms.cbegin(), terms.cend(), [](const FilterTerm &term) {
        return term.field != FilterTerm::Field::Word && term.field != FilterTerm::Field::Archived;
    });
}

Result<MeantJobs> jobsOfFilter(Session &session, const QString &filter, const QString &word)
{
    const QString listed = withoutArchived(filter);
    Result<QList<JobSummary>> jobs = allJobs(session, listed);
    if (!jobs) {
        return tl::unexpected<Error>(jobs.error());
    }
    if (jobs->isEmpty()) {
        const Result<QList<JobSummary>> all = listed == filter ? jobs : allJobs(session, filter);
        return fail(all && !all->isEmpty() ? u"jobs.only-archived"_s : u"jobs.none"_s, {{u"word"_s, word}});
    }
    std::reverse(jobs->begin(), jobs->end());
    return MeantJobs{*jobs, {}, true};
}

Result<MeantJobs> jobsOfGroup(Session &session, const QString &group)
{
    Result<QList<JobSummary>> jobs = allJobs(session, groupFilter(group));
    if (!jobs) {
        return tl::unexpected<Error>(jobs.error());
    }
    // A filter takes small and capital letters for the same, and knows wildcards: what is done with a group is not.
    jobs->removeIf([&group](const JobSummary &job) { return job.group != group; });
    if (jobs->isEmpty()) {
        return fail(u"group.unknown"_s, {{u"group"_s, group}});
    }
    std::reverse(jobs->begin(), jobs->end());
    return MeantJobs{*jobs, {}, true};
}

// The most similar name among the jobs for a misspelt one; empty if none is similar.
QString nearestName(Session &session, const QString &word)
{
    const QList<JobSummary> jobs = session.client().jobs();
    QStringList names;
    for (auto job = jobs.crbegin(); job != jobs.crend(); ++job) {
        if (!names.contains(job->name)) {
            names.append(job->name);
        }
    }
    return nearest(word, names);
}

} // namespace

void MeantJobs::add(const MeantJobs &more)
{
    if (added.isEmpty()) { // kept from word to word: a shell may give thousands of them
        for (const JobSummary &job : std::as_const(jobs)) {
            added.insert(job.uuid);
        }
    }
    for (const JobSummary &job : more.jobs) {
        if (!added.contains(job.uuid)) { // else it is named twice, or by two of its names
            added.insert(job.uuid);
            jobs.append(job);
        }
    }
    named.unite(more.named);
    areSeveral = areSeveral || more.areSeveral;
}

Result<MeantJobs> jobsOfWord(Session &session, const QString &word)
{
    MeantJobs listed;
    const QStringList numbers = numbersIn(word);
    for (const QString &each : numbers) {
        const Result<MeantJobs> some = jobsOfWord(session, each);
        if (!some) {
            return some;
        }
        listed.add(*some);
    }
    if (!numbers.isEmpty()) {
        return listed;
    }
    const Result<JobFilter> filter = JobFilter::parse(word, QDateTime::currentMSecsSinceEpoch());
    if (const QString group = filter ? onlyGroupOf(*filter, word) : QString(); !group.isEmpty()) {
        return jobsOfGroup(session, group);
    }
    if (filter && isFilterOfJobs(*filter)) {
        return jobsOfFilter(session, word, word);
    }
    const Result<JobSummary> job = session.findJob(word);
    if (job) {
        return MeantJobs{{*job}, {job->uuid}, false};
    }
    if (job.error().code != "job.unknown"_L1 || word.startsWith(namePrefix)) {
        return tl::unexpected<Error>(job.error());
    }
    if (!filter) {
        return fail(u"jobs.no-filter"_s, {{u"word"_s, word}, {u"detail"_s, filterErrorText(filter.error())}});
    }
    const std::optional<JobNumbers> range = jobNumbersIn(word);
    if (range && range->first < range->last) {
        return jobsOfFilter(session, u"id:"_s + word, word);
    }
    if (const QString term = termMeantBy(word); !term.isEmpty()) {
        return fail(u"job.unknown-term"_s, {{u"job"_s, word}, {u"term"_s, term}});
    }
    const QString near = range ? QString() : nearestName(session, word);
    return near.isEmpty() ? tl::unexpected<Error>(job.error())
                          : fail(u"job.unknown-near"_s, {{u"job"_s, word}, {u"near"_s, near}});
}

bool hasConditions(const QString &word)
{
    const Result<JobFilter> filter = JobFilter::parse(word, QDateTime::currentMSecsSinceEpoch());
    return filter && isFilterOfJobs(*filter);
}

bool refusesSplitConditions(const QStringList &words)
{
    QStringList filters;
    bool areGroups = true;
    for (const QString &word : words) {
        const Result<JobFilter> filter = JobFilter::parse(word, QDateTime::currentMSecsSinceEpoch());
        if (filter && (isFilterOfJobs(*filter) || filter->saysArchived())) {
            filters.append(word);
            areGroups = areGroups && !onlyGroupOf(*filter, word).isEmpty();
        }
    }
    if (filters.size() < 2 || areGroups) {
        return false;
    }
    errorLine(tr("Each of these words would stand for jobs of its own: %1. Put conditions that must all hold into one "
                 "word, '%2', or run the command for each of them.")
                  .arg(filters.join(u", "_s), filters.join(u' ')));
    return true;
}

bool isNoJob(Session &session, const QString &word)
{
    const Result<MeantJobs> meant = jobsOfWord(session, word);
    return !meant && meant.error().code.startsWith("job.unknown"_L1);
}

Result<MeantJobs> activeJobsOfWord(Session &session, const QString &word)
{
    Result<MeantJobs> meant = jobsOfWord(session, word);
    const QString name = nameIn(word);
    if (!meant || meant->areSeveral || meant->jobs.constFirst().name != name) {
        return meant; // several, a number or a UUID
    }
    Result<QList<JobSummary>> active = allJobs(session, u"state:active"_s);
    if (!active) {
        return tl::unexpected<Error>(active.error());
    }
    active->removeIf([&name](const JobSummary &job) { return job.name != name; });
    if (active->isEmpty()) {
        return meant;
    }
    if (active->size() > 1) {
        return fail(u"job.several-active"_s, {{u"job"_s, name}, {u"jobs"_s, numbersWithStates(*active)}});
    }
    return MeantJobs{*active, {active->constFirst().uuid}, false};
}

QString whichOfSeveral(const QString &word, const JobSummary &job, QList<JobSummary> all)
{
    const QString name = nameIn(word);
    if (job.name != name) { // a number or a UUID
        return {};
    }
    all.removeIf([&name](const JobSummary &each) { return each.name != name; });
    std::sort(all.begin(), all.end(), [](const JobSummary &a, const JobSummary &b) { return a.id > b.id; });
    QList<JobSummary> active = all;
    active.removeIf([](const JobSummary &each) { return isFinal(each.state); });
    const bool areActive = active.size() > 1 && !isFinal(job.state); // else it is none of these
    const QList<JobSummary> &several = areActive ? active : all;
    if (several.size() < 2) {
        return {};
    }
    const qsizetype more = several.size() - mostNamed;
    const QString named = numbersWithStates(several.first(std::min(several.size(), mostNamed)));
    return (areActive
            ? tr("Several active jobs have the name %1: %2. This is #%3; give the number to choose another one.")
            : tr("Several jobs have the name %1: %2. This is #%3; give the number to choose another one."))
        .arg(name, more > 0 ? tr("%1 and %2 more").arg(named, QString::number(more)) : named, QString::number(job.id));
}

void sayWhichOfSeveral(Session &session, const QString &word, const JobSummary &job)
{
    if (const QString sentence = whichOfSeveral(word, job, session.client().jobs()); !sentence.isEmpty()) {
        errorLine(sentence);
        forgetFailure();
    }
}

QString termMeantBy(const QString &word)
{
    const QString lower = word.toLower();
    return filterStates().contains(lower) ? u"state:"_s + lower
        : filterTraits().contains(lower)  ? u"is:"_s + lower
                                          : QString();
}

} // namespace trainyard::cli
