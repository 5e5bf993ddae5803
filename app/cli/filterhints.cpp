// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/filterhints.h"

#include "app/cli/console.h"
#include "app/cli/groupjobs.h"
#include "app/cli/meantjobs.h"
#include "app/cli/words.h"
#include "engine/api/jobcauses.h"
#include "engine/api/jobfilter.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// "param:lr>0.05" for the condition of the text that begins with "param.lr", if a job has such a value, and "cause:oom"
// for "cause=oom"; else empty.
QString withColon(const QString &name, const QStringList &names, const QString &text)
{
    static const QHash<QString, QString> kinds{{u"param"_s, u"param"_s}, {u"params"_s, u"param"_s},
        {u"parameter"_s, u"param"_s}, {u"parameters"_s, u"param"_s}, {u"result"_s, u"result"_s},
        {u"results"_s, u"result"_s}, {u"metric"_s, u"result"_s}, {u"metrics"_s, u"result"_s}, {u"min"_s, u"min"_s},
        {u"max"_s, u"max"_s}};
    const QRegularExpression equal(QRegularExpression::escape(name) + u"\\s*={1,2}\\s*(\\S+)"_s);
    if (const QRegularExpressionMatch match = equal.match(text);
        match.hasMatch() && filterKeys().contains(name.toLower())) { // "cause=oom"
        return name.toLower() + u':' + match.captured(1);
    }
    const QString kind = kinds.value(name.section(u'.', 0, 0).toLower());
    const QString bare = name.section(u'.', 1);
    if (kind.isEmpty() || !names.contains(bare, Qt::CaseInsensitive)) {
        return {};
    }
    const QRegularExpression whole(QRegularExpression::escape(name) + u"(\\S*)"_s);
    return kind + u':' + filterQuoted(bare) + whole.match(text).captured(1);
}

} // namespace

// A comparison with a name that no job has finds nothing, and is most likely a slip.
void sayUnknownNames(Session &session, const QString &text)
{
    const auto filter = JobFilter::parse(text, QDateTime::currentMSecsSinceEpoch());
    QStringList wanted;
    for (const FilterTerm &term : filter ? filter->terms() : QList<FilterTerm>()) {
        if (term.field == FilterTerm::Field::Value && !term.isNegated) {
            wanted.append(term.name);
        }
    }
    const Result<QList<JobSummary>> jobs
        = wanted.isEmpty() ? QList<JobSummary>() : allJobs(session, u"with:archived"_s);
    if (wanted.isEmpty() || !jobs) {
        return;
    }
    QSet<QString> known;
    for (const JobSummary &job : *jobs) {
        for (const QJsonObject &names : {job.parameters, job.results}) {
            const QStringList keys = names.keys();
            known.unite(QSet<QString>(keys.cbegin(), keys.cend()));
        }
    }
    QStringList names(known.cbegin(), known.cend());
    names.sort(); // of two that are equally near, always the same
    for (const QString &name : std::as_const(wanted)) {
        if (!names.contains(name, Qt::CaseInsensitive)) {
            const QString meant = withColon(name, names, text);
            errorLine(tr("No job has a parameter or a result '%1'.").arg(name)
                + (meant.isEmpty() ? didYouMean(name, names) : u' ' + tr("Did you mean '%1'?").arg(meant)));
        }
    }
}

// "active" is looked for in names. Where that finds nothing, the state was most likely meant, or what jobs have.
void sayMeantTerms(Session &session, const QString &text)
{
    const auto filter = JobFilter::parse(text, QDateTime::currentMSecsSinceEpoch());
    QStringList words;
    for (const FilterTerm &term : filter ? filter->terms() : QList<FilterTerm>()) {
        if (term.field == FilterTerm::Field::Word && !term.isNegated) {
            words += term.words;
        }
    }
    QStringList known; // "tag:mix"
    const QList<JobSummary> jobs = words.isEmpty() ? QList<JobSummary>() : session.client().jobs();
    for (const JobSummary &job : jobs) {
        for (const QString &tag : job.labels.tags) {
            known.append(u"tag:"_s + filterQuoted(tag));
        }
        for (const QString &host : job.hosts) {
            known.append(u"host:"_s + filterQuoted(host));
        }
        known.append(u"group:"_s + filterQuoted(job.group));
        known.append(u"cause:"_s + filterQuoted(failureCauses(job).value(0)));
    }
    for (const QString &word : std::as_const(words)) {
        QString meant = termMeantBy(word);
        for (const QString &term : std::as_const(known)) {
            const bool isIt
                = meant.isEmpty() && term.section(u':', 1).remove(u'"').compare(word, Qt::CaseInsensitive) == 0;
            meant = isIt ? term : meant;
        }
        if (!meant.isEmpty()) {
            errorLine(tr("No job has '%1' in its name. Did you mean '%2'?").arg(word, meant));
        }
    }
}

// "tag:lr study" is a tag and a word. Where that finds nothing, "lr study" was most likely meant as one value.
void sayMissingQuotes(const QString &text)
{
    const auto filter = JobFilter::parse(text, QDateTime::currentMSecsSinceEpoch());
    const QList<FilterTerm> terms = filter ? filter->terms() : QList<FilterTerm>();
    const auto isOneWord = [](const FilterTerm &term, FilterTerm::Field field) {
        return term.field == field && !term.isNegated && term.words.size() == 1;
    };
    for (qsizetype i = 0; i + 1 < terms.size(); ++i) {
        const bool isTag = isOneWord(terms.at(i), FilterTerm::Field::Tag);
        if (!isTag && !isOneWord(terms.at(i), FilterTerm::Field::Note)) {
            continue;
        }
        QStringList words = terms.at(i).words;
        for (qsizetype next = i + 1; next < terms.size() && isOneWord(terms.at(next), FilterTerm::Field::Word);
             ++next) {
            words += terms.at(next).words;
        }
        if (words.size() > 1) {
            const QString whole = (isTag ? u"tag:\"%1\""_s : u"note:\"%1\""_s).arg(words.join(u' '));
            errorLine(tr("A value with blanks needs double quotes inside the quotes of the shell: '%1'.").arg(whole));
        }
    }
}

// Other commands take "a b" as two jobs. Here a job has to match both words.
void sayAlternatives(Session &session, const QString &text)
{
    const auto filter = JobFilter::parse(text, QDateTime::currentMSecsSinceEpoch());
    const QList<FilterTerm> terms = filter ? filter->terms() : QList<FilterTerm>();
    const QList<JobSummary> jobs = terms.size() > 1 ? session.client().jobs() : QList<JobSummary>();
    QStringList words;
    for (const FilterTerm &term : terms) {
        const QString word = term.words.value(0);
        const bool isInName = term.field == FilterTerm::Field::Word && !term.isNegated && term.words.size() == 1
            && std::any_of(jobs.cbegin(), jobs.cend(),
                [&word](const JobSummary &job) { return job.name.contains(word, Qt::CaseInsensitive); });
        if (!isInName) {
            return;
        }
        words.append(filterQuoted(word));
    }
    if (words.size() > 1) {
        errorLine(tr("No job matches all of these words. For the jobs that match any of them, separate the words by "
                     "commas: '%1'.")
                      .arg(words.join(u',')));
    }
}

} // namespace trainyard::cli
