// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvechooser.h"

#include "engine/metrics/names.h"
#include "widgets/common/celldelegate.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/linesample.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"
#include "widgets/text/metricrank.h"

#include <QEvent>
#include <QHash>
#include <QHeaderView>
#include <QIcon>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

constexpr int tasksAtFirst = 8; // as many as there are colours of lines
constexpr int namesAtFirst = 3;
constexpr int namesWithoutFilter = 8;
constexpr int widestChooser = 280; // in which the longest figure of a host has room beside its value
constexpr QSize sampleSize(20, metrics::tinyIcon); // of the line of a task

// The symbol of each look of a line.
QList<QIcon> lineIcons(const QWidget *widget)
{
    const qreal ratio = widget->devicePixelRatioF();
    QList<QIcon> icons;
    for (int look = 0; look < lookCount; ++look) {
        QPixmap pixmap(sampleSize * ratio);
        pixmap.setDevicePixelRatio(ratio);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        paintLineSample(&painter, QRectF(QPointF(), sampleSize), look, widget->palette());
        painter.end();
        icons.append(QIcon(pixmap));
    }
    return icons;
}

// A name, and at the end of its row its value, which is in a column that is not shown: a name has all the room that its
// own value leaves, whatever those of other rows need.
class NameAndValueDelegate final : public CellDelegate
{
public:
    using CellDelegate::CellDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        CellDelegate::paint(painter, option, index);
        painter->save();
        painter->setFont(option.font);
        painter->setPen(colour(Colour::Text, option.palette));
        painter->drawText(
            option.rect.adjusted(0, 0, -metrics::space2, 0), Qt::AlignRight | Qt::AlignVCenter, valueOf(index));
        painter->restore();
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        CellDelegate::initStyleOption(option, index);
        // Tasks and metrics differ at their ends, but the figures of hosts before their unit.
        option->textElideMode = option->text.endsWith(u')') ? Qt::ElideRight : Qt::ElideMiddle;
        const QString value = valueOf(index);
        const int room = value.isEmpty() ? 0 : option->fontMetrics.horizontalAdvance(value) + metrics::space1;
        option->rect.setRight(option->rect.right() - metrics::space2 - room);
    }

private:
    static QString valueOf(const QModelIndex &index) { return index.siblingAtColumn(1).data().toString(); }
};

QTreeWidget *checkList(const QString &name)
{
    auto *list = new QTreeWidget;
    list->setColumnCount(2);
    list->setHeaderHidden(true);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    setTableLook(list);
    list->setItemDelegate(new NameAndValueDelegate(list));
    QObject::connect(list, &QTreeWidget::itemChanged, list->viewport(), qOverload<>(&QWidget::update)); // a value
    list->setAccessibleName(name);
    list->setMinimumHeight(metrics::row + 2); // in a low window the others are scrolled to
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list->setColumnHidden(1, true);
    return list;
}

void showValue(QTreeWidgetItem *item, const QString &value)
{
    item->setText(1, value);
    item->setData(0, Qt::AccessibleDescriptionRole, value);
}

} // namespace

CurveChooser::CurveChooser(QWidget *parent)
    : Ground(Colour::Surface, parent), m_taskPart(new QWidget), m_tasks(checkList(tr("Tasks whose curves are shown"))),
      m_names(checkList(tr("Metrics that are shown"))),
      m_filter(new SearchField(SearchField::Kind::Filter, tr("Filter metrics"))), m_remarks(smallMutedLabel({}))
{
    setBorders(Qt::RightEdge);
    setMinimumWidth(metrics::sideMinimum);
    setMaximumWidth(widestChooser);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, metrics::space2, 1, 0);
    layout->setSpacing(metrics::space1);
    const auto head = [](const QString &text) {
        QLabel *label = smallMutedLabel(text);
        label->setContentsMargins(metrics::space3, 0, metrics::space3, 0);
        return label;
    };
    m_tasks->setIconSize(sampleSize); // else the samples are made smaller, and their dashes run together
    auto *tasksLayout = new QVBoxLayout(m_taskPart);
    tasksLayout->setContentsMargins(0, 0, 0, 0);
    tasksLayout->setSpacing(metrics::space1);
    m_taskHead = head(tr("Tasks"));
    tasksLayout->addWidget(m_taskHead);
    tasksLayout->addWidget(m_tasks, 1);
    layout->addWidget(m_taskPart, 1);
    layout->addWidget(head(tr("Metrics")));
    auto *filterRow = new QHBoxLayout;
    filterRow->setContentsMargins(metrics::space2, 0, metrics::space2, 0);
    filterRow->addWidget(m_filter);
    layout->addLayout(filterRow);
    layout->addWidget(m_names, 1);
    m_remarks->setContentsMargins(metrics::space3, 0, metrics::space3, metrics::space2);
    layout->addWidget(m_remarks);
    m_remarks->hide();
    m_filter->hide();
    m_names->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_names, &QTreeWidget::customContextMenuRequested, this, &CurveChooser::showNameMenu);
    connect(m_filter, &QLineEdit::textChanged, this, &CurveChooser::applyFilter);
    connect(m_tasks, &QTreeWidget::itemChanged, this, [this] {
        if (!m_setting) {
            Q_EMIT changed();
        }
    });
    connect(m_names, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem *item) {
        if (m_setting) {
            return;
        }
        m_namesChosen = true;
        if (item->checkState(0) == Qt::Checked) {
            m_chosenNames.insert(item->text(0));
        } else {
            m_chosenNames.remove(item->text(0));
        }
        Q_EMIT changed();
    });
}

