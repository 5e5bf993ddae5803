// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/foreignpage.h"

#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/tablelook.h"
#include "widgets/common/tokens.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/plot/curvesview.h"
#include "widgets/text/formats.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{

constexpr qsizetype mostRemarks = 3;

QString numberIn(const QJsonObject &result, QLatin1StringView key)
{
    const QJsonValue value = result.value(key);
    return value.isDouble() ? QString::number(value.toDouble(), 'g', 6) : QString();
}

} // namespace

ForeignPage::ForeignPage(QWidget *parent)
    : QWidget(parent), m_head(new PageHead), m_parts(new SegmentedControl({tr("Metrics"), tr("Facts")})),
      m_remarks(new InfoBar), m_stack(new QStackedWidget), m_curves(new CurvesView), m_facts(new QTreeWidget),
      m_source(smallMutedLabel({}))
{
    setObjectName(QStringLiteral("foreignPage"));
    m_head->addMinor(m_source);
    m_head->row()->addStretch(1);
    auto *forget = new QPushButton(tr("Remove from the list"));
    forget->setObjectName(QStringLiteral("foreignForget"));
    forget->setToolTip(tr("The files stay as they are"));
    m_head->addButton(forget);
    connect(forget, &QPushButton::clicked, this, &ForeignPage::forgetRequested);

    auto *bar = new Ground(Colour::Window);
    bar->setBorders(Qt::BottomEdge);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(metrics::space4, metrics::space1, metrics::space3, metrics::space1);
    m_parts->setAccessibleName(tr("What is shown of the run"));
    row->addWidget(m_parts);
    row->addStretch(1);
    row->addWidget(m_curves->controls());
    m_curves->controls()->show(); // they are hidden until they have a place

    m_facts->setColumnCount(2);
    m_facts->setHeaderLabels({tr("Name"), tr("Value")});
    m_facts->setUniformRowHeights(true);
    m_facts->setAlternatingRowColors(false);
    m_facts->setAccessibleName(tr("What is known of the run"));
    setTableLook(m_facts);
    m_stack->addWidget(m_curves);
    m_stack->addWidget(m_facts);
    connect(m_parts, &SegmentedControl::currentChanged, this, [this](int part) {
        m_stack->setCurrentIndex(part);
        m_curves->controls()->setVisible(part == 0);
        fitNames(); // its fonts may be others than before it was seen
    });

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_remarks);
    layout->addWidget(bar);
    layout->addWidget(m_stack, 1);
    m_remarks->hide();
    // Qt gives the keys of a page to the first of these when the user has not chosen: never to what removes the run.
    setTabOrder(m_facts, forget);
}

void ForeignPage::setRun(
    const JobSummary &summary, const TaskInfo &task, const Facts &facts, const QStringList &remarks)
{
    m_summary = summary;
    m_head->setHeading(summary.name);
    m_source->setText(tr("Read from %1").arg(summary.file));
    m_curves->setTasks({task});
    fillFacts(facts);
    QStringList shown = remarks.mid(0, mostRemarks);
    if (remarks.size() > mostRemarks) {
        shown.append(tr("%n more such place(s).", nullptr, int(remarks.size() - mostRemarks)));
    }
    for (QString &remark : shown) {
        remark = remark.toHtmlEscaped();
    }
    if (shown.isEmpty()) {
        m_remarks->hide();
    } else {
        m_remarks->show(InfoBar::Kind::Info, shown.join(QStringLiteral("<br>")));
    }
    m_head->fit();
}

void ForeignPage::setMissing(const QString &sentence)
{
    m_remarks->show(InfoBar::Kind::Failed, sentence.toHtmlEscaped());
    m_remarks->setClosable(false);
}

void ForeignPage::focusContent() { m_parts->setFocus(Qt::OtherFocusReason); }

void ForeignPage::fillFacts(const Facts &facts)
{
    m_facts->clear();
    const auto group = [this](const QString &name) {
        auto *item = new QTreeWidgetItem(m_facts, {name});
        item->setFirstColumnSpanned(true);
        item->setFlags(Qt::ItemIsEnabled);
        return item;
    };
    const auto add = [](QTreeWidgetItem *to, const QString &name, const QString &value) {
        auto *item = new QTreeWidgetItem(to, {name, value});
        item->setToolTip(1, plainTip(value));
    };
    if (!m_summary.results.isEmpty()) {
        QTreeWidgetItem *results = group(tr("Results"));
        for (auto it = m_summary.results.begin(); it != m_summary.results.end(); ++it) {
            const QJsonObject result = it.value().toObject();
            add(results, it.key(),
                tr("last %1, least %2, greatest %3")
                    .arg(numberIn(result, QLatin1StringView("last")), numberIn(result, QLatin1StringView("least")),
                        numberIn(result, QLatin1StringView("most"))));
        }
    }
    if (!m_summary.parameters.isEmpty()) {
        QTreeWidgetItem *parameters = group(tr("Parameters"));
        for (auto it = m_summary.parameters.begin(); it != m_summary.parameters.end(); ++it) {
            add(parameters, it.key(), it.value().toVariant().toString());
        }
    }
    if (!facts.isEmpty()) {
        QTreeWidgetItem *others = group(tr("Recorded beside them"));
        for (const auto &[name, value] : facts) {
            add(others, name, value);
        }
    }
    m_facts->expandAll();
    fitNames(); // the header looks at the names only while the groups are folded
}

void ForeignPage::fitNames()
{
    m_facts->resizeColumnToContents(0);
    m_facts->setColumnWidth(0, m_facts->columnWidth(0) + metrics::space5); // cells and steps begin further to the right
}

} // namespace trainyard
