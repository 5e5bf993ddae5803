// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/usage/usagepage.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/labels.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"
#include "widgets/usage/usagetimeline.h"

#include <QDateTime>
#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr qint64 msOfDay = 86'400'000;
constexpr int mostTotals = 20;

// A square in the colour of its bars.
class ColourSwatch : public Ground
{
public:
    explicit ColourSwatch(Colour role) : Ground(role) { setFixedSize(metrics::tinyIcon, metrics::tinyIcon); }
};

} // namespace

UsagePage::UsagePage(QWidget *parent)
    : QWidget(parent), m_days(new SegmentedControl({tr("1 day"), tr("7 days"), tr("30 days")})),
      m_by(new SegmentedControl({tr("By name"), tr("By user"), tr("By group")})), m_timeline(new UsageTimeline),
      m_body(new Ground(Colour::Surface)), m_totals(nullptr), m_note(smallMutedLabel({})), m_empty(new EmptyState)
{
    auto *head = new PageHead(tr("GPUs over time"));
    head->row()->addWidget(m_by);
    head->row()->addWidget(m_days);
    m_days->setCurrentIndex(1);
    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, metrics::space2, 0, metrics::space4);
    body->setSpacing(metrics::space3);
    body->addWidget(m_timeline);
    m_note->setContentsMargins(metrics::space3, 0, metrics::space3, 0);
    m_note->setWordWrap(true);
    body->addWidget(m_note);
    body->addStretch();
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(m_body);
    m_empty->setIcon(QStringLiteral("gpu"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addWidget(scroll, 1);
    layout->addWidget(m_empty, 1);
    m_empty->hide();
    connect(m_days, &SegmentedControl::currentChanged, this, [this] { refresh(QDateTime::currentMSecsSinceEpoch()); });
    connect(m_by, &SegmentedControl::currentChanged, this, [this] {
        m_timeline->setBy(by());
        showTotals();
    });
    connect(m_timeline, &UsageTimeline::jobRequested, this, &UsagePage::jobRequested);
    setFocusProxy(m_timeline);
}

void UsagePage::focusContent()
{
    (m_timeline->isVisibleTo(this) ? static_cast<QWidget *>(m_timeline) : m_days)->setFocus(Qt::OtherFocusReason);
}

UsageBy UsagePage::by() const
{
    return m_by->currentIndex() == 1 ? UsageBy::User : m_by->currentIndex() == 2 ? UsageBy::Group : UsageBy::Name;
}

void UsagePage::refresh(qint64 now)
{
    constexpr qint64 days[] = {1, 7, 30};
    Q_EMIT usageWanted(now - days[m_days->currentIndex()] * msOfDay, now);
}

void UsagePage::setUsage(const UsageReply &usage, qint64 from, qint64 to)
{
    m_usage = usage;
    m_from = from;
    m_to = to;
    m_timeline->setUsage(usage.spans, from, to);
    m_timeline->setBy(by());
    const bool isEmpty = m_timeline->lanes().isEmpty();
    m_empty->setVisible(isEmpty);
    m_empty->setText(tr("No task ran in this time."));
    m_empty->setDetail(tr("Each task that runs appears here, by host and GPU."));
    m_body->parentWidget()->parentWidget()->setVisible(!isEmpty);
    m_note->setText(usage.isCut
            ? tr("There are more tasks than can be shown at once: the oldest are left out. Choose fewer days.")
            : tr("The percentage is the share of the time in which the GPU was given to a task. Turn the mouse wheel "
                 "with Ctrl to zoom, drag to move along, double-click to show everything, and click to open the job. "
                 "Jobs that were removed are not shown."));
    showTotals();
}

void UsagePage::setTrouble(const QString &sentence)
{
    m_empty->setText(sentence);
    m_empty->setDetail({});
    m_empty->show();
    m_body->parentWidget()->parentWidget()->hide();
}

void UsagePage::setHosts(const QList<HostInfo> &hosts) { m_timeline->setHostLabels(hostLabels(hosts)); }

void UsagePage::showTotals()
{
    delete m_totals;
    m_totals = new QWidget;
    auto *grid = new QGridLayout(m_totals);
    grid->setContentsMargins(metrics::space3, 0, metrics::space3, 0);
    grid->setHorizontalSpacing(metrics::space4);
    grid->setVerticalSpacing(metrics::space1);
    int row = 0;
    const auto add
        = [&](int column, QLabel *label, Qt::Alignment align) { grid->addWidget(label, row, column, align); };
    add(1,
        smallMutedLabel(by() == UsageBy::User ? tr("User")
                : by() == UsageBy::Group      ? tr("Group")
                                              : tr("Name")),
        Qt::AlignLeft);
    add(2, smallMutedLabel(tr("Jobs")), Qt::AlignRight);
    add(3, smallMutedLabel(tr("GPU hours")), Qt::AlignRight);
    add(4, smallMutedLabel(tr("Task hours")), Qt::AlignRight);
    const QList<UsageTotal> totals = usageTotals(m_usage.spans, by(), m_from, m_to);
    for (const UsageTotal &total : totals.first(std::min<qsizetype>(mostTotals, totals.size()))) {
        ++row;
        grid->addWidget(
            new ColourSwatch(Colour(int(Colour::Series1) + m_timeline->colourOf(total.key))), row, 0, Qt::AlignCenter);
        add(1, plainLabel(total.key.isEmpty() ? QStringLiteral("–") : total.key), Qt::AlignLeft);
        add(2, plainLabel(QString::number(total.jobs)), Qt::AlignRight);
        add(3, plainLabel(formatHours(total.gpuMs)), Qt::AlignRight);
        add(4, plainLabel(formatHours(total.taskMs)), Qt::AlignRight);
    }
    if (totals.size() > mostTotals) {
        ++row;
        add(1, smallMutedLabel(tr("%n more", nullptr, int(totals.size()) - mostTotals)), Qt::AlignLeft);
    }
    grid->setColumnStretch(5, 1);
    qobject_cast<QVBoxLayout *>(m_body->layout())->insertWidget(1, m_totals);
}

} // namespace trainyard
