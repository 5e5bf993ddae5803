// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/environmentview.h"

#include "widgets/common/aside.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/selectedrows.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"
#include "widgets/common/wordsfilter.h"
#include "widgets/text/environmenttexts.h"
#include "widgets/text/formats.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QStandardItemModel>
#include <QTimer>
#include <QTreeView>

namespace trainyard
{
namespace
{

constexpr int environmentWordsRole = Qt::UserRole, environmentWholeRole = Qt::UserRole + 1;
constexpr int environmentNameWidth = 210, environmentFieldWidth = 180;
constexpr int longestCell = 300; // letters
constexpr int againMs = 1500; // a task that has just started has no record yet

// Groups of rows with a name and a value each.
class EnvironmentRows
{
public:
    explicit EnvironmentRows(QStandardItemModel *model) : m_model(model) { }

    void begin(const QString &name)
    {
        m_group = new QStandardItem(name);
        m_group->setEditable(false);
        m_group->setFont(fonts::medium());
    }
    void add(const QString &name, const QString &value, const QString &whole = {})
    {
        if (value.isEmpty()) {
            return;
        }
        if (!m_group->model()) {
            m_model->appendRow(m_group);
        }
        auto *first = new QStandardItem(name);
        first->setData(QString(name + QLatin1Char(' ') + value), environmentWordsRole);
        first->setData(whole.isEmpty() ? value : whole, environmentWholeRole);
        first->setToolTip(plainTip(name));
        auto *second = new QStandardItem(value.left(longestCell).simplified());
        first->setEditable(false);
        second->setEditable(false);
        m_group->appendRow({first, second});
    }

private:
    QStandardItemModel *m_model;
    QStandardItem *m_group = nullptr;
};

void addCode(EnvironmentRows &rows, const CapturedEnvironment &found)
{
    rows.begin(EnvironmentView::tr("Code"));
    rows.add(EnvironmentView::tr("Work folder"), found.workFolder);
    if (!found.git) {
        return;
    }
    const CapturedEnvironment::Git &git = *found.git;
    rows.add(EnvironmentView::tr("Commit"), commitText(git.branch, git.commit, false));
    rows.add(EnvironmentView::tr("Repository"), git.top);
    rows.add(EnvironmentView::tr("Uncommitted changes"),
        !git.isDirty        ? EnvironmentView::tr("none")
            : git.isDiffCut ? EnvironmentView::tr("more than %1").arg(formatBytes(git.diff.size()))
            : git.diff.isEmpty()
            ? EnvironmentView::tr("there are some")
            : EnvironmentView::tr("%n file(s)", nullptr, int(git.diff.count(QLatin1String("diff --git ")))),
        git.diff);
    if (git.untrackedCount > 0) {
        rows.add(EnvironmentView::tr("Untracked files"), QString::number(git.untrackedCount),
            git.untracked.join(QLatin1Char('\n')));
    }
}

} // namespace

EnvironmentView::EnvironmentView(QWidget *parent)
    : QWidget(parent), m_field(new SearchField(SearchField::Kind::Filter, tr("Filter the environment"), this)),
      m_model(new QStandardItemModel(this)), m_filter(new WordsFilter(environmentWordsRole, this)),
      m_view(new QTreeView), m_whole(new QPlainTextEdit), m_noRow(new EmptyState), m_empty(new EmptyState),
      m_pages(new QStackedLayout(this))
{
    setSmall(m_field);
    m_field->setFixedWidth(environmentFieldWidth);
    m_filter->setSourceModel(m_model);
    m_view->setObjectName(QStringLiteral("runEnvironment"));
    m_view->setAccessibleName(tr("Environment"));
    m_view->setModel(m_filter);
    setTableLook(m_view);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setExpandsOnDoubleClick(true);
    m_whole->setReadOnly(true);
    m_whole->setFrameShape(QFrame::NoFrame);
    m_whole->setFont(fonts::fixed());
    m_whole->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_whole->setAccessibleName(tr("Whole value of the current row"));
    m_noRow->setObjectName(QStringLiteral("environmentNoRow"));
    m_noRow->setIcon(QStringLiteral("document"));
    m_noRow->setText(tr("Choose a row to see its whole value."));
    auto *right = new QWidget;
    m_right = new QStackedLayout(right);
    m_right->addWidget(m_noRow);
    m_right->addWidget(m_whole);
    auto *split = new QSplitter(Qt::Horizontal);
    split->addWidget(m_view);
    split->addWidget(right);
    split->setChildrenCollapsible(false);
    split->setSizes({600, 400});
    m_empty->setIcon(QStringLiteral("info"));
    m_pages->addWidget(m_empty);
    m_pages->addWidget(split);
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_filter->setFilter(text);
        m_view->expandAll();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &EnvironmentView::showWhole);
    connect(m_view, &QTreeView::clicked, this, [this](const QModelIndex &at) {
        if (!at.parent().isValid()) {
            m_view->setExpanded(at.siblingAtColumn(0), !m_view->isExpanded(at.siblingAtColumn(0)));
        }
    });
    connect(m_view, &QWidget::customContextMenuRequested, this, [this](const QPoint &at) {
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(icon(QStringLiteral("copy")), tr("Copy"), this, &EnvironmentView::copyChosen);
        menu->popup(m_view->viewport()->mapToGlobal(at));
    });
    auto *copyKey = new QShortcut(QKeySequence::Copy, m_view);
    copyKey->setContext(Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, this, &EnvironmentView::copyChosen);
    setTry(std::nullopt);
}

