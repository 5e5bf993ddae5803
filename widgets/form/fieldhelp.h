// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

#include <QString>

namespace trainyard
{

// What the reference of the job language says of a place of a document, for the form. Empty where it says nothing.
QString fieldHelp(const YamlDocument &document, const YamlPath &path); // rich text, for a tool tip
QString fieldBrief(const YamlDocument &document, const YamlPath &path); // one line: meaning, default, range

} // namespace trainyard
