// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobscript.h"
#include "model/protocol/gpunames.h"
#include "model/protocol/scriptfiles.h"
#include "model/template/pluginsteps.h"

#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::exporting
{

namespace
{

bool saysGpuMemory(const JobSpec &job)
{
    const Value *own = job.extras.find(u"trainyard"_s);
    const Value *said = own ? own->find(u"gpuMemoryMB"_s) : nullptr;
    return said && !said->isNull();
}

// Whether something that a job says of the hosts is not carried over.
bool losesHosts(const JobSpec &job, Starter starter)
{
    const QMap<QString, HostRule> &hosts = job.trainyard.hosts;
    const bool namesHosts = std::any_of(hosts.cbegin(), hosts.cend(),
        [](const HostRule &rule) { return !rule.names.isEmpty() || !rule.labels.isEmpty(); });
    return namesHosts || std::any_of(job.taskRoles.cbegin(), job.taskRoles.cend(), [&](const TaskRole &role) {
        return role.instances > 1 && job.trainyard.hostRule(role.name).arrange != Arrangement::Any
            && !(starter == Starter::Slurm && isArrangedBySlurm(job, role));
    });
}

} // namespace

void noteFields(QList<ExportNote> &notes, const JobSpec &job, Starter starter)
{
    const auto field = [&notes](const QString &name) { notes.append({u"export.field"_s, {{u"field"_s, name}}}); };
    const TrainyardExtras &own = job.trainyard;
    const std::pair<bool, QString> fields[] = {
        {!own.after.isEmpty(), u"extras.trainyard.after"_s},
        {own.priority != 0, u"extras.trainyard.priority"_s},
        {losesHosts(job, starter), u"extras.trainyard.hosts"_s},
        {!own.results.files.isEmpty(), u"extras.trainyard.results"_s},
        {!metricFilesOf(job).isEmpty(), u"extras.trainyard.metrics"_s},
        {holdMinutesOf(job) > 0, u"extras.trainyard.holdAfterFailureMinutes"_s},
        {own.stop.onlyMain, u"extras.trainyard.stop.only"_s},
        {!storagesOf(job).isEmpty(), u"extras.storages"_s},
        {saysGpuMemory(job), u"extras.trainyard.gpuMemoryMB"_s},
        {environmentOf(job) == u"login"_s || environmentOf(job) == u"clean"_s, u"extras.trainyard.environment"_s},
    };
    for (const auto &[isSet, name] : fields) {
        if (isSet) {
            field(name);
        }
    }
    if (!job.virtualCluster.isEmpty() && job.virtualCluster != u"default"_s) {
        notes.append({u"export.virtual-cluster"_s, {{u"name"_s, job.virtualCluster}}});
    }
    const bool retries = job.jobRetryCount != 0
        || (!job.gangAllocation && std::any_of(job.taskRoles.cbegin(), job.taskRoles.cend(), [](const TaskRole &role) {
               return role.taskRetryCount != 0;
           }));
    if (retries) {
        notes.append({u"export.retry-classes"_s, {}});
    }
    for (const TaskRole &role : job.taskRoles) {
        if (const QString type = gpuTypeOf(job, role.name); role.resources.gpu > 0 && !type.isEmpty()) {
            notes.append({u"export.gpu-sku"_s, {{u"role"_s, role.name}, {u"type"_s, type}}});
        }
    }
    for (const DataSource &data : own.data) {
        notes.append({u"export.data"_s, {{u"name"_s, data.name}, {u"variable"_s, dataVariable(data.name)}}});
    }
}

void noteWorkFolder(QList<ExportNote> &notes, const JobSpec &job, const QString &code)
{
    if (const QStringList scripts = neededScripts(job); !scripts.isEmpty()) {
        notes.append({code, {{u"files"_s, scripts.join(u", "_s)}}});
    }
}

void noteRoles(QList<ExportNote> &notes, const JobSpec &job, bool completion, bool logins)
{
    for (const TaskRole &role : job.taskRoles) {
        const qint64 failed = role.effectiveMinFailed();
        const qint64 succeeded = minSucceededOf(job, role);
        if (completion && (failed != 1 || (succeeded > 0 && succeeded != role.instances))) {
            notes.append(
                {u"export.completion"_s, {{u"role"_s, role.name}, {u"failed"_s, failed}, {u"succeeded"_s, succeeded}}});
        }
        const Prerequisite *image = job.prerequisite(u"dockerimage"_s, role.dockerImage);
        if (logins && image && image->auth) {
            notes.append({u"export.login"_s, {{u"role"_s, role.name}, {u"image"_s, image->uri.value(0)}}});
        }
        if (logins && image && role.infiniband) {
            notes.append({u"export.infiniband"_s, {{u"role"_s, role.name}}});
        }
    }
}

void noteGang(QList<ExportNote> &notes, const JobSpec &job)
{
    if (const qint64 tasks = taskCount(job); !job.gangAllocation && tasks > 1) {
        notes.append({u"export.gang"_s, {{u"tasks"_s, tasks}}});
    }
}

void noteUnusedImages(QList<ExportNote> &notes, const JobSpec &job)
{
    for (const TaskRole &role : job.taskRoles) {
        if (const QString image = imageOf(job, role); !image.isEmpty()) {
            notes.append({u"export.image"_s, {{u"role"_s, role.name}, {u"image"_s, image}}});
        }
    }
}

void noteUnruled(QList<ExportNote> &notes, const JobSpec &job)
{
    noteRoles(notes, job, true, true);
    if (taskCount(job) > 1) {
        notes.append({u"export.ends-apart"_s, {}});
    }
    if (job.jobRetryCount != 0) {
        notes.append({u"export.job-retries"_s, {{u"count"_s, job.jobRetryCount}}});
    }
    if (!job.trainyard.work.isEmpty()) {
        notes.append({u"export.field"_s, {{u"field"_s, u"extras.trainyard.work"_s}}});
    }
}

QByteArray commented(const QString &text)
{
    constexpr qsizetype columns = 110;
    QByteArray lines;
    for (QString line : QString(text).replace(u'\r', u'\n').split(u'\n')) {
        while (line.size() > columns && line.lastIndexOf(u' ', columns) > 0) {
            const qsizetype cut = line.lastIndexOf(u' ', columns);
            lines += "# " + line.left(cut).toUtf8() + '\n';
            line = line.mid(cut + 1);
        }
        lines += line.isEmpty() ? QByteArray("#\n") : "# " + line.toUtf8() + '\n';
    }
    return lines;
}

QStringList notesLines(const QList<ExportNote> &notes, const ExportOptions &options)
{
    QStringList lines;
    for (const ExportNote &note : notes) {
        const QString args = QString::fromUtf8(QJsonDocument(note.args).toJson(QJsonDocument::Compact));
        lines.append(u"- "_s + note.code + u": "_s + (options.sentence ? options.sentence(note) : args));
    }
    if (!lines.isEmpty()) {
        lines.prepend(u"What this file does not have of the job, or does differently:"_s);
    }
    return lines;
}

QByteArray headComment(Exported &exported, const QString &head, const ExportOptions &options)
{
    exported.head = head;
    const QStringList lines = notesLines(exported.notes, options);
    return commented(head) + (lines.isEmpty() ? QByteArray() : "#\n" + commented(lines.join(u'\n')));
}

QString secretsHelp(const JobSpec &job, const QStringList &secrets, bool byEnvironment)
{
    if (secrets.isEmpty()) {
        return {};
    }
    const QString start = byEnvironment ? u"Set an environment variable for each, or write"_s : u"Write"_s;
    return u"\n\nSecrets: their values are not in this file. "_s + start
        + u" a line NAME=VALUE for each into a file that only you can read (chmod 600): "_s
        + QString::fromLatin1(plainName(job))
        + u".secrets in the folder where you start this, or the file that SECRETS_FILE names. The names: "_s
        + secrets.join(u", "_s)
        + u". Nothing is masked, unlike in Trainyard: a value that a program prints stands in its log as it is."_s;
}

} // namespace trainyard::exporting
