// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/fieldmenu.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>
#include <array>

namespace trainyard
{
namespace
{

// The entries have no names, only the words of the class that made them, and behind them the key.
bool isFieldEntry(const QAction *action, const char *words)
{
    static constexpr std::array makers{"QLineEdit", "QWidgetTextControl", "QsciScintilla"};
    const QString shown = action->text().section(QLatin1Char('\t'), 0, 0);
    return std::any_of(makers.begin(), makers.end(),
        [&](const char *maker) { return shown == QCoreApplication::translate(maker, words); });
}

} // namespace

void redirectUndo(QMenu *menu, const FieldMenuStep &undo, const FieldMenuStep &redo)
{
    const QList<QAction *> actions = menu->actions();
    for (QAction *action : actions) {
        const FieldMenuStep *step = isFieldEntry(action, "&Undo") ? &undo
            : isFieldEntry(action, "&Redo")                       ? &redo
                                                                  : nullptr;
        if (step) {
            QObject::disconnect(action, &QAction::triggered, nullptr, nullptr);
            action->setEnabled(step->isEnabled);
            QObject::connect(action, &QAction::triggered, menu, step->run);
        }
    }
}

} // namespace trainyard
