// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/reader.h"

#include "model/protocol/plugins.h"
#include "model/protocol/readerrules.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

void checkJobType(JobReader &reader, TakenField &taken, JobSpec &)
{
    if (taken.text && *taken.text != u"job"_s) {
        Diagnostic &d = reader.findings().add(
            u"job.type"_s, Severity::Error, ServerVerdict::Refuses, taken.place.path, {{u"value"_s, *taken.text}});
        reader.findings().fix(d, u"fix.set"_s, {{u"value"_s, u"job"_s}}, {edit::SetText{taken.place.path, u"job"_s}});
    }
}

void checkJobRetries(JobReader &reader, TakenField &taken, JobSpec &)
{
    if (taken.number && *taken.number < 0) {
        reader.findings().add(u"job.retry-negative"_s, Severity::Warning, ServerVerdict::Refuses, taken.place.path,
            {{u"value"_s, *taken.number}});
    }
}

void readSecrets(JobReader &reader, TakenField &taken, JobSpec &job)
{
    const Place &place = taken.place;
    if (place.isScalar() && typedScalar(*place.resolved()).value == Value(maskedText())) {
        job.secretsMasked = true;
        return;
    }
    if (!place.isMap()) {
        // Never the value: it may be a secret.
        if (place.isNull()) {
            reader.fields().map(place, taken.name);
        } else {
            reader.findings().add(
                u"secrets.not-map"_s, Severity::Error, ServerVerdict::Refuses, place.path, {}, Point::Key);
        }
        return;
    }
    job.secrets = reader.values().value(place.node);
    for (const auto &[name, value] : *job.secrets.asMap()) {
        const bool masked = value.asString() && *value.asString() == maskedText();
        if (masked || value.isNull() || (value.asString() && value.asString()->isEmpty())) {
            job.askedSecrets.append(name);
            reader.findings().add(masked ? u"secrets.value-masked"_s : u"secrets.value-empty"_s, Severity::Note,
                ServerVerdict::Accepts, place.path.child(name), {{u"name"_s, name}});
            continue;
        }
        Diagnostic &inClear = reader.findings().add(
            u"secrets.in-clear"_s, Severity::Note, ServerVerdict::Accepts, place.path.child(name), {{u"name"_s, name}});
        reader.findings().fix(inClear, u"fix.take-out"_s, {}, {edit::SetText{place.path.child(name), maskedText()}});
        if (!value.asMap() && !value.asList() && value.toText().toUtf8().size() < shortestMaskedSecret) {
            reader.findings().add(u"secrets.short"_s, Severity::Warning, ServerVerdict::Accepts, place.path.child(name),
                {{u"name"_s, name}, {u"shortest"_s, shortestMaskedSecret}});
        }
    }
}

// Any scalar is the name of a virtual cluster.
void readVirtualCluster(JobReader &reader, TakenField &taken, JobSpec &)
{
    if (taken.place.isNull()) {
        return;
    }
    const Value value = reader.values().value(taken.place.node);
    if (!taken.place.isScalar()) {
        reader.findings().add(u"field.not-text"_s, Severity::Warning, ServerVerdict::Accepts, taken.place.path,
            {{u"field"_s, taken.name}});
    } else {
        taken.text = value.toText();
    }
}

