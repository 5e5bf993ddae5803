// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/problemsview.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/severitylook.h"
#include "widgets/common/stylepaint.h"
#include "widgets/common/tokens.h"
#include "widgets/text/texts.h"

#include <QBoxLayout>
#include <QHelpEvent>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>

#include <cmath>

namespace trainyard
{
namespace
{

constexpr int problemsHeadHeight = 30;
constexpr int placeWidth = 56;
constexpr int categoryWidth = 80;
constexpr int widestFixOfProblem = 240; // a name in its title may be of any length
constexpr int mostFixes = 3;
constexpr int fixGap = 6;
constexpr int widestLetter = 14; // more than any letter of a sentence takes
constexpr int mostProblems = 1000; // people do not read more; the head says how many there are

// Fractions of a pixel count when text is elided.
int widthOf(const QFont &font, const QString &text)
{
    return int(std::ceil(QFontMetricsF(font).horizontalAdvance(text))) + 1;
}

// Where a sentence must end at the latest: in front of the category.
int sentenceEnd(const QRect &row) { return row.right() - 2 * metrics::space3 - categoryWidth; }

} // namespace

QString problemCategory(const Diagnostic &diagnostic)
{
    const QString &code = diagnostic.code;
    const auto has = [&](const char *part) { return code.contains(QLatin1String(part)); };
    if (has("unused")) {
        return ProblemsView::tr("unused");
    }
    if (code.startsWith(u"yaml.")) {
        return ProblemsView::tr("syntax");
    }
    if (has("undefined") || has("unknown") || has("unresolved") || has("missing") || has("cycle")) {
        return ProblemsView::tr("reference");
    }
    if (code.startsWith(u"template.")) {
        return ProblemsView::tr("template");
    }
    if (code.startsWith(u"secret")) {
        return ProblemsView::tr("secrets");
    }
    if (diagnostic.severity != Severity::Error
        && (diagnostic.strict || has("portable") || has("no-plugin") || has("here-only"))) {
        return ProblemsView::tr("portability");
    }
    return ProblemsView::tr("value");
}

int ProblemsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_problems.size()); }

QVariant ProblemsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_problems.size()) {
        return {};
    }
    const Problem &problem = m_problems.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return problem.text;
    case Qt::ToolTipRole:
        return plainTip(problem.text);
    case Qt::AccessibleTextRole:
        return ProblemsView::tr("%1, line %2: %3")
            .arg(severityText(problem.diagnostic.severity), QString::number(problem.position.line), problem.text);
    case ProblemRole:
        return QVariant::fromValue(&problem);
    default:
        return {};
    }
}

void ProblemsModel::setProblems(const QList<Problem> &problems)
{
    const int before = int(m_problems.size());
    const int now = int(problems.size());
    // Rows that stay keep their selection.
    if (now < before) {
        beginRemoveRows({}, now, before - 1);
        m_problems.resize(now);
        endRemoveRows();
    } else if (now > before) {
        beginInsertRows({}, before, now - 1);
        m_problems = problems;
        endInsertRows();
    }
    m_problems = problems;
    if (now > 0) {
        Q_EMIT dataChanged(index(0), index(now - 1));
    }
}

ProblemDelegate::ProblemDelegate(QObject *parent) : QStyledItemDelegate(parent) { }

// Only what may not fit is measured: there can be a thousand rows.
QSize ProblemDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *problem = index.data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    const QSize flat(200, metrics::row);
    if (!problem || problem->diagnostic.fixes.isEmpty() || !view) {
        return flat;
    }
    const QRect row(0, 0, view->viewport()->width(), metrics::row);
    const qsizetype fixes = std::min<qsizetype>(mostFixes, problem->diagnostic.fixes.size());
    const int most = int(problem->text.size()) * widestLetter + int(fixes) * (widestFixOfProblem + 2 * metrics::space3);
    if (most <= sentenceEnd(row) - textLeft(row) || !isElided(row, *problem)) {
        return flat;
    }
    return {flat.width(), metrics::row + metrics::smallButton + metrics::space1};
}

