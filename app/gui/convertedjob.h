// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/protocol/jobimport.h"

#include <optional>

namespace trainyard
{

// The conversion of a job of version 1 or of a batch script; nothing if the text is neither, or cannot be converted.
// `name`: that of its file.
std::optional<JobImport> convertedJob(const QByteArray &bytes, const QString &name);
// Which line of a batch script is in the way of that, or, unless it is a program that could be run as it is, what is
// wrong with all of it.
std::optional<Error> conversionTrouble(const QByteArray &bytes, bool isProgram);

} // namespace trainyard
