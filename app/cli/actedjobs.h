// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/base/result.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>

namespace trainyard::cli
{

// What a command has done with each of its jobs, for its JSON: an array with one object per job, in the order in which
// the jobs were handled: {job, name, uuid, ok, changed, error: {code, message}}. `error` is there only where `ok` is
// false.
class ActedJobs
{
public:
    explicit ActedJobs(bool isJson) : m_isJson(isJson) { }

    // The sentences that tell that all is well are for people only.
    bool isJson() const { return m_isJson; }
    // `more` are members besides, which the help of the command names.
    void done(const JobSummary &job, bool isChanged, const QJsonObject &more = {});
    // Says the sentence of the error on stderr, too; returns the exit status of the error.
    int fail(const JobSummary &job, const Error &error);
    // The same for what the command itself refuses, in a sentence.
    int refuse(const JobSummary &job, const QString &sentence);
    // The same where all has been said: of this error, or as the command has said it last.
    void failed(const JobSummary &job, const Error &error);
    void failedAsSaid(const JobSummary &job, int status);
    // Members of a job that was handled before.
    void add(const JobSummary &job, const QJsonObject &more);
    qsizetype size() const { return m_jobs.size(); }
    const QJsonArray &all() const { return m_jobs; }
    // Prints the array if JSON is wanted. Returns the status.
    int print(int status) const;

private:
    void note(const JobSummary &job, QJsonObject told);
    bool m_isJson;
    QJsonArray m_jobs;
    QHash<QString, QList<qsizetype>> m_places; // in m_jobs, by UUID: a command may be for thousands of jobs
};

} // namespace trainyard::cli
