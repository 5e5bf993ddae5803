// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/catalogue.h"

#include <QByteArray>
#include <QString>

namespace trainyard::cli
{

// Marks a job as one that runs to the letter (extras.trainyard.strict): in the text that is handed over, so that its
// record and every later run of it say the same; the file stays as it is. exitOk, or another status after saying on
// stderr why an OpenPAI server would not take the job.
int makeStrict(const QString &file, const CatalogueLookup &catalogue, QByteArray &yaml);

} // namespace trainyard::cli
