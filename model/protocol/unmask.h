// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard
{

// The text with each masked secret ("******") replaced by its value in `from`, an earlier form of the same document,
// such as its file. Other text that masking removed, such as comments, is restored where the lines are unchanged. A
// secret that `from` lacks stays masked, and so does one over several lines in a block that was changed. If `from`
// cannot be read, the text after the name on its line is taken. The result is unchanged if the text itself cannot be
// read.
QByteArray withSecretsOf(const QByteArray &text, const QByteArray &from);

} // namespace trainyard