bool ProblemDelegate::isTall(const QRect &row) { return row.height() > metrics::row; }

int ProblemDelegate::textLeft(const QRect &row)
{
    return row.left() + metrics::space3 + metrics::smallIcon + placeWidth + metrics::space3;
}

int ProblemDelegate::textRight(const QRect &row, const Diagnostic &diagnostic) const
{
    const QList<QRect> fixes = isTall(row) ? QList<QRect>() : fixRects(row, diagnostic);
    return fixes.isEmpty() ? sentenceEnd(row) : fixes.first().left() - metrics::space3;
}

bool ProblemDelegate::isElided(const QRect &row, const ProblemsModel::Problem &problem) const
{
    return widthOf(fonts::ui(), problem.text) > textRight(row, problem.diagnostic) - textLeft(row);
}

QList<QRect> ProblemDelegate::fixRects(const QRect &row, const Diagnostic &diagnostic) const
{
    QList<QRect> rects;
    const QFont font = fonts::small();
    const qsizetype count = std::min<qsizetype>(mostFixes, diagnostic.fixes.size());
    const auto widthOfFix = [&](qsizetype i) {
        return std::min(widthOf(font, fixTitle(diagnostic.fixes.at(i))), widestFixOfProblem) + 2 * metrics::space2;
    };
    if (!isTall(row)) {
        int right = row.right() - metrics::space3 - categoryWidth - metrics::space3;
        for (qsizetype i = count - 1; i >= 0; --i) {
            const int width = widthOfFix(i);
            rects.prepend(QRect(
                right - width, row.top() + (row.height() - metrics::smallButton) / 2, width, metrics::smallButton));
            right = rects.first().left() - fixGap;
        }
        return rects;
    }
    // Below the sentence, from its beginning; in a very narrow row each has its share.
    const int room = row.right() - metrics::space3 - textLeft(row);
    const int share = count == 0 ? 0 : (room - int(count - 1) * fixGap) / int(count);
    int all = int(count - 1) * fixGap;
    for (qsizetype i = 0; i < count; ++i) {
        all += widthOfFix(i);
    }
    int left = textLeft(row);
    for (qsizetype i = 0; i < count; ++i) {
        const int width = all > room ? std::min(share, widthOfFix(i)) : widthOfFix(i);
        rects.append(
            QRect(left, row.bottom() + 1 - metrics::smallButton - metrics::space1, width, metrics::smallButton));
        left += width + fixGap;
    }
    return rects;
}

void ProblemDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *problem = index.data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
    if (!problem) {
        return;
    }
    const QWidget *widget = option.widget;
    painter->save();
    const QRect row = option.rect;
    if (option.state & QStyle::State_Selected) {
        painter->fillRect(row, colour(Colour::Selection, widget));
        painter->fillRect(
            QRect(row.left(), row.top(), metrics::selectionBar, row.height()), colour(Colour::Accent, widget));
    } else if (option.state & QStyle::State_MouseOver) {
        painter->fillRect(row, colour(Colour::Hover, widget));
    }
    const Diagnostic &diagnostic = problem->diagnostic;
    const QRect line(row.left(), row.top(), row.width(), metrics::row);
    const int x = row.left() + metrics::space3;
    paintIcon(painter, iconOf(diagnostic.severity),
        QRectF(x, line.top() + (line.height() - metrics::smallIcon) / 2.0, metrics::smallIcon, metrics::smallIcon),
        colour(colourOf(diagnostic.severity), widget));
    painter->setFont(option.font);
    painter->setPen(colour(Colour::Muted, widget));
    painter->drawText(QRect(x + metrics::smallIcon, line.top(), placeWidth, line.height()),
        Qt::AlignVCenter | Qt::AlignRight,
        QStringLiteral("%1:%2").arg(problem->position.line).arg(problem->position.column));
    const QList<QRect> fixes = fixRects(row, diagnostic);
    const int room = std::max(0, textRight(row, diagnostic) - textLeft(row));
    painter->setPen(colour(Colour::Text, widget));
    painter->drawText(QRect(textLeft(row), line.top(), room, line.height()), Qt::AlignVCenter | Qt::AlignLeft,
        option.fontMetrics.elidedText(problem->text, Qt::ElideRight, room));
    painter->setFont(fonts::small());
    for (qsizetype i = 0; i < fixes.size(); ++i) {
        const bool hover = m_hoverRow == index && m_hoverFix == i;
        stylepaint::roundedBox(painter, fixes.at(i), metrics::smallRadius,
            colour(hover ? Colour::Hover : Colour::Raised, widget), colour(Colour::Edge, widget));
        painter->setPen(colour(Colour::Text, widget));
        painter->drawText(fixes.at(i), Qt::AlignCenter,
            painter->fontMetrics().elidedText(
                fixTitle(diagnostic.fixes.at(i)), Qt::ElideMiddle, fixes.at(i).width() - 2 * metrics::space2));
    }
    painter->setPen(colour(Colour::Muted, widget));
    painter->drawText(QRect(row.right() - metrics::space3 - categoryWidth, line.top(), categoryWidth, line.height()),
        Qt::AlignVCenter | Qt::AlignRight, problem->category);
    painter->restore();
}

