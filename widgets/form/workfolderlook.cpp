// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/workfolderlook.h"

#include "widgets/common/aside.h"

#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QTimer>

#include <utility>

namespace trainyard
{
WorkFolderLook::WorkFolderLook(QObject *parent, PlaceOf placeOf, qint64 knownForMs)
    : QObject(parent), m_placeOf(std::move(placeOf)), m_knownForMs(knownForMs), m_watcher(new QFileSystemWatcher(this)),
      m_soon(new QTimer(this))
{
    m_soon->setSingleShot(true);
    m_soon->setInterval(0); // one look for all that a check asks for
    connect(m_soon, &QTimer::timeout, this, &WorkFolderLook::look);
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, this, &WorkFolderLook::expire);
}

ScriptPlace WorkFolderLook::place(const QString &folder)
{
    m_wanted.clear();
    m_wantsFiles = false;
    if (folder != m_folder) {
        m_folder = folder;
        m_known.clear();
        m_files.reset();
        m_areFilesOld = false;
        m_sinceLook.invalidate();
        if (const QStringList watched = m_watcher->directories(); !watched.isEmpty()) {
            m_watcher->removePaths(watched);
        }
    } else if (m_sinceLook.isValid() && m_sinceLook.hasExpired(m_knownForMs)) {
        expire();
    }
    return {folder, [this](const QString &file) { return has(file); }, [this] { return files(); }};
}

bool WorkFolderLook::has(const QString &file)
{
    m_wanted.insert(file);
    const auto known = m_known.constFind(file);
    if (known == m_known.cend()) {
        m_soon->start();
    }
    return known == m_known.cend() || *known;
}

QStringList WorkFolderLook::files()
{
    m_wantsFiles = true;
    if (!m_files || m_areFilesOld) {
        m_soon->start();
    }
    return m_files.value_or(QStringList());
}

// Known results are kept until the next look.
void WorkFolderLook::expire()
{
    m_areFilesOld = true;
    m_sinceLook.invalidate();
    m_soon->start();
}

void WorkFolderLook::look()
{
    if (m_isLooking) {
        m_looksAgain = true;
        return;
    }
    if (m_folder.isEmpty() || m_wanted.isEmpty()) {
        return;
    }
    m_isLooking = true;
    const bool lists = m_wantsFiles && (!m_files || m_areFilesOld);
    m_areFilesOld = m_areFilesOld && !lists;
    runAside(this, [this, placeOf = m_placeOf, folder = m_folder, wanted = m_wanted, lists]() -> std::function<void()> {
        Seen seen;
        seen.isFolder = QFileInfo(folder).isDir();
        const ScriptPlace there = placeOf(folder);
        for (const QString &file : wanted) {
            seen.has.insert(file, there.has(file));
        }
        if (lists) {
            seen.files = there.files();
        }
        return [this, folder, seen] { take(folder, seen); };
    });
}

void WorkFolderLook::take(const QString &folder, const Seen &seen)
{
    m_isLooking = false;
    if (std::exchange(m_looksAgain, false) || folder != m_folder) {
        m_soon->start();
    }
    if (folder != m_folder) {
        return;
    }
    bool isOther = seen.files && seen.files != m_files;
    for (auto it = seen.has.cbegin(); it != seen.has.cend(); ++it) {
        isOther = isOther || m_known.value(it.key(), true) != it.value();
    }
    m_known = seen.has;
    m_files = seen.files ? seen.files : m_files;
    m_sinceLook.start();
    if (seen.isFolder && m_watcher->directories().isEmpty()) {
        m_watcher->addPath(folder);
    }
    if (isOther) {
        Q_EMIT changed();
    }
}

} // namespace trainyard
