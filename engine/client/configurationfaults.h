// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QList>
#include <QString>

namespace trainyard
{

// What is wrong in the files of the configuration that people write by hand, engine.json and exit-rules.json: the
// engine goes on without what it cannot use, so every program says it. Each error has its {file}. "settings.broken"
// {message}; "settings.ignored-int" {key, min, max, default}, "settings.ignored-bool", "-list" and "-text" {key, help};
// "settings.misspelt" {key, similar}; "exitrules.not-used" {error: {code, args}}.
// Makes this process go by the user's exit rules where they can be used.
QList<Error> configurationFaults(const QString &configFolder);

// The files that it reads, whether they are there or not.
QStringList configurationFiles(const QString &configFolder);

} // namespace trainyard
