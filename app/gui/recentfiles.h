// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/commandpalette.h"

#include <QObject>
#include <QStringList>

class QMenu;

namespace trainyard
{

class GuiSettings;

// The files that were opened or saved last: remembered, as a menu and in the palette.
class RecentFiles : public QObject
{
    Q_OBJECT
public:
    RecentFiles(GuiSettings *settings, QWidget *window);
    QStringList files() const; // newest first
    void add(const QString &path);
    QMenu *menu() const { return m_menu; }
    QList<CommandPalette::Entry> paletteEntries();

Q_SIGNALS:
    void changed(const QStringList &files);
    void openRequested(const QString &path);

private:
    void update();
    GuiSettings *m_settings;
    QMenu *m_menu;
};

} // namespace trainyard
