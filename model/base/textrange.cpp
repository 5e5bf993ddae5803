// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/textrange.h"

namespace trainyard
{

QByteArray applyEdits(const QByteArray &text, const TextEdits &edits)
{
    QByteArray result;
    qsizetype grown = 0;
    for (const TextEdit &edit : edits) {
        grown += edit.text.size() - edit.range.length();
    }
    result.reserve(qMax<qsizetype>(0, text.size() + grown));
    qsizetype done = 0;
    for (const TextEdit &edit : edits) {
        const bool fits
            = done <= edit.range.begin && edit.range.begin <= edit.range.end && edit.range.end <= text.size();
        Q_ASSERT_X(fits, "applyEdits", "edits must ascend, not overlap, and lie inside the text");
        if (!fits) {
            return text; // a wrong plan must never leave half an edit behind
        }
        result.append(text.constData() + done, edit.range.begin - done);
        result.append(edit.text);
        done = edit.range.end;
    }
    result.append(text.constData() + done, text.size() - done);
    return result;
}

} // namespace trainyard
