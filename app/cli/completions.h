// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard::cli
{

// Completion scripts, made from the table of commands.
QString bashCompletion();
QString zshCompletion();
QString fishCompletion();

} // namespace trainyard::cli
