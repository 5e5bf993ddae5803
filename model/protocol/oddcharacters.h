// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

namespace trainyard
{

// Characters that look like a blank, a colon or a quote and are none, and those that cannot be seen at all, where they
// make a job mean something else than it looks: in names, in commands, around values, and where a colon should stand.
// Not in comments, descriptions, or inside of values that are prose. Warnings of our own; no server knows them.
//
// yaml.odd-blank      character ("U+00A0")    fix.odd-characters
// yaml.odd-invisible  character               fix.odd-characters
// yaml.odd-colon      character               fix.odd-characters
// yaml.odd-quote      character               fix.odd-characters
QList<Diagnostic> checkOddCharacters(const YamlDocument &document);

} // namespace trainyard
