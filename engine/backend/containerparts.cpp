// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/containerparts.h"

#include "model/template/pluginsteps.h"
#include "model/template/render.h"

#include <QDir>

namespace trainyard
{

using namespace Qt::StringLiterals;

QString imageOf(const JobSpec &spec, const TaskRole &role)
{
    const Prerequisite *image = spec.prerequisite(u"dockerimage"_s, role.dockerImage);
    return image && !image->uri.isEmpty() ? image->uri.first().trimmed() : QString();
}

Result<void> checkImages(const JobSpec &spec, const QString &runIn, bool all)
{
    for (const TaskRole &role : spec.taskRoles) {
        const QString image = imageOf(spec, role);
        const bool isWanted = all || !role.dockerImage.isEmpty();
        if (isWanted && (image.isEmpty() || image.startsWith(u'-'))) {
            return fail(u"job.container-image"_s, {{u"role"_s, role.name}, {u"runIn"_s, runIn}});
        }
    }
    return {};
}

QMap<QString, QString> storagesInside(const JobSpec &spec)
{
    QMap<QString, QString> folders;
    const QList<JobStorage> storages = storagesOf(spec);
    for (const JobStorage &storage : storages) {
        folders.insert(storage.name, storage.place);
    }
    return folders;
}

Result<QList<launch::ContainerMount>> containerMounts(
    const JobSpec &spec, const Settings &settings, const QString &home)
{
    const QMap<QString, QString> folders = settings.texts(u"storages."_s);
    QList<launch::ContainerMount> mounts;
    const QList<JobStorage> storages = storagesOf(spec);
    for (const JobStorage &storage : storages) {
        // One without a folder may be mounted on the host already, at the place that the job names.
        QString folder = folders.value(storage.name, storage.place);
        if (folder.startsWith("~/"_L1) && !home.isEmpty()) {
            folder = home + folder.sliced(1);
        }
        folder = QDir::cleanPath(folder);
        const QString place = QDir::cleanPath(storage.place);
        if (launch::isSystemFolder(place)) {
            return fail(u"launch.container-storage"_s, {{u"name"_s, storage.name}, {u"detail"_s, place}});
        }
        mounts.append({folder, place, storage.readOnly});
    }
    const QStringList words = settings.list(u"containers.mounts"_s);
    for (const QString &word : words) {
        const std::optional<launch::ContainerMount> mount = launch::parseMount(word);
        if (!mount) {
            return fail(u"launch.container-mount"_s, {{u"detail"_s, word}});
        }
        mounts.append(*mount);
    }
    return mounts;
}

std::optional<Error> putInto(contract::Launch &message, const JobSpec &spec, const TaskRole &role,
    const QString &runtime, const launch::ContainerPlan &plan)
{
    contract::Container &container = message.plan.container;
    container.runtime = runtime.toStdString();
    container.image = plan.image.toStdString();
    container.pullImage = plan.pullImage.toStdString();
    container.file = plan.file.toStdString();
    container.name = plan.name.toStdString();
    for (const QString &word : plan.run) {
        container.run.push_back(word.toStdString());
    }
    message.env.clear();
    for (const auto &[name, value] : plan.environment) {
        message.env.push_back({name.toStdString(), value.toStdString()});
    }
    const Prerequisite *image = spec.prerequisite(u"dockerimage"_s, role.dockerImage);
    if (image && image->auth) {
        const Result<RegistryAuth> login = renderAuth(spec, *image->auth);
        if (!login) {
            return login.error();
        }
        message.registry
            = {login->registryUri.toStdString(), login->username.toStdString(), login->password.toStdString()};
        if (!login->password.isEmpty()) {
            // A password that stands in the job itself is as secret as one that does not.
            message.maskValues.push_back(login->password.toStdString());
        }
    }
    return std::nullopt;
}

} // namespace trainyard
