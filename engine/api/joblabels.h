// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"
#include "model/base/result.h"

namespace trainyard
{

// Tags in their stored form: without space around them, sorted, each once. Tags that differ only in case are the same
// tag; the first spelling is kept. Labels of hosts are case-sensitive.
QStringList normalTags(const QStringList &tags, Qt::CaseSensitivity sensitivity = Qt::CaseInsensitive);
// Commas separate tags wherever users type them; in a filter they separate alternatives.
QStringList separateTags(const QStringList &typed);
// The limit is that of job names: longer tags are of no use for finding jobs. tag.too-long {tag, characters, limit}:
// the beginning of the first one.
inline constexpr qsizetype longestTag = 255;
Result<void> checkTags(const QStringList &tags);
// A note goes to every client with each change of its job. note.too-long {characters, limit}
inline constexpr qsizetype longestNote = 100'000;
Result<void> checkNote(const QString &note);
// For what is typed: commas separate tags. A tag that is added replaces one that differs only in case: it is kept as it
// was typed last.
JobLabels changedLabels(JobLabels labels, const api::LabelChange &change);

} // namespace trainyard
