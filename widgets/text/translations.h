// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard
{

// Installs the translation of the user's language, or English (which still needs its plurals), on the application.
void installTranslations();

} // namespace trainyard
