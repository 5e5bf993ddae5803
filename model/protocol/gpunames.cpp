// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/gpunames.h"

#include <algorithm>

namespace trainyard
{

namespace
{

QStringList wordsOf(const QString &text)
{
    QString words = text.toLower();
    for (QChar &c : words) {
        c = c.isLetterOrNumber() ? c : QLatin1Char(' ');
    }
    return words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

// "gtx1080" is the run "gtx", "1080".
bool isRunOf(const QStringList &words, const QString &together)
{
    for (qsizetype begin = 0; begin < words.size(); ++begin) {
        QString run;
        for (qsizetype i = begin; i < words.size() && run.size() < together.size(); ++i) {
            run += words.at(i);
        }
        if (run == together) {
            return true;
        }
    }
    return false;
}

} // namespace

bool isGpuOfType(const QString &name, const QString &type)
{
    const QStringList has = wordsOf(name);
    const QStringList wants = wordsOf(type);
    if (wants.isEmpty()) {
        return true;
    }
    auto place = has.cbegin();
    const bool inOrder = std::all_of(wants.cbegin(), wants.cend(), [&](const QString &word) {
        place = std::find(place, has.cend(), word);
        const bool isThere = place != has.cend();
        place += isThere ? 1 : 0;
        return isThere;
    });
    return inOrder || isRunOf(has, wants.join(QString()));
}

QString gpuTypeOf(const JobSpec &job, const QString &role)
{
    const Value *at = &job.extras;
    for (const QString &key :
        {QStringLiteral("hivedScheduler"), QStringLiteral("taskRoles"), role, QStringLiteral("skuType")}) {
        at = at ? at->find(key) : nullptr;
    }
    return at && at->asString() ? at->asString()->trimmed() : QString();
}

} // namespace trainyard
