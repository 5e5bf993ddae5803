// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvesview.h"

#include "engine/api/values.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"
#include "widgets/plot/curvestore.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QScrollArea>
#include <QSlider>
#include <QSplitter>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{

constexpr int tasksAtFirst = 8; // as many as there are looks of lines
constexpr int namesAtFirst = 3;
constexpr int namesWithoutFilter = 8;
constexpr int sliderSteps = 100;

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

QString shortNumber(double value)
{
    return std::isfinite(value) ? QString::number(value, 'g', 4)
        : std::isnan(value)     ? QStringLiteral("NaN")
        : value > 0             ? QStringLiteral("∞")
                                : QStringLiteral("−∞");
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

CurvesView::CurvesView(QWidget *parent)
    : QWidget(parent), m_store(new CurveStore(this)), m_controls(new QWidget), m_taskPart(new QWidget),
      m_tasks(checkList(tr("Tasks whose curves are shown"))), m_names(checkList(tr("Metrics that are shown"))),
      m_filter(new SearchField(SearchField::Kind::Filter, tr("Filter metrics"))), m_empty(new EmptyState),
      m_body(new QWidget)
{
    makeControls();
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto *ground = new Ground(Colour::Surface);
    m_stack = new QVBoxLayout(ground);
    m_stack->setContentsMargins(metrics::space3, metrics::space2, metrics::space3, metrics::space2);
    m_stack->setSpacing(metrics::space1);
    scroll->setWidget(ground);
    m_side = makeSide();
    auto *bodyLayout = new QHBoxLayout(m_body);
    bodyLayout->setContentsMargins(0, 0, 0, 0);
    bodyLayout->setSpacing(0);
    bodyLayout->addWidget(m_side);
    bodyLayout->addWidget(scroll, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_empty);
    layout->addWidget(m_body);
    m_empty->setIcon(QStringLiteral("chart"));
    m_body->hide();
    connect(m_store, &CurveStore::reset, this, &CurvesView::resetTasks);
    connect(m_store, &CurveStore::grew, this, &CurvesView::refresh);
    resetTasks();
}

void CurvesView::makeControls()
{
    auto *layout = new QHBoxLayout(m_controls);
    layout->setContentsMargins(0, 0, metrics::space3, 0);
    layout->setSpacing(metrics::space2);
    m_along = new SegmentedControl({tr("Step"), tr("Time")});
    m_along->setAccessibleName(tr("Axis of the curves"));
    m_smooth = new QSlider(Qt::Horizontal);
    m_smooth->setRange(0, sliderSteps);
    m_smooth->setFixedWidth(metrics::labelColumn);
    m_smooth->setAccessibleName(tr("Smoothing"));
    m_smooth->setToolTip(tr("The smoothed line is drawn over the values themselves"));
    m_log = new QCheckBox(tr("Log scale"));
    layout->addWidget(m_log);
    layout->addWidget(mutedLabel(tr("Smooth")));
    layout->addWidget(m_smooth);
    layout->addWidget(m_along);
    connect(m_along, &SegmentedControl::currentChanged, this, &CurvesView::applyLook);
    connect(m_smooth, &QSlider::valueChanged, this, &CurvesView::applyLook);
    connect(m_log, &QCheckBox::toggled, this, &CurvesView::applyLook);
}

QWidget *CurvesView::makeSide()
{
    auto *side = new Ground(Colour::Surface);
    side->setBorders(Qt::RightEdge);
    side->setFixedWidth(metrics::sideMinimum);
    auto *layout = new QVBoxLayout(side);
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
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        for (int i = 0; i < m_names->topLevelItemCount(); ++i) {
            QTreeWidgetItem *item = m_names->topLevelItem(i);
            item->setHidden(!item->text(0).contains(text, Qt::CaseInsensitive));
        }
    });
    connect(m_tasks, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem *item) {
        if (!m_setting) {
            if (item->checkState(0) == Qt::Checked) {
                m_store->want(m_tasks->indexOfTopLevelItem(item));
            }
            updatePlots();
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
        updatePlots();
    });
    return side;
}

