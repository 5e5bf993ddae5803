// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparetable.h"

#include "engine/api/values.h"
#include "widgets/common/chooserow.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/labels.h"
#include "widgets/common/ownwidths.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"
#include "widgets/compare/comparerows.h"
#include "widgets/compare/comparetablehead.h"
#include "widgets/jobs/filterfield.h"
#include "widgets/text/comparetexts.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

constexpr int growAfterMs = 200;
constexpr qsizetype sameShown = 4;
constexpr int leastRows = 3; // below the heads: of one alone, nothing is compared
using Part = CompareModel::Part;

} // namespace

CompareTablePane::CompareTablePane(CompareRuns *runs, QWidget *parent)
    : QWidget(parent), m_runs(runs), m_model(new CompareModel(runs, this)), m_filter(new CompareFilter(runs, this)),
      m_field(new FilterField(tr("lr<=0.1, state:running…"))), m_head(new CompareTableHead(runs)),
      m_same(new ElidedLabel), m_more(new QToolButton), m_other(new ElidedLabel), m_empty(new EmptyState),
      m_view(new CompareRowsView)
{
    auto *same = new Ground(Colour::Surface);
    same->setBorders(Qt::BottomEdge);
    same->setFixedHeight(metrics::row);
    auto *sameLayout = new QHBoxLayout(same);
    sameLayout->setContentsMargins(metrics::space3, 0, metrics::space2, 1);
    sameLayout->setSpacing(metrics::space2);
    sameLayout->addWidget(mutedLabel(tr("Same in all:")));
    m_same->setElideMode(Qt::ElideRight);
    m_same->setObjectName(QStringLiteral("compareSame"));
    sameLayout->addWidget(m_same);
    setButtonKind(m_more, ButtonKind::Link);
    sameLayout->addWidget(m_more);
    sameLayout->addStretch(1);
    m_sameLine = same;
    auto *other = new Ground(Colour::Surface);
    other->setBorders(Qt::BottomEdge);
    other->setFixedHeight(metrics::row);
    auto *otherLayout = new QHBoxLayout(other);
    otherLayout->setContentsMargins(metrics::space3, 0, metrics::space2, 1);
    otherLayout->setSpacing(metrics::space2);
    otherLayout->addWidget(mutedLabel(tr("What else differs:")));
    m_other->setElideMode(Qt::ElideRight);
    m_other->setObjectName(QStringLiteral("compareOther"));
    otherLayout->addWidget(m_other, 1);
    m_otherLine = other;

    m_filter->setSourceModel(m_model);
    m_view->setModel(m_filter);
    m_widths = new OwnWidths(m_view->header(),
        [this](int column) { return m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); });
    m_view->setObjectName(QStringLiteral("compareTable"));
    m_view->setAccessibleName(tr("Runs"));
    setTableLook(m_view);
    m_view->setItemDelegate(new CompareDelegate(runs, this));
    m_view->setSortingEnabled(true);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setMouseTracking(true);
    m_view->setAutoScroll(false);
    m_view->setMinimumHeight((1 + leastRows) * metrics::row + metrics::scrollBar);
    m_view->installEventFilter(this);
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setHighlightSections(false);
    m_view->header()->setSectionsMovable(false);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_field->setContentsMargins(metrics::space2, metrics::space1, metrics::space2, metrics::space1);
    m_field->field()->setObjectName(QStringLiteral("compareFilter"));
    m_field->field()->setAccessibleName(tr("Filter runs"));
    m_field->setWords([this] { return filterWords(jobs()); });
    layout->addWidget(m_head);
    layout->addWidget(m_field);
    layout->addWidget(m_sameLine);
    layout->addWidget(m_otherLine);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_view, 1);
    m_empty->setIcon(QStringLiteral("chart"));
    m_empty->setText(tr("The runs that are compared are listed here, the best first."));
    m_empty->setAction(tr("Add runs…"), QStringLiteral("plus"));
    connect(m_empty, &EmptyState::actionTriggered, this, &CompareTablePane::addRequested);

    connect(m_field, &FilterField::filterChanged, this, &CompareTablePane::applyFilter);
    connect(m_field, &FilterField::listRequested, this, [this] { enterRows(m_view, m_filter->index(0, 0)); });
    // Other runs or other values may match.
    connect(runs, &CompareRuns::reset, this, &CompareTablePane::applyFilter);
    connect(runs, &CompareRuns::valuesChanged, this, &CompareTablePane::applyFilter);
    connect(runs, &CompareRuns::valuesChanged, this, &CompareTablePane::followBest);
    connect(m_more, &QToolButton::clicked, this, &CompareTablePane::sameRequested);
    connect(m_view, &QTreeView::clicked, this, &CompareTablePane::onClicked);
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex &at) {
        Q_EMIT openRequested(m_runs->runs().at(CompareModel::runsOf(at).constFirst()).job.uuid);
    });
    connect(m_view, &QWidget::customContextMenuRequested, this, &CompareTablePane::showMenu);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &at) {
        if (at.isValid()) {
            const qsizetype run = CompareModel::runsOf(at).constFirst();
            m_currentJob = m_runs->runs().at(run).job.uuid;
            // When the table is made again, it stays where a person has scrolled it, at first at the best.
            if (!m_isFollowing) {
                m_isCurrentChosen = true;
                // Only up and down: the columns that are in sight stay there.
                const int across = m_view->horizontalScrollBar()->value();
                m_view->scrollTo(at.siblingAtColumn(0));
                m_view->horizontalScrollBar()->setValue(across);
            }
            Q_EMIT currentChanged(run);
        }
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        [this] { m_selectedJobs = m_runs->uuidsOf(selected()); });
    connect(m_view->header(), &QHeaderView::sortIndicatorChanged, this, [this](int section) {
        m_sortTitle = m_model->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    });
    connect(m_filter, &QAbstractItemModel::modelReset, this, &CompareTablePane::fitColumns);
    auto *grow = new QTimer(this); // runs tell many values at once
    grow->setSingleShot(true);
    grow->setInterval(growAfterMs);
    connect(grow, &QTimer::timeout, this, &CompareTablePane::growColumns);
    connect(m_filter, &QAbstractItemModel::dataChanged, grow, [grow] {
        if (!grow->isActive()) {
            grow->start();
        }
    });
    connect(runs, &CompareRuns::brushChanged, this, &CompareTablePane::updateHead);
    connect(runs, &CompareRuns::drawnChanged, this, &CompareTablePane::updateHead);
    fitColumns();
}

