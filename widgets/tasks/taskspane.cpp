// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/taskspane.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/menukeys.h"
#include "widgets/common/meters.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/selectedrows.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"
#include "widgets/common/tablelook.h"
#include "widgets/tasks/portsmenu.h"
#include "widgets/tasks/taskactions.h"
#include "widgets/tasks/tasksfilter.h"
#include "widgets/tasks/tasksview.h"
#include "widgets/tasks/taskuse.h"

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace trainyard
{
namespace
{
constexpr std::array columnWidths{64, 104, 100, 48, 122, 128, 68};
constexpr int leastHost = 48;
constexpr int widestHost = 200;
constexpr int readableHost = 128; // what an exit that has no room for its words leaves to it
constexpr int narrowestHost = 24; // where a code and the time have no room beside it
constexpr int widestExit = 320;
constexpr int percentWidth = 46; // right of the line of its use
constexpr int widestTime = 140;
constexpr int widestNumber = 160; // no job has as many tasks

} // namespace

TasksPane::TasksPane(QWidget *parent)
    : QWidget(parent), m_model(new TasksModel(this)), m_filter(new TasksFilter(this)), m_count(smallMutedLabel({})),
      m_field(new SearchField(SearchField::Kind::Filter, tr("Filter tasks"))), m_view(new TasksView),
      m_use(new TaskUse(m_view)), m_actions(new TaskActions(
                                      m_model, [this] { return chosenTasks(); }, this)),
      m_ports(new PortsMenu([this] { return currentTask(); }, this))
{
    auto *head = new Ground(Colour::Surface);
    head->setBorders(Qt::BottomEdge);
    head->setFixedHeight(metrics::paneHead);
    auto *headLayout = new QHBoxLayout(head);
    headLayout->setContentsMargins(metrics::space3, 0, metrics::space2, 1);
    headLayout->setSpacing(6);
    headLayout->addWidget(semiboldLabel(tr("Tasks")));
    headLayout->addWidget(m_count);
    headLayout->addStretch();
    setSmall(m_field);
    m_field->setMinimumWidth(84); // on a narrow page
    m_field->setMaximumWidth(120);
    headLayout->addWidget(m_field);
    headLayout->addWidget(m_ports->makeButton());
    headLayout->addWidget(m_actions->makeButton());

    m_filter->setSourceModel(m_model);
    m_view->setModel(m_filter);
    m_view->setObjectName(QStringLiteral("tasksView"));
    m_view->setAccessibleName(tr("Tasks"));
    setTableLook(m_view);
    m_view->setItemDelegate(new TasksDelegate(m_use, this));
    m_view->setExpandsOnDoubleClick(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setMouseTracking(true);
    QHeaderView *header = m_view->header();
    header->setStretchLastSection(false);
    header->setSectionsMovable(false);
    header->setHighlightSections(false);
    header->setSectionsClickable(true);
    header->setSortIndicatorClearable(true); // the third click: as the job has them
    header->setSortIndicator(-1, Qt::AscendingOrder);
    m_view->setSortingEnabled(true);
    header->setMinimumSectionSize(narrowestHost);
    header->setSectionResizeMode(QHeaderView::Interactive);
    for (size_t i = 0; i < columnWidths.size(); ++i) {
        header->resizeSection(int(i), columnWidths.at(i));
    }

    m_view->viewport()->installEventFilter(this);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addWidget(m_view, 1);

    connect(m_field, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_filter->setFilter(text);
        m_view->expandAll();
        updateCount();
    });
    connect(m_view, &QTreeView::clicked, this, [this](const QModelIndex &at) {
        if (at.data(TasksModel::IsRoleRole).toBool()) {
            m_view->setExpanded(at.siblingAtColumn(0), !m_view->isExpanded(at.siblingAtColumn(0)));
        }
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        m_chosen = m_chosen || !(m_setting || m_selecting);
        if (m_chosen && !(m_setting || m_selecting)) {
            m_wanted.reset();
        }
        if (const auto task = currentTask(); task && !m_setting) {
            Q_EMIT currentTaskChanged(*task);
        }
    });
    connect(m_filter, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex &parentIndex) {
        if (!parentIndex.isValid()) {
            m_view->expandAll();
        }
        updateCount();
    });
    connect(m_view, &QWidget::customContextMenuRequested, this, &TasksPane::showMenu);
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this] {
        m_view->scrollTo(m_view->currentIndex());
        m_use->lookSoon();
    });
    connect(m_use, &TaskUse::appeared, this, &TasksPane::fitColumns);
    connect(m_model, &TasksModel::healthShown, this, &TasksPane::fitColumns);
    auto *copyKey = new QShortcut(QKeySequence::Copy, m_view);
    copyKey->setContext(Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, m_actions, &TaskActions::copy);
    connect(m_actions, &TaskActions::retryRequested, this, &TasksPane::retryRequested);
    connect(m_actions, &TaskActions::terminalRequested, this, &TasksPane::terminalRequested);
    connect(m_actions, &TaskActions::hostRequested, this, &TasksPane::hostRequested);
    connect(m_actions, &TaskActions::openRequested, this, &TasksPane::openRequested);
    connect(m_actions, &TaskActions::problem, this, &TasksPane::problem);
    connect(m_actions, &TaskActions::saved, this, &TasksPane::saved);
    onMenuKey(m_view, [this](const QPoint &at) { showMenu(at); });
}

