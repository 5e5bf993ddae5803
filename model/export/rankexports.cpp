// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobscript.h"
#include "model/yaml/yamlwriter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

// SkyPilot and dstack start the same commands on a number of equal machines, each of which knows its rank and the
// addresses of all. The rank is the number of the task in the job.
namespace trainyard::exporting
{

namespace
{

struct Machine {
    qint64 cpu = 1, memoryMiB = 0, gpu = 0, shmMiB = 0;
    QString image;
};

Machine machineFor(const JobSpec &job, QList<ExportNote> &notes)
{
    Machine machine;
    for (const TaskRole &role : job.taskRoles) {
        machine.cpu = std::max(machine.cpu, role.resources.cpu);
        machine.memoryMiB = std::max(machine.memoryMiB, role.resources.memoryMiB);
        machine.gpu = std::max(machine.gpu, role.resources.gpu);
        machine.shmMiB = std::max(machine.shmMiB, role.shmMiB.value_or(0));
        const QString image = imageOf(job, role);
        if (machine.image.isEmpty()) {
            machine.image = image;
        } else if (!image.isEmpty() && image != machine.image) {
            notes.append(
                {u"export.one-image"_s, {{u"image"_s, machine.image}, {u"role"_s, role.name}, {u"other"_s, image}}});
        }
    }
    if (job.taskRoles.size() > 1) {
        notes.append({u"export.same-nodes"_s,
            {{u"cpu"_s, machine.cpu}, {u"memoryMiB"_s, machine.memoryMiB}, {u"gpu"_s, machine.gpu}}});
    }
    return machine;
}

qint64 wholeGiB(qint64 mib) { return (mib + 1023) / 1024; }

// Puts the script into a file, because tasks run it again, and starts the task of this rank.
QString rankCommands(const JobSpec &job, const JobScript &script, const QByteArray &ips, const QByteArray &rank)
{
    const QByteArray body = memberScript(job, script, "read -r -d '' -a ADDRESSES <<<\"${" + ips + ":-127.0.0.1}\"\n");
    QByteArray end = "END_OF_SCRIPT";
    while (body.contains(QByteArray('\n' + end + '\n'))) {
        end += '_';
    }
    const QByteArray file = "\"$HOME/" + plainName(job) + ".trainyard.sh\"";
    return QString::fromUtf8(
        "cat >" + file + " <<'" + end + "'\n" + body + end + "\nbash " + file + " \"${" + rank + ":-0}\"\n");
}

QString rankReadme(const JobSpec &job, const QString &how) { return readmeHead(job) + how; }

QString rankSecrets(const QStringList &secrets, const QString &how)
{
    return secrets.isEmpty() ? QString()
                             : u"\n\nSecrets: their values are not in this file. Set an environment variable for each"_s
            + how + u" The names: "_s + secrets.join(u", "_s) + u"."_s;
}

} // namespace

Result<Exported> skyPilotExport(const JobSpec &job, const JobScript &script, const ExportOptions &options)
{
    Exported exported = script.begun();
    noteUnruled(exported.notes, job);
    const Machine machine = machineFor(job, exported.notes);
    if (machine.gpu > 0) {
        exported.notes.append({u"export.gpu-type"_s, {{u"gpu"_s, machine.gpu}}});
    }
    if (machine.shmMiB > 0) {
        exported.notes.append({u"export.shm"_s, {{u"shmMiB"_s, machine.shmMiB}}});
    }
    if (const std::optional<qint64> &limit = job.trainyard.timeLimitSeconds) {
        exported.notes.append({u"export.time-limit"_s, {{u"seconds"_s, *limit}}});
    }
    YamlWriter resources = YamlWriter::map();
    resources.add(u"cpus"_s, YamlWriter::text(QString::number(machine.cpu) + u'+'));
    if (machine.memoryMiB > 0) {
        resources.add(u"memory"_s, YamlWriter::text(QString::number(wholeGiB(machine.memoryMiB)) + u'+'));
    }
    if (!machine.image.isEmpty()) {
        resources.add(u"image_id"_s, YamlWriter::text(u"docker:"_s + machine.image));
    }
    YamlWriter file = YamlWriter::map();
    file.add(u"name"_s, YamlWriter::text(dashedName(job.name)));
    file.add(u"num_nodes"_s, YamlWriter::number(taskCount(job)));
    file.add(u"resources"_s, resources,
        machine.gpu > 0
            ? QStringList{u"Add the GPUs by their name: accelerators: NAME:"_s + QString::number(machine.gpu)}
            : QStringList());
    file.add(u"workdir"_s, YamlWriter::text(u"."_s));
    if (!script.secrets.isEmpty()) {
        YamlWriter secrets = YamlWriter::map();
        for (const QString &name : script.secrets) {
            secrets.add(name, YamlWriter::plain("null"));
        }
        file.add(u"secrets"_s, secrets);
    }
    file.add(u"run"_s, YamlWriter::text(rankCommands(job, script, "SKYPILOT_NODE_IPS", "SKYPILOT_NODE_RANK")));
    const QString readme
        = rankReadme(
              job, u"For SkyPilot: sky launch FILE. The folder that you call it in goes along as the work folder."_s)
        + rankSecrets(script.secrets, u" and name each: sky launch FILE --secret NAME."_s);
    exported.text = headComment(exported, readme, options) + '\n' + file.write();
    return exported;
}

Result<Exported> dstackExport(const JobSpec &job, const JobScript &script, const ExportOptions &options)
{
    Exported exported = script.begun();
    noteUnruled(exported.notes, job);
    noteWorkFolder(exported.notes, job, u"export.no-work-folder-dstack"_s);
    const Machine machine = machineFor(job, exported.notes);
    YamlWriter resources = YamlWriter::map();
    resources.add(u"cpu"_s, YamlWriter::text(QString::number(machine.cpu) + u".."_s));
    if (machine.memoryMiB > 0) {
        resources.add(u"memory"_s, YamlWriter::text(QString::number(wholeGiB(machine.memoryMiB)) + u"GB.."_s));
    }
    if (machine.gpu > 0) {
        resources.add(u"gpu"_s, YamlWriter::number(machine.gpu));
    }
    if (machine.shmMiB > 0) {
        resources.add(u"shm_size"_s, YamlWriter::text(QString::number(wholeGiB(machine.shmMiB)) + u"GB"_s));
    }
    YamlWriter file = YamlWriter::map();
    file.add(u"type"_s, YamlWriter::text(u"task"_s));
    const QString name = cutName(dashedName(job.name), 40); // two characters at least
    file.add(u"name"_s, YamlWriter::text(name.size() < 2 ? QString(u"job-"_s + name) : name));
    file.add(u"nodes"_s, YamlWriter::number(taskCount(job)));
    if (!machine.image.isEmpty()) {
        file.add(u"image"_s, YamlWriter::text(machine.image));
    }
    if (!script.secrets.isEmpty()) {
        YamlWriter environment = YamlWriter::list();
        for (const QString &name : script.secrets) {
            environment.append(YamlWriter::text(name));
        }
        file.add(u"env"_s, environment);
    }
    YamlWriter commands = YamlWriter::list();
    commands.append(YamlWriter::text(rankCommands(job, script, "DSTACK_NODES_IPS", "DSTACK_NODE_RANK")));
    file.add(u"commands"_s, commands);
    file.add(u"resources"_s, resources);
    if (const std::optional<qint64> &limit = job.trainyard.timeLimitSeconds) {
        file.add(u"max_duration"_s, YamlWriter::text(QString::number(*limit) + u's'));
    }
    const QString readme
        = rankReadme(job,
              u"For dstack: dstack apply -f FILE. Files beside the job are there only if the image has them, a "
              "prerequisite brings them (git), or you name them in the file (files or repos of dstack)."_s)
        + rankSecrets(script.secrets, u" before you apply the file."_s);
    exported.text = headComment(exported, readme, options) + '\n' + file.write();
    return exported;
}

} // namespace trainyard::exporting
