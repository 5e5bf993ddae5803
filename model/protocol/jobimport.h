// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"

#include <QByteArray>

namespace trainyard
{

// The result of importing a text in another form: a job of version 1 (model/protocol/legacy.h), or a batch script
// (model/import/batchimport.h).
struct JobImport {
    enum class From { Version1, BatchScript };
    From from = From::Version1;
    QByteArray yaml; // the job in version 2; empty when nothing could be made of it
    QList<Diagnostic> report; // by position; `at` are bytes of the old text, args may hold "to", a pointer into the new
    bool hasErrors() const;
};

} // namespace trainyard