// The host has the room that is left; words on the exit give way first, so that host and time stay in sight.
void TasksPane::fitColumns()
{
    QHeaderView *header = m_view->header();
    // A digit more than it takes: fractions of a pixel count when text is elided.
    const QString digits(m_model->mostDigits() + 1, QLatin1Char('0'));
    header->resizeSection(TasksModel::NameColumn,
        std::clamp(TasksDelegate::numberIndent + QFontMetrics(fonts::ui()).horizontalAdvance(digits)
                + TasksDelegate::cellSpace,
            columnWidths.at(TasksModel::NameColumn), widestNumber));
    header->resizeSection(TasksModel::StateColumn,
        columnWidths.at(TasksModel::StateColumn) + (m_model->hasHealth() ? TasksDelegate::healthWidth : 0));
    // A running clock grows while nothing else changes: hours have room from the start.
    const QFontMetrics clock(m_view->font());
    const int time = static_cast<TasksView *>(m_view)->sizeHintForColumn(TasksModel::TimeColumn);
    header->resizeSection(TasksModel::TimeColumn,
        std::max({columnWidths.at(TasksModel::TimeColumn),
            clock.horizontalAdvance(QStringLiteral("00:00:00")) + TasksDelegate::cellSpace + TasksDelegate::timeEdge
                + 2,
            std::min(time + TasksDelegate::cellSpace + TasksDelegate::timeEdge, widestTime)}));
    const int room = m_view->viewport()->width();
    const auto fixedWidth = [header] {
        int width = 0;
        for (const int column : {TasksModel::NameColumn, TasksModel::StateColumn, TasksModel::GpuColumn,
                 TasksModel::UseColumn, TasksModel::TimeColumn}) {
            width += header->sectionSize(column); // 0 while it is hidden
        }
        return width;
    };
    header->hideSection(TasksModel::UseColumn);
    header->showSection(TasksModel::GpuColumn);
    header->showSection(TasksModel::ExitColumn);
    header->showSection(TasksModel::HostColumn);
    const auto contentWidth = [this](int column, int least, int most) {
        return std::clamp(
            static_cast<TasksView *>(m_view)->sizeHintForColumn(column) + 2 * TasksDelegate::cellSpace, least, most);
    };
    const bool hasBars = m_model->hasTask(TasksModel::hasProgress);
    const int exitContent = contentWidth(TasksModel::ExitColumn, TasksDelegate::leastExit, widestExit)
        + (hasBars ? TasksDelegate::progressWidth + TasksDelegate::cellSpace : 0);
    const int hostContent = contentWidth(TasksModel::HostColumn, leastHost, widestHost);
    // Without a number in it the column of GPUs is worth less than words that are cut.
    const bool hasGpus = m_model->hasTask([](const TaskInfo &task) { return !task.gpus.isEmpty(); });
    const int besideGpus = hasGpus ? leastHost + TasksDelegate::leastExit : hostContent + exitContent;
    header->setSectionHidden(TasksModel::GpuColumn, fixedWidth() + besideGpus > room);
    // The use is worth less than words, too. Its column is there as soon as a task runs, not when it was measured.
    const bool hasUse = m_use->hasAny() || m_model->hasTask([](const TaskInfo &task) {
        return task.state == State::Running && !task.logFolder.isEmpty();
    });
    const int besideUse = hostContent + std::min(exitContent, columnWidths.at(TasksModel::ExitColumn));
    const int useWidth = TasksDelegate::cellSpace + metrics::sparkWidth + percentWidth + TasksDelegate::cellSpace;
    if (hasUse && fixedWidth() + useWidth + besideUse <= room) {
        header->showSection(TasksModel::UseColumn);
        header->resizeSection(TasksModel::UseColumn, useWidth);
    }
    const int fixed = fixedWidth();
    // In a window of the smallest size: what is empty goes, and then a host that could not be read.
    const bool noExit = exitContent <= TasksDelegate::leastExit && fixed + leastHost + TasksDelegate::leastExit > room;
    header->setSectionHidden(TasksModel::ExitColumn, noExit);
    const bool noHost = fixed + (noExit ? 0 : TasksDelegate::leastExit) + narrowestHost > room;
    header->setSectionHidden(TasksModel::HostColumn, noHost);
    // An empty column takes no room from a host's name.
    const int exit = noExit ? 0
        : room - fixed >= hostContent + exitContent
        ? std::min(std::max(exitContent, columnWidths.at(TasksModel::ExitColumn)), room - fixed - hostContent)
        : std::clamp(
            room - fixed - (noHost ? 0 : std::min(hostContent, readableHost)), TasksDelegate::leastExit, exitContent);
    if (!noExit) {
        header->resizeSection(TasksModel::ExitColumn, exit);
    }
    header->resizeSection(TasksModel::HostColumn, std::max(narrowestHost, room - fixed - exit));
}

