// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobstablepage.h"

#include "widgets/common/chooserow.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/ownwidths.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"
#include "widgets/jobs/filterfield.h"
#include "widgets/jobs/jobcolumns.h"
#include "widgets/jobs/jobsselection.h"
#include "widgets/jobs/jobstablemodel.h"
#include "widgets/jobs/jobstableview.h"
#include "widgets/jobs/labelactions.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequence>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int fewestCompared = 2;
constexpr int filterWidth = 520;
constexpr int filteredWithEachKey = 5000; // jobs
constexpr int typingPauseMs = 80;
constexpr int actionsEveryMs = 50;

} // namespace

JobsTablePage::JobsTablePage(QWidget *parent)
    : QWidget(parent), m_model(new JobsTableModel(this)), m_view(new JobsTableView(m_model)),
      m_filter(new FilterField(tr("state:failed tag:baseline lr>1e-3 loss<0.2 after:2026-10-01"))),
      m_head(new PageHead(tr("All jobs"))), m_count(mutedLabel({})), m_empty(new EmptyState), m_undo(new InfoBar),
      m_fold(new QToolButton)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    auto *bar = new Ground(Colour::Surface);
    bar->setBorders(Qt::BottomEdge);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(metrics::space4, metrics::space1, metrics::space3, metrics::space1);
    row->setSpacing(metrics::space2);
    m_filter->setMinimumWidth(metrics::sideWidth);
    m_filter->setMaximumWidth(filterWidth);
    m_filter->field()->setAccessibleName(tr("Filter jobs"));
    m_filter->setWords([this] { return words(); });
    row->addWidget(m_filter, 1);
    m_count->setObjectName(u"jobsCount"_s);
    row->addWidget(m_count);
    row->addStretch();
    m_fold->setText(tr("Fold groups"));
    m_fold->setToolTip(plainTip(tr("Show the jobs of a group, such as those of a sweep, as one row")));
    m_fold->setCheckable(true);
    m_fold->setObjectName(u"foldGroups"_s);
    connect(m_fold, &QToolButton::clicked, this, [this](bool on) {
        setFolded(on);
        Q_EMIT arranged();
    });
    row->addWidget(m_fold);
    layout->addWidget(bar);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_undo);
    makeActions(m_head);

    setTableLook(m_view);
    m_view->setObjectName(u"jobsTable"_s);
    m_view->setAccessibleName(tr("All jobs"));
    m_view->setTextElideMode(Qt::ElideMiddle); // the jobs of a sweep differ at the end of their names
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setMouseTracking(true);
    m_widths = new OwnWidths(m_view->header(), [this](int column) { return m_model->columns().value(column); });
    m_view->header()->setSectionsMovable(false);
    m_view->header()->setSortIndicator(int(m_model->columns().indexOf("id"_L1)), Qt::DescendingOrder);
    m_view->setSortingEnabled(true);
    connect(m_view->header(), &QHeaderView::sortIndicatorChanged, this, &JobsTablePage::arranged);
    m_view->header()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view->header(), &QWidget::customContextMenuRequested, this, [this](const QPoint &at) {
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        fillColumns(menu);
        menu->popup(m_view->header()->mapToGlobal(at));
    });
    const auto open = [this](const QModelIndex &at) {
        if (const QString group = at.data(JobsTableModel::GroupRole).toString(); !group.isEmpty()) {
            Q_EMIT groupRequested(group);
        } else if (at.isValid()) {
            Q_EMIT openRequested(at.data(JobsTableModel::UuidRole).toString());
        }
    };
    connect(m_view, &QTreeView::activated, this, open);
    connect(m_filter, &FilterField::firstRequested, this, [this, open] { open(m_model->index(0, 0)); });
    connect(m_filter, &FilterField::listRequested, this, [this] { enterRows(m_view, m_model->index(0, 0)); });
    connect(m_view, &QTreeView::clicked, this, &JobsTablePage::starClicked);
    connect(m_view, &QWidget::customContextMenuRequested, this, &JobsTablePage::showMenu);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &JobsTablePage::updateActions);
    auto *copy = new QShortcut(QKeySequence(QKeySequence::Copy), m_view);
    copy->setContext(Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, [this] { QApplication::clipboard()->setText(selectionAsText()); });
    auto *pause = new QTimer(this);
    pause->setSingleShot(true);
    pause->setInterval(typingPauseMs);
    const auto apply = [this] {
        m_model->setFilter(m_filter->filter());
        Q_EMIT arranged();
    };
    connect(pause, &QTimer::timeout, this, apply);
    connect(m_empty, &EmptyState::actionTriggered, this, [this] { m_filter->setText({}); });
    connect(m_filter, &FilterField::filterChanged, this, [this, pause, apply] {
        updateCount(); // the text may be wrong now, with the same rows
        if (m_model->jobCount() <= filteredWithEachKey) {
            apply();
        } else {
            pause->start(); // no key waits for the rows
        }
    });
    connect(m_view, &JobsTableView::selectionRestored, this, &JobsTablePage::updateActions);
    connect(m_model, &JobsTableModel::rearranged, this, &JobsTablePage::showFolding);
    // Another filter: what it lets through may need more room, and columns that shrink with each key would jump.
    connect(m_model, &JobsTableModel::rearranged, this, [this] { fitColumns(Fit::Grow); });
    connect(m_model, &QAbstractItemModel::modelReset, this, &JobsTablePage::updateCount);
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, &JobsTablePage::updateCount);
    // A job that is selected may have ended, and has other actions then. All that are selected are looked at: not once
    // for each of thousands that change.
    auto *soon = new QTimer(this);
    soon->setSingleShot(true);
    soon->setInterval(actionsEveryMs);
    connect(soon, &QTimer::timeout, this, &JobsTablePage::updateActions);
    connect(m_model, &QAbstractItemModel::dataChanged, this, [this, soon](const QModelIndex &at) {
        if (!soon->isActive() && m_view->selectionModel()->isSelected(at)) {
            soon->start();
        }
    });
    connect(m_model, &JobsTableModel::jobCountChanged, this, &JobsTablePage::updateCount);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex &, int first) {
        updateCount();
        if (first == 0) {
            fitColumns(); // the first rows say how much room there must be
        }
    });
    auto *tick = new QTimer(this);
    tick->start(1000);
    connect(tick, &QTimer::timeout, this, [this] {
        if (m_view->isVisible()) {
            m_view->viewport()->update(); // how long jobs have run
        }
    });
    showFolding();
    updateCount();
    updateActions();
}

