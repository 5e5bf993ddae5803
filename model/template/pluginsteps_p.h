// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the files that make the steps of plugins.
#pragma once

#include "model/template/pluginsteps.h"

namespace trainyard::steps
{

// The script of resources/steps with this name, after the part that all of them use.
QString body(const QString &name);
// The part that all scripts use.
QString commonBody();

QString assigned(const QString &variable, const QString &value); // __ty_VARIABLE='VALUE'
QString arrayOf(const QString &variable, const QStringList &words);

QString textAt(const Value &map, const QString &key);
bool flagAt(const Value &map, const QString &key);
QStringList textsAt(const Value &map, const QString &key);

// Whether a text, as it is written in the job, refers to a secret.
bool namesSecret(const QString &written);
bool anyNamesSecret(const Value &written);

} // namespace trainyard::steps