bool TasksPane::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize) {
        fitColumns();
        m_view->scrollTo(m_view->currentIndex()); // what it shows the log of stays in sight
    }
    return QWidget::eventFilter(watched, event);
}

void TasksPane::updateCount() { m_count->setText(m_filter->countText(m_model->taskCount())); }

void TasksPane::setTasks(const QList<TaskInfo> &tasks)
{
    const auto before = currentTask();
    m_setting = true;
    m_model->setNow(QDateTime::currentMSecsSinceEpoch());
    m_model->setTasks(tasks);
    m_view->expandAll();
    updateCount();
    m_setting = false;
    m_use->forget();
    fitColumns();
    if (selectWanted()) {
    } else if (before && m_model->indexOf(before->role, before->index).isValid()) {
        select(before->role, before->index);
    } else if (!tasks.isEmpty()) {
        select(tasks.constFirst().role, tasks.constFirst().index);
        suggestFailed();
    }
}

// A failed task is scrolled into sight, unless the user looks at another one.
void TasksPane::suggestFailed()
{
    const auto now = currentTask();
    if (m_chosen || (now && now->state == State::Failed)) {
        return;
    }
    std::optional<std::pair<QString, int>> failed;
    m_model->hasTask([&failed](const TaskInfo &task) {
        if (task.state == State::Failed) {
            failed = std::pair(task.role, task.index);
        }
        return failed.has_value();
    });
    if (failed) {
        select(failed->first, failed->second);
    }
}

