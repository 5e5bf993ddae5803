// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobspane.h"

#include "engine/api/foreignid.h"
#include "widgets/common/chooserow.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/menukeys.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/jobs/filterfield.h"
#include "widgets/jobs/jobsdelegate.h"
#include "widgets/jobs/jobsdrag.h"
#include "widgets/jobs/jobsfilter.h"
#include "widgets/jobs/jobshead.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobsselection.h"
#include "widgets/jobs/keptrows.h"

#include <QApplication>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QTimer>
#include <QToolTip>
#include <QTreeView>
#include <QVBoxLayout>

namespace trainyard
{

JobsPane::JobsPane(QWidget *parent)
    : QWidget(parent), m_head(new JobsHead), m_model(new JobsModel(this)), m_filter(new JobsFilter(this)),
      m_filterField(new FilterField(tr("lr>1e-3, failed, tag:…"))), m_view(new QTreeView),
      m_empty(new EmptyState(EmptyState::Layout::Side)), m_noMatch(new EmptyState(EmptyState::Layout::Side)),
      m_undo(new InfoBar)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    m_filterField->setContentsMargins(metrics::space2, 0, metrics::space2, 6);
    m_filterField->field()->setAccessibleName(tr("Filter jobs"));
    m_filterField->setWords([this] { return filterWords(m_model->jobs()); });
    layout->addWidget(m_filterField);
    layout->addWidget(m_empty);
    layout->addWidget(m_noMatch);
    layout->addWidget(m_view, 1);
    layout->addStretch(0);
    layout->addWidget(m_undo);

    describeEmpty();
    connect(m_empty, &EmptyState::actionTriggered, this, &JobsPane::helloRequested);
    connect(m_noMatch, &EmptyState::actionTriggered, this,
        [this] { m_filterField->setText(m_filter->isNarrowed() ? QString() : QStringLiteral("with:archived")); });
    connect(m_noMatch, &EmptyState::remedyTriggered, this, [this] { Q_EMIT allJobsRequested(m_filterField->text()); });
    connect(m_head, &JobsHead::allJobsRequested, this, [this] { Q_EMIT allJobsRequested(m_filterField->text()); });
    connect(m_head, &JobsHead::conditionSwitched, this, [this](const QString &condition, bool on) {
        m_filterField->setText(withCondition(m_filterField->text(), condition, on));
    });

