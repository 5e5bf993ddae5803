// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/jobpreparation.h"

#include "engine/api/joblabels.h"
#include "engine/api/shortsecrets.h"
#include "engine/api/tasklabel.h"
#include "engine/backend/workfolder.h"
#include "engine/core/tasksnotdone.h"
#include "model/base/lineindex.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/jobname.h"
#include "model/protocol/plugins.h"
#include "model/sweep/worserule.h"
#include "model/template/render.h"

#include <QJsonArray>
#include <QThread>
#include <QUuid>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

QJsonArray diagnosticsJson(const ParseOutcome &outcome, const QByteArray &bytes)
{
    const LineIndex lines(bytes);
    QJsonArray list;
    for (const Diagnostic &diagnostic : outcome.diagnostics) {
        if (diagnostic.severity != Severity::Error) {
            continue;
        }
        const LineColumn at = lines.at(diagnostic.at.begin);
        list.append(QJsonObject{{u"code"_s, diagnostic.code}, {u"severity"_s, u"error"_s},
            {u"begin"_s, qint64(diagnostic.at.begin)}, {u"end"_s, qint64(diagnostic.at.end)},
            {u"line"_s, qint64(at.line)}, {u"column"_s, qint64(at.column)}, {u"path"_s, diagnostic.path.toPointer()},
            {u"args"_s, diagnostic.args}});
    }
    return list;
}

// Names of the secrets that have no value yet. Fills in what `given` has.
QStringList fillSecrets(JobSpec &spec, const QMap<QString, QString> &given)
{
    Value::Map values = spec.secrets.asMap() ? *spec.secrets.asMap() : Value::Map();
    QStringList missing;
    for (auto &[name, value] : values) {
        if (const auto it = given.constFind(name); it != given.cend()) {
            value = Value(*it);
        }
    }
    if (spec.secretsMasked) { // the document does not have their names
        for (auto it = given.cbegin(); it != given.cend(); ++it) {
            if (!spec.secrets.find(it.key())) {
                values.append({it.key(), Value(it.value())});
            }
        }
    }
    for (const QString &name : spec.askedSecrets) {
        if (!given.contains(name)) {
            missing.append(name);
        }
    }
    spec.secrets = Value(values);
    return missing;
}

void noteShortSecrets(Prepared &prepared, const QMap<QString, QString> &given)
{
    const auto isOfJob = [&prepared](const QString &name) { return prepared.spec.secrets.find(name) != nullptr; };
    if (const std::optional<JobNote> note = noteOfShortSecrets(given, isOfJob)) {
        prepared.notes.append(*note);
    }
}

// Parameters are stored and shown as they are, so a user who passes the value of a secret as a parameter gets a
// warning.
void noteSecretParameters(Prepared &prepared)
{
    const Value::Map *secrets = prepared.spec.secrets.asMap();
    const Value::Map *parameters = prepared.spec.parameters.asMap();
    for (const auto &[secret, value] : secrets ? *secrets : Value::Map()) {
        const QString text = value.asString() ? *value.asString() : QString();
        if (text.toUtf8().size() < shortestMaskedSecret || text == maskedText()) {
            continue;
        }
        for (const auto &[name, parameter] : parameters ? *parameters : Value::Map()) {
            if (parameter.asString() && *parameter.asString() == text) {
                prepared.notes.append(
                    JobNote{u"secrets.in-parameter"_s, {{u"parameter"_s, name}, {u"secret"_s, secret}}});
            }
        }
    }
}

// Checks the rule for the group of a submission; returns it as it is stored.
Result<QString> checkedRule(const SubmitRequest &request)
{
    if (!request.group.isEmpty() && !isJobName(request.group)) {
        return fail(u"submit.bad-group"_s, {{u"group"_s, request.group}});
    }
    if (request.stopWorse.isEmpty()) {
        return QString();
    }
    const Result<WorseRule> rule = worseRule(request.stopWorse);
    if (!rule) {
        return tl::unexpected<Error>(rule.error());
    }
    return request.group.isEmpty() ? Result<QString>(fail(u"stop-worse.no-group"_s)) : Result<QString>(rule->toText());
}

// The properties that two texts of a job must share, so that the tasks of one are those of the other.
QString shapeOf(const core::JobPolicy &policy)
{
    QStringList roles;
    for (const core::RolePolicy &role : policy.roles) {
        roles.append(role.name + u'*' + QString::number(role.instances));
    }
    return roles.join(u' ');
}

