// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QFileSystemWatcher;
class QTimer;

namespace trainyard
{

// Signals when a configuration file that users edit has appeared, disappeared or changed, also when the folder does not
// exist yet. Several writes in a row are one change. It may signal too often but never too seldom, except on file
// systems that report no changes (some network file systems).
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
