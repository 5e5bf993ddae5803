// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/zoomentries.h"

#include "widgets/plot/curveplot.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

namespace trainyard
{
namespace
{
struct ZoomEntriesTexts {
    Q_DECLARE_TR_FUNCTIONS(ZoomEntries)
};
} // namespace

void addZoomEntries(QMenu *menu, CurvePlot *plot, const QPoint &at)
{
    // The keys are those of a plot that has the focus; here they are only told.
    const auto add = [menu, plot](const QString &text, const QKeySequence &key, const auto &act) {
        QAction *action = menu->addAction(text, plot, act);
        action->setShortcut(key);
        action->setShortcutVisibleInContextMenu(true);
        return action;
    };
    const QPoint inside = plot->mapFromGlobal(at);
    add(ZoomEntriesTexts::tr("Zoom in here"), Qt::Key_Plus, [plot, inside] {
        plot->zoomIn(inside);
    })->setObjectName(QStringLiteral("zoomIn"));
    QAction *chosen
        = add(ZoomEntriesTexts::tr("Zoom to the selected range"), {}, [plot] { plot->zoomTo(plot->chosenRange()); });
    chosen->setObjectName(QStringLiteral("zoomToChosen"));
    chosen->setEnabled(plot->chosenRange().has_value());
    QAction *out = add(ZoomEntriesTexts::tr("Zoom out"), Qt::Key_Minus, [plot] { plot->zoomOut(); });
    out->setObjectName(QStringLiteral("zoomOut"));
    out->setEnabled(plot->isZoomed());
    QAction *all = add(ZoomEntriesTexts::tr("Show everything"), Qt::Key_0, [plot] { plot->zoomTo(std::nullopt); });
    all->setObjectName(QStringLiteral("showEverything"));
    all->setEnabled(plot->isZoomed());
}

} // namespace trainyard
