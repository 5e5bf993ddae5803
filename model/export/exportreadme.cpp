// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobscript.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

// Words of a job are not taken for marks of Markdown.
QString plainMarkdown(const QString &text)
{
    static const QRegularExpression mark(u"([\\\\`*<\\[])"_s);
    return QString(text).replace(mark, u"\\\\1"_s);
}

// A line "  NAME   what it means" is one of a list.
QString readmeLine(const QString &line)
{
    static const QRegularExpression variable(u"\\A  ([A-Z_]+) +(.*)\\z"_s);
    const QRegularExpressionMatch match = variable.match(line);
    return match.hasMatch() ? u"- `"_s + match.captured(1) + u"`: "_s + plainMarkdown(match.captured(2))
                            : plainMarkdown(line);
}

} // namespace

QByteArray exportReadme(const Exported &exported, const QString &file, const ExportOptions &options)
{
    // A file with the values of secrets may have a name that begins so.
    static const QRegularExpression placeholder(u"(?<= )FILE(?=[ :,]|\\.(?:\\s|\\z))"_s);
    const qsizetype end = exported.head.indexOf(u'\n'); // of the line that names the job
    const QString how = exported.head.mid(end).replace(placeholder, file);
    QStringList lines{u"# "_s + file, {}, plainMarkdown(exported.head.left(end))};
    const QStringList told = how.mid(1).split(u'\n');
    for (const QString &line : told) {
        const QString written = readmeLine(line);
        if (lines.constLast().startsWith("- "_L1) && !written.isEmpty() && !written.startsWith("- "_L1)) {
            lines.append(QString()); // it would go on the item above
        }
        lines.append(written);
    }
    const QStringList notes = exporting::notesLines(exported.notes, options);
    for (qsizetype i = 0; i < notes.size(); ++i) {
        if (i < 2) {
            lines.append(QString()); // around the line above the list
        }
        lines.append(
            notes.at(i).startsWith("- "_L1) ? u"- "_s + plainMarkdown(notes.at(i).mid(2)) : plainMarkdown(notes.at(i)));
    }
    return lines.join(u'\n').toUtf8() + '\n';
}

} // namespace trainyard
