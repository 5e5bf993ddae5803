// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/filtertexts.h"

#include "engine/api/jobfilter.h"
#include "model/runtime/exitrules.h"
#include "widgets/text/causenames.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace trainyard
{
namespace
{

class FilterTexts
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::Filter)
public:
    static QString meant(const QString &word) { return tr("Did you mean '%1'?").arg(word); }
    static QString compared(const QString &condition)
    {
        return tr("Parameters and results are compared with '=', '<' or '>': '%1'.").arg(condition);
    }
};

// The words after "cause:" may mean these as well.
QStringList namesOfCauses(const QString &word)
{
    if (word.contains(QLatin1Char('*'))) {
        return {};
    }
    QStringList names = causesNamed(word);
    const QList<int> codes = failuresNamed(word);
    for (const int code : codes) {
        if (const ExitSpecEntry *entry = ExitRules::bundled().find(code)) {
            names.append(entry->phrase);
        }
    }
    names.removeDuplicates();
    return names;
}

} // namespace

QString withNamesOfCauses(const QString &filter)
{
    static const QRegularExpression condition(
        QStringLiteral("(?<![^\\s-])cause:((?:\"[^\"]*\"|[^\\s\"])+)"), QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression each(QStringLiteral("(?:\"[^\"]*\"|[^,\"])+"));
    QString result;
    qsizetype at = 0;
    for (auto it = condition.globalMatch(filter); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        result += QStringView(filter).sliced(at, match.capturedEnd() - at);
        at = match.capturedEnd();
        if (QStringView(filter).first(match.capturedStart()).count(QLatin1Char('"')) % 2 != 0) {
            continue; // the text of another condition
        }
        for (auto words = each.globalMatch(match.captured(1)); words.hasNext();) {
            const QStringList names = namesOfCauses(words.next().captured().remove(QLatin1Char('"')));
            for (const QString &name : names) {
                result += QLatin1Char(',') + name;
            }
        }
    }
    result += QStringView(filter).sliced(at);
    return JobFilter::parse(result, 0) ? result : filter; // one that is too long finds fewer
}

QString filterErrorText(const Error &error)
{
    const QString near = error.args.value(QLatin1String("near")).toString();
    const QString comparison = error.args.value(QLatin1String("comparison")).toString();
    QString text = errorText(error);
    if (!comparison.isEmpty()) {
        text += QLatin1Char(' ') + FilterTexts::compared(comparison);
    }
    return near.isEmpty() ? text : QString(text + QLatin1Char(' ') + FilterTexts::meant(near));
}

} // namespace trainyard
