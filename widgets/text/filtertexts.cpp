// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/filtertexts.h"

#include "widgets/text/texts.h"

#include <QCoreApplication>

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

} // namespace

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
