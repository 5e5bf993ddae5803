// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/eventsview.h"

#include "widgets/common/clocktext.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"
#include "widgets/text/formats.h"

#include <QAbstractTableModel>
#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QShortcut>
#include <QStackedLayout>
#include <QTreeView>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int timeWidth = 116, sinceWidth = 80, fieldWidth = 170, headRoom = 12;

StateShape shapeOfEvent(const RunEvent &event)
{
    switch (event.kind) {
    case RunEvent::Kind::Waits:
    case RunEvent::Kind::Proposed:
    case RunEvent::Kind::Approved:
    case RunEvent::Kind::Submitted:
    case RunEvent::Kind::RemovalAnnounced:
    case RunEvent::Kind::HostLost:
        return StateShape::Waiting;
    case RunEvent::Kind::Paused:
        return StateShape::Paused;
    case RunEvent::Kind::Resumed:
    case RunEvent::Kind::HostBack:
        return StateShape::Running;
    default:
        return shapeOf(event.state);
    }
}

} // namespace

// The events that have the words of the filter.
class EventsModel : public QAbstractTableModel
{
public:
    enum Column { TimeColumn, SinceColumn, TextColumn, columns };
    using QAbstractTableModel::QAbstractTableModel;

    void setStory(const RunStory &story)
    {
        m_story = story;
        m_events = runEvents(story);
        m_texts = QStringList(m_events.size());
        filter();
    }

    void setFilter(const QString &text)
    {
        m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        filter();
    }

    int all() const { return int(m_events.size()); }
    const RunEvent &eventAt(int row) const { return m_events.at(m_shown.at(row)); }
    int rowCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : int(m_shown.size()); }
    int columnCount(const QModelIndex & = {}) const override { return columns; }

    QVariant data(const QModelIndex &at, int role) const override
    {
        if (!at.isValid()) {
            return {};
        }
        const RunEvent &one = eventAt(at.row());
        if (role == Qt::DecorationRole && at.column() == TextColumn) {
            return one.kind == RunEvent::Kind::Health ? icon(QStringLiteral("warning"), Colour::Waiting)
                                                      : stateIcon(shapeOfEvent(one));
        }
        if (role == Qt::ToolTipRole) {
            return plainTip(text(m_shown.at(at.row())));
        }
        if (role != Qt::DisplayRole) {
            return {};
        }
        switch (Column(at.column())) {
        case TimeColumn:
            return formatTime(one.at, QDateTime::currentMSecsSinceEpoch());
        case SinceColumn:
            return clockText(one.at - m_story.job.submitted);
        case TextColumn:
            return text(m_shown.at(at.row()));
        case columns:
            break;
        }
        return {};
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
            return role == Qt::TextAlignmentRole
                ? QVariant(int((section == SinceColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter))
                : QVariant();
        }
        return section == TimeColumn ? EventsView::tr("Time")
            : section == SinceColumn ? EventsView::tr("Since start")
                                     : EventsView::tr("Event");
    }

private:
    // Made when it is looked at: a run of ten thousand tasks has as many events.
    const QString &text(qsizetype i) const
    {
        if (m_texts.at(i).isNull()) {
            m_texts[i] = runEventText(m_events.at(i), m_story);
        }
        return m_texts.at(i);
    }

    // Rows that stay keep their place in the view: events come at the end.
    void filter()
    {
        QList<qsizetype> shown;
        for (qsizetype i = 0; i < m_events.size(); ++i) {
            if (std::all_of(m_words.cbegin(), m_words.cend(),
                    [this, i](const QString &word) { return text(i).contains(word, Qt::CaseInsensitive); })) {
                shown.append(i);
            }
        }
        const qsizetype common = std::min(shown.size(), m_shown.size());
        if (shown.size() < m_shown.size()) {
            beginRemoveRows({}, int(common), int(m_shown.size()) - 1);
            m_shown = shown;
            endRemoveRows();
        } else if (shown.size() > m_shown.size()) {
            beginInsertRows({}, int(common), int(shown.size()) - 1);
            m_shown = shown;
            endInsertRows();
        }
        m_shown = shown;
        if (common > 0) {
            Q_EMIT dataChanged(index(0, 0), index(int(common) - 1, columns - 1));
        }
    }

    RunStory m_story;
    QList<RunEvent> m_events;
    mutable QStringList m_texts; // null: not made yet
    QStringList m_words;
    QList<qsizetype> m_shown;
};

