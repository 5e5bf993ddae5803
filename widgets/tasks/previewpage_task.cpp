// SPDX-License-Identifier: GPL-3.0-or-later
// The preview of a job for one task.
#include "engine/api/tasklabel.h"
#include "model/base/numberlist.h"
#include "model/base/shellquote.h"
#include "model/template/pluginsteps.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/tasks/placementview.h"
#include "widgets/tasks/previewfacts.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/tasks/previewpage_p.h"
#include "widgets/tasks/scriptsheet.h"
#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

namespace trainyard
{
namespace
{

bool isInContainer(const PlannedTask &task) { return !task.image.isEmpty(); }

// The user of the task, inside and outside the container.
QString userText(const PlannedTask &task)
{
    if (task.containerUser == QLatin1String("0:0")) {
        return task.runIn == QLatin1String("podman") ? PreviewPage::tr("root; outside of it you")
                                                     : PreviewPage::tr("root, also outside of it");
    }
    return task.containerUser.isEmpty() ? PreviewPage::tr("you") : PreviewPage::tr("you (%1)").arg(task.containerUser);
}

QList<std::pair<QString, QString>> containerFacts(const PlannedTask &task)
{
    if (!isInContainer(task)) {
        return {{PreviewPage::tr("Runs in"), PreviewPage::tr("the host's shell")}};
    }
    QList<std::pair<QString, QString>> facts{{PreviewPage::tr("Runs in"), task.runIn},
        {PreviewPage::tr("Image"), task.image}, {PreviewPage::tr("User"), userText(task)},
        {PreviewPage::tr("Shared memory"),
            task.shmMiB > 0 ? PreviewPage::tr("%1 MiB").arg(task.shmMiB) : PreviewPage::tr("not set")}};
    for (const QString &mount : task.mounts) {
        facts.append({PreviewPage::tr("Mount"), mount});
    }
    facts.append({PreviewPage::tr("Command"), task.containerCommand});
    return facts;
}

// The limits of a task, and where it works.
QList<std::pair<QString, QString>> limitFacts(const TaskRole *role, const PlannedTask &task)
{
    if (!role) {
        return {};
    }
    const Resources &wanted = role->resources;
    QList<std::pair<QString, QString>> facts{
        {PreviewPage::tr("CPU"),
            wanted.cpu == 1 ? PreviewPage::tr("1 core") : PreviewPage::tr("%1 cores").arg(wanted.cpu)},
        {PreviewPage::tr("Memory"), formatMiB(wanted.memoryMiB)},
        {PreviewPage::tr("GPU"),
            task.gpus.isEmpty() ? PreviewPage::tr("none") : joinedNumbers(task.gpus, QStringLiteral(", "))}};
    if (const QString folder = workFolderOf(task); !folder.isEmpty()) {
        facts.append({PreviewPage::tr("Folder"), folder});
    }
    return facts;
}

} // namespace

const PlannedTask *PreviewPage::task() const
{
    return m_current >= 0 && m_current < m_plan.tasks.size() ? &m_plan.tasks.at(m_current) : nullptr;
}

// The role as the model composes it without secrets: it knows where values have been filled in.
const ComposedRole *PreviewPage::composedOf(const QString &name)
{
    const TaskRole *role = m_spec ? m_spec->role(name) : nullptr;
    if (!role) {
        return nullptr;
    }
    auto it = m_composed.find(name);
    if (it == m_composed.end()) {
        ComposeOptions options;
        options.strict = isStrict(*m_spec);
        it = m_composed.insert(name, composeRole(*m_spec, *role, options).value_or(ComposedRole()));
    }
    return &*it;
}

void PreviewPage::selectTask(int number)
{
    for (QTreeWidgetItemIterator it(m_tasks); *it; ++it) {
        if ((*it)->data(0, previewTaskRole).isValid() && (*it)->data(0, previewTaskRole).toInt() == number) {
            m_tasks->setCurrentItem(*it);
            return;
        }
    }
}

void PreviewPage::showTask(int number)
{
    m_current = number;
    const PlannedTask &task = m_plan.tasks.at(number);
    m_places->setCurrent(number);
    showScript();
    showOrder(task);
    fillValues();
    m_ports->clear();
    for (const auto &[label, numbers] : task.ports) {
        m_ports->addTopLevelItem(new QTreeWidgetItem({label, joinedNumbers(numbers, QStringLiteral(", "))}));
    }
    fillContainer(task);
}

void PreviewPage::fillContainer(const PlannedTask &task)
{
    m_container->clear();
    for (const auto &[what, value] :
        containerFacts(task) + limitFacts(m_spec ? m_spec->role(task.role) : nullptr, task)) {
        auto *item = new QTreeWidgetItem({what, value});
        item->setToolTip(1, plainTip(value));
        m_container->addTopLevelItem(item);
    }
}

void PreviewPage::showOrder(const PlannedTask &task)
{
    while (QLayoutItem *item = m_orderLayout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const QStringList idle = stepsWithoutCommands(m_spec ? &*m_spec : nullptr, composedOf(task.role), task);
    m_order = task.prerequisites;
    m_order.removeIf([&](const QString &name) { return idle.contains(name); });
    m_order.append(tr("commands"));
    for (qsizetype i = 0; i < m_order.size(); ++i) {
        if (i > 0) {
            m_orderLayout->addWidget(new IconLabel(QStringLiteral("arrow-right"), metrics::tinyIcon, Colour::Muted));
        }
        // One step has no order.
        auto *step = new QPushButton(
            plainCaption(m_order.size() == 1 ? m_order.at(i) : QStringLiteral("%1  %2").arg(i + 1).arg(m_order.at(i))));
        setButtonKind(step, ButtonKind::Quiet);
        setSmall(step);
        step->setToolTip(tr("Show it in the script"));
        const bool last = i + 1 == m_order.size();
        connect(step, &QPushButton::clicked, this,
            [this, name = last ? QString() : m_order.at(i)] { m_sheet->jumpTo(name); });
        m_orderLayout->addWidget(step);
    }
    if (!idle.isEmpty()) {
        m_orderLayout->addSpacing(metrics::space2);
        QLabel *label = smallMutedLabel(tr("%1: nothing to run").arg(idle.join(QStringLiteral(", "))));
        label->setObjectName(QStringLiteral("previewIdle"));
        label->setToolTip(tr("These prerequisites have no commands that run before or after those of the role."));
        m_orderLayout->addWidget(label);
    }
    m_orderLayout->addStretch();
}

// The parts that run; our own lines that run them are shown only with "Every line".
void PreviewPage::showScript()
{
    const PlannedTask *shown = task();
    if (!shown) {
        return;
    }
    m_sheet->setAskedSecrets(askedSecrets());
    m_sheet->show(
        shown->script.toUtf8(), composedOf(shown->role), partOrigins(m_document, shown->role), m_whole->isChecked());
    m_whole->setVisible(m_sheet->hasParts());
    m_legend->setVisible(m_sheet->hasFilledValues());
}

QString PreviewPage::shownScript() const { return task() ? task()->script : QString(); }

void PreviewPage::fillValues()
{
    m_environment->clear();
    const PlannedTask *shown = task();
    if (!shown) {
        return;
    }
    const QString words = m_filter->text().trimmed();
    const bool onlyDiffering = m_differs->isChecked() && !m_differing.isEmpty();
    for (const auto &[name, value] : shown->environment) {
        const bool differs = m_differing.contains(name);
        if ((onlyDiffering && !differs)
            || !QString(name + QLatin1Char(' ') + value).contains(words, Qt::CaseInsensitive)) {
            continue;
        }
        auto *item = new QTreeWidgetItem({name, value});
        item->setToolTip(0, plainTip(name));
        item->setToolTip(1, plainTip(value));
        if (differs) {
            item->setForeground(1, colour(Colour::Accent, this));
        }
        m_environment->addTopLevelItem(item);
    }
    fitNames();
}

QString PreviewPage::textOfTask() const
{
    const PlannedTask *shown = task();
    if (!shown) {
        return {};
    }
    QStringList lines{tr("# Task %1 of %2").arg(taskLabel(*shown), m_name)};
    lines.append(tr("# Host: %1").arg(shown->host.isEmpty() ? tr("waits") : hostLabel(shown->host, m_labels)));
    lines.append(
        tr("# GPUs: %1").arg(shown->gpus.isEmpty() ? tr("none") : joinedNumbers(shown->gpus, QStringLiteral(", "))));
    for (const auto &[label, numbers] : shown->ports) {
        lines.append(tr("# Port %1: %2").arg(label, joinedNumbers(numbers, QStringLiteral(", "))));
    }
    for (const auto &[what, value] : containerFacts(*shown)) {
        lines.append(QStringLiteral("# %1: %2").arg(what, value));
    }
    lines.append(tr("# Order: %1").arg(m_order.join(QStringLiteral(" → "))));
    for (const auto &[name, value] : shown->environment) {
        lines.append(QStringLiteral("export %1=%2").arg(name, shellWord(value)));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n') + shown->script;
}

} // namespace trainyard
