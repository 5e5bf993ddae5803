// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/windowoptions.h"

#include <QCoreApplication>

namespace trainyard
{

QList<WindowOption> windowOptions()
{
    const auto text = [](const char *english) { return QCoreApplication::translate("main", english); };
    return {
        {newWindowOption, {}, text(QT_TRANSLATE_NOOP("main", "Do not use a window that is open already."))},
        {themeOption, QStringLiteral("THEME"), text(QT_TRANSLATE_NOOP("main", "light, dark, or as the system."))},
        {smokeOption, {}, text(QT_TRANSLATE_NOOP("main", "Build the window, then end: a self-test."))},
        {screenshotsOption, QStringLiteral("FOLDER"),
            text(QT_TRANSLATE_NOOP("main", "Write pictures of the pages to this folder."))},
        {showRunOption, QStringLiteral("UUID"),
            text(QT_TRANSLATE_NOOP("main", "Show the run of the job that has this UUID."))},
        {stylePageOption, {}, text(QT_TRANSLATE_NOOP("main", "Show all parts of the look on one page."))},
    };
}

} // namespace trainyard
