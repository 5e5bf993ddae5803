// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/celldelegate.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/style.h"
#include "widgets/editor/codeview.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/tasks/previewpage_p.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

// What a preview is made of.
namespace trainyard
{
namespace
{
constexpr int leastTasks = 240;
constexpr int whatWidth = 108;

QTreeWidget *table(const QStringList &heads, const QString &name)
{
    auto *tree = new QTreeWidget;
    tree->setHeaderLabels(heads);
    tree->setFrameShape(QFrame::NoFrame);
    tree->setUniformRowHeights(true);
    tree->setRootIsDecorated(false);
    tree->setIndentation(0);
    tree->setAllColumnsShowFocus(true);
    tree->setItemDelegate(new CellDelegate(tree));
    tree->setAccessibleName(name);
    return tree;
}

QWidget *pane(QWidget *title, const QList<QWidget *> &extra, const QList<QWidget *> &body)
{
    auto *pane = new Ground(Colour::Surface);
    auto *layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *head = new Ground(Colour::Surface);
    head->setBorders(Qt::BottomEdge);
    head->setFixedHeight(metrics::paneHead);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(metrics::space3, 0, metrics::space2, 1);
    row->setSpacing(metrics::space2);
    row->addWidget(title);
    row->addStretch();
    for (QWidget *widget : extra) {
        row->addWidget(widget);
    }
    layout->addWidget(head);
    for (QWidget *widget : body) {
        layout->addWidget(widget, widget == body.constLast() ? 1 : 0);
    }
    return pane;
}

void copyTree(const QTreeWidget *tree)
{
    QStringList lines;
    for (int i = 0; i < tree->topLevelItemCount(); ++i) {
        const QTreeWidgetItem *item = tree->topLevelItem(i);
        if (!item->isHidden()) {
            lines.append(item->text(0) + QLatin1Char('\t') + item->text(1));
        }
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}
} // namespace

PreviewPage::PreviewPage(QWidget *parent)
    : QWidget(parent), m_heading(new ElidedLabel), m_state(smallMutedLabel({})),
      m_refresh(new QPushButton(tr("Refresh"))), m_run(new QPushButton(tr("Run"))), m_bar(new InfoBar(this)),
      m_empty(new EmptyState), m_tasks(table({tr("Task"), tr("Host"), tr("GPU"), tr("Ports")}, tr("Tasks"))),
      m_orderRow(new Ground(Colour::Window)), m_orderLayout(new QHBoxLayout),
      m_script(new CodeView(CodeView::Language::Bash)), m_whole(new QCheckBox(tr("Every line"))),
      m_which(new SegmentedControl({tr("Environment"), tr("Ports"), tr("Runs in")})),
      m_filter(new SearchField(SearchField::Kind::Filter, tr("Filter"))),
      m_differs(new QCheckBox(tr("Differs by task"))),
      m_environment(table({tr("Name"), tr("Value")}, tr("Environment"))),
      m_ports(table({tr("Label"), tr("Numbers")}, tr("Ports"))),
      m_container(table({tr("What"), tr("Value")}, tr("What the task runs in")))
{
    setObjectName(QStringLiteral("previewPage"));
    m_tasks->setObjectName(QStringLiteral("previewTasks"));
    m_tasks->header()->resizeSection(0, 56);
    m_tasks->header()->resizeSection(1, 72);
    m_tasks->header()->resizeSection(2, 42);
    for (QTreeWidget *tree : {m_tasks, m_environment, m_ports, m_container}) {
        tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // what is cut off is shown on hover
    }

    auto *across = new QSplitter(Qt::Horizontal);
    across->setHandleWidth(1);
    across->addWidget(pane(semiboldLabel(tr("Placement")), {}, {m_tasks}));
    across->addWidget(makeScript());
    across->addWidget(makeValues());
    across->widget(0)->setMinimumWidth(leastTasks);
    across->widget(2)->setMinimumWidth(m_which->sizeHint().width() + metrics::space5); // in its head
    across->setStretchFactor(0, 2);
    across->setStretchFactor(1, 5);
    across->setStretchFactor(2, 2);
    across->setSizes({280, 620, 320});
    across->setChildrenCollapsible(false);
    auto *body = new QWidget;
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHead());
    layout->addWidget(m_bar);
    layout->addWidget(body, 1);
    m_stack = new QStackedLayout(body);
    m_stack->addWidget(across);
    m_stack->addWidget(m_empty);
    m_bar->setClosable(false);
    setFocusProxy(m_tasks);

    connect(m_tasks, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem *item) {
        if (item && item->data(0, previewTaskRole).isValid()) {
            showTask(item->data(0, previewTaskRole).toInt());
        }
    });
    m_empty->remedy()->setObjectName(QStringLiteral("previewFix"));
    connect(m_empty, &EmptyState::remedyTriggered, this, &PreviewPage::fixRequested);
    connect(m_empty, &EmptyState::actionTriggered, this, [this] {
        if (m_canStart) {
            Q_EMIT engineRequested();
        } else {
            Q_EMIT backRequested();
        }
    });
    updateState();
}

