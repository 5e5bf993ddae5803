// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/timelinepage.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/tokens.h"
#include "widgets/tasks/timelineview.h"

#include <QEvent>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace trainyard
{

TimelinePage::TimelinePage()
    : m_pages(new QStackedLayout(this)), m_empty(new EmptyState), m_view(new TimelineView),
      m_legend(new TimelineLegend), m_wrappedLegend(new TimelineLegend(TimelineLegend::Form::Wrapped))
{
    m_empty->setObjectName(QStringLiteral("noTimeline"));
    m_empty->setIcon(QStringLiteral("clock"));
    m_pages->addWidget(m_empty);
    auto *picture = new QWidget;
    auto *layout = new QVBoxLayout(picture);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_view, 1);
    auto *below = new QVBoxLayout;
    below->setContentsMargins(metrics::space3, metrics::space1, metrics::space3, metrics::space1);
    below->addWidget(m_wrappedLegend);
    layout->addLayout(below);
    m_wrappedLegend->hide();
    m_pages->addWidget(picture);
    m_legend->installEventFilter(this);
    connect(m_empty, &EmptyState::actionTriggered, this, &TimelinePage::storyWanted);
    connect(m_view, &TimelineView::barsChanged, this, [this] {
        const QList<TimelineLegend::Look> looks = m_view->looks();
        m_legend->setOccurring(looks);
        m_wrappedLegend->setOccurring(looks);
        placeLegend();
    });
}

void TimelinePage::setStory(const RunStory &story, qint64 now)
{
    const bool isKnown = !story.job.uuid.isEmpty(), isOver = isKnown && isFinal(story.job.state);
    const bool hasBegun = !isKnown || isOver || story.job.launched;
    const bool isMissing = hasBegun && !story.isWhole, isTrouble = isMissing && !story.trouble.isEmpty();
    m_empty->setText(isTrouble ? tr("What happened to this job cannot be read.")
            : isMissing        ? tr("What happened to this job is being read.")
            : isOver           ? tr("The job ended before any of its tasks started.")
                               : tr("The timeline appears here when the job starts."));
    m_empty->setDetail(isTrouble ? story.trouble : QString());
    m_empty->setAction(isTrouble ? tr("Read it again") : QString());
    m_view->setStory(story, now);
    m_pages->setCurrentIndex(m_view->isEmpty() ? 0 : 1);
}

void TimelinePage::placeLegend()
{
    m_wrappedLegend->setVisible(m_legend->isHidden() || !m_legend->tellsAllThatOccur(m_legend->width()));
}

bool TimelinePage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_legend && event->type() == QEvent::Resize) {
        placeLegend();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard
