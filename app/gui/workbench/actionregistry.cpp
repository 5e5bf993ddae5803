// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/actionregistry.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"

#include <QAction>
#include <QWidget>

#include <algorithm>

namespace trainyard
{
namespace
{
CommandPalette::Entry paletteEntry(QAction *action, const QString &icon)
{
    return {action->text().remove(QLatin1Char('&')), action->shortcut().toString(QKeySequence::NativeText), icon,
        [action] { action->trigger(); }, action->isEnabled()};
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
    action->setToolTip(plainTip(key.isEmpty() ? command.tip : tr("%1 (%2)").arg(command.tip, key)));
    connect(action, &QAction::triggered, owner, [run] { run(); });
    m_window->addAction(action);
    m_added.append({action, command.icon, command.inPalette});
    m_byId.insert(command.id, action);
    return action;
}

QAction *ActionRegistry::action(const char *id) const { return m_byId.value(id); }

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

void ActionRegistry::setEnabled(std::initializer_list<const char *> ids, bool on)
{
    for (const char *id : ids) {
        action(id)->setEnabled(on);
    }
}

QList<CommandPalette::Entry> ActionRegistry::paletteEntries(const QList<QAction *> &more) const
{
    QList<CommandPalette::Entry> entries;
    for (const Added &added : m_added) {
        if (added.inPalette) {
            entries.append(paletteEntry(added.action, added.icon));
        }
    }
    for (QAction *action : more) {
        entries.append(paletteEntry(action, {}));
    }
    std::sort(entries.begin(), entries.end(), [](const auto &a, const auto &b) {
        return a.enabled != b.enabled ? a.enabled : a.text.localeAwareCompare(b.text) < 0;
    });
    return entries;
}

} // namespace trainyard
