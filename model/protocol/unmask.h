// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard
{

// The text with each secret that is masked in it ("******") as `from` has it: an earlier form of the same document,
// such as its file. A secret that `from` lacks, or has over several lines, stays masked. Unchanged when one of the two
// cannot be read.
QByteArray withSecretsOf(const QByteArray &text, const QByteArray &from);

} // namespace trainyard