const FieldSection<JobSpec> &jobSection()
{
    using Row = FieldSection<JobSpec>::Row;
    using namespace readerrules;
    static const FieldSection<JobSpec> section("",
        {
            {"protocolVersion"},
            {"name", member(&JobSpec::name), checkName<JobSpec>},
            {"type", checkJobType},
            {"version", member(&JobSpec::version)},
            {"contributor", member(&JobSpec::contributor)},
            {"description", member(&JobSpec::description)},
            {"jobRetryCount", member(&JobSpec::jobRetryCount), checkJobRetries},
            {"prerequisites", readPrerequisites},
            {"parameters", member(&JobSpec::parameters)},
            Row("secrets", readSecrets).readsItself(),
            Row("taskRoles", readRoles).readsItself().evenMissing(),
            {"deployments", readDeployments},
            {"defaults"},
            Row("defaults/virtualCluster", member(&JobSpec::virtualCluster), readVirtualCluster).readsItself(),
            {"defaults/deployment", member(&JobSpec::defaultDeployment)},
            {"extras", member(&JobSpec::extras), checkOtherExtras},
            {"extras/gangAllocation", member(&JobSpec::gangAllocation)},
            {"extras/com.microsoft.pai.runtimeplugin", readPlugins},
            {"extras/storages", readStorages},
            {"extras/jobStatusChangeNotification"},
            {"extras/jobStatusChangeNotification/running"},
            {"extras/jobStatusChangeNotification/succeeded"},
            {"extras/jobStatusChangeNotification/stopped"},
            {"extras/jobStatusChangeNotification/failed"},
            {"extras/jobStatusChangeNotification/retried"},
            {"extras/hivedScheduler"},
            {"extras/hivedScheduler/jobPriorityClass"},
            {"extras/hivedScheduler/gangReleaseEnable"},
            {"extras/hivedScheduler/lazyPreemptionEnable"},
            {"extras/hivedScheduler/ignoreK8sSuggestedNodes"},
            {"extras/hivedScheduler/taskRoles", readHivedRoles},
            {"extras/trainyard"},
            {"extras/trainyard/runIn", member(&JobSpec::trainyard, &TrainyardExtras::runIn)},
            {"extras/trainyard/work", member(&JobSpec::trainyard, &TrainyardExtras::work)},
            {"extras/trainyard/strict"},
            {"extras/trainyard/metrics"},
            Row("extras/trainyard/metricPatterns", checkMetricPatterns).readsItself(),
            {"extras/trainyard/priority", member(&JobSpec::trainyard, &TrainyardExtras::priority)},
            {"extras/trainyard/health"},
            {"extras/trainyard/health/silence", checkSilence},
            {"extras/trainyard/limits"},
            {"extras/trainyard/limits/timeSeconds", member(&JobSpec::trainyard, &TrainyardExtras::timeLimitSeconds)},
            Row("extras/trainyard/gpuMemoryMB", readGpuMemory).readsItself(),
            {"extras/trainyard/hosts", readHosts},
            Row("extras/trainyard/after", readAfter).readsItself(),
            Row("extras/trainyard/variables", readVariables).readsItself(),
            Row("extras/trainyard/results", readResults).readsItself(),
            {"extras/trainyard/data", readData},
            {"extras/trainyard/stop"},
            Row("extras/trainyard/stop/signal", readStopSignal).readsItself(),
            {"extras/trainyard/stop/only", readStopOnly},
            {"extras/trainyard/stop/graceSeconds",
                member(&JobSpec::trainyard, &TrainyardExtras::stop, &StopRule::graceSeconds)},
        });
    return section;
}

} // namespace

std::optional<JobSpec> JobReader::read()
{
    const YamlNode *root = m_findings.document().root();
    const Place place{root, {}};
    if (!root || place.isNull()) {
        return std::nullopt; // said by the parser: there is nothing in it
    }
    if (!place.isMap()) {
        m_findings.add(u"job.not-map"_s, Severity::Error, ServerVerdict::Refuses, {});
        return std::nullopt;
    }
    if (looksLikeOldFormat(place)) {
        return std::nullopt;
    }
    MapFields fields(m_fields, place);
    jobSection().read(*this, fields, m_job, u"job"_s);
    return m_job;
}

QStringList readerrules::tableProblems()
{
    return jobSection().problems() + roleProblems() + prerequisiteProblems() + deploymentProblems() + pluginProblems()
        + extrasProblems() + queueProblems() + hostProblems() + resultsProblems() + dataProblems();
}

bool JobReader::looksLikeOldFormat(const Place &root)
{
    const YamlNode *map = root.resolved();
    const YamlNode *roles = map->find("taskRoles");
    const bool hasVersion = map->find("protocolVersion") || map->find("protocol_version");
    if (map->find("jobName") && roles && roles->resolved()->isSequence() && !hasVersion) {
        m_findings.add(
            u"job.old-json"_s, Severity::Error, ServerVerdict::Refuses, YamlPath{u"jobName"_s}, {}, Point::Key);
        return true;
    }
    if (map->find("protocol_version") && !map->find("protocolVersion")) {
        m_findings.add(u"job.old-yaml"_s, Severity::Error, ServerVerdict::Refuses, YamlPath{u"protocol_version"_s}, {},
            Point::Key);
        return true;
    }
    return false;
}

} // namespace trainyard
