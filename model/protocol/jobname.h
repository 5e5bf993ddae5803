// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"

namespace trainyard
{

// Whether a job may be called so: 1 to 255 letters, digits, '_' and '-'.
bool isJobName(const QString &name);

// The name with this at its end; of a name that would be too long, its beginning.
QString jobNameWith(const QString &name, const QString &ending);

// A job can be submitted under another name than that of its text. The text then needs no valid name: this one is
// written into it if its own is missing or not valid. Any other text stays as it is.
QByteArray withJobName(const QByteArray &yaml, const QString &name);
// Whether the job of this name has the same text with both. One of them may be as it was before its submission.
bool isSameWithJobName(const QByteArray &one, const QByteArray &other, const QString &name);
// Whether the finding says that the job's name is missing or not valid.
bool isAboutJobName(const Diagnostic &diagnostic);

} // namespace trainyard
