// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/gputexts.h"

#include <QCoreApplication>
#include <QStringList>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{
struct GpuTexts {
    Q_DECLARE_TR_FUNCTIONS(GpuTexts)
};
} // namespace

GpuUse useOf(const GpuInfo &gpu)
{
    if (gpu.jobId > 0) {
        return GpuUse::Ours;
    }
    if (gpu.kept == "lost"_L1 || gpu.kept == "missing"_L1 || gpu.kept == "mig"_L1 || gpu.kept == "quarantine"_L1) {
        return GpuUse::Lost;
    }
    if (gpu.foreign || gpu.kept == "held"_L1) {
        return GpuUse::Foreign;
    }
    return gpu.kept.isEmpty() ? GpuUse::Free : GpuUse::Kept;
}

QString ownerText(const GpuInfo &gpu)
{
    switch (useOf(gpu)) {
    case GpuUse::Free:
        return GpuTexts::tr("free");
    case GpuUse::Ours: {
        QStringList jobs;
        for (const qint64 job : gpu.jobs.isEmpty() ? QList<qint64>{gpu.jobId} : gpu.jobs) {
            jobs.append(u'#' + QString::number(job));
        }
        return jobs.join(u", "_s);
    }
    case GpuUse::Foreign:
        return gpu.kept == "held"_L1 ? GpuTexts::tr("another engine") : GpuTexts::tr("another program");
    case GpuUse::Kept:
        return GpuTexts::tr("kept for you");
    case GpuUse::Lost:
        return gpu.kept == "mig"_L1       ? GpuTexts::tr("MIG without instances")
            : gpu.kept == "quarantine"_L1 ? GpuTexts::tr("in quarantine")
                                          : GpuTexts::tr("lost");
    }
    return {};
}

QString shortGpuName(const QString &name)
{
    for (const QLatin1StringView maker : {QLatin1StringView("NVIDIA GeForce "), QLatin1StringView("NVIDIA ")}) {
        if (name.startsWith(maker)) {
            return name.mid(maker.size());
        }
    }
    return name;
}

} // namespace trainyard
