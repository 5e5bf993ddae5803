// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobscript.h"
#include "model/yaml/yamlwriter.h"

using namespace Qt::StringLiterals;

namespace trainyard::exporting
{

namespace
{

YamlWriter composeTexts(const QStringList &texts)
{
    YamlWriter list = YamlWriter::list();
    for (const QString &text : texts) {
        list.append(YamlWriter::text(text));
    }
    return list;
}

// Compose fills in variables everywhere; two dollars stand for one.
QString withoutInterpolation(QString text) { return text.replace(u'$', u"$$"_s); }

YamlWriter composeGpus(qint64 count)
{
    YamlWriter device = YamlWriter::map();
    device.add(u"driver"_s, YamlWriter::text(u"nvidia"_s));
    device.add(u"count"_s, YamlWriter::number(count));
    device.add(u"capabilities"_s, composeTexts({u"gpu"_s}));
    YamlWriter devices = YamlWriter::list();
    devices.append(device);
    YamlWriter reservations = YamlWriter::map();
    reservations.add(u"devices"_s, devices);
    YamlWriter resources = YamlWriter::map();
    resources.add(u"reservations"_s, reservations);
    YamlWriter deploy = YamlWriter::map();
    deploy.add(u"resources"_s, resources);
    return deploy;
}

YamlWriter composeService(const JobSpec &job, const TaskRole &role, qint64 task, bool hasSecrets)
{
    YamlWriter service = YamlWriter::map();
    service.add(u"image"_s, YamlWriter::text(withoutInterpolation(imageOf(job, role))));
    service.add(u"entrypoint"_s, composeTexts({u"bash"_s, u"/trainyard/job.sh"_s}));
    service.add(u"command"_s, composeTexts({QString::number(task)}));
    YamlWriter config = YamlWriter::map();
    config.add(u"source"_s, YamlWriter::text(u"job"_s));
    config.add(u"target"_s, YamlWriter::text(u"/trainyard/job.sh"_s));
    YamlWriter configs = YamlWriter::list();
    configs.append(config);
    service.add(u"configs"_s, configs);
    if (hasSecrets) {
        service.add(u"secrets"_s, composeTexts({QString::fromLatin1(plainName(job))}));
    }
    service.add(u"working_dir"_s, YamlWriter::text(u"/work"_s));
    service.add(u"volumes"_s, composeTexts({u"${WORK_FOLDER:-.}:/work"_s}));
    service.add(u"cpus"_s, YamlWriter::number(role.resources.cpu));
    if (role.resources.memoryMiB > 0) {
        service.add(u"mem_limit"_s, YamlWriter::text(QString::number(role.resources.memoryMiB) + u'm'));
    }
    service.add(u"shm_size"_s, YamlWriter::text(QString::number(role.effectiveShmMiB()) + u'm'));
    if (role.resources.gpu > 0) {
        service.add(u"deploy"_s, composeGpus(role.resources.gpu));
    }
    service.add(u"stop_grace_period"_s,
        YamlWriter::text(QString::number(job.trainyard.stop.graceSeconds.value_or(30) + 5) + u's'));
    service.add(u"restart"_s, YamlWriter::text(u"no"_s));
    return service;
}

} // namespace

Result<Exported> composeExport(const JobSpec &job, const JobScript &script, const ExportOptions &options)
{
    if (const Result<void> images = imagesOf(job); !images) {
        return tl::unexpected<Error>(images.error());
    }
    Exported exported = script.begun();
    noteUnruled(exported.notes, job);
    if (const std::optional<qint64> &limit = job.trainyard.timeLimitSeconds) {
        exported.notes.append({u"export.time-limit"_s, {{u"seconds"_s, *limit}}});
    }
    QByteArrayList addresses;
    YamlWriter services = YamlWriter::map();
    const QStringList names = dashedRoles(job);
    qint64 task = 0;
    for (qsizetype number = 0; number < names.size(); ++number) {
        const TaskRole &role = job.taskRoles.at(number);
        for (qint64 i = 0; i < role.instances; ++i, ++task) {
            const QString name = names.at(number) + u'-' + QString::number(i);
            addresses.append(name.toLatin1());
            services.add(name, composeService(job, role, task, !script.secrets.isEmpty()));
        }
    }
    const QByteArray text = memberScript(job, script, "ADDRESSES=(" + addresses.join(' ') + ")\n");
    YamlWriter content = YamlWriter::map();
    content.add(u"content"_s, YamlWriter::text(withoutInterpolation(QString::fromUtf8(text))));
    YamlWriter configs = YamlWriter::map();
    configs.add(u"job"_s, content);
    YamlWriter file = YamlWriter::map();
    file.add(u"name"_s, YamlWriter::text(dashedName(job.name)));
    file.add(u"services"_s, services);
    if (!script.secrets.isEmpty()) {
        YamlWriter source = YamlWriter::map();
        source.add(u"file"_s,
            YamlWriter::text(u"${SECRETS_FILE:-./"_s + QString::fromLatin1(plainName(job)) + u".secrets}"_s));
        YamlWriter secrets = YamlWriter::map();
        secrets.add(QString::fromLatin1(plainName(job)), source);
        file.add(u"secrets"_s, secrets);
    }
    file.add(u"configs"_s, configs, {u"What runs in each task."_s});
    const QString readme = readmeHead(job)
        + u"For Docker Compose 2.23.1 or later: docker compose -f FILE up. Add --abort-on-container-failure to stop "
          u"all "
          "tasks "
          "when one fails. Each task is a service; the images need bash. The current folder, or WORK_FOLDER, is the "
          "work "
          "folder of the tasks."_s;
    exported.text
        = headComment(exported, readme + secretsHelp(job, script.secrets, false), options) + '\n' + file.write();
    return exported;
}

} // namespace trainyard::exporting