    m_filter->setSourceModel(m_model);
    m_kept = new KeptRows(m_view, m_filter, m_model);
    m_view->setModel(m_filter);
    m_kept->followView();
    m_view->setObjectName(QStringLiteral("jobsView"));
    m_view->setAccessibleName(tr("Jobs"));
    m_view->setItemDelegate(new JobsDelegate(this));
    m_view->setHeaderHidden(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setRootIsDecorated(false);
    m_view->setIndentation(0);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setExpandsOnDoubleClick(false);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setMouseTracking(true);
    m_view->viewport()->setBackgroundRole(QPalette::Window);
    m_drag = new JobsDrag(m_view, m_model, m_filter, this);
    connect(m_drag, &JobsDrag::yamlWanted, this, &JobsPane::yamlWanted);
    connect(m_drag, &JobsDrag::moveRequested, this, &JobsPane::moveRequested);
    m_view->viewport()->installEventFilter(this);
    m_view->viewport()->setAcceptDrops(true); // waiting jobs, to change their order
    unfold();
    const auto noteFold = [this](const QModelIndex &at, bool isOpen) {
        const QString sweep = at.data(JobsModel::SweepRole).toString();
        if (!m_isUnfolding && !sweep.isEmpty() && isOpen) {
            m_unfolded.insert(sweep);
        } else if (!m_isUnfolding && !sweep.isEmpty()) {
            m_unfolded.remove(sweep);
        }
    };
    connect(m_view, &QTreeView::expanded, this, [noteFold](const QModelIndex &at) { noteFold(at, true); });
    connect(m_view, &QTreeView::collapsed, this, [noteFold](const QModelIndex &at) { noteFold(at, false); });

    connect(m_filterField, &FilterField::filterChanged, this, [this] {
        m_head->follow(m_filterField->text());
        m_filter->setFilter(m_filterField->filter());
        unfold();
        updateCount();
    });
    connect(m_view, &QTreeView::clicked, this, &JobsPane::openClicked);
    connect(m_view, &QTreeView::activated, this, &JobsPane::openRow);
    connect(m_view, &QWidget::customContextMenuRequested, this, &JobsPane::showMenu);
    followKeys();
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        unfold();
        updateCount();
        m_kept->takeAgain();
    });
    connect(m_filter, &QAbstractItemModel::rowsRemoved, this, &JobsPane::updateCount);
    connect(m_filter, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex &group, int first, int last) {
        updateCount();
        for (int row = first; group.isValid() && row <= last; ++row) {
            const QModelIndex at = m_filter->index(row, 0, group);
            const int all = m_model->rowCount(m_filter->mapToSource(at));
            unfoldRow(at, m_filter->isNarrowed() && m_filter->rowCount(at) < all);
        }
        if (!group.isValid()) {
            unfold(); // a group came into sight
        }
        m_kept->takeAgain();
        if (group.isValid()) {
            // A job that was moved by keys can be moved further.
            if (const QModelIndex at = m_filter->mapFromSource(m_model->indexOf(m_moved));
                !m_moved.isEmpty() && at.isValid()) {
                m_moved.clear();
                chooseRow(m_view, at);
            }
        }
    });
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, &JobsPane::updateCount);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &JobsPane::updateCount);
    auto *tick = new QTimer(this);
    tick->start(1000);
    connect(tick, &QTimer::timeout, this, [this] {
        if (m_view->isVisible() && m_model->rowCount(m_model->index(JobsModel::Running, 0)) > 0) {
            m_view->viewport()->update();
        }
    });
    updateCount();
}

void JobsPane::followKeys()
{
    onMenuKey(m_view, [this](const QPoint &at) { showMenu(at); });
    for (const int rows : {-1, 1}) {
        auto *shortcut = new QShortcut(QKeySequence(rows < 0 ? moveUpKey : moveDownKey), m_view);
        shortcut->setContext(Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, rows] { moveInQueue(m_view->currentIndex(), rows); });
    }
    connect(m_filterField, &FilterField::listRequested, this, [this] { enterRows(m_view, firstRow()); });
    connect(m_filterField, &FilterField::firstRequested, this, [this] { openRow(firstRow()); });
    auto *remove = new QShortcut(QKeySequence(Qt::Key_Delete), m_view);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, [this] {
        const Deletion deletion = deletionOf(selectedJobs(m_view));
        if (!deletion.uuids.isEmpty() || deletion.kept > 0) {
            Q_EMIT removeRequested(deletion.uuids, deletion.kept);
        }
        if (!deletion.uuids.isEmpty() && deletion.kept > 0) {
            m_view->clearSelection(); // alone, a job with a star would be deleted the next time
        }
    });
}

// The first row of the jobs, whatever group they are in, or of the groups if all of them are folded.
QModelIndex JobsPane::firstRow() const
{
    for (int group = 0; group < m_filter->rowCount(); ++group) {
        if (const QModelIndex head = m_filter->index(group, 0); m_view->isExpanded(head)) {
            return m_filter->index(0, 0, head);
        }
    }
    return m_filter->index(0, 0);
}

void JobsPane::openRow(const QModelIndex &at)
{
    if (const QString sweep = at.data(JobsModel::SweepRole).toString(); !sweep.isEmpty()) {
        Q_EMIT compareGroupRequested(sweep);
    } else if (at.isValid() && !at.data(JobsModel::IsGroupRole).toBool()) {
        Q_EMIT openRequested(at.data(JobsModel::UuidRole).toString(), false);
    }
}

