// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/catalogue.h"

namespace trainyard
{

// The folder that stands for marketplace://: as chosen, else the setting catalogue.folder, else "catalogue" beside the
// settings. Empty when there is none.
QString catalogueFolder(const QString &chosen = {});

// Items are files of the folder: data/mnist.yaml (or .yml) is marketplace://data/mnist. Links may not lead out of the
// folder, and what is larger than a job may be is not read.
CatalogueLookup folderCatalogue(const QString &folder);

} // namespace trainyard
