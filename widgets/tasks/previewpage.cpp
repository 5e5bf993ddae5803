// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/previewpage.h"

#include "engine/api/tasklabel.h"
#include "engine/client/secretmemory.h"
#include "model/base/numberlist.h"
#include "model/protocol/jobdocument.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/searchfield.h"
#include "widgets/editor/codeview.h"
#include "widgets/tasks/factlist.h"
#include "widgets/tasks/placementview.h"
#include "widgets/tasks/previewpage_p.h"
#include "widgets/tasks/scriptsheet.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QStackedLayout>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{
constexpr qsizetype mostTasksCompared = 200; // tasks, to find what differs between them

} // namespace

void PreviewPage::setRunText(const QString &text) { m_head->setWords(m_run, text); }

QString PreviewPage::title() const { return tr("Preview %1").arg(m_name); }

void PreviewPage::setJob(const QString &name)
{
    m_name = name;
    m_head->setHeading(tr("Preview of %1").arg(name));
}

void PreviewPage::setPlanning(const QByteArray &yaml)
{
    m_yaml = yaml;
    const ParseOutcome outcome = parseJob(yaml);
    m_spec = outcome.spec;
    m_document = outcome.document;
    m_composed.clear();
    m_waiting = true;
    m_stale = false;
    updateState();
}

void PreviewPage::setPlan(const PlanReply &plan, const QHash<QString, QString> &hostLabels, const QTime &at)
{
    const QString before = task() ? taskLabel(*task()) : QString();
    m_plan = plan;
    m_labels = hostLabels;
    m_at = at;
    m_waiting = false;
    m_stale = false;
    m_differing.clear();
    for (qsizetype i = 1; i < std::min(plan.tasks.size(), mostTasksCompared); ++i) {
        const auto &first = plan.tasks.constFirst().environment;
        const auto &other = plan.tasks.at(i).environment;
        QHash<QString, QString> values;
        for (const auto &[name, value] : first) {
            values.insert(name, value);
        }
        for (const auto &[name, value] : other) {
            const auto it = values.constFind(name);
            if (it == values.cend() || *it != value) {
                m_differing.insert(name);
            }
            values.remove(name);
        }
        for (auto it = values.cbegin(); it != values.cend(); ++it) {
            m_differing.insert(it.key());
        }
    }
    m_differs->setVisible(!m_differing.isEmpty());
    const QSignalBlocker blocker(m_tasks);
    m_tasks->clear();
    QTreeWidgetItem *group = nullptr;
    QTreeWidgetItem *current = nullptr;
    QHash<QString, int> counts;
    for (const PlannedTask &each : plan.tasks) {
        ++counts[each.role];
    }
    for (qsizetype i = 0; i < plan.tasks.size(); ++i) {
        const PlannedTask &each = plan.tasks.at(i);
        if (!group || group->data(0, previewTaskRole + 1).toString() != each.role) {
            group = new QTreeWidgetItem({tr("%1 × %2").arg(each.role).arg(counts.value(each.role))});
            group->setData(0, previewTaskRole + 1, each.role);
            group->setFlags(Qt::ItemIsEnabled);
            group->setFont(0, fonts::semibold());
            m_tasks->addTopLevelItem(group);
            group->setFirstColumnSpanned(true);
            group->setExpanded(true);
        }
        QStringList ports;
        QList<int> allNumbers;
        for (const auto &[label, numbers] : each.ports) {
            ports.append(label + QLatin1Char(' ') + joinedNumbers(numbers, QStringLiteral(", ")));
            allNumbers += numbers;
        }
        const bool waits = each.host.isEmpty();
        auto *item
            = new QTreeWidgetItem({QString::number(each.index), waits ? tr("waits") : hostLabel(each.host, hostLabels),
                each.gpus.isEmpty() ? QStringLiteral("–") : joinedNumbers(each.gpus, QStringLiteral(", ")),
                joinedNumbers(allNumbers, QStringLiteral(", "))});
        item->setToolTip(0, plainTip(taskLabel(each)));
        item->setToolTip(1, plainTip(item->text(1)));
        item->setToolTip(3, plainTip(ports.join(QLatin1Char('\n'))));
        item->setData(0, previewTaskRole, int(i));
        group->addChild(item);
        if (!current || taskLabel(each) == before) {
            current = item;
        }
    }
    // A column that is empty takes no room from the others.
    const auto hasAny = [&plan](auto member) {
        return std::any_of(plan.tasks.cbegin(), plan.tasks.cend(),
            [member](const PlannedTask &each) { return !(each.*member).isEmpty(); });
    };
    m_tasks->setColumnHidden(2, !hasAny(&PlannedTask::gpus));
    m_tasks->setColumnHidden(3, !hasAny(&PlannedTask::ports));
    m_tasks->header()->setSectionResizeMode(
        1, m_tasks->isColumnHidden(3) ? QHeaderView::Stretch : QHeaderView::Interactive);
    QStringList lines;
    if (!plan.waitReason.isEmpty()) {
        lines.append(tr("It would wait: %1").arg(reasonText(plan.waitReason, plan.waitArgs)).toHtmlEscaped());
    }
    for (const JobNote &note : plan.notes) {
        lines.append(errorText({note.code, note.args}).toHtmlEscaped());
    }
    if (lines.isEmpty()) {
        m_bar->hide();
    } else {
        m_bar->show(plan.waitReason.isEmpty() ? InfoBar::Kind::Info : InfoBar::Kind::Waiting,
            lines.join(QStringLiteral("<br>")));
        m_bar->setClosable(false);
    }
    if (current) {
        m_tasks->setCurrentItem(current);
        showTask(current->data(0, previewTaskRole).toInt());
    }
    showFacts();
    showSubmission();
    m_stack->setCurrentIndex(0);
    updateState();
}

