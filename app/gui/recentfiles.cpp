// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/recentfiles.h"

#include "app/gui/guisettings.h"
#include "widgets/common/labels.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>

namespace trainyard
{

RecentFiles::RecentFiles(GuiSettings *settings, QWidget *window)
    : QObject(window), m_settings(settings), m_menu(new QMenu(tr("Open &recent"), window))
{
    update();
}

QStringList RecentFiles::files() const { return m_settings->recentFiles(); }

void RecentFiles::add(const QString &path)
{
    m_settings->addRecentFile(path);
    update();
}

void RecentFiles::update()
{
    m_menu->clear();
    const QStringList all = files();
    for (const QString &file : all) {
        QAction *action = m_menu->addAction(
            plainCaption(QFileInfo(file).fileName()), this, [this, file] { Q_EMIT openRequested(file); });
        action->setStatusTip(file);
        action->setToolTip(plainTip(file));
    }
    m_menu->setEnabled(!all.isEmpty());
    if (!all.isEmpty()) {
        m_menu->addSeparator();
        m_menu->addAction(tr("Clear this list"), this, [this] {
            m_settings->clearRecentFiles();
            update();
        });
    }
    Q_EMIT changed(all);
}

QList<CommandPalette::Entry> RecentFiles::paletteEntries()
{
    QList<CommandPalette::Entry> entries;
    const QStringList all = files();
    for (const QString &file : all) {
        entries.append({tr("Open recent: %1").arg(QFileInfo(file).fileName()), QFileInfo(file).path(),
            QStringLiteral("open"), [this, file] { Q_EMIT openRequested(file); }, true, {}, recentFileKey + file});
    }
    return entries;
}

} // namespace trainyard
