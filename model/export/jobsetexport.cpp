// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobscript.h"
#include "model/export/jobset.h"
#include "model/template/pluginsteps.h"
#include "model/template/render.h"
#include "model/yaml/yamlwriter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::exporting
{

namespace
{

// Small maps and lists of a manifest.
YamlWriter manifestMap(std::initializer_list<std::pair<QString, YamlWriter>> entries)
{
    YamlWriter map = YamlWriter::map();
    for (const auto &[key, value] : entries) {
        map.add(key, value);
    }
    return map;
}

YamlWriter manifestList(std::initializer_list<YamlWriter> items)
{
    YamlWriter list = YamlWriter::list();
    for (const YamlWriter &item : items) {
        list.append(item);
    }
    return list;
}

YamlWriter words(const QString &text) { return YamlWriter::text(text); }

YamlWriter labelVariable(const QString &name, const QString &label)
{
    return manifestMap({{u"name"_s, words(name)},
        {u"valueFrom"_s,
            manifestMap({{u"fieldRef"_s,
                manifestMap(
                    {{u"fieldPath"_s, words(u"metadata.labels['jobset.sigs.k8s.io/"_s + label + u"']"_s)}})}})}});
}

YamlWriter textVariable(const QString &name, const QString &text)
{
    return manifestMap({{u"name"_s, words(name)}, {u"value"_s, words(text)}});
}

// The common parts of all objects of a set.
struct SetShape {
    QString name;
    QStringList secrets; // names of variables
    const JobSetRequest *request = nullptr; // nothing: it stands for itself, and keeps the rules of the job
    bool isStatusKept = false; // a task that fails ends in good order, and its status is in its last words
};

// Tasks of a role that stand together.
struct SetPart {
    qsizetype role = 0;
    QString job;
    qint64 firstTask = 0; // its number in the job
    qint64 first = 0, count = 0; // indexes within the role
};

YamlWriter metadataOf(const SetShape &shape, const QString &name)
{
    YamlWriter metadata = YamlWriter::map();
    if (!name.isEmpty()) {
        metadata.add(u"name"_s, words(name));
    }
    if (shape.request) {
        YamlWriter labels = YamlWriter::map();
        for (const auto &[key, value] : shape.request->labels) {
            labels.add(key, words(value));
        }
        if (!shape.request->queue.isEmpty() && name == shape.name) {
            labels.add(u"kueue.x-k8s.io/queue-name"_s, words(shape.request->queue));
        }
        metadata.add(u"labels"_s, labels);
    }
    return metadata;
}

// A JobSet ends as a whole with the first pod that fails. Where the job has other rules, the pod ends well, and its
// message says how the task has ended.
YamlWriter commandOf(const SetShape &shape, qint64 firstTask)
{
    const YamlWriter script = words(u"/trainyard/job.sh"_s), number = words(QString::number(firstTask));
    if (!shape.isStatusKept) {
        return manifestList({words(u"bash"_s), script, number});
    }
    return manifestList({words(u"bash"_s), words(u"-c"_s),
        words(u"bash \"$1\" \"$2\" & child=$!\ntrap 'kill -s TERM \"$child\" 2>/dev/null' TERM INT\nwhile :; do\n"
              "    wait \"$child\"; status=$?\n    kill -0 \"$child\" 2>/dev/null || break\ndone\n"
              "echo \"$status\" >/dev/termination-log\n"_s),
        words(u"task"_s), script, number});
}

YamlWriter container(const JobSpec &job, const TaskRole &role, qint64 firstTask, const SetShape &shape)
{
    YamlWriter environment = manifestList({labelVariable(u"REPLICA"_s, u"job-index"_s)});
    if (shape.request) {
        environment.append(textVariable(u"ATTEMPT"_s, QString::number(shape.request->attempt)));
        environment.append(textVariable(u"JOB_ID"_s, shape.request->jobId));
    } else {
        environment.append(labelVariable(u"ATTEMPT"_s, u"restart-attempt"_s));
    }
    for (const QString &secret : shape.secrets) {
        environment.append(manifestMap({{u"name"_s, words(secret)},
            {u"valueFrom"_s,
                manifestMap({{u"secretKeyRef"_s,
                    manifestMap({{u"name"_s, words(jobSetSecretName(shape.name))}, {u"key"_s, words(secret)}})}})}}));
    }
    YamlWriter limits = manifestMap({{u"cpu"_s, YamlWriter::number(role.resources.cpu)}});
    if (role.resources.memoryMiB > 0) {
        limits.add(u"memory"_s, words(QString::number(role.resources.memoryMiB) + u"Mi"_s));
    }
    if (role.resources.gpu > 0) {
        limits.add(u"nvidia.com/gpu"_s, YamlWriter::number(role.resources.gpu));
    }
    return manifestMap({{u"name"_s, words(u"task"_s)}, {u"image"_s, words(imageOf(job, role))},
        {u"command"_s, commandOf(shape, firstTask)}, {u"env"_s, environment},
        {u"resources"_s, manifestMap({{u"limits"_s, limits}})},
        {u"volumeMounts"_s,
            manifestList({manifestMap({{u"name"_s, words(u"job"_s)}, {u"mountPath"_s, words(u"/trainyard"_s)}}),
                manifestMap({{u"name"_s, words(u"shm"_s)}, {u"mountPath"_s, words(u"/dev/shm"_s)}})})}});
}

YamlWriter replicatedJob(const JobSpec &job, const SetPart &part, const SetShape &shape)
{
    const TaskRole &role = job.taskRoles.at(part.role);
    const std::optional<qint64> limit = job.trainyard.timeLimitSeconds;
    YamlWriter pod = manifestMap({{u"restartPolicy"_s, words(u"Never"_s)},
        {u"terminationGracePeriodSeconds"_s, YamlWriter::number(job.trainyard.stop.graceSeconds.value_or(30) + 5)}});
    if (shape.request && limit) {
        pod.add(u"activeDeadlineSeconds"_s, YamlWriter::number(*limit)); // from its start on: a queue costs none of it
    }
    pod.add(u"containers"_s, manifestList({container(job, role, part.firstTask, shape)}));
    pod.add(u"volumes"_s,
        manifestList({manifestMap({{u"name"_s, words(u"job"_s)},
                          {u"configMap"_s, manifestMap({{u"name"_s, words(jobSetScriptName(shape.name))}})}}),
            manifestMap({{u"name"_s, words(u"shm"_s)},
                {u"emptyDir"_s,
                    manifestMap({{u"medium"_s, words(u"Memory"_s)},
                        {u"sizeLimit"_s, words(QString::number(role.effectiveShmMiB()) + u"Mi"_s)}})}})}));
    YamlWriter jobSpec = manifestMap({{u"parallelism"_s, YamlWriter::number(1)},
        {u"completions"_s, YamlWriter::number(1)}, {u"backoffLimit"_s, YamlWriter::number(0)}});
    if (!shape.request && limit) {
        jobSpec.add(u"activeDeadlineSeconds"_s, YamlWriter::number(*limit));
    }
    YamlWriter podTemplate = YamlWriter::map(), jobTemplate = YamlWriter::map();
    if (shape.request) {
        podTemplate.add(u"metadata"_s, metadataOf(shape, {}));
        jobTemplate.add(u"metadata"_s, metadataOf(shape, {}));
    }
    podTemplate.add(u"spec"_s, pod);
    jobSpec.add(u"template"_s, podTemplate);
    jobTemplate.add(u"spec"_s, jobSpec);
    return manifestMap(
        {{u"name"_s, words(part.job)}, {u"replicas"_s, YamlWriter::number(part.count)}, {u"template"_s, jobTemplate}});
}

// The script with the addresses of the tasks of these parts; others have none.
YamlWriter scriptMap(const JobSpec &job, const JobScript &script, const QList<SetPart> &parts, const SetShape &shape)
{
    QByteArrayList addresses;
    for (const SetPart &part : parts) {
        while (addresses.size() < part.firstTask) {
            addresses.append("''");
        }
        for (qint64 i = 0; i < part.count; ++i) {
            addresses.append(
                (shape.name + u'-' + part.job + u'-' + QString::number(i) + u"-0."_s + shape.name).toLatin1());
        }
    }
    while (addresses.size() < taskCount(job)) {
        addresses.append("''");
    }
    const QByteArray text = memberScript(job, script,
        "ADDRESSES=(" + addresses.join(' ')
            + ")\n[[ ${1-} != [0-9]* ]] || set -- $(($1 + ${REPLICA:-0})) # its role's first task, and which one of "
              "them\n");
    return manifestMap({{u"apiVersion"_s, words(u"v1"_s)}, {u"kind"_s, words(u"ConfigMap"_s)},
        {u"metadata"_s, metadataOf(shape, jobSetScriptName(shape.name))},
        {u"data"_s, manifestMap({{u"job.sh"_s, words(QString::fromUtf8(text))}})}});
}

YamlWriter setObject(const SetShape &shape, const YamlWriter &spec)
{
    return manifestMap({{u"apiVersion"_s, words(u"jobset.x-k8s.io/v1alpha2"_s)}, {u"kind"_s, words(u"JobSet"_s)},
        {u"metadata"_s, metadataOf(shape, shape.name)}, {u"spec"_s, spec}});
}

// Pods are called SET-ROLE-NUMBER-0-ABCDE, with 63 characters at most; JobSet refuses a set with longer ones.
constexpr qsizetype mostOfPodName = 63, mostOfRoleName = 30;

QString setName(const JobSpec &job, const QStringList &roles)
{
    qsizetype longest = 0; // of what follows
    for (qsizetype i = 0; i < roles.size(); ++i) {
        const QString pod = u"-%1-%2-0-abcde"_s.arg(roles.at(i)).arg(job.taskRoles.at(i).instances - 1);
        longest = std::max(longest, pod.size());
    }
    return cutName(dashedName(job.name), mostOfPodName - longest);
}

YamlWriter begunSpec()
{
    return manifestMap({{u"network"_s, manifestMap({{u"enableDNSHostnames"_s, YamlWriter::plain("true")}})}});
}

// The part of the completion policy that JobSet can express: all tasks of some roles, or any one of them. The rest is
// noted. `names` are those of the roles there.
YamlWriter successPolicy(const JobSpec &job, const QStringList &names, QList<ExportNote> &notes)
{
    QList<const TaskRole *> limited;
    QStringList limitedNames;
    for (qsizetype i = 0; i < names.size(); ++i) {
        const TaskRole &role = job.taskRoles.at(i);
        const qint64 succeeded = minSucceededOf(job, role);
        const bool isSaid = succeeded <= 0 || succeeded == 1 || succeeded == role.instances;
        if (succeeded > 0) {
            limited.append(&role);
            limitedNames.append(names.at(i));
        }
        if (role.effectiveMinFailed() != 1 || !isSaid) {
            notes.append({u"export.completion"_s,
                {{u"role"_s, role.name}, {u"failed"_s, role.effectiveMinFailed()}, {u"succeeded"_s, succeeded}}});
        }
    }
    // Several limits: the first to be reached ends the job, which only "any" of single tasks can say.
    const bool any = std::all_of(limited.cbegin(), limited.cend(), [&job](const TaskRole *role) {
        return minSucceededOf(job, *role) == 1;
    }) && !limited.isEmpty();
    while (limited.size() > 1 && !any) {
        const TaskRole &other = *limited.takeLast();
        limitedNames.removeLast();
        notes.append({u"export.completion"_s,
            {{u"role"_s, other.name}, {u"failed"_s, other.effectiveMinFailed()},
                {u"succeeded"_s, minSucceededOf(job, other)}}});
    }
    YamlWriter policy = manifestMap({{u"operator"_s, words(any ? u"Any"_s : u"All"_s)}});
    if (!limited.isEmpty()) {
        YamlWriter targets = YamlWriter::list();
        for (const QString &target : std::as_const(limitedNames)) {
            targets.append(words(target));
        }
        policy.add(u"targetReplicatedJobs"_s, targets);
    }
    return policy;
}

} // namespace

Result<Exported> jobSetExport(const JobSpec &job, const JobScript &script, const ExportOptions &options)
{
    if (const Result<void> images = imagesOf(job); !images) {
        return tl::unexpected<Error>(images.error());
    }
    Exported exported = script.begun();
    noteRoles(exported.notes, job, false, true);
    if (!job.trainyard.work.isEmpty()) {
        exported.notes.append({u"export.field"_s, {{u"field"_s, u"extras.trainyard.work"_s}}});
    }
    noteWorkFolder(exported.notes, job, u"export.no-work-folder"_s);
    const QStringList names = dashedRoles(job, mostOfRoleName);
    const QString name = setName(job, names);
    const SetShape shape{name, script.secrets};
    QList<SetPart> parts;
    YamlWriter jobs = YamlWriter::list();
    qint64 task = 0;
    for (qsizetype number = 0; number < names.size(); ++number) {
        const TaskRole &role = job.taskRoles.at(number);
        parts.append({number, names.at(number), task, 0, role.instances});
        jobs.append(replicatedJob(job, parts.constLast(), shape));
        task += role.instances;
    }
    YamlWriter spec = begunSpec();
    spec.add(u"successPolicy"_s, successPolicy(job, names, exported.notes));
    if (job.jobRetryCount > 0) {
        spec.add(u"failurePolicy"_s, manifestMap({{u"maxRestarts"_s, YamlWriter::number(job.jobRetryCount)}}));
        exported.notes.append({u"export.checkpoints"_s, {}});
    } else if (job.jobRetryCount < 0) {
        exported.notes.append({u"export.job-retries"_s, {{u"count"_s, job.jobRetryCount}}});
    }
    spec.add(u"replicatedJobs"_s, jobs);
    const YamlWriter map = scriptMap(job, script, parts, shape);
    const YamlWriter set = setObject(shape, spec);
    QString readme = readmeHead(job)
        + u"For Kubernetes with JobSet: kubectl apply -f FILE. Each task is a pod; the images need bash and the "
          u"program of the job. The pods have no work folder: files beside the job are not there unless the image has "
          "them, a prerequisite brings them (git), or you add a volume that has them. The number of tasks that must "
          "succeed can be one of a role or all of them."_s;
    if (!script.secrets.isEmpty()) {
        readme += u"\n\nSecrets: their values are not in this file. Write a line NAME=VALUE for each into a file that "
                  u"only you "
                  "can read (chmod 600) and hand it over with: kubectl create secret generic "_s
            + name + u"-secrets --from-env-file=THAT_FILE. The names: "_s + script.secrets.join(u", "_s) + u"."_s;
    }
    exported.text = headComment(exported, readme, options) + '\n' + map.write() + "---\n" + set.write();
    return exported;
}

} // namespace trainyard::exporting

