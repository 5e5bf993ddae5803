// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/labelactions.h"

#include "widgets/common/icons.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace trainyard
{
namespace
{

struct LabelTexts {
    Q_DECLARE_TR_FUNCTIONS(LabelActions)
};

} // namespace

void addLabelActions(QMenu *menu, QObject *context, const QList<JobSummary> &jobs, const LabelRequests &requests)
{
    QStringList uuids, archivable; // of others, taking it back would be another change; what runs stays in sight
    for (const JobSummary &job : jobs) {
        uuids.append(job.uuid);
        if (!job.labels.isArchived && isFinal(job.state)) {
            archivable.append(job.uuid);
        }
    }
    const auto all = [&jobs](bool JobLabels::*member) {
        return std::all_of(jobs.cbegin(), jobs.cend(), [member](const auto &job) { return job.labels.*member; });
    };
    const bool isStarred = all(&JobLabels::isStarred);
    const bool isArchived = all(&JobLabels::isArchived);
    menu->addAction(icon(QStringLiteral("tag")), LabelTexts::tr("Tags…"), context,
        [requests, uuids] { requests.edit(uuids, false); });
    if (jobs.size() == 1) {
        menu->addAction(LabelTexts::tr("Note…"), context, [requests, uuids] { requests.edit(uuids, true); });
    }
    menu->addAction(icon(isStarred ? QStringLiteral("star") : QStringLiteral("star-filled")),
        isStarred ? LabelTexts::tr("Remove the star") : LabelTexts::tr("Mark with a star"), context,
        [requests, uuids, isStarred] { requests.star(uuids, !isStarred); });
    QAction *archive = menu->addAction(icon(QStringLiteral("archive")),
        isArchived ? LabelTexts::tr("Bring back from the archive") : LabelTexts::tr("Archive"), context,
        [requests, uuids = isArchived ? uuids : archivable, isArchived] { requests.archive(uuids, !isArchived); });
    archive->setEnabled(isArchived || !archivable.isEmpty());
    if (!archive->isEnabled()) {
        archive->setToolTip(LabelTexts::tr("A job can be archived when it has ended."));
    }
}

} // namespace trainyard
