// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/catalogue.h"

namespace trainyard
{

// The folder that marketplace:// refers to: the chosen one, else that of the setting catalogue.folder, else
// "catalogue" beside the settings. Empty when there is none.
QString catalogueFolder(const QString &chosen = {});

// Items are files of the folder: data/mnist.yaml (or .yml) is marketplace://data/mnist. Links may not lead out of the
// folder, and files that are larger than a job may be are not read.
CatalogueLookup folderCatalogue(const QString &folder);

} // namespace trainyard
