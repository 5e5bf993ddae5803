// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/yamllayout.h"

#include "model/yaml/yamllex.h"

namespace trainyard
{

YamlLayout layoutOf(const QByteArray &text)
{
    YamlLayout layout;
    const qsizetype feed = text.indexOf('\n');
    const qsizetype carriage = text.indexOf('\r');
    if (carriage >= 0 && feed == carriage + 1) {
        layout.eol = "\r\n";
    } else if (carriage >= 0 && feed < 0) {
        layout.eol = "\r";
    }
    bool step = false;
    bool dash = false;
    qsizetype keyIndent = -1; // of a line that ends with a colon
    for (qsizetype pos = yamllex::bomLength(text); pos < text.size() && !(step && dash);
         pos = yamllex::nextLine(text, pos)) {
        const qsizetype end = yamllex::lineEnd(text, pos);
        qsizetype first = pos;
        while (first < end && text.at(first) == ' ') {
            ++first;
        }
        if (first >= end || text.at(first) == '#') {
            continue;
        }
        const qsizetype indent = first - pos;
        const bool item = text.at(first) == '-' && yamllex::isBlankOrEnd(text, first + 1);
        if (keyIndent >= 0) {
            if (item && !dash && indent >= keyIndent && indent - keyIndent <= 8) {
                dash = true;
                layout.dash = int(indent - keyIndent);
            } else if (!item && !step && indent > keyIndent && indent - keyIndent <= 8) {
                step = true;
                layout.step = int(indent - keyIndent);
            }
        }
        qsizetype last = end;
        while (last > first && yamllex::isBlank(text.at(last - 1))) {
            --last;
        }
        keyIndent = text.at(last - 1) == ':' && !item ? indent : -1;
    }
    if (!dash && step) {
        layout.dash = layout.step;
    }
    return layout;
}

} // namespace trainyard
