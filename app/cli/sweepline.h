// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commandline.h"

#include <QStringList>

#include <optional>

namespace trainyard::cli
{

struct SweepValues {
    QStringList words, parameters, variables, after, secrets, tags;
    QString on, name, in, catalog, stopWorse;
    std::optional<QString> again, work;
    std::optional<qint64> priority, random, seed, limit;
    bool zip = false, strict = false, dryRun = false, wait = false, json = false;
};
const CommandLine<SweepValues> &sweepLine();

} // namespace trainyard::cli
