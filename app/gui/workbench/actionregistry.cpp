// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/actionregistry.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"

#include <QAction>
#include <QPointer>
#include <QWidget>

#include <algorithm>

namespace trainyard
{
namespace
{
CommandPalette::Entry paletteEntry(QAction *action, const QString &icon, const QString &whyOff)
{
    const QString id = action->objectName();
    // One of a page may be gone when it is chosen, such as that of a plot which a comparison no longer shows.
    const auto run = [action = QPointer(action)] {
        if (action) {
            action->trigger();
        }
    };
    return {readCaption(action->text()), action->shortcut().toString(QKeySequence::NativeText), icon, run,
        action->isEnabled(), action->isEnabled() ? QString() : whyOff,
        id.isEmpty() ? QString() : QString(QLatin1String("action:") + id)};
}
} // namespace

ActionRegistry::ActionRegistry(QWidget *window) : QObject(window), m_window(window) { }

QAction *ActionRegistry::add(const Command &command, QObject *owner, const std::function<void()> &run)
{
    Q_ASSERT_X(!m_byId.contains(command.id), "ActionRegistry::add", command.id);
    auto *action = new QAction(command.text, m_window);
    if (!command.icon.isEmpty()) {
        action->setIcon(icon(command.icon));
    }
    action->setObjectName(QLatin1String(command.id));
    action->setShortcuts(command.keys);
    action->setStatusTip(command.tip);
    const QString key = action->shortcut().toString(QKeySequence::NativeText);
    const QString tip = key.isEmpty() ? command.tip : tr("%1 (%2)").arg(command.tip, key);
    action->setToolTip(plainTip(tip));
    connect(action, &QAction::triggered, owner, [run] { run(); });
    m_window->addAction(action);
    m_byId.insert(command.id, m_added.size());
    m_added.append({action, command.icon, command.inPalette, tip, command.also, {}, command.isRecalled});
    return action;
}

QAction *ActionRegistry::action(const char *id) const
{
    const auto found = m_byId.constFind(id);
    return found == m_byId.cend() ? nullptr : m_added.at(*found).action;
}

QList<QAction *> ActionRegistry::actions(std::initializer_list<const char *> ids) const
{
    QList<QAction *> actions;
    for (const char *id : ids) {
        actions.append(action(id));
    }
    return actions;
}

QList<QAction *> ActionRegistry::all() const
{
    QList<QAction *> actions;
    for (const Added &added : m_added) {
        actions.append(added.action);
    }
    return actions;
}

void ActionRegistry::setEnabled(std::initializer_list<const char *> ids, bool on, const QString &whyOff)
{
    for (const char *id : ids) {
        Added &added = m_added[m_byId.value(id)];
        added.whyOff = on ? QString() : whyOff;
        added.action->setEnabled(on);
        added.action->setToolTip(
            plainTip(added.whyOff.isEmpty() ? added.tip : added.tip + QLatin1Char('\n') + added.whyOff));
    }
}

QList<CommandPalette::Entry> ActionRegistry::paletteEntries(const QList<QAction *> &more) const
{
    QList<CommandPalette::Entry> entries;
    for (const Added &added : m_added) {
        if (added.inPalette) {
            entries.append(paletteEntry(added.action, added.icon, added.whyOff));
            entries.last().also = added.also;
            if (!added.isRecalled) {
                entries.last().key.clear();
            }
        }
    }
    for (QAction *action : more) {
        entries.append(paletteEntry(action, {}, {}));
    }
    std::sort(entries.begin(), entries.end(), [](const auto &a, const auto &b) {
        return a.enabled != b.enabled ? a.enabled : a.text.localeAwareCompare(b.text) < 0;
    });
    return entries;
}

} // namespace trainyard
