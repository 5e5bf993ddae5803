// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/runtime/exitrules.h"

#include <QList>
#include <QString>

namespace trainyard
{

// The mistakes in the configuration files that users edit, engine.json and exit-rules.json. The engine continues
// without what it cannot use, so every program reports them. Each error has its {file}. "settings.broken" {message};
// "settings.ignored-int" {key, min, max, default}, "settings.ignored-bool", "-list" and "-text" {key, help};
// "settings.misspelt" {key, similar}; "exitrules.not-used" {error: {code, args}}. `exitRules` is what ownExitRules()
// has read.
QList<Error> configurationFaults(const QString &configFolder, const Result<ExitRules> &exitRules);

// The files that configurationFaults() reads, whether they exist or not.
QStringList configurationFiles(const QString &configFolder);

} // namespace trainyard
