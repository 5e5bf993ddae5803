// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard
{

// The text with each secret that is masked in it ("******") as `from` has it: an earlier form of the same document,
// such as its file. What masking took besides, comments for one, comes back where its lines are as they were. A secret
// that `from` lacks stays masked, and so does one over several lines in a block that was changed. Where `from` cannot
// be read, what stands behind the name on its line is taken. Unchanged when the text itself cannot be read.
QByteArray withSecretsOf(const QByteArray &text, const QByteArray &from);

} // namespace trainyard
