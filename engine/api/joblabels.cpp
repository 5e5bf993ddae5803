// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/joblabels.h"

namespace trainyard
{

QStringList normalTags(QStringList tags)
{
    for (QString &tag : tags) {
        tag = tag.simplified();
    }
    tags.removeAll(QString());
    tags.sort();
    tags.removeDuplicates();
    return tags;
}

JobLabels changedLabels(JobLabels labels, const api::LabelChange &change)
{
    for (const QString &tag : normalTags(change.removeTags)) {
        labels.tags.removeAll(tag);
    }
    labels.tags = normalTags(labels.tags + change.addTags);
    labels.note = change.note.value_or(labels.note);
    labels.isStarred = change.starred.value_or(labels.isStarred);
    labels.isArchived = change.archived.value_or(labels.isArchived);
    return labels;
}

} // namespace trainyard