// Its parts go after it, and still speak then: of the selection, and of a filter that loses the focus.
JobsTablePage::~JobsTablePage()
{
    m_filter->disconnect(this);
    m_model->disconnect(this);
    m_view->selectionModel()->disconnect(this);
}

void JobsTablePage::makeActions(PageHead *head)
{
    const auto button = [&](const QString &text, const QString &iconName, auto &&run, bool losesWordsFirst = false) {
        auto *made = new QPushButton(icon(iconName), text);
        head->addButton(made, losesWordsFirst);
        connect(made, &QPushButton::clicked, this, run);
        return made;
    };
    const auto ofSelection = [&](const QString &text, const QString &iconName, auto &&run) {
        m_buttons.append(button(text, iconName, run));
        return m_buttons.constLast();
    };
    m_compare = ofSelection(tr("Compare"), u"chart"_s, [this] { Q_EMIT compareRequested(chosen()); });
    ofSelection(tr("Tags…"), u"tag"_s, [this] { Q_EMIT labelsRequested(m_view->selected(), false); });
    m_retry = ofSelection(tr("Retry"), u"restart"_s,
        [this] { Q_EMIT retryRequested(selectedUuids([](const JobSummary &job) { return isFinal(job.state); })); });
    m_stop = ofSelection(tr("Stop"), u"stop"_s,
        [this] { Q_EMIT stopRequested(selectedUuids([](const JobSummary &job) { return !isFinal(job.state); })); });
    m_remove = ofSelection(tr("Delete"), u"remove"_s, [this] {
        const Deletion deletion = deletionOf(m_view->selected());
        if (!deletion.uuids.isEmpty()) {
            m_view->setFocus(); // no key presses the button again, which would be about other jobs
        }
        Q_EMIT removeRequested(deletion.uuids, deletion.kept);
        if (!deletion.uuids.isEmpty() && deletion.kept > 0) {
            m_view->clearSelection(); // alone, a job with a star would be deleted the next time
        }
    });
    QPushButton *columns = button(
        tr("Columns"), u"table"_s, [] {}, true);
    columns->setToolTip(plainTip(tr("Choose the columns of the table")));
    auto *menu = new QMenu(columns);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        fillColumns(menu);
    });
    columns->setMenu(menu);
    button(
        tr("Export…"), u"download"_s, [this] { Q_EMIT exportRequested(); }, true)
        ->setToolTip(plainTip(tr("Save the jobs that are shown as a table")));
    auto *remove = new QShortcut(QKeySequence(Qt::Key_Delete), m_view);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, m_remove, &QPushButton::click);
}

