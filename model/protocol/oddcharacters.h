// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

namespace trainyard
{

// Warns about characters that look like a blank, a colon or a quote, and about invisible ones, where they change the
// meaning of a job: in names, in commands, around values, and where a colon belongs; not in comments, in
// descriptions, or inside values that are prose. No server gives these warnings.
//
// yaml.odd-blank      character ("U+00A0")    fix.odd-characters
// yaml.odd-invisible  character               fix.odd-characters
// yaml.odd-colon      character               fix.odd-characters
// yaml.odd-quote      character               fix.odd-characters
QList<Diagnostic> checkOddCharacters(const YamlDocument &document);

} // namespace trainyard
