// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/previewpage.h"

#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/text/texts.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{
QTreeWidget *table(const QStringList &heads)
{
    auto *tree = new QTreeWidget;
    tree->setHeaderLabels(heads);
    tree->setFrameShape(QFrame::NoFrame);
    tree->setUniformRowHeights(true);
    tree->setRootIsDecorated(false);
    return tree;
}

QWidget *pane(const QString &title, QWidget *extra, QWidget *body)
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
    row->addWidget(semiboldLabel(title));
    row->addStretch();
    if (extra) {
        row->addWidget(extra);
    }
    layout->addWidget(head);
    layout->addWidget(body, 1);
    return pane;
}

QString joined(const QList<int> &numbers)
{
    QStringList words;
    for (const int number : numbers) {
        words.append(QString::number(number));
    }
    return words.join(QStringLiteral(", "));
}
} // namespace

PreviewPage::PreviewPage(QWidget *parent)
    : QWidget(parent), m_heading(headingLabel({})), m_bar(new InfoBar(this)), m_run(new QPushButton(tr("Run"))),
      m_tasks(table({tr("Task"), tr("Host"), tr("GPU"), tr("Ports")})), m_order(smallMutedLabel({})),
      m_script(new QPlainTextEdit), m_environment(table({tr("Name"), tr("Value")})),
      m_filter(new SearchField(SearchField::Kind::Filter, tr("Filter")))
{
    auto *head = new Ground(Colour::Surface);
    head->setBorders(Qt::BottomEdge);
    head->setFixedHeight(metrics::pageHead);
    auto *headLayout = new QHBoxLayout(head);
    headLayout->setContentsMargins(metrics::space4, 0, metrics::space3, 1);
    headLayout->setSpacing(metrics::space3);
    headLayout->addWidget(m_heading);
    headLayout->addWidget(mutedLabel(tr("Exactly what Run will do. Secrets are masked.")));
    headLayout->addStretch();
    auto *back = new QPushButton(icon(QStringLiteral("edit")), tr("Back to the job"));
    setButtonKind(back, ButtonKind::Normal);
    setButtonKind(m_run, ButtonKind::Primary);
    m_run->setIcon(icon(QStringLiteral("run")));
    headLayout->addWidget(back);
    headLayout->addWidget(m_run);

    m_tasks->setAccessibleName(tr("Tasks"));
    m_tasks->header()->resizeSection(0, 96);
    m_tasks->header()->resizeSection(1, 60);
    m_tasks->header()->resizeSection(2, 44);
    m_script->setReadOnly(true);
    m_script->setFrameShape(QFrame::NoFrame);
    m_script->setFont(fonts::fixed());
    m_script->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_script->document()->setDocumentMargin(metrics::space3);
    m_script->setAccessibleName(tr("Script"));
    m_environment->setAccessibleName(tr("Environment"));
    m_environment->setFont(fonts::fixed());
    m_environment->header()->resizeSection(0, 210);
    setSmall(m_filter);
    m_filter->setFixedWidth(140);

    auto *across = new QSplitter(Qt::Horizontal);
    across->addWidget(pane(tr("Placement"), nullptr, m_tasks));
    across->addWidget(pane(tr("Script"), m_order, m_script));
    across->addWidget(pane(tr("Environment"), m_filter, m_environment));
    across->setStretchFactor(1, 1);
    across->setSizes({308, 560, 340});
    across->setChildrenCollapsible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addWidget(m_bar);
    layout->addWidget(across, 1);

    connect(back, &QPushButton::clicked, this, &PreviewPage::backRequested);
    connect(m_run, &QPushButton::clicked, this, &PreviewPage::runRequested);
    connect(m_tasks, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem *item) {
        if (item) {
            showTask(item->data(0, Qt::UserRole).toInt());
        }
    });
    connect(m_filter, &QLineEdit::textChanged, this, &PreviewPage::filterEnvironment);
}

QString PreviewPage::title() const { return tr("Preview %1").arg(m_name); }

void PreviewPage::setJob(const QString &name)
{
    m_name = name;
    m_heading->setText(tr("Preview of %1").arg(name));
}

void PreviewPage::setPlan(const PlanReply &plan, const QHash<QString, QString> &hostLabels)
{
    m_plan = plan;
    m_run->setEnabled(true);
    m_tasks->clear();
    for (qsizetype i = 0; i < plan.tasks.size(); ++i) {
        const PlannedTask &task = plan.tasks.at(i);
        QStringList ports;
        for (const auto &[label, numbers] : task.ports) {
            ports.append(label + QLatin1Char(' ') + joined(numbers));
        }
        auto *item = new QTreeWidgetItem({task.role + QLatin1Char('-') + QString::number(task.index),
            task.host.isEmpty() ? tr("waits") : hostLabels.value(task.host, task.host), joined(task.gpus),
            ports.join(QStringLiteral("; "))});
        item->setToolTip(3, ports.join(QLatin1Char('\n')));
        item->setData(0, Qt::UserRole, int(i));
        m_tasks->addTopLevelItem(item);
    }
    if (plan.waitReason.isEmpty()) {
        m_bar->hide();
    } else {
        m_bar->show(InfoBar::Kind::Waiting, reasonText(plan.waitReason, plan.waitArgs).toHtmlEscaped());
        m_bar->setClosable(false);
    }
    m_tasks->setCurrentItem(m_tasks->topLevelItem(0));
}

void PreviewPage::setError(const QString &sentence)
{
    m_bar->show(InfoBar::Kind::Failed, sentence.toHtmlEscaped());
    m_bar->setClosable(false);
    m_run->setEnabled(false);
}

void PreviewPage::showTask(int number)
{
    const PlannedTask &task = m_plan.tasks.at(number);
    m_order->setText(task.prerequisites.join(QStringLiteral(" → ")));
    m_script->setPlainText(task.script);
    m_environment->clear();
    for (const auto &[name, value] : task.environment) {
        auto *item = new QTreeWidgetItem({name, value});
        item->setToolTip(1, value);
        m_environment->addTopLevelItem(item);
    }
    filterEnvironment();
}

void PreviewPage::filterEnvironment()
{
    for (int i = 0; i < m_environment->topLevelItemCount(); ++i) {
        QTreeWidgetItem *item = m_environment->topLevelItem(i);
        const QString text = item->text(0) + QLatin1Char(' ') + item->text(1);
        item->setHidden(!text.contains(m_filter->text(), Qt::CaseInsensitive));
    }
}

} // namespace trainyard
