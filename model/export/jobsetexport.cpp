// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobscript.h"
#include "model/template/pluginsteps.h"
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

YamlWriter container(
    const JobSpec &job, const TaskRole &role, qint64 firstTask, const QStringList &secrets, const QString &name)
{
    YamlWriter environment = manifestList(
        {labelVariable(u"REPLICA"_s, u"job-index"_s), labelVariable(u"ATTEMPT"_s, u"restart-attempt"_s)});
    for (const QString &secret : secrets) {
        environment.append(manifestMap({{u"name"_s, words(secret)},
            {u"valueFrom"_s,
                manifestMap({{u"secretKeyRef"_s,
                    manifestMap({{u"name"_s, words(name + u"-secrets"_s)}, {u"key"_s, words(secret)}})}})}}));
    }
    YamlWriter limits = manifestMap({{u"cpu"_s, YamlWriter::number(role.resources.cpu)}});
    if (role.resources.memoryMB > 0) {
        limits.add(u"memory"_s, words(QString::number(role.resources.memoryMB) + u"Mi"_s));
    }
    if (role.resources.gpu > 0) {
        limits.add(u"nvidia.com/gpu"_s, YamlWriter::number(role.resources.gpu));
    }
    return manifestMap({{u"name"_s, words(u"task"_s)}, {u"image"_s, words(imageOf(job, role))},
        {u"command"_s,
            manifestList({words(u"bash"_s), words(u"/trainyard/job.sh"_s), words(QString::number(firstTask))})},
        {u"env"_s, environment}, {u"resources"_s, manifestMap({{u"limits"_s, limits}})},
        {u"volumeMounts"_s,
            manifestList({manifestMap({{u"name"_s, words(u"job"_s)}, {u"mountPath"_s, words(u"/trainyard"_s)}}),
                manifestMap({{u"name"_s, words(u"shm"_s)}, {u"mountPath"_s, words(u"/dev/shm"_s)}})})}});
}

YamlWriter replicatedJob(const JobSpec &job, const TaskRole &role, const QString &roleName, qint64 firstTask,
    const QStringList &secrets, const QString &name)
{
    const YamlWriter pod = manifestMap({{u"restartPolicy"_s, words(u"Never"_s)},
        {u"terminationGracePeriodSeconds"_s, YamlWriter::number(job.trainyard.stop.graceSeconds.value_or(30) + 5)},
        {u"containers"_s, manifestList({container(job, role, firstTask, secrets, name)})},
        {u"volumes"_s,
            manifestList({manifestMap({{u"name"_s, words(u"job"_s)},
                              {u"configMap"_s, manifestMap({{u"name"_s, words(name + u"-script"_s)}})}}),
                manifestMap({{u"name"_s, words(u"shm"_s)},
                    {u"emptyDir"_s,
                        manifestMap({{u"medium"_s, words(u"Memory"_s)},
                            {u"sizeLimit"_s, words(QString::number(role.effectiveShmMB()) + u"Mi"_s)}})}})})}});
    YamlWriter jobSpec = manifestMap({{u"parallelism"_s, YamlWriter::number(1)},
        {u"completions"_s, YamlWriter::number(1)}, {u"backoffLimit"_s, YamlWriter::number(0)}});
    if (job.trainyard.timeLimitSeconds) {
        jobSpec.add(u"activeDeadlineSeconds"_s, YamlWriter::number(*job.trainyard.timeLimitSeconds));
    }
    jobSpec.add(u"template"_s, manifestMap({{u"spec"_s, pod}}));
    return manifestMap({{u"name"_s, words(roleName)}, {u"replicas"_s, YamlWriter::number(role.instances)},
        {u"template"_s, manifestMap({{u"spec"_s, jobSpec}})}});
}

// What JobSet can say of the completion policy: all tasks of some roles, or any one of them. What it cannot is noted.
YamlWriter successPolicy(const JobSpec &job, QList<ExportNote> &notes)
{
    const QStringList names = dashedRoles(job);
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
    Exported exported = script.begun();
    noteRoles(exported.notes, job, false, true);
    if (!job.trainyard.work.isEmpty()) {
        exported.notes.append({u"export.field"_s, {{u"field"_s, u"extras.trainyard.work"_s}}});
    }
    const QString name = dashedName(job.name);
    QByteArrayList addresses;
    YamlWriter jobs = YamlWriter::list();
    const QStringList names = dashedRoles(job);
    qint64 task = 0;
    for (qsizetype number = 0; number < names.size(); ++number) {
        const TaskRole &role = job.taskRoles.at(number);
        if (imageOf(job, role).isEmpty()) {
            return fail(u"export.no-image"_s, {{u"role"_s, role.name}});
        }
        jobs.append(replicatedJob(job, role, names.at(number), task, script.secrets, name));
        for (qint64 i = 0; i < role.instances; ++i, ++task) {
            addresses.append((name + u'-' + names.at(number) + u'-' + QString::number(i) + u"-0."_s + name).toLatin1());
        }
    }
    YamlWriter spec
        = manifestMap({{u"network"_s, manifestMap({{u"enableDNSHostnames"_s, YamlWriter::plain("true")}})}});
    spec.add(u"successPolicy"_s, successPolicy(job, exported.notes));
    if (job.jobRetryCount > 0) {
        spec.add(u"failurePolicy"_s, manifestMap({{u"maxRestarts"_s, YamlWriter::number(job.jobRetryCount)}}));
    } else if (job.jobRetryCount < 0) {
        exported.notes.append({u"export.job-retries"_s, {{u"count"_s, job.jobRetryCount}}});
    }
    spec.add(u"replicatedJobs"_s, jobs);
    const QByteArray text = memberScript(job, script,
        "ADDRESSES=(" + addresses.join(' ')
            + ")\n[[ ${1-} != [0-9]* ]] || set -- $(($1 + ${REPLICA:-0})) # its role's first task, and which one of "
              "them\n");
    const YamlWriter map = manifestMap({{u"apiVersion"_s, words(u"v1"_s)}, {u"kind"_s, words(u"ConfigMap"_s)},
        {u"metadata"_s, manifestMap({{u"name"_s, words(name + u"-script"_s)}})},
        {u"data"_s, manifestMap({{u"job.sh"_s, words(QString::fromUtf8(text))}})}});
    const YamlWriter set = manifestMap({{u"apiVersion"_s, words(u"jobset.x-k8s.io/v1alpha2"_s)},
        {u"kind"_s, words(u"JobSet"_s)}, {u"metadata"_s, manifestMap({{u"name"_s, words(name)}})}, {u"spec"_s, spec}});
    QString readme = readmeHead(job)
        + u"For Kubernetes with JobSet: kubectl apply -f FILE. Each task is a pod; the images need bash and the "
          u"program "
          "of the "
          "job. The number of tasks that must succeed can be one of a role or all of them."_s;
    if (!script.secrets.isEmpty()) {
        readme += u"\n\nSecrets: their values are not in this file. Write a line NAME=VALUE for each into a file that "
                  u"only you "
                  "can read (chmod 600) and hand it over with: kubectl create secret generic "_s
            + name + u"-secrets --from-env-file=THAT_FILE. The names: "_s + script.secrets.join(u", "_s) + u"."_s;
    }
    exported.text
        = commented(readme) + notesComment(exported.notes, options) + '\n' + map.write() + "---\n" + set.write();
    return exported;
}

} // namespace trainyard::exporting
