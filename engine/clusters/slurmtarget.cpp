// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmtarget.h"

#include <QDir>

namespace trainyard
{
using namespace Qt::StringLiterals;

std::vector<SlurmTarget> slurmTargetsOf(const Settings &settings)
{
    std::vector<SlurmTarget> targets;
    const QMap<QString, QString> lines = settings.texts(slurmOptionsKey({})),
                                 folders = settings.texts(slurmFolderKey({}));
    const QMap<QString, QString> logins = settings.texts(slurmLoginKey({}));
    const QMap<QString, QString> images = settings.texts(slurmImagesKey({})),
                                 modules = settings.texts(slurmModulesKey({}));
    for (auto it = lines.cbegin(); it != lines.cend(); ++it) {
        const Result<QStringList> options = slurmOptions(it.value());
        QString folder = folders.value(it.key());
        const QString login = logins.value(it.key());
        const bool isOfHome = folder.startsWith("~/"_L1); // on a login node its own
        folder = isOfHome && login.isEmpty() ? QDir::homePath() + folder.mid(1) : folder;
        Error problem = options ? Error() : options.error();
        if (!folder.isEmpty() && !folder.startsWith(u'/') && !(isOfHome && !login.isEmpty())) {
            problem = {u"slurm.folder-relative"_s, {{u"folder"_s, folder}}};
        }
        const QString image = images.value(it.key());
        if (const Result<void> known = checkSlurmImages(image); !known) {
            problem = known.error();
        }
        const Result<QStringList> loaded = slurmModules(modules.value(it.key()));
        if (!loaded) {
            problem = loaded.error();
        }
        if (checkTargetName(it.key())) {
            targets.push_back({it.key(), options.value_or(QStringList()), folder, login,
                image == noSlurmImages ? QString() : image, loaded.value_or(QStringList()), problem});
        }
    }
    return targets;
}

} // namespace trainyard