void PreviewPage::setSecretMemory(const SecretMemory *memory)
{
    m_memory = memory;
    connect(memory, &SecretMemory::changed, this, [this] {
        if (m_spec && !m_plan.tasks.isEmpty()) {
            showFacts();
            m_sheet->setAskedSecrets(askedSecrets());
        }
    });
}

// Under the name of the document, as Run looks for them.
QStringList PreviewPage::askedSecrets() const
{
    QStringList asked = m_spec ? m_spec->askedSecrets : QStringList();
    asked.removeIf([this](const QString &secret) { return m_memory && m_memory->knows(m_spec->name, secret); });
    return asked;
}

// The parts that are the same for all tasks.
void PreviewPage::showFacts()
{
    m_places->setPlan(m_plan, m_hosts, m_labels);
    m_places->setCurrent(m_current);
    m_end->setFacts(m_spec ? endFacts(*m_spec) : QList<PreviewFact>());
    m_start->setFacts(m_spec ? startFacts(*m_spec, m_plan, m_hosts, m_labels, askedSecrets()) : QList<PreviewFact>());
    const bool isGang = m_spec && m_spec->gangAllocation && m_plan.tasks.size() > 1;
    m_together->setText(isGang ? tr("all %1 start together").arg(m_plan.tasks.size()) : QString());
    m_tasks->updateGeometry(); // as high as its rows
}

void PreviewPage::setErrors(const QStringList &sentences, const QString &fix)
{
    m_waiting = false;
    m_plan = {};
    m_canStart = false;
    m_bar->hide();
    m_empty->setIcon(QStringLiteral("error"), Colour::Failed);
    m_empty->setText(tr("This job cannot run as it stands."));
    constexpr qsizetype most = 6;
    QStringList shown = sentences.first(std::min(most, sentences.size()));
    if (sentences.size() > most) {
        shown.append(tr("and %n more", nullptr, int(sentences.size() - most)));
    }
    m_empty->setDetail(shown.join(QLatin1Char('\n')));
    m_empty->setRemedy(fix, QStringLiteral("check"));
    m_empty->setAction(tr("Back to the job"), QStringLiteral("edit"));
    m_stack->setCurrentIndex(1);
    updateState();
}

void PreviewPage::setEngine(EngineState state, const QString &sentence)
{
    m_plan = {};
    m_bar->hide();
    m_canStart = state == EngineState::Gone;
    m_empty->setRemedy({});
    if (m_canStart) {
        m_empty->setIcon(QStringLiteral("off"));
        m_empty->setText(tr("The engine is not running, and only it knows where the tasks would go."));
        m_empty->setDetail(sentence);
        m_empty->setAction(tr("Start the engine"), QStringLiteral("run"));
    } else {
        m_empty->setIcon(QStringLiteral("clock"));
        m_empty->setText(tr("The engine is starting…"));
        m_empty->setDetail(tr("The preview appears as soon as it answers."));
        m_empty->setAction({});
    }
    m_stack->setCurrentIndex(1);
    updateState();
}

void PreviewPage::setStale()
{
    m_stale = true;
    updateState();
}

void PreviewPage::updateState()
{
    const bool planned = !m_plan.tasks.isEmpty();
    m_run->setEnabled(planned && !m_waiting);
    m_state->setText(m_waiting && planned ? tr("planning…")
            : m_stale                     ? tr("The job has changed since.")
            : planned                     ? tr("plan of %1").arg(QLocale().toString(m_at, QLocale::ShortFormat))
                                          : QString());
    m_refresh->setVisible(planned || m_stale);
    m_head->fit();
}

// Names are read whole where there is room for them; values have the rest.
void PreviewPage::fitNames()
{
    const QFontMetricsF font(m_environment->font());
    qreal widest = 0;
    for (int row = 0; row < m_environment->topLevelItemCount(); ++row) {
        widest = std::max(widest, font.horizontalAdvance(m_environment->topLevelItem(row)->text(0)));
    }
    const int width = m_environment->viewport()->width();
    const int wanted = int(std::ceil(widest)) + 2 * metrics::space3;
    m_environment->header()->resizeSection(0, std::clamp(wanted, width / 4, std::max(width / 4, width * 3 / 5)));
}

bool PreviewPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_environment->viewport() && event->type() == QEvent::Resize) {
        fitNames();
    }
    // The second click of a double click on "Preview" arrives here, and is not meant for this page.
    if (watched == m_back && event->type() == QEvent::MouseButtonDblClick) {
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void PreviewPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_current >= 0) {
        showScript(); // marks are of the theme
    }
}

} // namespace trainyard
