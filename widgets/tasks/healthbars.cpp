// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/healthbars.h"

#include "engine/api/health.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/text/healthtexts.h"

#include <QBoxLayout>
#include <QDateTime>
#include <QPushButton>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int mostBars = 2; // the page has other things to show

// The same trouble, although its numbers may have changed.
bool isSameMark(const HealthMark &a, const HealthMark &b)
{
    return a.code == b.code && a.role == b.role && a.index == b.index && a.metric == b.metric && a.at == b.at;
}

} // namespace

HealthBars::HealthBars(QWidget *page) : QObject(page), m_page(page)
{
    for (int i = 0; i < mostBars; ++i) {
        m_bars.append(Bar{new InfoBar(page), {}});
        m_bars.constLast().bar->hide();
        connect(m_bars.constLast().bar, &InfoBar::closed, this, [this, i] { m_closed.append(m_bars.at(i).mark); });
    }
}

void HealthBars::addTo(QBoxLayout *layout)
{
    for (const Bar &bar : std::as_const(m_bars)) {
        layout->addWidget(bar.bar);
    }
}

void HealthBars::setJob(const JobSummary &job)
{
    if (job.uuid != m_job) {
        m_job = job.uuid;
        m_closed.clear();
    }
    QList<HealthMark> marks;
    for (auto mark = job.health.crbegin(); mark != job.health.crend(); ++mark) { // the newest first
        const auto isIt = [&mark](const HealthMark &closed) { return isSameMark(closed, *mark); };
        if (std::none_of(m_closed.cbegin(), m_closed.cend(), isIt)) {
            marks.append(*mark);
        }
    }
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (qsizetype i = 0; i < m_bars.size(); ++i) {
        Bar &bar = m_bars[i];
        if (i >= marks.size()) {
            bar.bar->hide();
            bar.mark = {};
            continue;
        }
        QString text = healthLine(marks.at(i), job.totalTasks, now).toHtmlEscaped();
        if (const qsizetype more = marks.size() - m_bars.size(); i + 1 == m_bars.size() && more > 0) {
            text += u' ' + tr("(%n more)", nullptr, int(more));
        }
        show(bar, marks.at(i), text);
    }
}

void HealthBars::show(Bar &bar, const HealthMark &mark, const QString &text)
{
    if (bar.bar->isVisibleTo(m_page) && isSameMark(bar.mark, mark)) {
        bar.mark = mark;
        bar.bar->setText(text); // a button that is being pressed stays
        return;
    }
    bar.mark = mark;
    bar.bar->show(InfoBar::Kind::Waiting, text);
    bar.bar->setClosable(true);
    QPushButton *show = bar.bar->addAction(tr("Show"));
    show->setObjectName(QStringLiteral("showHealth"));
    connect(show, &QPushButton::clicked, this, [this, mark] { Q_EMIT showRequested(mark); });
    QPushButton *silence = bar.bar->addAction(tr("Silence"));
    silence->setObjectName(QStringLiteral("silenceHealth"));
    silence->setToolTip(plainTip(
        tr("No longer mark jobs for this reason. The setting health.silence has the list of what is silenced.")));
    connect(
        silence, &QPushButton::clicked, this, [this, kind = healthKind(mark.code)] { Q_EMIT silenceRequested(kind); });
}

int HealthBars::shownHeight() const
{
    int height = 0;
    for (const Bar &bar : m_bars) {
        height += bar.bar->isVisibleTo(m_page) ? bar.bar->height() : 0;
    }
    return height;
}

} // namespace trainyard
