// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"

namespace trainyard
{

// The text in place of the value of a secret that was removed.
const QString &maskedText(); // ******
// Bytes that a value has at least for it to be masked in output: a shorter one would mask parts of ordinary words.
constexpr int shortestMaskedSecret = 6;

// The event of a callback: taskStarts or taskSucceeds, or empty for an unknown one. Aliases are names that documents
// use and no cluster runs; here they run as what they mean.
QString canonicalEvent(const QString &event);

// The short name of the plugin that runs a prerequisite: "cmd" when it names none but has commands; nothing when it
// runs nothing. A cluster (asServer) skips a prerequisite that names none.
std::optional<QString> pluginOf(const Prerequisite &item, bool asServer);
QString shortPluginName(const QString &plugin); // without com.microsoft.pai.runtimeplugin.
const QString &pluginPrefix(); // com.microsoft.pai.runtimeplugin

// Commands of the cmd plugin: callbacks in their order, else preCommands and postCommands.
struct PluginCommands {
    QStringList before, after;
};
PluginCommands pluginCommands(const Value &parameters, bool asServer);

bool isRoleName(const QString &name); // [a-zA-Z_][a-zA-Z0-9_]*: what a server takes
bool isPortableRoleName(const QString &name); // [a-z0-9]{1,63}: what a cluster can start

// "$parameters.x", "$secrets.x", "$script", "$output", "$data" or "this.x": what a template may refer to.
bool isKnownScope(const QString &templateKey);

} // namespace trainyard
