// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/words.h"

#include "app/cli/console.h"
#include "model/base/shellquote.h"
#include "model/protocol/findings.h"

#include <QFileInfo>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

QString didYouMean(const QString &word, const QStringList &candidates)
{
    const QString near = nearest(word, candidates);
    return near.isEmpty() ? QString() : QString(u' ' + tr("Did you mean '%1'?").arg(near));
}

void sayIfJobWord(const QString &word)
{
    static const QRegularExpression number(u"^#?([1-9][0-9]{0,8})$"_s);
    if (const QRegularExpressionMatch match = number.match(word); match.hasMatch() && !QFileInfo::exists(word)) {
        errorLine(tr("This takes the file of a job. 'trainyardctl show %1 --yaml' prints the text of the job %1, and "
                     "'trainyardctl run --again %1' runs it again.")
                      .arg(match.captured(1)));
    }
}

QString shellWords(const QStringList &words)
{
    QStringList quoted;
    for (const QString &word : words) {
        quoted.append(shellWord(word));
    }
    return quoted.join(u' ');
}

bool isYes(const QString &answer)
{
    const QString word = answer.trimmed().toLower();
    return word == QLatin1StringView("y") || word == QLatin1StringView("yes");
}

} // namespace trainyard::cli
