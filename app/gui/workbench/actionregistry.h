// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/commandpalette.h"

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>

class QAction;
class QWidget;

namespace trainyard
{

// An action as its owner describes it.
struct Command {
    const char *id; // object name of the action
    QString icon; // name, may be empty
    QString text;
    QString tip;
    QList<QKeySequence> keys = {}; // the first one is shown
    bool inPalette = true;
    QString also = {}; // other words by which the palette finds it, such as what the command line or its page is called
    bool isRecalled = true; // the palette puts it on top after its use; not what a hasty Return must not do again
};

// Every action of the window by its id. Controllers add theirs; menus, tool bar, palette and keys read this one list.
class ActionRegistry : public QObject
{
    Q_OBJECT
public:
    explicit ActionRegistry(QWidget *window); // its keys work in all of this window

    // An id is given once. `run` is called when the action is triggered, while `owner` lives.
    QAction *add(const Command &command, QObject *owner, const std::function<void()> &run);
    QAction *action(const char *id) const; // null when it was not added
    QList<QAction *> actions(std::initializer_list<const char *> ids) const;
    QList<QAction *> all() const; // in the order of their coming
    // A disabled action says why in its tool tip and in the palette: `whyOff` is a sentence such as "No task has
    // failed."
    void setEnabled(std::initializer_list<const char *> ids, bool on, const QString &whyOff);
    // Enabled actions come first, by their words. `more`: those of the page in front.
    QList<CommandPalette::Entry> paletteEntries(const QList<QAction *> &more) const;

private:
    struct Added {
        QAction *action;
        QString icon;
        bool inPalette;
        QString tip; // without why it is off
        QString also;
        QString whyOff;
        bool isRecalled;
    };
    QWidget *m_window;
    QList<Added> m_added; // in the order of their coming
    QHash<QByteArray, qsizetype> m_byId; // where it is in m_added
};

} // namespace trainyard
