// SPDX-License-Identifier: GPL-3.0-or-later
// Refreshes the card of a role from its document.
#include "widgets/common/labels.h"
#include "widgets/common/wordbreaks.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/hostsfields.h"
#include "widgets/form/rolecard.h"
#include "widgets/form/valuestable.h"
#include "widgets/text/completiontexts.h"

#include <QCheckBox>

namespace trainyard
{

qint64 RoleCard::number(const YamlPath &path, qint64 fallback) const
{
    bool good = false;
    const qint64 value = m_context->text(path).value_or(QString()).toLongLong(&good);
    return good ? value : fallback;
}

void RoleCard::refresh()
{
    setEnabled(!m_role.isEmpty());
    const QString image = m_context->text(m_image->path()).value_or(QString());
    const YamlPath place = image.isEmpty() ? YamlPath() : m_context->prerequisitePath(image, k("dockerimage"));
    m_imageSource->setText(place.isEmpty() ? QString() : m_context->text(place.child(k("uri"))).value_or(QString()));
    m_imageSource->setVisible(!m_imageSource->text().isEmpty());
    const bool isHostsChoice = !m_context->text(m_runIn->path());
    m_runInHint->setText(
        isHostsChoice ? tr("Run in: the setting of the host, else the shell of the host.") : QString());
    m_runInHint->setVisible(isHostsChoice);
    updateResources();
    m_hosts->refresh();
    updateCompletion();
    updateMore();
}

void RoleCard::updateResources()
{
    const auto gpus = m_context->limits().gpus;
    m_gpuMost->setText(gpus ? tr("of %1").arg(*gpus) : QString());
    m_gpuMost->setVisible(gpus && (*gpus > 0 || number(m_gpu->path(), 0) > 0)); // "0 of 0" would say nothing
    const bool isOfNodes = !m_context->limits().cluster.isEmpty();
    const auto cpus = m_context->limits().cpus;
    m_cpu->box()->setToolTip(plainTip(!cpus ? tr("Cores")
            : isOfNodes                     ? tr("Cores; the largest node has %1").arg(*cpus)
                                            : tr("Cores; the largest host has %1").arg(*cpus)));
    const auto memory = m_context->limits().memoryMiB;
    const QString most = memory ? formatMemory(*memory / 1024 * 1024) : QString();
    m_memory->box()->setToolTip(plainTip(!memory ? tr("Such as 8 GiB or 512 MiB")
            : isOfNodes                          ? tr("Such as 8 GiB or 512 MiB; the largest node has %1").arg(most)
                                                 : tr("Such as 8 GiB or 512 MiB; the largest host has %1").arg(most)));
    m_gpu->box()->setToolTip(plainTip(!gpus ? tr("GPUs for each task")
            : *gpus == 0 && isOfNodes       ? tr("GPUs for each task; no node has one")
            : *gpus == 0                    ? tr("GPUs for each task; no host has one")
            : isOfNodes                     ? tr("GPUs for each task; the largest node has %1").arg(*gpus)
                                            : tr("GPUs for each task; the largest host has %1").arg(*gpus)));
    const qint64 units = std::max<qint64>(1, number(m_gpu->path(), 0));
    const bool ratio
        = number(m_cpu->path(), -1) == units * cpuPerGpu && number(m_memory->path(), -1) == units * memoryPerGpu;
    m_follow->setChecked(ratio && !m_ownRatio.value(m_role));
    m_follow->setEnabled(!m_context->isReadOnly());
}

void RoleCard::setFollow(bool follow)
{
    m_ownRatio.insert(m_role, !follow);
    if (follow) {
        const qint64 units = std::max<qint64>(1, number(m_gpu->path(), 0));
        QList<edit::Op> ops;
        if (number(m_cpu->path(), -1) != units * cpuPerGpu) {
            ops.append(edit::SetValue{m_cpu->path(), QByteArray::number(units * cpuPerGpu)});
        }
        if (number(m_memory->path(), -1) != units * memoryPerGpu) {
            ops.append(edit::SetValue{m_memory->path(), QByteArray::number(units * memoryPerGpu)});
        }
        m_context->edit(ops);
    }
}

void RoleCard::updateCompletion()
{
    const qint64 instances = std::max<qint64>(1, number(m_instances->path(), 1));
    // Absent, null and 0 mean the default: one failure ends the job, success of a role alone does not.
    qint64 failed = number(m_failed->path(), 1);
    failed = failed == 0 ? 1 : failed;
    qint64 succeeded = number(m_succeeded->path(), -1);
    succeeded = succeeded == 0 ? -1 : succeeded;
    const QString all = instances == 1 ? QString::number(1) : tr("all %1").arg(instances);
    m_succeeded->box()->setWords({{-1, tr("all tasks")}, {instances, all}});
    m_succeeded->box()->setDefault(-1);
    m_succeeded->refresh();
    const QString role = m_role.isEmpty() ? tr("task") : m_role;
    const QString one = m_role.isEmpty() ? tr("task") : tr("task of %1").arg(m_role);
    const QString several = m_role.isEmpty() ? tr("tasks") : tr("tasks of %1").arg(m_role);
    m_failedHead->setText(failed < 0 ? tr("Fail the job:") : tr("Fail the job when"));
    m_failedWords->setText(failed < 0 ? tr("– failed tasks alone do not end it")
            : failed == 1             ? tr("%1 has failed").arg(one)
                                      : tr("%1 have failed").arg(several));
    m_succeededWords->setText(succeeded < 0 ? tr("of the job have ended")
            : succeeded == 1                ? tr("%1 has succeeded").arg(one)
                                            : tr("%1 have succeeded").arg(several));
    QStringList others = m_context->keys({k("taskRoles")});
    others.removeAll(m_role);
    QStringList enders;
    std::copy_if(others.cbegin(), others.cend(), std::back_inserter(enders), [this](const QString &other) {
        const YamlPath place{k("taskRoles"), other};
        const qint64 limit = number(place.child(k("completion")).child(k("minSucceededInstances")), -1);
        return limit > 0 && limit <= std::max<qint64>(1, number(place.child(k("instances")), 1));
    });
    const CompletionRule rule{role, instances, failed, succeeded, others, enders};
    m_consequence->setText(breakable(tr("%1; %2.").arg(failureRuleText(rule), successRuleText(rule))));
}

void RoleCard::updateMore()
{
    const qint64 retries = number(m_retries->path(), 0);
    const bool gang = m_context->text({k("extras"), k("gangAllocation")}) != u"false";
    m_retries->setHelp(!gang ? tr("Each task is retried alone")
            : retries != 0
            ? tr("Without effect: all tasks start together. Under Queue, “Start all tasks together” turns that off")
            : tr("Only used when tasks need not start together (under Queue)"));
    QStringList parts;
    parts.append(retries == 1 ? tr("1 task retry") : tr("%1 task retries").arg(retries));
    parts.append(tr("shared memory %1 MiB").arg(number(m_shared->path(), 512)));
    for (const auto &[field, keys] : std::as_const(m_rows)) {
        const auto text = qobject_cast<ChoiceField *>(field) ? m_context->text(field->path()) : std::nullopt;
        if (text) {
            parts.append(keys.last() + u' ' + *text);
        }
    }
    const bool scheduler = m_context->node({k("extras"), k("hivedScheduler")}) != nullptr;
    for (FormField *field : std::as_const(m_scheduling)) {
        m_moreGrid->setRowVisible(field, scheduler);
    }
    m_container->refresh();
    m_others->refresh();
    m_moreGrid->setRowVisible(m_container, m_container->rowCount() > 0);
    m_moreGrid->setRowVisible(m_others, m_others->rowCount() > 0);
    if (const qsizetype others = m_container->rowCount() + m_others->rowCount(); others > 0) {
        parts.append(tr("%n other key(s)", nullptr, int(others)));
    }
    m_more->setSummary(parts.join(QStringLiteral(", ")));
}

} // namespace trainyard
