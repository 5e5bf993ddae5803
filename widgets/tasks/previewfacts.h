// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/protocol/jobspec.h"
#include "model/template/render.h"
#include "widgets/common/tokens.h"

#include <QHash>

namespace trainyard
{

/** One line of what a preview says beside the script: a mark and a sentence. */
struct PreviewFact {
    QString icon;
    Colour colour = Colour::Muted;
    QString text;
    QString tip = {}; /**< what the sentence leaves out, such as a long path; may be empty */
    friend bool operator==(const PreviewFact &, const PreviewFact &) = default;
};

/** "When it ends": what makes the job fail or succeed, and whether it is tried again. Pure. */
QList<PreviewFact> endFacts(const JobSpec &job);

/**
 * "Before it runs": the folder in which tasks work, images, prerequisites, other jobs that come first, `asked`, the
 * secrets that are still asked for, and room on the disks of the hosts in use. `labels` names hosts to people. Pure.
 */
QList<PreviewFact> startFacts(const JobSpec &job, const PlanReply &plan, const QList<HostInfo> &hosts,
    const QHash<QString, QString> &labels, const QStringList &asked);

/**
 * The prerequisites of a planned task of which nothing runs, before its commands or after them. Of those that are not
 * known here (no job, no role, an item of the catalogue) none. Pure.
 */
QStringList stepsWithoutCommands(const JobSpec *job, const ComposedRole *composed, const PlannedTask &task);

/** The folder in which a planned task works, as its environment says; empty where it does not. */
QString workFolderOf(const PlannedTask &task);
/** Whether that folder is one of the task's own, which is empty when it starts. */
bool worksInOwnFolder(const PlannedTask &task);

} // namespace trainyard
