// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/filtertexts.h"

#include "widgets/text/texts.h"

#include <QCoreApplication>

namespace trainyard
{
namespace
{

class FilterWords
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::Filter)
public:
    static QString meant(const QString &word) { return tr("Did you mean '%1'?").arg(word); }
};

} // namespace

QString filterErrorText(const Error &error)
{
    const QString near = error.args.value(QLatin1String("near")).toString();
    const QString text = errorText(error);
    return near.isEmpty() ? text : QString(text + QLatin1Char(' ') + FilterWords::meant(near));
}

} // namespace trainyard
