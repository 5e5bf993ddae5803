// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/hostusetexts.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard
{
namespace
{

struct HostUseTexts {
    Q_DECLARE_TR_FUNCTIONS(HostUseTexts)
};

void append(QList<HourOfUse> &uses, const QString &name, const QList<double> &values)
{
    HourOfUse use{name, values, 0, 0};
    int known = 0;
    for (const double value : values) {
        if (value >= 0) {
            use.average += value;
            use.most = std::max(use.most, value);
            ++known;
        }
    }
    if (known > 0) {
        use.average /= known;
        uses.append(use);
    }
}

} // namespace

QList<HourOfUse> hostUses(const api::HostHistory &history, const QList<GpuInfo> &gpus)
{
    QList<HourOfUse> uses;
    append(uses, HostUseTexts::tr("Processor"), history.cpu);
    append(uses, HostUseTexts::tr("Memory"), history.memory);
    for (const GpuInfo &gpu : gpus) {
        const auto past = std::find_if(history.gpus.cbegin(), history.gpus.cend(),
            [&gpu](const api::GpuHistory &one) { return one.uuid == gpu.uuid; });
        if (past != history.gpus.cend()) {
            append(uses, HostUseTexts::tr("GPU %1").arg(gpu.index), past->use);
        }
    }
    return uses;
}

QString hostUseText(const HourOfUse &use)
{
    return HostUseTexts::tr("%1 % on average, %2 % in the busiest minute")
        .arg(qRound(use.average))
        .arg(qRound(use.most));
}

QString environmentKindText(const api::HostEnvironment &environment)
{
    return environment.version.isEmpty() ? environment.kind
                                         : HostUseTexts::tr("%1, Python %2").arg(environment.kind, environment.version);
}

} // namespace trainyard
