// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/blockwords.h"

namespace trainyard::core
{

// "2 validation errors for Settings": what is wrong stands below, field by field, and need not be indented.
bool countsComplaints(const QString &line);
// Adds to the message of an error what the lines below say of it. Returns the last one of these.
qsizetype completeMessage(const BlockWords &block, WhyError &error);

} // namespace trainyard::core