void CurvesView::setTasks(const QList<TaskInfo> &tasks) { m_store->setTasks(tasks); }

void CurvesView::resetTasks()
{
    m_setting = true;
    QSet<QString> unchecked;
    for (int i = 0; i < m_tasks->topLevelItemCount(); ++i) {
        if (m_tasks->topLevelItem(i)->checkState(0) != Qt::Checked) {
            unchecked.insert(m_tasks->topLevelItem(i)->text(0));
        }
    }
    QSet<QString> known;
    for (int i = 0; i < m_tasks->topLevelItemCount(); ++i) {
        known.insert(m_tasks->topLevelItem(i)->text(0));
    }
    m_tasks->clear();
    const QList<QIcon> looks = lineIcons(this);
    for (int i = 0; i < m_store->tasks().size(); ++i) {
        const QString &name = m_store->tasks().at(i).name;
        auto *item = new QTreeWidgetItem(m_tasks, {name});
        item->setIcon(0, looks.at(i % looks.size()));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        const bool on = known.contains(name) ? !unchecked.contains(name) : i < tasksAtFirst;
        item->setCheckState(0, on ? Qt::Checked : Qt::Unchecked);
        if (on) {
            m_store->want(i);
        }
    }
    m_setting = false;
    m_taskPart->setVisible(m_store->tasks().size() > 1);
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.plot->setLines({}); // the series that it shows are gone
    }
    updateNames();
    updatePlots();
}

void CurvesView::updateNames()
{
    const QStringList names = m_store->names();
    const bool isEmpty = names.isEmpty();
    m_body->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty);
    if (isEmpty) {
        const bool hasStarted = std::any_of(m_store->tasks().cbegin(), m_store->tasks().cend(),
            [](const CurveStore::Task &task) { return !task.folder.isEmpty(); });
        m_empty->setText(!hasStarted   ? tr("The curves appear here when the job starts.")
                : m_store->isReading() ? tr("The output is being read.")
                                       : tr("The output has no metrics so far."));
        m_empty->setDetail(hasStarted && !m_store->isReading()
                ? tr("Losses, accuracies and other measures that the program prints become curves by themselves.")
                : QString());
    }
    if (names.size() == m_names->topLevelItemCount()) {
        return; // names only ever come, except for a reset to none
    }
    if (!m_namesChosen) {
        m_chosenNames = QSet<QString>(names.cbegin(), names.cbegin() + std::min<qsizetype>(namesAtFirst, names.size()));
    }
    m_setting = true;
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
    m_setting = false;
    m_filter->setVisible(names.size() > namesWithoutFilter);
    if (!m_filter->text().isEmpty()) {
        Q_EMIT m_filter->textChanged(m_filter->text());
    }
}

QList<CurveLine> CurvesView::linesOf(const QString &name) const
{
    QList<CurveLine> lines;
    for (int i = 0; i < m_tasks->topLevelItemCount(); ++i) {
        const QTreeWidgetItem *item = m_tasks->topLevelItem(i);
        if (item->checkState(0) != Qt::Checked) {
            continue;
        }
        if (const series::Series *series = m_store->series(i, name)) {
            lines.append({item->text(0), i % 8, series});
        }
    }
    return lines;
}

