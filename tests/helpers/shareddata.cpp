// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/shareddata.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace shareddata
{

QString folder()
{
    const QString named = qEnvironmentVariable("TRAINYARD_SHARED");
    const QString beside = qEnvironmentVariable("TRAINYARD_SOURCE") + QStringLiteral("/../shared");
    for (const QString &path : {named, beside}) {
        if (!path.isEmpty() && QFileInfo(path + QStringLiteral("/corpus/v2")).isDir()) {
            return QDir(path).absolutePath();
        }
    }
    return {};
}

QStringList files(const QString &pattern)
{
    const QString root = folder();
    if (root.isEmpty()) {
        return {};
    }
    const QFileInfo info(root + QLatin1Char('/') + pattern);
    QStringList paths;
    const QFileInfoList entries = QDir(info.path()).entryInfoList({info.fileName()}, QDir::Files, QDir::Name);
    for (const QFileInfo &entry : entries) {
        paths.append(entry.absoluteFilePath());
    }
    return paths;
}

QByteArray read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QJsonObject readJson(const QString &path) { return QJsonDocument::fromJson(read(path)).object(); }

} // namespace shareddata
