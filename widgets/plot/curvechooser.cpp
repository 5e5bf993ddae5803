// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvechooser.h"

#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"

#include <QHash>
#include <QHeaderView>
#include <QIcon>
#include <QPainter>
#include <QScopedValueRollback>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int tasksAtFirst = 8; // as many as there are looks of lines
constexpr int namesAtFirst = 3;
constexpr int namesWithoutFilter = 8;

// What stands for each of the eight looks of a line.
QList<QIcon> lineIcons(const QWidget *widget)
{
    constexpr int looks = 8;
    const QSize size(20, metrics::tinyIcon);
    const qreal ratio = widget->devicePixelRatioF();
    QList<QIcon> icons;
    for (int look = 0; look < looks; ++look) {
        QPixmap pixmap(size * ratio);
        pixmap.setDevicePixelRatio(ratio);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        QPen pen(colour(Colour(int(Colour::Series1) + look), widget), 2, Qt::SolidLine, Qt::FlatCap);
        if (const QList<qreal> dash = seriesDash(look + 1); !dash.isEmpty()) {
            pen.setDashPattern(dash);
        }
        painter.setPen(pen);
        painter.drawLine(QPointF(0, size.height() / 2.0), QPointF(size.width(), size.height() / 2.0));
        painter.end();
        icons.append(QIcon(pixmap));
    }
    return icons;
}

QTreeWidget *checkList(const QString &name)
{
    auto *list = new QTreeWidget;
    list->setColumnCount(2);
    list->setHeaderHidden(true);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    setTableLook(list);
    list->setAccessibleName(name);
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    return list;
}

} // namespace

CurveChooser::CurveChooser(QWidget *parent)
    : Ground(Colour::Surface, parent), m_taskPart(new QWidget), m_tasks(checkList(tr("Tasks whose curves are shown"))),
      m_names(checkList(tr("Metrics that are shown"))),
      m_filter(new SearchField(SearchField::Kind::Filter, tr("Filter metrics")))
{
    setBorders(Qt::RightEdge);
    setFixedWidth(metrics::sideMinimum);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, metrics::space2, 1, 0);
    layout->setSpacing(metrics::space1);
    const auto head = [](const QString &text) {
        QLabel *label = smallMutedLabel(text);
        label->setContentsMargins(metrics::space3, 0, metrics::space3, 0);
        return label;
    };
    auto *tasksLayout = new QVBoxLayout(m_taskPart);
    tasksLayout->setContentsMargins(0, 0, 0, 0);
    tasksLayout->setSpacing(metrics::space1);
    tasksLayout->addWidget(head(tr("Tasks")));
    tasksLayout->addWidget(m_tasks, 1);
    layout->addWidget(m_taskPart, 1);
    layout->addWidget(head(tr("Metrics")));
    auto *filterRow = new QHBoxLayout;
    filterRow->setContentsMargins(metrics::space2, 0, metrics::space2, 0);
    filterRow->addWidget(m_filter);
    layout->addLayout(filterRow);
    layout->addWidget(m_names, 1);
    m_filter->hide();
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
    const QList<QIcon> looks = lineIcons(this);
    for (int i = 0; i < tasks.size(); ++i) {
        auto *item = new QTreeWidgetItem(m_tasks, {tasks.at(i)});
        item->setIcon(0, looks.at(i % looks.size()));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setCheckState(0, known.value(tasks.at(i), i < tasksAtFirst ? Qt::Checked : Qt::Unchecked));
    }
    m_taskPart->setVisible(tasks.size() > 1);
}

bool CurveChooser::setNames(const QStringList &names)
{
    if (names.size() == m_names->topLevelItemCount()) {
        return false; // names only ever come, except for a reset to none
    }
    if (!m_namesChosen) {
        m_chosenNames = QSet<QString>(names.cbegin(), names.cbegin() + std::min<qsizetype>(namesAtFirst, names.size()));
    }
    const QScopedValueRollback setting(m_setting, true);
    m_names->clear();
    QList<QTreeWidgetItem *> items;
    for (const QString &name : names) {
        auto *item = new QTreeWidgetItem({name});
        item->setToolTip(0, plainTip(name));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setCheckState(0, m_chosenNames.contains(name) ? Qt::Checked : Qt::Unchecked);
        items.append(item);
    }
    m_names->addTopLevelItems(items);
    m_filter->setVisible(names.size() > namesWithoutFilter);
    applyFilter();
    return true;
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

void CurveChooser::setTaskValue(int task, const QString &value)
{
    const QScopedValueRollback setting(m_setting, true);
    m_tasks->topLevelItem(task)->setText(1, value);
}

void CurveChooser::setNameValue(int name, const QString &value, const QString &source)
{
    const QScopedValueRollback setting(m_setting, true);
    if (!source.isEmpty()) {
        m_names->topLevelItem(name)->setToolTip(
            0, plainTip(tr("%1, from %2").arg(m_names->topLevelItem(name)->text(0), source)));
    }
    m_names->topLevelItem(name)->setText(1, value);
}

} // namespace trainyard
