// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of the table of runs.
#include "engine/api/jobfacts.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/compare/comparetable.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QTreeView>

#include <algorithm>
#include <numeric>

namespace trainyard
{

// While it is open, runs may come and go and have other places: it keeps their ids.
void CompareTablePane::showMenu(const QPoint &at)
{
    const QList<qsizetype> rows = selected();
    if (rows.isEmpty()) {
        return;
    }
    const JobSummary &first = m_runs->runs().at(rows.constFirst()).job;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const QStringList uuids = m_runs->uuidsOf(rows);
    menu->addAction(tr("Open"), this, [this, uuid = first.uuid] { Q_EMIT openRequested(uuid); });
    const bool areDrawn = isDrawn(rows.constFirst());
    menu->addAction(areDrawn ? tr("Leave out of the plots") : tr("Draw in the plots"), QKeySequence(Qt::Key_Space),
        this, [this, uuids, areDrawn] { setDrawn(placesOf(uuids), !areDrawn); });
    menu->addAction(tr("Draw these alone"), this, [this, uuids] {
        QList<qsizetype> all(m_runs->runs().size()); // also those that the filter hides
        std::iota(all.begin(), all.end(), 0);
        m_runs->setDrawn(all, false);
        setDrawn(placesOf(uuids), true);
    });
    menu->addAction(icon(QStringLiteral("star")), first.labels.isStarred ? tr("Remove the star") : tr("Star"), this,
        [this, uuids, on = !first.labels.isStarred] {
            for (const QString &uuid : uuids) {
                Q_EMIT starRequested(uuid, on);
            }
        });
    menu->addSeparator();
    menu->addAction(icon(QStringLiteral("copy")), tr("Copy the table"), QKeySequence(QKeySequence::Copy), this,
        [this] { QApplication::clipboard()->setText(CompareModel::asTable(*m_filter)); });
    menu->addAction(tr("Remove from the comparison"), this, [this, uuids] { Q_EMIT removeRequested(placesOf(uuids)); });
    const bool isActive = std::any_of(
        rows.cbegin(), rows.cend(), [this](qsizetype run) { return isUnderway(m_runs->runs().at(run).job); });
    enableOr(menu->addAction(icon(QStringLiteral("stop")), tr("Stop"), this,
                 [this, uuids] { Q_EMIT stopRequested(placesOf(uuids)); }),
        isActive, tr("The selected runs have ended."));
    menu->popup(m_view->viewport()->mapToGlobal(at));
}

} // namespace trainyard
