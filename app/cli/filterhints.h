// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

// What was most likely meant by a filter that no job matches; written to stderr.
namespace trainyard::cli
{

void sayUnknownNames(Session &session, const QString &text);
void sayMeantTerms(Session &session, const QString &text);
void sayMissingQuotes(const QString &text);

} // namespace trainyard::cli
