// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/catalogue.h"

#include <QByteArray>
#include <QString>

namespace trainyard::cli
{

// Sets extras.trainyard.strict in the text of a job that is submitted, so that its record and every later run have it
// too; the file stays as it is. Returns exitOk, or another status after saying on stderr why an OpenPAI server would
// not accept the job.
int makeStrict(const QString &file, const CatalogueLookup &catalogue, QByteArray &yaml);

} // namespace trainyard::cli