bool ProblemDelegate::helpEvent(
    QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const auto *problem = index.data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
    if (problem && event->type() == QEvent::ToolTip) {
        const QList<QRect> rects = fixRects(option.rect, problem->diagnostic);
        for (qsizetype i = 0; i < rects.size(); ++i) {
            if (rects.at(i).contains(event->pos())) {
                QToolTip::showText(event->globalPos(), plainTip(fixTitle(problem->diagnostic.fixes.at(i))), view);
                return true;
            }
        }
    }
    return QStyledItemDelegate::helpEvent(event, view, option, index);
}

bool ProblemDelegate::editorEvent(
    QEvent *event, QAbstractItemModel *, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const auto *problem = index.data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
    if (!problem
        || (event->type() != QEvent::MouseMove && event->type() != QEvent::MouseButtonPress
            && event->type() != QEvent::MouseButtonRelease)) {
        return false;
    }
    const QPoint place = static_cast<QMouseEvent *>(event)->pos();
    const QList<QRect> rects = fixRects(option.rect, problem->diagnostic);
    int over = -1;
    for (int i = 0; i < rects.size(); ++i) {
        if (rects.at(i).contains(place)) {
            over = i;
        }
    }
    if (event->type() == QEvent::MouseMove) {
        if (m_hoverRow != index || m_hoverFix != over) {
            m_hoverRow = index;
            m_hoverFix = over;
            if (auto *view = qobject_cast<QAbstractItemView *>(const_cast<QWidget *>(option.widget))) {
                view->viewport()->update();
            }
        }
        return false;
    }
    if (over < 0) {
        return false;
    }
    if (event->type() == QEvent::MouseButtonRelease) {
        Q_EMIT fixRequested(problem->diagnostic.fixes.at(over));
    }
    return true; // the row is not chosen by a click on its button
}

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
    connect(m_filter, &QToolButton::toggled, this, &ProblemsView::show);
    // After the click: the list still speaks of its row when the fix has taken it away.
    connect(delegate, &ProblemDelegate::fixRequested, this, [this](const Fix &fix) {
        QMetaObject::invokeMethod(
            this, [this, fix] { Q_EMIT fixRequested(fix); }, Qt::QueuedConnection);
    });
    const auto jump
        = [this](const QModelIndex &index) { Q_EMIT jumpRequested(m_model->at(index.row()).diagnostic.at); };
    connect(m_list, &QListView::clicked, this, jump);
    // What is cut short shows whole as soon as the pointer is there.
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

void ProblemsView::show()
{
    QList<ProblemsModel::Problem> shown;
    for (const ProblemsModel::Problem &problem : std::as_const(m_all)) {
        if (!m_filter->isChecked() || problem.diagnostic.severity == Severity::Error) {
            shown.append(problem);
        }
    }
    m_model->setProblems(shown);
    m_none->setVisible(shown.isEmpty());
    m_none->setText(!m_all.isEmpty() ? tr("There are no errors; the rest is hidden.")
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
