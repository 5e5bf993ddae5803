// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/yamldrag.h"

#include "widgets/common/icons.h"

#include <QDrag>
#include <QFile>
#include <QMimeData>
#include <QTemporaryDir>
#include <QUrl>
#include <QWidget>

namespace trainyard
{

void dragYaml(QWidget *source, const QByteArray &yaml, const QString &fileName)
{
    // Receivers read the file after the drop, so it lives as long as the program.
    static QTemporaryDir folder;
    QString name = fileName;
    name.replace(QLatin1Char('/'), QLatin1Char('_'));
    const QString path = folder.filePath(name);
    QFile file(path);
    auto *data = new QMimeData;
    if (folder.isValid() && file.open(QIODevice::WriteOnly) && file.write(yaml) == yaml.size() && file.flush()) {
        file.close();
        data->setUrls({QUrl::fromLocalFile(path)});
    }
    data->setText(QString::fromUtf8(yaml));
    data->setData(QStringLiteral("application/yaml"), yaml);
    auto *drag = new QDrag(source);
    drag->setMimeData(data);
    drag->setPixmap(
        iconPixmap(QStringLiteral("document"), 32, source->devicePixelRatioF(), colour(Colour::Accent, source)));
    drag->exec(Qt::CopyAction);
}

} // namespace trainyard
