// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"
#include "widgets/common/tablelook.h"
#include "widgets/editor/codeview.h"
#include "widgets/tasks/factlist.h"
#include "widgets/tasks/placementview.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/tasks/previewpage_p.h"
#include "widgets/tasks/scriptsheet.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>

// The parts of a preview.
namespace trainyard
{
namespace
{
constexpr int leastTasksWidth = 240;
constexpr int leastScriptWidth = 239; // with the tasks in the narrowest page that there is
constexpr int leastFactsHeight = 96;
constexpr int leastPlannedRows = 3;
constexpr int whatWidth = 108;
const QList<int> sizesBeside{540, 380}; // of script and values

// The legend of marked values in the script: "[value] filled in".
class ValueLegend final : public QWidget
{
public:
    ValueLegend()
    {
        setFont(fonts::small());
        setAccessibleName(PreviewPage::tr("Values that are filled in are marked."));
        hide();
    }
    QSize sizeHint() const override
    {
        return {wordWidth() + metrics::space1 + rest().width() + 2, metrics::smallButton};
    }
    QSize minimumSizeHint() const override { return {0, metrics::smallButton}; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        if (width() < sizeHint().width()) {
            return; // it is the first to go
        }
        QPainter painter(this);
        const QRect box(0, (height() - wordHeight) / 2, wordWidth(), wordHeight);
        const QColor accent = colour(Colour::Accent, this);
        stylepaint::roundedBox(&painter, box, 2, withAlpha(accent, 0.14), withAlpha(accent, 0.43));
        painter.setPen(colour(Colour::Text, this));
        painter.drawText(box, Qt::AlignCenter, word());
        painter.setPen(colour(Colour::Muted, this));
        painter.drawText(rect().adjusted(box.width() + metrics::space1, 0, 0, 0), Qt::AlignVCenter, words());
    }

private:
    static constexpr int wordHeight = 18;
    static QString word() { return PreviewPage::tr("value"); }
    static QString words() { return PreviewPage::tr("filled in"); }
    QSize rest() const { return fontMetrics().size(Qt::TextSingleLine, words()); }
    int wordWidth() const { return fontMetrics().horizontalAdvance(word()) + metrics::space2; }
};

// As high as its rows, for as long as there is room.
class RowsTree final : public QTreeWidget
{
public:
    QSize sizeHint() const override
    {
        int height = header()->sizeHint().height();
        for (QTreeWidgetItemIterator it(const_cast<RowsTree *>(this)); *it; ++it) {
            height += std::max(metrics::row, sizeHintForRow(0));
        }
        return {QTreeWidget::sizeHint().width(), height};
    }
    QSize minimumSizeHint() const override
    {
        const int least = header()->sizeHint().height() + leastPlannedRows * metrics::row;
        return {QTreeWidget::minimumSizeHint().width(), std::min(least, sizeHint().height())};
    }
};

QTreeWidget *rowsTable(const QStringList &heads, const QString &name, QTreeWidget *tree = new QTreeWidget)
{
    tree->setHeaderLabels(heads);
    setTableLook(tree);
    tree->setTextElideMode(Qt::ElideMiddle); // names of variables differ at their ends
    // Elided at the edge: a last section that only stretches is not made narrower than it was, and would be cut there.
    tree->header()->setStretchLastSection(false);
    tree->header()->setSectionResizeMode(int(heads.size()) - 1, QHeaderView::Stretch);
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
    : QWidget(parent), m_head(new PageHead), m_state(smallMutedLabel({})), m_refresh(new QPushButton(tr("Refresh"))),
      m_run(new QPushButton(tr("Run"))), m_back(new QPushButton(tr("Back to the job"))),
      m_ofTask(new QSplitter(Qt::Horizontal)), m_bar(new InfoBar(this)), m_empty(new EmptyState),
      m_places(new PlacementView), m_together(smallMutedLabel({})),
      m_tasks(rowsTable({tr("Task"), tr("Host"), tr("GPU"), tr("Ports")}, tr("Tasks"), new RowsTree)),
      m_end(new FactList(tr("When it ends"))), m_start(new FactList(tr("Before it runs"))),
      m_orderRow(new Ground(Colour::Window)), m_orderLayout(new QHBoxLayout),
      m_script(new CodeView(CodeView::Language::Bash)), m_sheet(new ScriptSheet(m_script, this)),
      m_legend(new ValueLegend), m_whole(new QCheckBox(tr("Every line"))),
      m_which(new SegmentedControl({tr("Environment"), tr("Ports"), tr("Runs in"), tr("Submission")})),
      m_filter(new SearchField(SearchField::Kind::Filter, tr("Filter"))),
      m_differs(new QCheckBox(tr("Differs by task"))),
      m_environment(rowsTable({tr("Name"), tr("Value")}, tr("Environment"))),
      m_ports(rowsTable({tr("Label"), tr("Numbers")}, tr("Ports"))),
      m_container(rowsTable({tr("What"), tr("Value")}, tr("What the task runs in"))),
      m_submission(new CodeView(CodeView::Language::Bash))
{
    setObjectName(QStringLiteral("previewPage"));
    m_tasks->setObjectName(QStringLiteral("previewTasks"));
    m_tasks->header()->resizeSection(0, 48);
    m_tasks->header()->resizeSection(1, 100);
    m_tasks->header()->resizeSection(2, 54);
    setNumberColumns(m_tasks, {2, 3});
    for (QTreeWidget *tree : {m_tasks, m_environment, m_ports, m_container}) {
        tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // what is cut off is shown on hover
    }

    auto *across = new QSplitter(Qt::Horizontal);
    across->setHandleWidth(1);
    m_ofTask->setHandleWidth(1);
    m_ofTask->setChildrenCollapsible(false);
    m_ofTask->addWidget(makeScript());
    m_ofTask->addWidget(makeValues());
    m_ofTask->widget(0)->setMinimumWidth(leastScriptWidth);
    m_ofTask->widget(1)->setMinimumWidth(m_which->sizeHint().width() + metrics::space5); // in its head
    // Not that of both beside each other, or there would never be too little room for that: see resizeEvent().
    m_ofTask->setMinimumWidth(leastScriptWidth);
    m_ofTask->setStretchFactor(0, 5);
    m_ofTask->setStretchFactor(1, 2);
    m_ofTask->setSizes(sizesBeside);
    across->addWidget(makePlacement());
    across->addWidget(m_ofTask);
    across->widget(0)->setMinimumWidth(leastTasksWidth);
    across->setStretchFactor(0, 2);
    across->setStretchFactor(1, 7);
    across->setSizes({300, 920});
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
    QHBoxLayout *row = m_head->row();
    row->setSpacing(metrics::space3);
    auto *what = new ElidedLabel(tr("Exactly what Run will do. Secrets are masked."));
    what->setColour(Colour::Muted);
    what->setElideMode(Qt::ElideRight);
    what->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // the name comes first
    row->addWidget(what, 1);
    m_head->addMinor(m_state);
    setButtonKind(m_refresh, ButtonKind::Link);
    m_refresh->setObjectName(QStringLiteral("previewRefresh"));
    row->addWidget(m_refresh);
    m_run->setIcon(icon(QStringLiteral("run")));
    m_run->setObjectName(QStringLiteral("previewRun"));
    m_head->addPrimary(m_run);
    // The button that leads back is where the job's own page has "Preview", so that a second click there starts
    // nothing.
    m_back->setIcon(icon(QStringLiteral("edit")));
    m_back->setObjectName(QStringLiteral("previewBack"));
    m_back->installEventFilter(this);
    row->addWidget(m_back);
    connect(m_back, &QPushButton::clicked, this, &PreviewPage::backRequested);
    connect(m_run, &QPushButton::clicked, this, &PreviewPage::runRequested);
    connect(m_refresh, &QPushButton::clicked, this, &PreviewPage::refreshRequested);
    return m_head;
}

// Beside each other where there is room for all three panes, else the values are below the script.
void PreviewPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const int least = leastTasksWidth + leastScriptWidth + m_ofTask->widget(1)->minimumWidth() + 2;
    const Qt::Orientation wanted = width() < least ? Qt::Vertical : Qt::Horizontal;
    if (m_ofTask->orientation() != wanted) {
        m_ofTask->setOrientation(wanted);
        m_ofTask->setSizes(wanted == Qt::Vertical ? QList<int>{300, 200} : sizesBeside);
    }
}

QWidget *PreviewPage::makePlacement()
{
    m_end->setObjectName(QStringLiteral("previewEnd"));
    m_start->setObjectName(QStringLiteral("previewStart"));
    auto *facts = new Ground(Colour::Surface);
    auto *column = new QVBoxLayout(facts);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (FactList *list : {m_start, m_end}) {
        column->addWidget(new Line(Qt::Horizontal));
        column->addWidget(list);
    }
    column->addStretch();
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumHeight(leastFactsHeight);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(facts);
    connect(m_places, &PlacementView::taskClicked, this, &PreviewPage::selectTask);
    return pane(semiboldLabel(tr("Placement")), {m_together}, {m_places, m_tasks, scroll});
}

QWidget *PreviewPage::makeScript()
{
    m_script->setReadOnly(true);
    m_script->setGround(Colour::Surface); // a part of the page, as its neighbours
    m_script->setObjectName(QStringLiteral("previewScript"));
    m_script->setAccessibleName(tr("Script"));
    m_script->setMarginType(0, QsciScintilla::NumberMargin);
    const auto fitNumbers = [this] { m_script->setMarginWidth(0, QStringLiteral("00000")); };
    connect(m_script, &QsciScintillaBase::SCN_ZOOM, this, fitNumbers);
    fitNumbers();
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
    m_whole->setToolTip(tr("Also show the lines of Trainyard that run the steps"));
    connect(m_whole, &QCheckBox::toggled, this, &PreviewPage::showScript);
    return pane(semiboldLabel(tr("Script")), {m_legend, m_whole, copy}, {scroll, m_script});
}

QWidget *PreviewPage::makeValues()
{
    m_environment->setObjectName(QStringLiteral("previewEnvironment"));
    m_container->setObjectName(QStringLiteral("previewContainer"));
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
    m_values->addWidget(m_submission);
    m_submission->setReadOnly(true);
    m_submission->setGround(Colour::Surface);
    m_submission->setObjectName(QStringLiteral("previewSubmission"));
    m_submission->setAccessibleName(tr("What the cluster is asked for"));
    m_which->setChoiceVisible(previewSubmissionChoice, false);
    connect(m_which, &SegmentedControl::currentChanged, m_values, &QStackedLayout::setCurrentIndex);
    connect(m_filter, &QLineEdit::textChanged, this, &PreviewPage::fillValues);
    connect(m_differs, &QCheckBox::toggled, this, &PreviewPage::fillValues);
    return pane(m_which, {}, {body});
}

// For all tasks together, which only some clusters have.
void PreviewPage::showSubmission()
{
    const bool isThere = !m_plan.submission.isEmpty();
    m_which->setChoiceVisible(previewSubmissionChoice, isThere);
    if (!isThere && m_which->currentIndex() == previewSubmissionChoice) {
        m_which->setCurrentIndex(0);
    }
    m_ofTask->widget(1)->setMinimumWidth(m_which->sizeHint().width() + metrics::space5);
    m_submission->setReadOnly(false);
    m_submission->setAllBytes(m_plan.submission.toUtf8());
    m_submission->setReadOnly(true);
}

} // namespace trainyard
