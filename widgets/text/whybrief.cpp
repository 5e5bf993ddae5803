// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/whybrief.h"

#include "engine/api/reasons.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
#include <QDateTime>

namespace trainyard
{
namespace
{

struct WhyBriefly {
    Q_DECLARE_TR_FUNCTIONS(WhyBrief)
};

QString gpusWaitedFor(qint64 wanted)
{
    return wanted == 1 ? WhyBriefly::tr("waits for 1 GPU") : WhyBriefly::tr("waits for %1 GPUs").arg(wanted);
}

// Empty: its sentence is all there is.
struct WaitBrief {
    QString operator()(const reason::WaitGpu &wait) const { return gpusWaitedFor(wait.wanted); }
    QString operator()(const reason::WaitGpuType &wait) const
    {
        return WhyBriefly::tr("waits for %1 of %2").arg(QString::number(wait.wanted), wait.type);
    }
    QString operator()(const reason::WaitGpuTypeAway &wait) const
    {
        return WhyBriefly::tr("waits for %1").arg(wait.type);
    }
    QString operator()(const reason::WaitGpuMemory &) const { return WhyBriefly::tr("waits for GPU memory"); }
    QString operator()(const reason::WaitMemory &) const { return WhyBriefly::tr("waits for memory"); }
    QString operator()(const reason::WaitDisk &) const { return WhyBriefly::tr("disk nearly full"); }
    QString operator()(const reason::WaitDrained &) const { return WhyBriefly::tr("host drained"); }
    QString operator()(const reason::WaitClosed &) const { return WhyBriefly::tr("closed hours"); }
    QString operator()(const reason::WaitQuarantine &) const { return WhyBriefly::tr("host in quarantine"); }
    QString operator()(const reason::WaitHosts &) const { return WhyBriefly::tr("waits for its hosts"); }
    QString operator()(const reason::WaitHost &) const { return WhyBriefly::tr("waits for a host"); }
    QString operator()(const reason::WaitRuntime &wait) const { return WhyBriefly::tr("waits for %1").arg(wait.runIn); }
    QString operator()(const reason::WaitPort &wait) const
    {
        return WhyBriefly::tr("waits for port %1").arg(wait.first.port);
    }
    QString operator()(const reason::WaitQueue &wait) const
    {
        return wait.job > 0 ? WhyBriefly::tr("behind #%1").arg(wait.job) : QString();
    }
    QString operator()(const reason::WaitParallel &wait) const
    {
        return WhyBriefly::tr("limit of %1 at a time").arg(wait.limit);
    }
    QString operator()(const reason::WaitGroup &wait) const
    {
        return WhyBriefly::tr("limit of %1 at a time").arg(wait.limit);
    }
    QString operator()(const reason::WaitPaused &) const { return WhyBriefly::tr("paused"); }
    QString operator()(const reason::JobPaused &) const { return WhyBriefly::tr("paused"); }
    QString operator()(const reason::TaskKept &) const { return WhyBriefly::tr("kept for inspection"); }
    QString operator()(const reason::WaitAfter &wait) const { return WhyBriefly::tr("waits for #%1").arg(wait.job); }
    QString operator()(const reason::WaitAfterEnd &wait) const { return WhyBriefly::tr("waits for #%1").arg(wait.job); }
    QString operator()(const reason::WaitRetry &) const { return WhyBriefly::tr("waits to try again"); }
    QString operator()(const reason::StopHostAway &stop) const
    {
        return WhyBriefly::tr("stopped; %1 given up at %2")
            .arg(stop.host, formatTime(stop.until, QDateTime::currentMSecsSinceEpoch()));
    }
    QString operator()(const auto &) const { return {}; }
};

} // namespace

QString whyBrief(const JobSummary &job)
{
    if (job.state == State::Succeeded) {
        return brokenBrief(job);
    }
    const QString words = job.state == State::Failed ? failureBrief(job)
        : isFinal(job.state)                         ? QString()
                                                     : std::visit(WaitBrief(), reason::any(job.reason, job.reasonArgs));
    return words.isEmpty() ? jobReasonText(job) : words;
}

} // namespace trainyard