QWidget *PreviewPage::makeHead()
{
    auto *head = new Ground(Colour::Surface);
    head->setBorders(Qt::BottomEdge);
    head->setFixedHeight(metrics::pageHead);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(metrics::space4, 0, metrics::space3, 1);
    row->setSpacing(metrics::space3);
    m_heading->setFont(fonts::heading());
    row->addWidget(m_heading);
    auto *what = new ElidedLabel(tr("Exactly what Run will do. Secrets are masked."));
    what->setColour(Colour::Muted);
    what->setElideMode(Qt::ElideRight);
    what->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // the name comes first
    row->addWidget(what, 1);
    row->addWidget(m_state);
    setButtonKind(m_refresh, ButtonKind::Link);
    m_refresh->setObjectName(QStringLiteral("previewRefresh"));
    row->addWidget(m_refresh);
    auto *back = new QPushButton(icon(QStringLiteral("edit")), tr("Back to the job"));
    setButtonKind(m_run, ButtonKind::Primary);
    m_run->setIcon(icon(QStringLiteral("run")));
    m_run->setObjectName(QStringLiteral("previewRun"));
    row->addWidget(back);
    row->addWidget(m_run);
    connect(back, &QPushButton::clicked, this, &PreviewPage::backRequested);
    connect(m_run, &QPushButton::clicked, this, &PreviewPage::runRequested);
    connect(m_refresh, &QPushButton::clicked, this, &PreviewPage::refreshRequested);
    return head;
}

QWidget *PreviewPage::makeScript()
{
    m_script->setReadOnly(true);
    m_script->setObjectName(QStringLiteral("previewScript"));
    m_script->setAccessibleName(tr("Script"));
    m_script->setMarginType(0, QsciScintilla::NumberMargin);
    m_script->setMarginWidth(0, QStringLiteral("00000"));
    m_script->SendScintilla(QsciScintillaBase::SCI_SETMARGINLEFT, 0UL, long(metrics::space2)); // numbers beside text
    m_script->setCaretLineVisible(true);
    static_cast<Ground *>(m_orderRow)->setBorders(Qt::BottomEdge);
    m_orderLayout->setContentsMargins(metrics::space3, 0, metrics::space3, 1);
    m_orderLayout->setSpacing(metrics::space1);
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFixedHeight(metrics::paneHead);
    scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_orderRow->setLayout(m_orderLayout);
    m_orderRow->setAccessibleName(tr("Order of the prerequisites"));
    scroll->setWidget(m_orderRow);
    auto *copy = new QToolButton;
    copy->setIcon(icon(QStringLiteral("copy")));
    copy->setIconSize({metrics::rowIcon, metrics::rowIcon});
    copy->setAutoRaise(true);
    copy->setPopupMode(QToolButton::InstantPopup);
    copy->setAccessibleName(tr("Copy"));
    copy->setToolTip(tr("Copy"));
    auto *menu = new QMenu(copy);
    menu->addAction(tr("Copy the script"), this, [this] { QApplication::clipboard()->setText(shownScript()); });
    menu->addAction(tr("Copy the environment"), this, [this] { copyTree(m_environment); });
    menu->addAction(
        tr("Copy everything about this task"), this, [this] { QApplication::clipboard()->setText(textOfTask()); });
    copy->setMenu(menu);
    m_whole->setObjectName(QStringLiteral("previewWhole"));
    m_whole->setToolTip(tr("Show the lines of Trainyard too that run the steps"));
    connect(m_whole, &QCheckBox::toggled, this, &PreviewPage::foldRunner);
    return pane(semiboldLabel(tr("Script")), {m_whole, copy}, {scroll, m_script});
}

QWidget *PreviewPage::makeValues()
{
    m_environment->setObjectName(QStringLiteral("previewEnvironment"));
    m_container->setObjectName(QStringLiteral("previewContainer"));
    m_container->header()->setStretchLastSection(true);
    m_container->header()->resizeSection(0, whatWidth);
    m_which->setAccessibleName(tr("What is listed"));
    for (QTreeWidget *tree : {m_environment, m_ports}) {
        tree->setFont(fonts::fixed());
        tree->header()->setFont(fonts::ui());
        tree->header()->setSectionResizeMode(QHeaderView::Stretch);
    }
    m_environment->header()->setSectionResizeMode(0, QHeaderView::Interactive);
    m_environment->viewport()->installEventFilter(this);
    setSmall(m_filter);
    m_filter->setAccessibleName(tr("Filter variables"));
    auto *filterRow = new Ground(Colour::Surface);
    filterRow->setFixedHeight(metrics::paneHead);
    auto *row = new QHBoxLayout(filterRow);
    row->setContentsMargins(metrics::space3, 0, metrics::space3, 0);
    row->addWidget(m_filter, 1);
    row->addWidget(m_differs);
    auto *variables = new QWidget;
    auto *column = new QVBoxLayout(variables);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(filterRow);
    column->addWidget(m_environment, 1);
    auto *body = new QWidget;
    m_values = new QStackedLayout(body);
    m_values->addWidget(variables);
    m_values->addWidget(m_ports);
    m_values->addWidget(m_container);
    connect(m_which, &SegmentedControl::currentChanged, m_values, &QStackedLayout::setCurrentIndex);
    connect(m_filter, &QLineEdit::textChanged, this, &PreviewPage::fillValues);
    connect(m_differs, &QCheckBox::toggled, this, &PreviewPage::fillValues);
    return pane(m_which, {}, {body});
}

} // namespace trainyard