void CurveChooser::applyFilter()
{
    for (int i = 0; i < m_names->topLevelItemCount(); ++i) {
        QTreeWidgetItem *item = m_names->topLevelItem(i);
        item->setHidden(!item->text(0).contains(m_filter->text(), Qt::CaseInsensitive));
    }
}

void CurveChooser::setTasks(const QStringList &tasks)
{
    const QScopedValueRollback setting(m_setting, true);
    QHash<QString, Qt::CheckState> known;
    for (int i = 0; i < m_tasks->topLevelItemCount(); ++i) {
        known.insert(m_tasks->topLevelItem(i)->text(0), m_tasks->topLevelItem(i)->checkState(0));
    }
    m_tasks->clear();
    for (int i = 0; i < tasks.size(); ++i) {
        auto *item = new QTreeWidgetItem(m_tasks, {tasks.at(i)});
        item->setToolTip(0, plainTip(tasks.at(i)));
        item->setCheckState(0, known.value(tasks.at(i), i < tasksAtFirst ? Qt::Checked : Qt::Unchecked));
    }
    drawSamples();
    m_taskPart->setVisible(tasks.size() > 1);
    shareHeight();
}

bool CurveChooser::event(QEvent *event)
{
    const bool isDone = Ground::event(event);
    if (m_taskHead && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)) {
        shareHeight(); // the lists have been laid out
    }
    return isDone;
}

// Each list has half, but a short one leaves what it does not need to the other one.
void CurveChooser::shareHeight()
{
    const auto wanted = [](const QTreeWidget *list) {
        return std::max(1, list->topLevelItemCount()) * std::max(metrics::row, list->sizeHintForRow(0)) + 2;
    };
    const int forTasks = wanted(m_tasks), forNames = wanted(m_names);
    m_tasks->setMaximumHeight(forTasks);
    m_taskPart->setMaximumHeight(forTasks + m_taskHead->sizeHint().height() + metrics::space1);
    // With both at their greatest height there may be more.
    const bool isShort = m_taskPart->isHidden() || forTasks + forNames <= m_tasks->height() + m_names->height();
    m_names->setMaximumHeight(isShort ? QWIDGETSIZE_MAX : forNames);
    // Else each would have half, also where one of them needs more than that.
    auto *column = static_cast<QVBoxLayout *>(layout());
    const auto give = [column](QWidget *part, int share) {
        if (const int at = column->indexOf(part); column->stretch(at) != share) {
            column->setStretch(at, share);
        }
    };
    give(m_taskPart, isShort ? m_taskPart->maximumHeight() : 1);
    give(m_names, isShort ? forNames : 1);
}

void CurveChooser::drawSamples()
{
    const QScopedValueRollback setting(m_setting, true);
    const QList<QIcon> looks = lineIcons(this);
    for (int i = 0; i < m_tasks->topLevelItemCount(); ++i) {
        m_tasks->topLevelItem(i)->setIcon(0, looks.at(i % looks.size()));
    }
}

void CurveChooser::changeEvent(QEvent *event)
{
    Ground::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_tasks) {
        drawSamples();
    }
}

bool CurveChooser::setNames(const QStringList &names, qsizetype own, const QStringList &values)
{
    const bool hasOthers = names.size() != m_allNames.size(); // they only ever come, except for a reset to none
    const bool mayChoose = std::exchange(m_values, values) != values && !m_namesChosen;
    if (!hasOthers && !mayChoose) {
        return false;
    }
    const QSet<QString> before = m_chosenNames;
    m_allNames = names;
    m_ownNames = own;
    fillNames();
    return hasOthers || m_chosenNames != before;
}

void CurveChooser::setPinned(const QStringList &names)
{
    if (names != m_pinned) {
        m_pinned = names;
        fillNames();
    }
}

