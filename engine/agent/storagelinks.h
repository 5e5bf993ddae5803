// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::agent
{

// A task that shows a storage as a link (resources/steps/storages.sh) has a folder in the book of such links: `place`
// and `target` of the link, and in `users` a file for each try that uses it. The try's own folder (the current one)
// names those folders in `links`. When it ends, it is no longer a user, and a link without users is removed, if it is
// still the one that was made.
void releaseStorageLinks(const std::string &tryUuid);

} // namespace trainyard::agent