QStringList JobsTablePage::selectedUuids(bool (*wanted)(const JobSummary &job)) const
{
    QStringList uuids;
    const QList<JobSummary> jobs = m_view->selected();
    for (const JobSummary &job : jobs) {
        if (wanted(job)) {
            uuids.append(job.uuid);
        }
    }
    return uuids;
}

QStringList JobsTablePage::chosen() const
{
    return selectedUuids([](const JobSummary &) { return true; });
}

QString JobsTablePage::selectionAsText() const
{
    return QString::fromUtf8(
        jobsAsText(m_view->selected(), m_model->columns(), '\t', QDateTime::currentMSecsSinceEpoch()));
}

void JobsTablePage::updateActions()
{
    const QList<JobSummary> jobs = m_view->selected();
    const auto any = [&jobs](bool isOver) {
        return std::any_of(
            jobs.cbegin(), jobs.cend(), [isOver](const JobSummary &job) { return isFinal(job.state) == isOver; });
    };
    const QString none = tr("Select jobs in the table first.");
    const auto enable = [&](QPushButton *button, bool on, const QString &whyOff) {
        button->setEnabled(on);
        const QString why = on ? QString() : jobs.isEmpty() ? none : whyOff;
        button->setToolTip(plainTip(on ? button->accessibleName() : why)); // its words may have no room
        button->setStatusTip(why); // as it is, for the menu
    };
    for (QPushButton *button : std::as_const(m_buttons)) {
        enable(button, !jobs.isEmpty(), none);
    }
    enable(m_compare, jobs.size() >= fewestCompared && jobs.size() <= mostCompared,
        tr("Two to %1 jobs can be compared.").arg(int(mostCompared)));
    enable(m_retry, any(true), tr("None of the selected jobs has ended."));
    enable(m_remove, any(true), tr("None of the selected jobs has ended. Stop them first."));
    enable(m_stop, any(false), tr("All of the selected jobs have ended."));
    updateCount();
}

void JobsTablePage::updateCount()
{
    const QLocale locale;
    const int shown = m_model->shownCount();
    const int all = m_model->jobCount();
    const qsizetype marked = m_view->selectionModel() ? m_view->selected().size() : 0;
    QStringList parts{shown != all ? tr("%1 of %2 jobs").arg(locale.toString(shown), locale.toString(all))
            : all == 1             ? tr("1 job")
                                   : tr("%1 jobs").arg(locale.toString(all))};
    // The error of a filter is at its field, which is sufficient.
    const bool isReadable = m_filter->errorText().isEmpty();
    if (shown == 0 && all > 0 && isReadable) {
        parts = {tr("No job matches")};
    }
    if (m_isLoading) {
        parts.append(tr("more are being read"));
    }
    if (marked > 0) {
        parts.append(tr("%1 selected").arg(locale.toString(marked)));
    }
    m_count->setText(parts.join(", "_L1));
    m_empty->setText(all > 0 ? m_filter->text().trimmed().isEmpty() ? tr("All of these jobs are in the archive.")
                : isReadable                                        ? tr("No job matches the filter.")
                                                                    : QString()
            : m_isLoading ? tr("The jobs are being read.")
                             : tr("Jobs you run are listed here."));
    m_empty->setAction(
        all > 0 && !m_filter->text().trimmed().isEmpty() ? tr("Remove the filter") : QString(), u"filter"_s);
    m_empty->setVisible(shown == 0);
    m_view->setVisible(shown > 0);
}

