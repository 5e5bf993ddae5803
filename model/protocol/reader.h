// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/fields.h"
#include "model/protocol/jobspec.h"

namespace trainyard
{

// Reads a parsed text as a job, liberally: what was meant is taken, what is not portable or wrong is said. Nothing when
// the text is not a job at all.
class JobReader
{
public:
    explicit JobReader(Findings &findings) : m_findings(findings), m_fields(findings) { }
    std::optional<JobSpec> read();
    // The text stands for too much: what was read is not all of it, and nothing but that is to be said.
    bool tooComplex() const { return m_fields.exhausted(); }

private:
    bool looksLikeOldFormat(const Place &root);
    void readHead(MapFields &top, JobSpec &job);
    void readSecrets(const Place &place, JobSpec &job);
    void readDefaults(const Place &place, JobSpec &job);
    void readExtras(const Place &place, JobSpec &job);
    void readPlugins(const Place &place, JobSpec &job);
    void readTrainyard(const Place &place, JobSpec &job);
    void readOwnQueue(MapFields &fields, JobSpec &job); // extras.trainyard: priority, limits, after, stop
    void readAfter(const Place &place, JobSpec &job);
    void readStop(const Place &place, JobSpec &job);
    void readStorages(const Place &place);
    void readNotifications(const Place &place);
    void readHived(const Place &place, const JobSpec &job);
    void readHivedRoles(const Place &place, const JobSpec &job);
    void readPluginParameters(const Place &place, const QString &plugin, const JobSpec &job);
    void readCommandParameters(MapFields &fields);
    void readSshParameters(MapFields &fields, const JobSpec &job);
    void checkBoolean(const Place &place, const QString &field);
    void checkCount(const Place &place, const QString &field);
    void readDeployments(const Place &place, JobSpec &job);
    std::optional<Deployment> readDeployment(const Place &place);
    void readPrerequisites(const Place &place, JobSpec &job);
    std::optional<Prerequisite> readPrerequisite(const Place &place);
    void readUri(const Place &place, Prerequisite &item);
    void readAuth(const Place &place, Prerequisite &item);
    void readCallbacks(const Place &place, Prerequisite &item);
    FailurePolicy readFailurePolicy(const Place &place);
    void readRoles(const Place &place, JobSpec &job);
    TaskRole readRole(const Place &place, const QString &name);
    void readCompletion(const Place &place, TaskRole &role);
    std::optional<qint64> readLimit(const Place &place, const QString &field);
    void readResources(const Place &place, TaskRole &role);
    void readPorts(const Place &place, TaskRole &role);
    void readContainerOptions(const Place &place, TaskRole &role);

    Findings &m_findings;
    Fields m_fields;
};

} // namespace trainyard