QWidget *EnvironmentView::controls() const { return m_field; }

void EnvironmentView::setTry(const std::optional<TaskInfo> &task)
{
    m_goesOn = task && !isFinal(task->state);
    const QString folder = task ? task->logFolder : QString();
    if (folder == m_folder && !folder.isEmpty()) {
        return;
    }
    m_folder = folder;
    m_read.clear();
    m_empty->setText(task ? tr("What the task finds appears here when it starts.")
                          : tr("Choose a task to see what it found when it started."));
    m_pages->setCurrentIndex(0);
    if (isVisible()) {
        read();
    }
}

void EnvironmentView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    read();
}

void EnvironmentView::read()
{
    if (m_folder.isEmpty() || m_read == m_folder) {
        return;
    }
    runAside(this, [this, folder = m_folder]() -> std::function<void()> {
        return [this, folder, found = CapturedEnvironment::read(folder)] {
            if (folder != m_folder || folder == m_read) {
                return;
            }
            setEnvironment(found);
            if (found) {
                m_read = folder;
            } else if (isVisible() && m_goesOn) {
                QTimer::singleShot(againMs, this, &EnvironmentView::read);
            }
        };
    });
}

void EnvironmentView::setEnvironment(const std::optional<CapturedEnvironment> &found)
{
    m_model->clear();
    showWhole(); // of no row
    if (!found) {
        m_empty->setText(tr("Nothing is recorded about the environment of this try."));
        m_pages->setCurrentIndex(0);
        return;
    }
    m_model->setHorizontalHeaderLabels({tr("Name"), tr("Value")});
    EnvironmentRows rows(m_model);
    addCode(rows, *found);
    rows.begin(tr("Machine"));
    rows.add(tr("Host"), found->host);
    rows.add(tr("GPUs"), found->gpus.join(QStringLiteral(", ")), found->gpus.join(QLatin1Char('\n')));
    rows.add(tr("GPU driver"), found->gpuDriver);
    if (!found->host.isEmpty()) {
        rows.add(tr("Processors"), QStringLiteral("%1 × %2").arg(QString::number(found->cpus), found->cpuModel));
        rows.add(tr("Memory"), formatMiB(found->memoryMiB));
    }
    rows.add(tr("System"), found->os);
    rows.add(tr("Kernel"), found->kernel);
    rows.add(tr("Image"), found->image);
    rows.add(tr("Container program"), found->runtime);
    if (!found->gaps.isEmpty()) {
        rows.begin(tr("Not known"));
        for (const QString &gap : found->gaps) {
            rows.add(tr("Gap"), environmentGapText(gap));
        }
    }
    if (found->python) {
        rows.begin(tr("Python"));
        rows.add(tr("Version"), found->python->version);
        rows.add(tr("Program"), found->python->executable,
            found->python->executable == found->python->resolved
                ? QString()
                : QString(found->python->executable + QStringLiteral("\n→ ") + found->python->resolved));
        rows.begin(tr("Python packages"));
        for (const CapturedEnvironment::Named &package : found->python->packages) {
            rows.add(package.name, package.text.isEmpty() ? tr("version not known") : package.text);
        }
    }
    rows.begin(tr("Variables"));
    for (const CapturedEnvironment::Named &variable : found->variables) {
        const bool isPath = variable.name.endsWith(QLatin1String("PATH"));
        QString whole = variable.text;
        rows.add(variable.name, variable.text.isEmpty() ? tr("(empty)") : variable.text,
            isPath ? whole.replace(QLatin1Char(':'), QLatin1Char('\n')) : whole);
    }
    m_view->header()->resizeSection(0, environmentNameWidth);
    m_view->header()->setStretchLastSection(true);
    m_view->expandAll();
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        m_view->setFirstColumnSpanned(row, {}, true);
    }
    m_pages->setCurrentIndex(1);
}

void EnvironmentView::showWhole()
{
    const QString whole = m_view->currentIndex().siblingAtColumn(0).data(environmentWholeRole).toString();
    m_whole->setPlainText(whole);
    m_right->setCurrentIndex(whole.isEmpty() ? 0 : 1);
}

void EnvironmentView::copyChosen()
{
    const QModelIndexList rows = selectedRows(m_view->selectionModel());
    QStringList lines;
    for (const QModelIndex &row : rows) {
        if (row.parent().isValid()) {
            lines.append(row.data().toString() + QLatin1Char('=') + row.siblingAtColumn(1).data().toString());
        }
    }
    if (!lines.isEmpty()) {
        QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
    }
}

} // namespace trainyard