// A panel for each chosen metric, in the order of the list. Those that stay keep their widgets.
void CurvesView::updatePlots()
{
    QStringList wanted;
    const QStringList names = m_store->names();
    for (const QString &name : names) {
        if (m_chosenNames.contains(name)) {
            wanted.append(name);
        }
    }
    for (qsizetype i = m_panels.size() - 1; i >= 0; --i) {
        if (!wanted.contains(m_panels.at(i).name)) {
            m_panels.at(i).widget->hide();
            m_panels.at(i).widget->deleteLater();
            m_panels.removeAt(i);
        }
    }
    for (int i = 0; i < wanted.size(); ++i) {
        const QString &name = wanted.at(i);
        if (i < m_panels.size() && m_panels.at(i).name == name) {
            continue;
        }
        const auto known = std::find_if(
            m_panels.begin() + i, m_panels.end(), [&name](const Panel &panel) { return panel.name == name; });
        if (known != m_panels.end()) {
            m_panels.move(known - m_panels.begin(), i);
            m_stack->insertWidget(i, m_panels.at(i).widget, 1);
            continue;
        }
        Panel panel;
        panel.name = name;
        panel.widget = new QWidget;
        panel.title = plainLabel(name);
        panel.title->setFont(fonts::semibold());
        panel.values = new ElidedLabel;
        panel.values->setColour(Colour::Muted);
        panel.values->setElideMode(Qt::ElideRight);
        panel.plot = new CurvePlot(name);
        auto *row = new QHBoxLayout;
        row->setSpacing(metrics::space3);
        row->addWidget(panel.title);
        row->addWidget(panel.values, 1);
        auto *layout = new QVBoxLayout(panel.widget);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        layout->addLayout(row);
        layout->addWidget(panel.plot, 1);
        panel.plot->setLook(m_look);
        connect(panel.plot, &CurvePlot::rangeChosen, this, &CurvesView::setRange);
        connect(panel.plot, &CurvePlot::cursorMoved, this, &CurvesView::setCursor);
        connect(panel.plot, &CurvePlot::momentChosen, this, [this](const CurveLine &line, const series::Point &point) {
            Q_EMIT momentChosen(line.label, point.time, point.value);
        });
        connect(panel.plot, &CurvePlot::menuRequested, this,
            [this, plot = panel.plot](const QPoint &at) { showMenu(plot, at); });
        m_panels.insert(i, panel);
        m_stack->insertWidget(i, panel.widget, 1);
    }
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.plot->setLines(linesOf(panel.name));
    }
    refresh();
}

QList<CurvePlot *> CurvesView::plots() const
{
    QList<CurvePlot *> all;
    for (const Panel &panel : m_panels) {
        all.append(panel.plot);
    }
    return all;
}

void CurvesView::refresh()
{
    if (m_store->names().size() != m_names->topLevelItemCount()) {
        updateNames();
        updatePlots();
        return;
    }
    updateNames(); // its words for an empty page
    if (m_look.start != m_store->firstTime()) {
        m_look.start = m_store->firstTime();
        for (const Panel &panel : std::as_const(m_panels)) {
            panel.plot->setLook(m_look);
        }
    }
    std::optional<CurvePlot::Range> whole;
    for (const Panel &panel : std::as_const(m_panels)) {
        const QList<CurveLine> lines = linesOf(panel.name);
        if (lines.size() != panel.plot->lineCount()) {
            panel.plot->setLines(lines);
        }
        if (const auto one = panel.plot->extent()) {
            whole = whole ? CurvePlot::Range{std::min(whole->first, one->first), std::max(whole->second, one->second)}
                          : *one;
        }
    }
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.plot->setWhole(whole.value_or(CurvePlot::Range{0, 1}));
        panel.plot->refresh();
    }
    updateTitles();
    if (!m_hadRoom && !m_panels.isEmpty() && isVisible()) {
        m_hadRoom = true;
        Q_EMIT wantsRoom();
    }
}

// The values at the cursor; without one the last values.
void CurvesView::updateTitles()
{
    for (const Panel &panel : std::as_const(m_panels)) {
        QStringList parts;
        std::optional<double> step;
        const auto add = [&](const CurveLine &line, const series::Point &point) {
            parts.append(m_store->tasks().size() > 1 ? tr("%1 %2").arg(line.label, shortNumber(point.value))
                                                     : shortNumber(point.value));
            step = step.value_or(point.x);
        };
        if (m_cursor) {
            for (const auto &[line, point] : panel.plot->pointsAt(*m_cursor)) {
                add(line, point);
            }
        } else {
            for (const CurveLine &line : linesOf(panel.name)) {
                if (const auto last = line.series->last()) {
                    add(line, *last);
                }
            }
        }
        QString text = parts.join(QStringLiteral("   "));
        if (step && m_cursor) {
            text += QStringLiteral("   ") + tr("at step %1").arg(QString::number(*step, 'g', 12));
        }
        panel.values->setText(text);
    }
    m_setting = true;
    const QString first = m_panels.isEmpty() ? QString() : m_panels.constFirst().name;
    for (int i = 0; i < m_tasks->topLevelItemCount(); ++i) {
        const series::Series *series = m_store->series(i, first);
        const auto last = series ? series->last() : std::nullopt;
        m_tasks->topLevelItem(i)->setText(1, last ? shortNumber(last->value) : QString());
    }
    for (int i = 0; i < m_names->topLevelItemCount(); ++i) {
        QTreeWidgetItem *item = m_names->topLevelItem(i);
        std::optional<series::Point> last;
        for (int task = 0; task < m_store->tasks().size() && !last; ++task) {
            const series::Series *series = m_store->series(task, item->text(0));
            last = series ? series->last() : std::nullopt;
        }
        item->setText(1, last ? shortNumber(last->value) : QString());
    }
    m_setting = false;
}

