// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/problemsview.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/form/problemdelegate.h"
#include "widgets/text/texts.h"

#include <QBoxLayout>
#include <QListView>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <optional>
#include <utility>

namespace trainyard
{
namespace
{

constexpr int problemsHeadHeight = 30;
constexpr int mostProblems = 1000; // people do not read more; the head says how many there are

} // namespace

ProblemsView::ProblemsView(QWidget *parent) : QWidget(parent), m_list(new QListView), m_model(new ProblemsModel(this))
{
    setObjectName(QStringLiteral("problems"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 1, 0, metrics::space1);
    column->setSpacing(0);
    auto *head = new QWidget;
    head->setFixedHeight(problemsHeadHeight);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(metrics::space3, 0, metrics::space2, 0);
    row->setSpacing(metrics::space2);
    row->addWidget(semiboldLabel(tr("Problems")));
    m_count = smallMutedLabel(QString());
    m_count->setObjectName(QStringLiteral("problemsCount"));
    row->addWidget(m_count);
    row->addStretch(1);
    m_note = smallMutedLabel(QString());
    m_note->setObjectName(QStringLiteral("problemsRunNote"));
    row->addWidget(m_note);
    const auto tool = [&](const QString &name, const QString &tip) {
        auto *button = new QToolButton;
        button->setIcon(icon(name));
        button->setIconSize({metrics::smallIcon, metrics::smallIcon});
        button->setFixedSize(24, 24);
        button->setAutoRaise(true);
        button->setToolTip(plainTip(tip));
        button->setAccessibleName(tip);
        row->addWidget(button);
        return button;
    };
    m_filter = tool(QStringLiteral("filter"), tr("Errors only"));
    m_filter->setCheckable(true);
    m_filter->setObjectName(QStringLiteral("problemsFilter"));
    auto *close = tool(QStringLiteral("close"), tr("Hide the problems"));
    column->addWidget(head);
    m_none = smallMutedLabel(tr("Nothing is wrong with this document."));
    m_none->setObjectName(QStringLiteral("problemsNone"));
    m_none->setContentsMargins(metrics::space3, 0, metrics::space3, metrics::space2);
    column->addWidget(m_none);
    m_list->setObjectName(QStringLiteral("problemsList"));
    m_list->setAccessibleName(tr("Problems"));
    m_list->setModel(m_model);
    auto *delegate = new ProblemDelegate(m_list);
    m_list->setItemDelegate(delegate);
    m_list->viewport()->installEventFilter(this);
    m_list->setMouseTracking(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    column->addWidget(m_list, 1);
    m_below = smallMutedLabel(QString());
    m_below->setObjectName(QStringLiteral("problemsBelow"));
    m_below->setContentsMargins(metrics::space3, 0, metrics::space3, 0);
    m_below->hide();
    column->addWidget(m_below);
    column->addStretch(0); // what no whole row fits into
    connect(m_list->verticalScrollBar(), &QScrollBar::valueChanged, this, &ProblemsView::countBelow);
    connect(m_list->verticalScrollBar(), &QScrollBar::rangeChanged, this, &ProblemsView::countBelow);
    connect(close, &QToolButton::clicked, this, &ProblemsView::closeRequested);
    connect(m_filter, &QToolButton::toggled, this, [this] {
        m_isPointedAt = false; // the user asks for other rows, wherever the pointer rests
        show();
    });
    // After the click: the list still speaks of its row when the fix has taken it away.
    connect(delegate, &ProblemDelegate::fixRequested, this, [this](const Fix &fix) {
        QMetaObject::invokeMethod(
            this, [this, fix] { Q_EMIT fixRequested(fix); }, Qt::QueuedConnection);
    });
    const auto jump = [this](const QModelIndex &index) {
        if (const ProblemsModel::Problem &problem = m_model->at(index.row()); !problem.isGone) {
            Q_EMIT jumpRequested(problem.diagnostic.at);
        }
    };
    connect(m_list, &QListView::clicked, this, jump);
    // A shortened text is shown completely when the pointer is over it.
    connect(m_list, &QListView::entered, this, [this, delegate](const QModelIndex &index) {
        const QRect place = m_list->visualRect(index);
        if (delegate->isElided(place, m_model->at(index.row()))) {
            QToolTip::showText(QCursor::pos(), plainTip(m_model->at(index.row()).text), m_list->viewport(), place);
        }
    });
    connect(m_list, &QListView::activated, this, jump);
}

void ProblemsView::setProblems(const QList<Diagnostic> &diagnostics, const QByteArray &bytes, const QString &runNote)
{
    m_all.clear();
    m_errors = 0;
    m_warnings = 0;
    std::optional<LineIndex> index;
    if (!diagnostics.isEmpty()) {
        index.emplace(bytes);
    }
    for (const Diagnostic &diagnostic : diagnostics) {
        m_errors += diagnostic.severity == Severity::Error ? 1 : 0;
        m_warnings += diagnostic.severity == Severity::Warning ? 1 : 0;
        if (m_all.size() < mostProblems) {
            m_all.append(
                {diagnostic, index->at(diagnostic.at.begin), diagnosticText(diagnostic), problemCategory(diagnostic)});
        }
    }
    std::stable_sort(m_all.begin(), m_all.end(),
        [](const auto &a, const auto &b) { return a.diagnostic.severity < b.diagnostic.severity; });
    m_note->setText(runNote);
    const qsizetype count = diagnostics.size();
    m_count->setText(count == 0 ? QString() : tr("%1 in this document").arg(count));
    show();
}

void ProblemsView::setConversionWarns(bool on)
{
    m_conversionWarns = on;
    show();
}

void ProblemsView::setBeingChecked(bool on)
{
    if (m_isBeingChecked != on) {
        m_isBeingChecked = on;
        show();
    }
}

void ProblemsView::arrange()
{
    if (std::exchange(m_isPointedAt, false)) {
        show();
    }
}

void ProblemsView::show()
{
    QList<ProblemsModel::Problem> shown, hidden;
    for (const ProblemsModel::Problem &problem : std::as_const(m_all)) {
        const bool isHidden = m_filter->isChecked() && problem.diagnostic.severity != Severity::Error;
        (isHidden ? hidden : shown).append(problem);
    }
    if (m_isPointedAt) {
        shown = inPlace(m_model->problems(), shown, hidden);
    }
    m_model->setProblems(shown);
    m_none->setVisible(shown.isEmpty());
    m_none->setText(!m_all.isEmpty() ? tr("There are no errors; the rest is hidden.")
            : m_isBeingChecked       ? tr("The text is being checked.")
            : m_conversionWarns
            ? tr("The text itself has no problems. What its conversion warns of is listed above the document.")
            : tr("Nothing is wrong with this document."));
    m_list->setVisible(!shown.isEmpty());
    fitRows();
    Q_EMIT comfortableHeightChanged();
}

// No row is cut at the end of the list: where not all of them have room, it is as high as those that do.
void ProblemsView::fitRows()
{
    const QMargins margins = layout()->contentsMargins();
    const int room = height() - margins.top() - margins.bottom() - problemsHeadHeight;
    int whole = 0;
    bool areAll = true;
    for (int row = 0; row < m_model->rowCount() && areAll; ++row) {
        const int next = whole + m_list->sizeHintForRow(row);
        areAll = next <= room;
        whole = areAll ? next : whole;
    }
    m_list->setMaximumHeight(areAll || whole == 0 ? QWIDGETSIZE_MAX : whole);
    m_hasRoomBelow = !areAll && whole > 0 && room - whole >= m_below->fontMetrics().height();
    countBelow();
}

// An empty strip below whole rows would say that there are no others.
void ProblemsView::countBelow()
{
    const int bottom = m_list->viewport()->height();
    int below = 0;
    for (int row = m_model->rowCount() - 1; row >= 0 && m_list->visualRect(m_model->index(row)).bottom() > bottom;
         --row) {
        ++below;
    }
    m_below->setText(below > 0 ? tr("%n more below", nullptr, below) : QString());
    m_below->setVisible(m_hasRoomBelow && below > 0);
}

void ProblemsView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitRows();
}

void ProblemsView::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    Q_EMIT comfortableHeightChanged(); // it did not grow below the pointer
}

int ProblemsView::comfortableHeight() const
{
    int rows = 0;
    for (int row = 0; row < std::min(3, m_model->rowCount()); ++row) {
        rows += m_list->sizeHintForRow(row);
    }
    return problemsHeadHeight + std::max(rows, metrics::row) + 5;
}

// The worst ones first, since they keep Run off: from anywhere else to the next one of those, then through the rest.
void ProblemsView::step(int by, qsizetype caret)
{
    QList<int> rows;
    arrange();
    for (int row = 0; row < m_model->rowCount(); ++row) {
        rows.append(row);
    }
    if (rows.isEmpty()) {
        return;
    }
    std::stable_sort(rows.begin(), rows.end(), [this](int a, int b) {
        const Diagnostic &first = m_model->at(a).diagnostic, &second = m_model->at(b).diagnostic;
        return std::pair(first.severity, first.at.begin) < std::pair(second.severity, second.at.begin);
    });
    const auto begin = [this](int row) { return m_model->at(row).diagnostic.at.begin; };
    // Several may begin at one place: the one that was gone to last goes on to the next of them.
    qsizetype place = rows.indexOf(m_list->currentIndex().row());
    if (place < 0 || begin(rows.at(place)) != caret) { // the list may be another one since
        const auto here = std::find_if(rows.cbegin(), rows.cend(), [&](int row) { return begin(row) == caret; });
        place = here == rows.cend() || caret != m_steppedTo ? -1 : here - rows.cbegin();
    }
    int chosen = -1;
    if (place >= 0) {
        chosen = rows.at((place + by + rows.size()) % rows.size());
    } else {
        const Severity worst = m_model->at(rows.constFirst()).diagnostic.severity;
        rows.removeIf([&](int row) { return m_model->at(row).diagnostic.severity != worst; });
        const auto after = std::find_if(rows.cbegin(), rows.cend(), [&](int row) { return begin(row) > caret; });
        const bool isForward = by > 0;
        chosen = isForward ? (after == rows.cend() ? rows.constFirst() : *after)
                           : (after == rows.cbegin() ? rows.constLast() : *std::prev(after));
    }
    m_list->setCurrentIndex(m_model->index(chosen));
    m_steppedTo = begin(chosen);
    Q_EMIT jumpRequested(m_model->at(chosen).diagnostic.at);
}

// Rows are as high as their width asks for, and the list by itself looks only at its height.
bool ProblemsView::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Enter:
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
        m_isPointedAt = true;
        break;
    case QEvent::Leave:
    case QEvent::Hide:
        arrange();
        break;
    default:
        break;
    }
    if (event->type() == QEvent::Resize) {
        const auto *resize = static_cast<QResizeEvent *>(event);
        if (resize->size().width() != resize->oldSize().width()) {
            Q_EMIT m_list->itemDelegate()->sizeHintChanged({});
            fitRows();
            Q_EMIT comfortableHeightChanged();
        }
    }
    return QWidget::eventFilter(watched, event);
}

void ProblemsView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), colour(Colour::Surface, this));
    painter.fillRect(QRect(0, 0, width(), 1), colour(Colour::Border, this));
}

} // namespace trainyard
