// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/demandtexts.h"

#include "widgets/text/formats.h"

#include <QCoreApplication>

namespace trainyard
{
namespace
{

class DemandWords
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::Demand)
public:
    static QString gpus(qint64 count) { return count == 1 ? tr("1 GPU") : tr("%1 GPUs").arg(count); }
    static QString cpus(qint64 count) { return count == 1 ? tr("1 CPU core") : tr("%1 CPU cores").arg(count); }
    static QString sharedFolder()
    {
        return tr("All jobs work in one folder, where a file of one overwrites a file of the same name of another, and "
                  "metrics in such a file count for none of them. To keep them apart, write into a folder such as "
                  "\"runs/$TRAINYARD_JOB_ID\".");
    }
    static QString perhapsSharedFolder()
    {
        return tr("All jobs work in one folder. If they write files there, keep them apart by a folder such as "
                  "\"runs/$TRAINYARD_JOB_ID\".");
    }
    static QString memory(qint64 mebibytes) { return tr("%1 of memory").arg(formatMiB(mebibytes)); }
};

} // namespace

QString demandText(const JobDemand &demand)
{
    QStringList parts;
    if (demand.gpus > 0) {
        parts.append(DemandWords::gpus(demand.gpus));
    }
    parts.append(DemandWords::cpus(demand.cpus));
    parts.append(DemandWords::memory(demand.memoryMiB));
    return parts.join(QStringLiteral(", "));
}

QString sharedFolderText() { return DemandWords::sharedFolder(); }

QString perhapsSharedFolderText() { return DemandWords::perhapsSharedFolder(); }

} // namespace trainyard
