// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/words.h"

#include "app/cli/console.h"
#include "model/protocol/findings.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

QString didYouMean(const QString &word, const QStringList &candidates)
{
    const QString near = nearest(word, candidates);
    return near.isEmpty() ? QString() : QString(u' ' + tr("Did you mean '%1'?").arg(near));
}

bool isYes(const QString &answer)
{
    const QString word = answer.trimmed().toLower();
    return word == QLatin1StringView("y") || word == QLatin1StringView("yes");
}

} // namespace trainyard::cli
