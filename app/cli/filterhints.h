// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

// Writes to stderr what was most likely meant by a filter that no job matches.
namespace trainyard::cli
{

void sayUnknownNames(Session &session, const QString &text);
void sayMeantTerms(Session &session, const QString &text);
void sayMissingQuotes(const QString &text);
void sayAlternatives(Session &session, const QString &text);

} // namespace trainyard::cli