SearchField *CompareTablePane::filterField() const { return m_field->field(); }

QList<JobSummary> CompareTablePane::jobs() const
{
    QList<JobSummary> jobs;
    for (const CompareRun &run : m_runs->runs()) {
        jobs.append(run.job);
    }
    return jobs;
}

void CompareTablePane::applyFilter()
{
    const JobFilter &filter = m_field->filter();
    m_field->setRemark(filter.isEmpty() ? QString() : newestValueRemark(filter, jobs()));
    m_runs->setHidden(m_model->unmatched(filter));
    updateHead();
}

void CompareTablePane::updateHead()
{
    const int all = int(m_runs->rowsWithHidden()), shown = m_filter->rowCount();
    const QString count = shown == all ? QString::number(all) : tr("%1 of %2").arg(shown).arg(all);
    // If runs are folded, rows are counted, as before the comma.
    const auto drawn = std::count_if(m_runs->rows().cbegin(), m_runs->rows().cend(),
        [this](const QList<qsizetype> &row) { return lookOfRow(*m_runs, row) >= 0; });
    m_head->setCount(all == 0 ? QString() : tr("%1, %2 drawn").arg(count, QString::number(drawn)));
    m_empty->setVisible(all == 0);
    m_view->setVisible(all > 0);
    m_field->setVisible(all > 0);
    qsizetype rest = 0;
    const QString same = sameWords(m_runs->table().same, m_runs->runs(), sameShown, &rest);
    m_same->setText(same);
    m_more->setText(same.isEmpty() ? tr("%n setting(s)", nullptr, int(rest)) : tr("%n more", nullptr, int(rest)));
    m_more->setVisible(rest > 0);
    m_hasSame = m_runs->runs().size() > 1 && (rest > 0 || !same.isEmpty());
    const QString other = otherDifferences(m_runs->table().different, m_runs->runs());
    m_other->setText(other);
    m_hasOther = !other.isEmpty();
    fitLines();
}

QSize CompareTablePane::minimumSizeHint() const
{
    int lines = 0;
    for (const QWidget *line : {m_sameLine, m_otherLine}) {
        lines += line->isHidden() ? 0 : metrics::row;
    }
    return QWidget::minimumSizeHint() - QSize(0, lines);
}

void CompareTablePane::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitLines();
}

void CompareTablePane::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    fitLines();
}