void JobsTablePage::setLoading(bool on)
{
    m_isLoading = on;
    updateCount();
}

void JobsTablePage::setSorting(const QString &key, Qt::SortOrder order)
{
    if (const auto column = m_model->columns().indexOf(key); column >= 0) {
        m_view->sortByColumn(int(column), order);
    }
}

void JobsTablePage::setFolded(bool on)
{
    m_model->setFolded(on);
    showFolding();
}

void JobsTablePage::showFolding()
{
    m_fold->setVisible(m_model->hasGroups());
    m_fold->setChecked(m_model->isFolded());
}

// The star of a group is that of all of its jobs.
void JobsTablePage::starClicked(const QModelIndex &at)
{
    if (m_model->columns().at(at.column()) != "star"_L1) {
        return;
    }
    const QList<JobSummary> jobs = m_model->jobsAt(at);
    const bool areStarred
        = std::all_of(jobs.cbegin(), jobs.cend(), [](const JobSummary &job) { return job.labels.isStarred; });
    QStringList uuids;
    for (const JobSummary &job : jobs) {
        uuids.append(job.uuid);
    }
    Q_EMIT starRequested(uuids, !areStarred);
}

void JobsTablePage::showMenu(const QPoint &at)
{
    const QList<JobSummary> jobs = m_view->selected();
    if (jobs.isEmpty() || !m_view->indexAt(at).isValid()) {
        return;
    }
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true); // they say why an entry is off
    const QModelIndexList rows = m_view->selectedRows();
    if (jobs.size() == 1) {
        menu->addAction(tr("Open"), this, [this, uuid = jobs.constFirst().uuid] { Q_EMIT openRequested(uuid); });
    } else if (const QString group = rows.constFirst().data(JobsTableModel::GroupRole).toString();
               rows.size() == 1 && !group.isEmpty()) {
        menu->addAction(tr("Open"), this, [this, group] { Q_EMIT groupRequested(group); });
        const bool isOpen = m_view->isExpanded(rows.constFirst());
        menu->addAction(isOpen ? tr("Fold") : tr("Unfold"), this,
            [this, group, isOpen] { m_view->setExpanded(m_model->indexOfGroup(group), !isOpen); });
    }
    const auto add = [&](QPushButton *button) {
        enableOr(menu->addAction(button->icon(), button->text(), button, &QPushButton::click), button->isEnabled(),
            button->statusTip());
    };
    add(m_compare);
    menu->addSeparator();
    addLabelActions(menu, this, jobs,
        {[this](const QStringList &, bool note) { Q_EMIT labelsRequested(m_view->selected(), note); },
            [this](const QStringList &uuids, bool on) { Q_EMIT starRequested(uuids, on); },
            [this](const QStringList &uuids, bool on) { Q_EMIT archiveRequested(uuids, on); }});
    menu->addSeparator();
    menu->addAction(icon(u"copy"_s), tr("Copy"), QKeySequence(QKeySequence::Copy), this,
        [this] { QApplication::clipboard()->setText(selectionAsText()); });
    menu->addSeparator();
    for (QPushButton *button : {m_retry, m_stop, m_remove}) {
        add(button);
    }
    menu->popup(m_view->viewport()->mapToGlobal(at));
}

} // namespace trainyard