// The overrides of the former text without those that the new text sets itself: an edited value takes precedence.
QMap<QString, QString> overridesFor(const QByteArray &yaml, QMap<QString, QString> overrides)
{
    const ParseOutcome outcome = parseJob(yaml, CheckMode::Friendly);
    const Value::Map *own = outcome.spec ? outcome.spec->parameters.asMap() : nullptr;
    for (const auto &[name, value] : own ? *own : Value::Map()) {
        overrides.remove(name);
    }
    return overrides;
}

} // namespace

core::RetryLimits JobPreparation::guards() const
{
    core::RetryLimits guards;
    guards.freeRetryCap = int(m_settings.integer(u"retry.freeCap"_s));
    guards.minPauseMs = m_settings.integer(u"retry.pauseSeconds"_s) * 1000;
    guards.conflictMinSec = m_settings.integer(u"retry.conflictFirstSeconds"_s);
    guards.conflictMaxSec = qMax(guards.conflictMinSec, m_settings.integer(u"retry.conflictLastSeconds"_s));
    return guards;
}

int JobPreparation::maxParallel(const QString &target) const
{
    const int set = int(m_settings.integer(u"tasks.maxParallel"_s));
    const int cpus = m_backends.of(target).info().cpus;
    return set > 0 ? set : 2 * qMax(1, cpus > 0 ? cpus : QThread::idealThreadCount());
}

Result<Prepared> JobPreparation::prepare(const SubmitRequest &request, bool needSecrets) const
{
    if (!request.name.isEmpty() && !isJobName(request.name)) {
        return fail(u"job.bad-name"_s, {{u"name"_s, request.name}});
    }
    if (const Result<void> checked = checkTags(request.tags); !checked) {
        return tl::unexpected<Error>(checked.error());
    }
    if (const Result<void> checked = checkNote(request.note); !checked) {
        return tl::unexpected<Error>(checked.error());
    }
    const Result<QString> stopWorse = checkedRule(request);
    if (!stopWorse) {
        return tl::unexpected<Error>(stopWorse.error());
    }
    const QByteArray yaml = withJobName(request.yaml, request.name);
    const ParseOutcome outcome = parseJob(yaml);
    if (!outcome.canRun()) {
        return fail(u"job.invalid"_s, {{u"diagnostics"_s, diagnosticsJson(outcome, yaml)}});
    }
    Prepared prepared;
    JobSpec &spec = prepared.spec;
    spec = *outcome.spec;
    if (!request.name.isEmpty()) {
        spec.name = request.name;
    }
    if (!request.parameters.isEmpty()) {
        spec.parameters = withOverrides(spec.parameters, request.parameters);
    }
    const QStringList missing = fillSecrets(spec, request.secrets);
    if (needSecrets && !missing.isEmpty()) {
        return fail(u"job.secrets-missing"_s, {{u"names"_s, QJsonArray::fromStringList(missing)}});
    }
    noteShortSecrets(prepared, request.secrets);
    noteSecretParameters(prepared);
    if (!missing.isEmpty()) {
        // A preview does not need the values. A placeholder differs from all other text, so that masking it hides
        // nothing else.
        QMap<QString, QString> standIns;
        for (const QString &name : missing) {
            standIns.insert(name, QUuid::createUuid().toString(QUuid::WithoutBraces));
        }
        fillSecrets(spec, standIns);
    }
    const Result<Backends::Choice> choice = m_backends.choose(request.target);
    if (!choice) {
        return tl::unexpected<Error>(choice.error());
    }
    prepared.target = choice->target;
    prepared.host = choice->host;
    const Backend &backend = m_backends.of(prepared.target);
    if (const Result<void> accepted = backend.accept(prepared, request); !accepted) {
        return tl::unexpected<Error>(accepted.error());
    }
    prepared.policy = core::policyOf(spec, guards(), maxParallel(prepared.target));
    prepared.priority = request.priority.value_or(core::priorityOf(spec));
    Result<std::vector<core::Dependency>> after = m_blocking.dependenciesOf(spec, request);
    if (!after) {
        return tl::unexpected<Error>(after.error());
    }
    prepared.after = std::move(*after);
    StoredDocument &document = prepared.document;
    const Result<QByteArray> masked = maskSecrets(yaml);
    if (!masked) {
        return tl::unexpected<Error>(masked.error());
    }
    document.yaml = *masked;
    if (!request.original.isEmpty()) {
        const Result<QByteArray> original = maskSecrets(request.original);
        if (!original) {
            return tl::unexpected<Error>(original.error());
        }
        document.original = *original;
    }
    document.rehearsal = request.rehearsal;
    document.documentName = request.documentName != spec.name ? request.documentName : QString();
    document.parameters = request.parameters;
    document.groupLimit = std::max(0, request.groupLimit);
    prepared.group = request.group;
    document.stopWorse = *stopWorse;
    document.file = request.file;
    document.key = request.key;
    const QString &named = request.work.isEmpty() ? spec.trainyard.work : request.work;
    document.work = namedWorkFolder(named, request.file);
    if (document.work.isEmpty() && !named.isEmpty()) {
        return fail(u"job.work-relative"_s, {{u"folder"_s, named}});
    }
    if (const Result<void> settled = backend.settle(prepared); !settled) {
        return tl::unexpected<Error>(settled.error());
    }
    return prepared;
}

