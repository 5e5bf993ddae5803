// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QFileSystemWatcher;
class QTimer;

namespace trainyard
{

// Tells when a file of the configuration that people write by hand has come, gone or changed, also when the folder is
// not there yet. Several writes in a row are one change. It may tell too often, never too seldom; where the file system
// tells nothing (some network file systems), neither does this.
class ConfigurationWatch : public QObject
{
    Q_OBJECT
public:
    explicit ConfigurationWatch(const QString &configFolder, QObject *parent = nullptr);

Q_SIGNALS:
    void changed();

private:
    void watch();

    QString m_folder;
    QFileSystemWatcher *m_watcher;
    QTimer *m_settle;
};

} // namespace trainyard
