// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commandline.h"

#include <QStringList>

#include <optional>

namespace trainyard::cli
{

struct TargetsValues {
    QStringList words;
    std::optional<QString> folder, login, images, modules, queue;
    std::optional<QString> user, cluster;
    bool isPlain = false, isTokenOnInput = false;
    bool isPassword = false, isPasswordOnInput = false; // instead of a token
    QStringList removedTags;
    bool json = false;
};
const CommandLine<TargetsValues> &targetsLine();

} // namespace trainyard::cli