namespace trainyard
{

QString jobSetScriptName(const QString &name) { return name + u"-script"_s; }

QString jobSetSecretName(const QString &name) { return name + u"-secrets"_s; }

Result<JobSetManifest> jobSetManifest(const JobSpec &job, const JobSetRequest &request)
{
    using namespace exporting;
    JobSpec once = job; // the caller tries again
    once.jobRetryCount = 0;
    for (TaskRole &role : once.taskRoles) {
        role.taskRetryCount = 0;
    }
    const Result<JobScript> script = jobScript(once, Starter::Other);
    if (!script) {
        return tl::unexpected<Error>(script.error());
    }
    constexpr qsizetype mostOfName = 16; // names of pods have 63 characters at most
    const QStringList roleNames = dashedRoles(once);
    QList<qint64> firstOfRole;
    qint64 total = 0;
    for (const TaskRole &role : once.taskRoles) {
        firstOfRole.append(total);
        total += role.instances;
    }
    QList<qsizetype> wanted;
    for (const JobSetRequest::Task &task : request.tasks) {
        if (!wanted.contains(task.role)) {
            wanted.append(task.role);
        }
    }
    if (const Result<void> images = imagesOf(once, wanted); !images) {
        return tl::unexpected<Error>(images.error());
    }
    JobSetManifest manifest;
    QList<SetPart> parts;
    for (const JobSetRequest::Task &task : request.tasks) {
        const bool goesOn = !parts.isEmpty() && parts.constLast().role == task.role
            && parts.constLast().first + parts.constLast().count == task.index;
        if (!goesOn) {
            QString name = roleNames.at(task.role).left(mostOfName);
            name += (name.endsWith(u'-') ? QString() : u"-"_s) + QString::number(parts.size());
            parts.append({task.role, name, firstOfRole.at(task.role) + task.index, task.index, 0});
        }
        manifest.parts.append({parts.constLast().job, parts.constLast().count});
        ++parts.last().count;
    }
    SetShape shape{request.name, script->secrets, &request, false};
    shape.isStatusKept = request.tasks.size() > 1
        && std::any_of(once.taskRoles.cbegin(), once.taskRoles.cend(),
            [](const TaskRole &role) { return role.effectiveMinFailed() != 1; });
    YamlWriter jobs = YamlWriter::list();
    QStringList partNames;
    for (const SetPart &part : std::as_const(parts)) {
        jobs.append(replicatedJob(once, part, shape));
        partNames.append(part.job);
    }
    YamlWriter spec = begunSpec();
    const bool isWhole = request.tasks.size() == total && parts.size() == once.taskRoles.size();
    QList<ExportNote> unsaid; // the caller counts by itself
    spec.add(u"successPolicy"_s,
        isWhole && !shape.isStatusKept ? successPolicy(once, partNames, unsaid)
                                       : manifestMap({{u"operator"_s, words(u"All"_s)}}));
    spec.add(u"failurePolicy"_s, manifestMap({{u"maxRestarts"_s, YamlWriter::number(0)}}));
    spec.add(u"replicatedJobs"_s, jobs);
    manifest.text = scriptMap(once, *script, parts, shape).write();
    if (request.withSecrets && !script->secrets.isEmpty()) {
        TemplateScopes scopes;
        scopes.secrets = &once.secrets;
        YamlWriter values = YamlWriter::map();
        for (qsizetype i = 0; i < script->secrets.size(); ++i) {
            const Value *value = lookUp(scopes, script->secretKeys.at(i));
            values.add(script->secrets.at(i), words(value ? value->toText() : QString()));
        }
        manifest.text += "---\n"
            + manifestMap({{u"apiVersion"_s, words(u"v1"_s)}, {u"kind"_s, words(u"Secret"_s)},
                              {u"metadata"_s, metadataOf(shape, jobSetSecretName(shape.name))},
                              {u"type"_s, words(u"Opaque"_s)}, {u"stringData"_s, values}})
                  .write();
    }
    manifest.text += "---\n" + setObject(shape, spec).write();
    manifest.notes = script->notes;
    noteRoles(manifest.notes, once, false, true);
    return manifest;
}

} // namespace trainyard