// A click with Ctrl or Shift is about the selection alone. The keys stay with the list after each click: Delete and
// Ctrl+A are about its rows.
void JobsPane::openClicked(const QModelIndex &at)
{
    if (m_pressedWith & (Qt::ControlModifier | Qt::ShiftModifier)) {
        return;
    }
    if (at.data(JobsModel::IsGroupRole).toBool()) {
        m_view->setExpanded(at, !m_view->isExpanded(at));
        return;
    }
    if (const QString sweep = at.data(JobsModel::SweepRole).toString(); !sweep.isEmpty()) {
        if (m_pressed.x() < JobsDelegate::starZone) {
            m_view->setExpanded(at, !m_view->isExpanded(at));
        } else {
            Q_EMIT compareGroupRequested(sweep);
        }
        m_view->setFocus(Qt::MouseFocusReason);
        return;
    }
    Q_EMIT openRequested(at.data(JobsModel::UuidRole).toString(), true);
    m_view->setFocus(Qt::MouseFocusReason);
}

// All groups; sweeps that the user has unfolded, and those of which a filter has found some jobs.
void JobsPane::unfold()
{
    const QModelIndexList some = m_filter->sweepsWithSomeMatches();
    for (int group = 0; group < m_filter->rowCount(); ++group) {
        const QModelIndex head = m_filter->index(group, 0);
        m_view->expand(head);
        for (int row = 0; row < m_filter->rowCount(head); ++row) {
            const QModelIndex at = m_filter->index(row, 0, head);
            unfoldRow(at, some.contains(at));
        }
    }
}

void JobsPane::unfoldRow(const QModelIndex &at, bool hasSomeMatches)
{
    const QString sweep = at.data(JobsModel::SweepRole).toString();
    if (!sweep.isEmpty()) {
        const QScopedValueRollback<bool> alone(m_isUnfolding, true);
        m_view->setExpanded(at, hasSomeMatches || m_unfolded.contains(sweep));
    }
}

void JobsPane::describeEmpty()
{
    if (m_isLoading) {
        m_empty->setText(tr("The jobs are being read."));
        m_empty->setAction({});
    } else if (m_trouble.isEmpty()) {
        m_empty->setText(tr("Jobs you run are listed here, newest first, with their state and results."));
        m_empty->setAction(tr("Run the hello-world job"), QStringLiteral("run"));
    } else {
        // There may be many; their number is not known.
        m_empty->setText(tr("Jobs cannot be listed now. %1").arg(m_trouble));
        m_empty->setAction({});
    }
}

void JobsPane::setTrouble(const QString &sentence)
{
    if (m_trouble != sentence) {
        m_trouble = sentence;
        describeEmpty();
    }
}

void JobsPane::setLoading(bool on)
{
    if (m_isLoading != on) {
        m_isLoading = on;
        describeEmpty();
    }
}

void JobsPane::updateCount()
{
    const int count = m_model->jobCount();
    const int shown = m_filter->shownCount();
    m_head->setCount(m_filter->countText(m_filter->isNarrowed() ? m_filter->allCount() : shown));
    m_empty->setVisible(count == 0);
    m_filterField->setVisible(count > 0);
    m_noMatch->setVisible(count > 0 && m_filter->rowCount() == 0); // runs from files are rows but not jobs
    if (m_filter->isNarrowed()) {
        m_noMatch->setText(tr("No job here matches. The list has the newest 500 jobs and those that have not ended."));
        m_noMatch->setAction(tr("Remove the filter"), QStringLiteral("filter"));
        m_noMatch->setRemedy(tr("Search all jobs"), QStringLiteral("table"));
    } else {
        m_noMatch->setText(tr("All of these jobs are in the archive."));
        m_noMatch->setAction(tr("Show archived jobs"), QStringLiteral("archive"));
        m_noMatch->setRemedy({});
    }
    m_view->setVisible(true);
}