void TasksPane::apply(const QList<TaskInfo> &changed)
{
    const bool wasEmpty = m_model->taskCount() == 0;
    m_model->apply(changed);
    updateCount();
    fitColumns();
    if (selectWanted()) {
        return;
    }
    if (wasEmpty && !changed.isEmpty()) {
        select(changed.constFirst().role, changed.constFirst().index);
        return;
    }
    m_use->lookSoon();
    const auto before = currentTask();
    const bool isNews = std::any_of(
        changed.cbegin(), changed.cend(), [](const TaskInfo &task) { return task.state == State::Failed; });
    if (isNews) {
        suggestFailed();
    }
    const auto now = currentTask();
    if (before && now && (before->role != now->role || before->index != now->index)) {
        return; // the other one was notified already
    }
    for (const TaskInfo &task : changed) {
        if (now && task.role == now->role && task.index == now->index) {
            Q_EMIT currentTaskChanged(*now);
        }
    }
}

std::optional<TaskInfo> TasksPane::currentTask() const
{
    return m_model->task(m_filter->mapToSource(m_view->currentIndex().siblingAtColumn(0)));
}

void TasksPane::setCurrentTask(const QString &role, int index)
{
    m_chosen = true;
    if (m_model->indexOf(role, index).isValid()) {
        m_wanted.reset();
        select(role, index);
    } else {
        m_wanted = std::pair(role, index);
    }
}

std::optional<std::pair<QString, int>> TasksPane::chosenTask() const
{
    const auto now = currentTask();
    return m_wanted ? m_wanted : m_chosen && now ? std::optional(std::pair(now->role, now->index)) : std::nullopt;
}

bool TasksPane::selectWanted()
{
    if (!m_wanted || !m_model->indexOf(m_wanted->first, m_wanted->second).isValid()) {
        return false;
    }
    const auto wanted = *std::exchange(m_wanted, std::nullopt);
    select(wanted.first, wanted.second);
    return true;
}

void TasksPane::suggestTask(const QString &role, int index)
{
    if (!m_chosen) {
        select(role, index);
    }
}

void TasksPane::select(const QString &role, int index)
{
    m_selecting = true;
    // The view's own way takes it out of the selection while Ctrl is held.
    m_view->selectionModel()->setCurrentIndex(m_filter->mapFromSource(m_model->indexOf(role, index)),
        QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_selecting = false;
}

void TasksPane::setPaused(bool on) { m_model->setPaused(on); }

void TasksPane::tick(qint64 now)
{
    m_model->setNow(now);
    if (m_view->isVisible()) {
        m_view->viewport()->update();
    }
}

void TasksPane::setRetryBlocker(const QString &sentence) { m_actions->setRetryBlocker(sentence); }

QList<TaskInfo> TasksPane::chosenTasks() const
{
    QList<TaskInfo> chosen;
    const QModelIndexList rows = selectedRows(m_view->selectionModel());
    for (const QModelIndex &row : rows) {
        if (const auto each = m_model->task(m_filter->mapToSource(row))) {
            chosen.append(*each);
        }
    }
    if (const auto now = currentTask(); chosen.isEmpty() && now) {
        chosen.append(*now);
    }
    return chosen;
}

void TasksPane::showMenu(const QPoint &at)
{
    const QModelIndex row = m_view->indexAt(at).siblingAtColumn(0);
    const auto task = m_model->task(m_filter->mapToSource(row));
    if (!task) {
        return;
    }
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true); // they say why an entry is off
    const bool isChosen = m_view->selectionModel()->isRowSelected(row.row(), row.parent());
    m_actions->fill(menu, isChosen ? chosenTasks() : QList<TaskInfo>{*task});
    menu->popup(m_view->viewport()->mapToGlobal(at));
}

} // namespace trainyard