Result<core::event::RetryRequested> JobPreparation::tasksOf(const RetryRequest &request, const core::JobState &job)
{
    core::event::RetryRequested wanted;
    for (const QString &word : request.tasks) {
        const TaskName named = taskNamed(word);
        const std::optional<core::TaskRef> ref
            = named.role.isEmpty() ? std::nullopt : job.find(named.role, named.index);
        if (!ref) {
            return fail(u"task.unknown"_s, {{u"job"_s, request.uuid}, {u"task"_s, word}});
        }
        wanted.tasks.push_back(*ref);
    }
    if (request.failedOnly) {
        wanted.tasks = core::tasksNotDone(job);
        if (wanted.tasks.empty()) {
            return fail(u"retry.nothing"_s, {{u"job"_s, request.uuid}});
        }
    }
    return wanted;
}

Result<Prepared> JobPreparation::prepareAgain(const RetryRequest &request, const ActiveJob &job) const
{
    SubmitRequest edited;
    edited.yaml = request.yaml;
    edited.name = job.state.meta.name;
    edited.file = job.document.file;
    edited.parameters = overridesFor(request.yaml, job.document.parameters);
    edited.key = job.document.key;
    edited.group = job.listed.group;
    edited.groupLimit = job.document.groupLimit;
    edited.stopWorse = job.document.stopWorse;
    edited.secrets = request.secrets;
    edited.original = job.document.original;
    edited.rehearsal = job.document.rehearsal;
    edited.documentName = job.document.documentName;
    edited.target = job.state.meta.target != core::poolTarget ? job.state.meta.target
        : job.document.target.isEmpty()                       ? QString(anyHost)
                                                              : job.document.target;
    // The new text replaces the former text; additional options are kept.
    const ParseOutcome former = parseJob(job.document.yaml, CheckMode::Friendly);
    const TrainyardExtras own = former.spec ? former.spec->trainyard : TrainyardExtras();
    edited.runIn = job.document.runIn == own.runIn ? QString() : job.document.runIn;
    edited.work = workBesideText(job.document);
    Result<Prepared> prepared = prepare(edited, true);
    if (prepared && shapeOf(prepared->policy) != shapeOf(job.state.policy)) {
        return fail(
            u"retry.other-tasks"_s, {{u"was"_s, shapeOf(job.state.policy)}, {u"now"_s, shapeOf(prepared->policy)}});
    }
    return prepared;
}

Result<JobSpec> JobPreparation::specOf(
    const StoredDocument &document, const std::optional<Value> &known, const QMap<QString, QString> &given)
{
    const ParseOutcome outcome = parseJob(document.yaml);
    if (!outcome.spec) {
        return fail(u"job.unreadable"_s);
    }
    JobSpec spec = *outcome.spec;
    if (!document.parameters.isEmpty()) {
        spec.parameters = withOverrides(spec.parameters, document.parameters);
    }
    if (known) {
        spec.secrets = *known;
        fillSecrets(spec, given); // those are newer
    } else if (!given.isEmpty()) {
        if (const QStringList missing = fillSecrets(spec, given); !missing.isEmpty()) {
            return fail(u"job.secrets-missing"_s, {{u"names"_s, QJsonArray::fromStringList(missing)}});
        }
    } else if (spec.secretsMasked || !spec.askedSecrets.isEmpty()) {
        // Neither memory nor tmpfs has them any more (a restart of the computer).
        return fail(u"job.secrets-missing"_s, {{u"names"_s, QJsonArray::fromStringList(spec.askedSecrets)}});
    }
    return spec;
}

} // namespace trainyard