void CurvesView::applyLook()
{
    const CurveAlong along = m_along->currentIndex() == 0 ? CurveAlong::Step : CurveAlong::Time;
    if (along != m_look.along) {
        m_range.reset();
    }
    m_look.along = along;
    // Most of what one wants to see lies near 1.
    const double part = double(m_smooth->value()) / sliderSteps;
    m_look.smoothing = part <= 0 ? 0 : std::min(0.999, 1 - std::pow(1 - part, 2));
    m_look.isLog = m_log->isChecked();
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.plot->setLook(m_look);
        panel.plot->setRange(m_range);
    }
    refresh();
}

void CurvesView::setRange(const std::optional<CurvePlot::Range> &range)
{
    m_range = range;
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.plot->setRange(range);
    }
}

void CurvesView::setCursor(std::optional<double> place)
{
    m_cursor = place;
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.plot->setCursor(place);
    }
    updateTitles();
}

QList<CurveGroup> CurvesView::groups() const
{
    QList<CurveGroup> all;
    for (const Panel &panel : m_panels) {
        all.append({panel.name, linesOf(panel.name)});
    }
    return all;
}

void CurvesView::showMenu(CurvePlot *plot, const QPoint &at)
{
    QMenu menu(this);
    menu.addAction(tr("Show everything"), this, [this] { setRange(std::nullopt); })->setEnabled(m_range.has_value());
    menu.addSeparator();
    menu.addAction(tr("Copy the values as a table"), this, &CurvesView::copyTable);
    menu.addAction(tr("Save the values as CSV…"), this, &CurvesView::saveValues);
    menu.addAction(tr("Save this plot as a picture…"), this, [this, plot] { savePicture(plot); });
    menu.exec(at);
}

void CurvesView::copyTable() { QApplication::clipboard()->setText(curvesAsTable(groups(), m_look, m_range)); }

void CurvesView::savePicture(CurvePlot *plot)
{
    const QSizeF column(88, 55); // mm: one column of a paper
    const QString file = QFileDialog::getSaveFileName(this, tr("Save the plot"),
        QString(plot->title()).replace(u'/', u'_') + QStringLiteral(".pdf"),
        tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"));
    if (!file.isEmpty() && !plot->save(file, column)) {
        QMessageBox::warning(this, tr("Save the plot"), tr("%1 could not be written.").arg(file));
    }
}

void CurvesView::saveValues()
{
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Save the values"), QStringLiteral("metrics.csv"), tr("Comma-separated values (*.csv)"));
    if (file.isEmpty()) {
        return;
    }
    auto *writer = new CurveExport(file, groups(), this);
    connect(m_store, &CurveStore::reset, writer, &CurveExport::cancel);
    connect(writer, &CurveExport::finished, this, [this, file](qsizetype, const QString &error) {
        if (!error.isEmpty()) {
            QMessageBox::warning(this, tr("Save the values"), tr("%1 could not be written: %2.").arg(file, error));
        }
    });
    writer->start();
}

void CurvesView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_store->setWatching(true);
    refresh();
}

void CurvesView::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_store->setWatching(false);
}

} // namespace trainyard
