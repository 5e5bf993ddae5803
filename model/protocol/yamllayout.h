// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard
{

// How a text is laid out, so that additions look the same.
struct YamlLayout {
    int step = 2; // indentation of a map in a map
    int dash = 2; // indentation of a list's dashes under their key
    QByteArray eol = "\n";
};
YamlLayout layoutOf(const QByteArray &text);

} // namespace trainyard
