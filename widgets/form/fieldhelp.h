// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

#include <QString>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace trainyard
{

// The entry of the job language's reference for a position of a document, for the form. Empty if there is none. Rich
// text for the help card, in the colours of `widget`: the same as at this position of the text.
QString fieldHelp(const YamlDocument &document, const YamlPath &path, const QWidget *widget);
QString fieldBrief(const YamlDocument &document, const YamlPath &path); // one line: meaning, default, range

} // namespace trainyard
