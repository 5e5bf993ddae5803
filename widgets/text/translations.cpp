// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/translations.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

namespace trainyard
{

void installTranslations()
{
    auto *translator = new QTranslator(QCoreApplication::instance());
    if (translator->load(
            QLocale(), QStringLiteral("trainyard"), QStringLiteral("_"), QStringLiteral(":/trainyard/translations"))
        || translator->load(QStringLiteral(":/trainyard/translations/trainyard_en.qm"))) {
        QCoreApplication::installTranslator(translator);
    }
}

} // namespace trainyard
