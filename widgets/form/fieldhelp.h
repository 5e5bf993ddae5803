// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

#include <QString>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace trainyard
{

// What the reference of the job language says of a place of a document, for the form. Empty where it says nothing.
// Rich text for the card of help, in the colours of `widget`: the same as at this place of the text.
QString fieldHelp(const YamlDocument &document, const YamlPath &path, const QWidget *widget);
QString fieldBrief(const YamlDocument &document, const YamlPath &path); // one line: meaning, default, range

} // namespace trainyard