// Until a person has chosen a run, the best one is current; which it is changes while they run.
void CompareTablePane::followBest()
{
    const QScopedValueRollback<bool> following(m_isFollowing, true);
    const qsizetype run = m_isCurrentChosen ? m_runs->indexOf(m_currentJob) : -1;
    m_isCurrentChosen = run >= 0 && !m_runs->isHidden(run);
    const qsizetype wanted = m_isCurrentChosen ? run : m_runs->best();
    if (const QModelIndex at = m_view->currentIndex(); !at.isValid() || !CompareModel::runsOf(at).contains(wanted)) {
        setCurrent(wanted); // of several rows that are selected, only this one would stay
    }
}

void CompareTablePane::selectAgain(const QStringList &uuids)
{
    if (uuids.size() < 2) {
        return; // it is the current one
    }
    QItemSelection rows;
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        const QModelIndex at = m_filter->index(row, 0);
        const QStringList ofRow = m_runs->uuidsOf(CompareModel::runsOf(at));
        if (std::any_of(ofRow.cbegin(), ofRow.cend(), [&uuids](const QString &uuid) { return uuids.contains(uuid); })) {
            rows.select(at, at);
        }
    }
    m_view->selectionModel()->select(rows, QItemSelectionModel::Select | QItemSelectionModel::Rows);
}

QList<qsizetype> CompareTablePane::selected() const
{
    QModelIndexList rows = m_view->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const QModelIndex &a, const QModelIndex &b) { return a.row() < b.row(); });
    QList<qsizetype> all;
    for (const QModelIndex &row : std::as_const(rows)) {
        all += CompareModel::runsOf(row);
    }
    return all;
}

QList<qsizetype> CompareTablePane::placesOf(const QStringList &uuids) const
{
    QList<qsizetype> runs;
    for (const QString &uuid : uuids) {
        if (const qsizetype run = m_runs->indexOf(uuid); run >= 0) {
            runs.append(run);
        }
    }
    return runs;
}

qsizetype CompareTablePane::current() const { return m_runs->indexOf(m_currentJob); }

void CompareTablePane::setCurrent(qsizetype run)
{
    for (int row = 0; row < m_model->rowCount() && run >= 0; ++row) {
        const QModelIndex at = m_model->index(row, 0);
        if (CompareModel::runsOf(at).contains(run)) {
            chooseRow(m_view, m_filter->mapFromSource(at));
            return;
        }
    }
}

QByteArray CompareTablePane::saveLayout() const
{
    const bool isUp = m_view->header()->sortIndicatorOrder() == Qt::AscendingOrder;
    return m_sortTitle.isEmpty() ? QByteArray() : (isUp ? '+' : '-') + m_sortTitle.toUtf8();
}

void CompareTablePane::restoreLayout(const QByteArray &layout)
{
    if (!layout.isEmpty()) {
        m_sortTitle = QString::fromUtf8(layout.sliced(1));
        const QSignalBlocker quiet(m_view->header());
        m_view->header()->setSortIndicator(m_view->header()->sortIndicatorSection(),
            layout.startsWith('+') ? Qt::AscendingOrder : Qt::DescendingOrder);
        fitColumns();
    }
}

// If runs are folded, whether one of those that share its row is drawn.
bool CompareTablePane::isDrawn(qsizetype run) const
{
    return std::any_of(m_runs->rows().cbegin(), m_runs->rows().cend(),
        [&](const QList<qsizetype> &row) { return row.contains(run) && lookOfRow(*m_runs, row) >= 0; });
}

void CompareTablePane::setDrawn(const QList<qsizetype> &runs, bool on)
{
    if (!m_runs->setDrawn(runs, on)) {
        Q_EMIT tooManyDrawn();
    }
}

void CompareTablePane::onClicked(const QModelIndex &at)
{
    const QList<qsizetype> row = CompareModel::runsOf(at);
    m_currentJob = m_runs->runs().at(row.constFirst()).job.uuid;
    m_isCurrentChosen = true;
    if (CompareModel::partOf(at) == Part::Check || CompareModel::partOf(at) == Part::Line) {
        setDrawn(row, lookOfRow(*m_runs, row) < 0);
    } else if (CompareModel::partOf(at) == Part::Star) {
        const JobSummary &job = m_runs->runs().at(row.constFirst()).job;
        Q_EMIT starRequested(job.uuid, !job.labels.isStarred);
    }
}

bool CompareTablePane::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_view && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const QList<qsizetype> rows = selected();
        if (key->key() == Qt::Key_Space && !rows.isEmpty()) {
            setDrawn(rows, !isDrawn(rows.constFirst()));
            return true;
        }
        if (key->matches(QKeySequence::Copy)) {
            QApplication::clipboard()->setText(CompareModel::asTable(*m_filter));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard
