// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/joblabels.h"

#include <QSet>

namespace trainyard
{

QStringList normalTags(const QStringList &tags, Qt::CaseSensitivity sensitivity)
{
    QStringList kept;
    QSet<QString> known;
    for (const QString &tag : tags) {
        const QString word = tag.simplified();
        const QString key = sensitivity == Qt::CaseSensitive ? word : word.toCaseFolded();
        if (!word.isEmpty() && !known.contains(key)) {
            known.insert(key);
            kept.append(word);
        }
    }
    kept.sort(sensitivity);
    return kept;
}

QStringList separateTags(const QStringList &typed)
{
    QStringList tags;
    for (const QString &word : typed) {
        tags += word.split(QLatin1Char(','), Qt::SkipEmptyParts);
    }
    return tags;
}

Result<void> checkTags(const QStringList &tags)
{
    constexpr qsizetype shown = 40;
    const QStringList separate = separateTags(tags);
    for (const QString &tag : separate) {
        if (const QString word = tag.simplified(); word.size() > longestTag) {
            return fail(QStringLiteral("tag.too-long"),
                {{QStringLiteral("tag"), word.first(shown)}, {QStringLiteral("characters"), word.size()},
                    {QStringLiteral("limit"), longestTag}});
        }
    }
    return {};
}

Result<void> checkNote(const QString &note)
{
    if (note.size() > longestNote) {
        return fail(QStringLiteral("note.too-long"),
            {{QStringLiteral("characters"), note.size()}, {QStringLiteral("limit"), longestNote}});
    }
    return {};
}

JobLabels changedLabels(JobLabels labels, const api::LabelChange &change)
{
    // One with a comma may be there of old.
    for (const QString &tag : normalTags(change.removeTags + separateTags(change.removeTags))) {
        labels.tags.removeIf([&tag](const QString &each) { return each.compare(tag, Qt::CaseInsensitive) == 0; });
    }
    labels.tags = normalTags(separateTags(change.addTags) + labels.tags);
    labels.note = change.note.value_or(labels.note);
    labels.isStarred = change.starred.value_or(labels.isStarred);
    labels.isArchived = change.archived.value_or(labels.isArchived);
    return labels;
}

} // namespace trainyard
