// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QList>
#include <QString>

namespace trainyard
{

// A small text with many references to a large parameter must not fill the memory.
inline constexpr qsizetype maxRenderedLength = qsizetype(16) << 20;

// White space as a server's JavaScript has it: U+FEFF is some, which copied text may begin with, and U+0085 is none.
bool isServerSpace(QChar c);
QString trimmedAsServer(const QString &text);

// A template text cut at its <% %> tags.
struct TemplateTag {
    enum class Kind { Name, Other }; // Other: sections, partials, comments, delimiter changes; no job means them
    Kind kind = Kind::Name;
    QString key; // without blanks around, [N] as .N
    qsizetype begin = 0; // of "<%"
    qsizetype end = 0; // behind "%>"
};

/** Whether a text may hold a template tag at all: cheap, for those that would otherwise parse every text of a job. */
inline bool hasTag(const QString &text) { return text.contains(QLatin1String("<%")); }

// The tags in order. Error "template.unclosed" {offset}: where a tag opens that is not closed.
Result<QList<TemplateTag>> templateTags(const QString &text);

// "$parameters.a.0" gives scope "$parameters" and path {"a", "0"}; any other text is its own scope.
struct TemplateReference {
    QString scope;
    QStringList path;
};
TemplateReference templateReference(const QString &key);

} // namespace trainyard
