// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/actedjobs.h"

#include "app/cli/console.h"
#include "app/cli/session.h"
#include "widgets/text/texts.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

QJsonObject failureOf(const QJsonObject &error)
{
    return {{u"ok"_s, false}, {u"changed"_s, false}, {u"error"_s, error}};
}

void mergeInto(QJsonObject &object, const QJsonObject &more)
{
    for (auto it = more.begin(); it != more.end(); ++it) {
        object.insert(it.key(), it.value());
    }
}

} // namespace

void ActedJobs::done(const JobSummary &job, bool isChanged, const QJsonObject &more)
{
    QJsonObject told{{u"ok"_s, true}, {u"changed"_s, isChanged}};
    mergeInto(told, more);
    note(job, std::move(told));
}

int ActedJobs::fail(const JobSummary &job, const Error &error)
{
    failed(job, error);
    return report(error);
}

int ActedJobs::refuse(const JobSummary &job, const QString &sentence)
{
    note(job, failureOf({{u"code"_s, u"refused"_s}, {u"message"_s, sentence}}));
    errorLine(sentence);
    return exitRefused;
}

void ActedJobs::failed(const JobSummary &job, const Error &error)
{
    const Error told = ofFoundJob(error);
    note(job, failureOf({{u"code"_s, told.code}, {u"message"_s, errorText(told)}}));
}

void ActedJobs::failedAsSaid(const JobSummary &job, int status) { note(job, failureOf(saidFailure(status))); }

void ActedJobs::add(const JobSummary &job, const QJsonObject &more)
{
    const QList<qsizetype> places = m_places.value(job.uuid);
    for (const qsizetype place : places) {
        QJsonObject told = m_jobs.at(place).toObject();
        mergeInto(told, more);
        m_jobs.replace(place, told);
    }
}

int ActedJobs::print(int status) const
{
    if (m_isJson) {
        outJson(QJsonDocument(m_jobs));
    }
    return status;
}

void ActedJobs::note(const JobSummary &job, QJsonObject told)
{
    told.insert(u"job"_s, job.id);
    told.insert(u"name"_s, job.name);
    told.insert(u"uuid"_s, job.uuid);
    m_places[job.uuid].append(m_jobs.size());
    m_jobs.append(told);
}

} // namespace trainyard::cli