EventsView::EventsView(QWidget *parent)
    : QWidget(parent), m_model(new EventsModel(this)),
      m_field(new SearchField(SearchField::Kind::Filter, tr("Filter events"), this)), m_view(new QTreeView),
      m_pages(new QStackedLayout(this))
{
    setSmall(m_field);
    m_field->setFixedWidth(fieldWidth);
    m_view->setObjectName(QStringLiteral("runEvents"));
    m_view->setAccessibleName(tr("Events"));
    m_view->setModel(m_model);
    setTableLook(m_view);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->header()->setStretchLastSection(true);
    m_view->header()->resizeSection(EventsModel::TimeColumn, timeWidth);
    m_view->header()->resizeSection(EventsModel::SinceColumn, sinceWidth);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    auto *empty = new EmptyState;
    empty->setIcon(QStringLiteral("clock"));
    empty->setText(tr("Nothing is known about this run yet."));
    m_pages->addWidget(empty);
    m_pages->addWidget(m_view);
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString &text) { m_model->setFilter(text); });
    connect(m_view, &QTreeView::clicked, this, &EventsView::choose);
    connect(m_view, &QTreeView::activated, this, &EventsView::choose);
    connect(m_view, &QWidget::customContextMenuRequested, this, [this](const QPoint &at) {
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(icon(QStringLiteral("copy")), tr("Copy"), this, &EventsView::copyChosen);
        menu->popup(m_view->viewport()->mapToGlobal(at));
    });
    auto *copyKey = new QShortcut(QKeySequence::Copy, m_view);
    copyKey->setContext(Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, this, &EventsView::copyChosen);
}

EventsView::~EventsView() = default;

QWidget *EventsView::controls() const { return m_field; }

int EventsView::count() const { return m_model->all(); }

void EventsView::setStory(const RunStory &story)
{
    const int before = count();
    m_model->setStory(story);
    m_pages->setCurrentIndex(count() > 0 ? 1 : 0);
    if (count() != before) {
        Q_EMIT countChanged(count());
    }
}

void EventsView::choose(const QModelIndex &at)
{
    if (!at.isValid()) {
        return;
    }
    const RunEvent event = m_model->eventAt(at.row());
    if (event.mark && event.mark->line) {
        Q_EMIT lineChosen(event.role, event.index, *event.mark->line);
    } else if (!event.role.isEmpty() && event.attempt >= 0) {
        Q_EMIT tryChosen(event.attempt, event.role, event.index, event.number);
    } else if (event.attempt >= 0) {
        Q_EMIT attemptChosen(event.attempt);
    }
}

// Only now is the font known in which the heads are written.
void EventsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    QHeaderView *heads = m_view->header();
    heads->ensurePolished();
    for (const int column : {int(EventsModel::TimeColumn), int(EventsModel::SinceColumn)}) {
        heads->resizeSection(column, std::max(heads->sectionSize(column), heads->sectionSizeHint(column) + headRoom));
    }
}

void EventsView::copyChosen()
{
    QModelIndexList rows = m_view->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    for (const QModelIndex &row : std::as_const(rows)) {
        const QString time
            = QDateTime::fromMSecsSinceEpoch(m_model->eventAt(row.row()).at, Qt::UTC).toString(Qt::ISODate);
        lines.append(time + QLatin1Char('\t') + row.siblingAtColumn(EventsModel::TextColumn).data().toString());
    }
    if (!lines.isEmpty()) {
        QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
    }
}

} // namespace trainyard