void CurveChooser::fillNames()
{
    QList<qsizetype> order; // those that are pinned first
    for (qsizetype i = 0; i < m_allNames.size(); ++i) {
        order.append(i);
    }
    const auto pinnedEnd = std::stable_partition(
        order.begin(), order.end(), [this](qsizetype i) { return m_pinned.contains(m_allNames.at(i)); });
    // Then metrics, speeds, and the figures of the host.
    const auto figures = std::find_if(pinnedEnd, order.end(), [this](qsizetype i) { return i >= m_ownNames; });
    std::stable_partition(pinnedEnd, figures,
        [this](qsizetype i) { return metrics::kindOf(m_allNames.at(i).toStdString()) != metrics::NameKind::Speed; });
    const auto pinned = pinnedEnd - order.begin();
    if (!m_namesChosen) {
        chooseFirst(order, pinned);
    }
    const QScopedValueRollback setting(m_setting, true);
    QHash<QString, QString> values;
    for (const QTreeWidgetItem *item : std::as_const(m_items)) {
        values.insert(item->text(0), item->text(1));
    }
    m_names->clear();
    m_items.resize(m_allNames.size());
    QList<QTreeWidgetItem *> rows;
    for (const qsizetype i : std::as_const(order)) {
        const QString &name = m_allNames.at(i);
        auto *item = new QTreeWidgetItem({name});
        showValue(item, values.value(name));
        item->setToolTip(0, plainTip(name));
        item->setCheckState(0, m_chosenNames.contains(name) ? Qt::Checked : Qt::Unchecked);
        if (rows.size() < pinned) {
            item->setIcon(0, icon(QStringLiteral("pin")));
            item->setData(0, Qt::AccessibleTextRole, tr("%1, pinned").arg(name));
        }
        m_items[i] = item;
        rows.append(item);
    }
    m_names->addTopLevelItems(rows);
    m_filter->setVisible(m_allNames.size() > namesWithoutFilter);
    applyFilter();
    shareHeight();
}

// Those that are pinned, and the first others. Single values, such as a result at the end, rank behind measured curves.
void CurveChooser::chooseFirst(const QList<qsizetype> &order, qsizetype pinned)
{
    constexpr int setNotMeasured = 5;
    QStringList offered;
    for (const qsizetype i : order.sliced(pinned)) {
        if (i < m_ownNames || m_ownNames == 0) {
            offered.append(m_allNames.at(i));
        }
    }
    const auto priority = [this](const QString &name) {
        return m_values.contains(name) ? 1 : metricRank(name) < setNotMeasured ? 0 : 2;
    };
    if (m_ownNames > 0) {
        std::stable_sort(offered.begin(), offered.end(),
            [&priority](const QString &a, const QString &b) { return priority(a) < priority(b); });
    }
    m_chosenNames.clear();
    for (const qsizetype i : order.first(pinned)) {
        m_chosenNames.insert(m_allNames.at(i));
    }
    const qsizetype room = std::max<qsizetype>(namesAtFirst - pinned, 0);
    for (const QString &name : offered.first(std::min(room, offered.size()))) {
        m_chosenNames.insert(name);
    }
}

void CurveChooser::showNameMenu(const QPoint &at)
{
    const QTreeWidgetItem *item = m_names->itemAt(at);
    if (!item) {
        return;
    }
    const QString name = item->text(0);
    const bool isPinned = m_pinned.contains(name);
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(isPinned ? tr("Unpin") : tr("Pin for all runs"), this, [this, name, isPinned] {
        QStringList pinned = m_pinned;
        if (isPinned) {
            pinned.removeAll(name);
        } else {
            pinned.append(name);
            m_chosenNames.insert(name);
        }
        Q_EMIT pinnedChanged(pinned);
    });
    menu->popup(m_names->viewport()->mapToGlobal(at));
}

QList<int> CurveChooser::tasks() const
{
    QList<int> all;
    for (int i = 0; i < m_tasks->topLevelItemCount(); ++i) {
        if (m_tasks->topLevelItem(i)->checkState(0) == Qt::Checked) {
            all.append(i);
        }
    }
    return all;
}

QStringList CurveChooser::names() const
{
    QStringList all;
    for (int i = 0; i < m_names->topLevelItemCount(); ++i) {
        if (m_chosenNames.contains(m_names->topLevelItem(i)->text(0))) {
            all.append(m_names->topLevelItem(i)->text(0));
        }
    }
    return all;
}

void CurveChooser::setRemarks(const QStringList &sentences)
{
    m_remarks->setVisible(!sentences.isEmpty());
    m_remarks->setText(tr("%n remark(s) about files", nullptr, int(sentences.size())));
    m_remarks->setToolTip(plainTip(sentences.join(QLatin1Char('\n'))));
}

void CurveChooser::setTaskValue(int task, const QString &value)
{
    const QScopedValueRollback setting(m_setting, true);
    showValue(m_tasks->topLevelItem(task), value);
}

void CurveChooser::setNameValue(int name, const QString &value, const QString &source)
{
    const QScopedValueRollback setting(m_setting, true);
    QTreeWidgetItem *item = m_items.at(name);
    if (!source.isEmpty()) {
        item->setToolTip(0, plainTip(tr("%1, from %2").arg(item->text(0), source)));
    }
    showValue(item, value);
}

} // namespace trainyard
