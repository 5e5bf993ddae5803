// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace trainyard
{

// An option of the window's program, for its parser and for the manual.
struct WindowOption {
    QString name; // "theme"
    QString value; // "THEME"; empty for a switch
    QString text; // a sentence
};

inline const QString newWindowOption = QStringLiteral("new-window");
inline const QString themeOption = QStringLiteral("theme");
inline const QString smokeOption = QStringLiteral("smoke");
inline const QString screenshotsOption = QStringLiteral("screenshots");
inline const QString showRunOption = QStringLiteral("show-run");
inline const QString stylePageOption = QStringLiteral("style-page");

// Where files are named that a window is to open, this and a UUID name the run of a job.
inline const QString runAddress = QStringLiteral("trainyard-run:");

QList<WindowOption> windowOptions();

} // namespace trainyard