SearchField *JobsPane::filterField() const { return m_filterField->field(); }

void JobsPane::setHidden(const QSet<QString> &uuids)
{
    m_filter->setHidden(uuids);
    unfold();
    updateCount();
}

void JobsPane::setCurrentJob(const QString &uuid)
{
    // News of the same job leave a selection of several as it is.
    if (std::exchange(m_marked, uuid) == uuid && m_view->selectionModel()->selectedRows().size() > 1) {
        return;
    }
    m_kept->chooseJob(uuid);
}

void JobsPane::setCurrentGroup(const QString &name)
{
    m_marked.clear();
    m_kept->chooseGroup(name);
}

QString JobsPane::currentJob() const { return m_view->currentIndex().data(JobsModel::UuidRole).toString(); }

void JobsPane::setYaml(const QString &uuid, const QByteArray &yaml) { m_drag->setYaml(uuid, yaml); }

// A waiting job one place up or down. Those of a sweep stand by their numbers, so that up and down say nothing there.
void JobsPane::moveInQueue(const QModelIndex &at, int rows)
{
    const auto job = m_model->job(m_filter->mapToSource(at));
    const QModelIndex other = at.sibling(at.row() + rows, 0);
    if (!job || job->state != State::Waiting || other.data(JobsModel::QueueRole).toString().isEmpty()
        || at.parent().parent().isValid()) {
        return;
    }
    m_moved = job->uuid;
    const QModelIndex before = rows < 0 ? other : other.sibling(other.row() + 1, 0);
    Q_EMIT moveRequested(job->uuid, before.data(JobsModel::QueueRole).toString());
}

bool JobsPane::eventFilter(QObject *watched, QEvent *event)
{
    if (const std::optional<bool> isDone = m_drag->handle(event)) {
        return *isDone;
    }
    if (event->type() == QEvent::MouseButtonDblClick) {
        // Two quick clicks on a star or on what unfolds a sweep do not open anything.
        const QPoint at = static_cast<QMouseEvent *>(event)->pos();
        const QModelIndex row = m_view->indexAt(at);
        const QString job = row.data(JobsModel::UuidRole).toString();
        return at.x() < JobsDelegate::starZone
            && (job.isEmpty() ? !row.data(JobsModel::SweepRole).toString().isEmpty() : !isForeign(job));
    }
    if (event->type() == QEvent::MouseButtonPress) {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        const auto job = m_model->job(m_filter->mapToSource(m_view->indexAt(mouse->pos())));
        if (job && !isForeign(job->uuid) && mouse->button() == Qt::LeftButton
            && mouse->pos().x() < JobsDelegate::starZone) {
            Q_EMIT starRequested({job->uuid}, !job->labels.isStarred);
            return true;
        }
        m_pressed = mouse->pos();
        m_pressedWith = mouse->modifiers();
        const QString pressed = mouse->button() == Qt::LeftButton
            ? m_view->indexAt(mouse->pos()).data(JobsModel::UuidRole).toString()
            : QString();
        m_drag->press(isForeign(pressed) ? QString() : pressed); // that has no job to be dragged
    } else if (event->type() == QEvent::MouseMove) {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        if (mouse->buttons().testFlag(Qt::LeftButton) && m_drag->isPressed()
            && (mouse->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
            m_drag->start();
            return true;
        }
        if (mouse->buttons() != Qt::NoButton) {
            return true; // no rubber band
        }
    } else if (event->type() == QEvent::MouseButtonRelease) {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        const QModelIndex at = m_view->indexAt(mouse->pos());
        const auto job = m_model->job(m_filter->mapToSource(at));
        // "why?" answers where it stands.
        if (job && job->state == State::Waiting && !job->reason.isEmpty()
            && mouse->pos().x() > m_view->viewport()->width() - 48) {
            QToolTip::showText(mouse->globalPosition().toPoint(), plainTip(m_model->whyText(*job)), m_view);
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard
