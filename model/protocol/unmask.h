// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard
{

// The text with each secret that is masked in it ("******") as `from` has it: an earlier form of the same document,
// such as its file. A secret that `from` lacks, or has over several lines, stays masked. Where `from` cannot be read,
// what stands behind the name on its line is taken. Unchanged when the text itself cannot be read.
QByteArray withSecretsOf(const QByteArray &text, const QByteArray &from);

} // namespace trainyard
