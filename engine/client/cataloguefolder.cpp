// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/cataloguefolder.h"

#include "engine/client/paths.h"
#include "model/yaml/yamldocument.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

namespace trainyard
{

using namespace Qt::StringLiterals;

QString catalogueFolder(const QString &chosen)
{
    if (!chosen.isEmpty()) {
        return QDir(chosen).absolutePath();
    }
    QFile settings(paths::configFolder() + u"/engine.json"_s);
    if (settings.open(QIODevice::ReadOnly)) {
        const QJsonObject values = QJsonDocument::fromJson(settings.read(maxCheckedBytes)).object();
        const QString folder = values.value("catalogue.folder"_L1).toString();
        if (!folder.isEmpty()) {
            return QDir(folder.startsWith("~/"_L1) ? QDir::homePath() + folder.mid(1) : folder).absolutePath();
        }
    }
    const QString usual = paths::configFolder() + u"/catalogue"_s;
    return QFileInfo(usual).isDir() ? usual : QString();
}

CatalogueLookup folderCatalogue(const QString &folder)
{
    if (folder.isEmpty()) {
        return {};
    }
    const QString root = QFileInfo(folder).canonicalFilePath();
    return [root](const QString &item) -> std::optional<QByteArray> {
        for (const QString &ending : {u".yaml"_s, u".yml"_s, QString()}) {
            const QString path = QFileInfo(root + u'/' + item + ending).canonicalFilePath();
            if (root.isEmpty() || !path.startsWith(root + u'/') || !QFileInfo(path).isFile()) {
                continue;
            }
            QFile file(path);
            if (file.size() <= maxCheckedBytes && file.open(QIODevice::ReadOnly)) {
                return file.read(maxCheckedBytes);
            }
        }
        return std::nullopt;
    };
}

} // namespace trainyard
