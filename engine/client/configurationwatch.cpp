// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/configurationwatch.h"

#include "engine/client/configurationfaults.h"

#include <QDir>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QTimer>

namespace trainyard
{
namespace
{

constexpr int settleMs = 120; // editors write in several steps

QString nearestFolder(const QString &folder)
{
    QString there = folder;
    while (!QFileInfo::exists(there) && !QDir(there).isRoot()) {
        there = QFileInfo(there).path();
    }
    return there;
}

} // namespace

ConfigurationWatch::ConfigurationWatch(const QString &configFolder, QObject *parent)
    : QObject(parent), m_folder(QDir::cleanPath(QDir(configFolder).absolutePath())),
      m_watcher(new QFileSystemWatcher(this)), m_settle(new QTimer(this))
{
    m_settle->setSingleShot(true);
    m_settle->setInterval(settleMs);
    connect(m_settle, &QTimer::timeout, this, [this] {
        watch();
        Q_EMIT changed();
    });
    connect(m_watcher, &QFileSystemWatcher::fileChanged, m_settle, qOverload<>(&QTimer::start));
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, m_settle, qOverload<>(&QTimer::start));
    watch();
}

// A file that was replaced by a rename is not watched any more, and a new one is not watched yet.
void ConfigurationWatch::watch()
{
    const QString folder = nearestFolder(m_folder);
    const QStringList before = m_watcher->directories();
    if (!before.contains(folder)) {
        if (!before.isEmpty()) {
            m_watcher->removePaths(before);
        }
        m_watcher->addPath(folder);
    }
    const QStringList files = configurationFiles(m_folder);
    for (const QString &file : files) {
        if (QFileInfo::exists(file) && !m_watcher->files().contains(file)) {
            m_watcher->addPath(file);
        }
    }
}

} // namespace trainyard
