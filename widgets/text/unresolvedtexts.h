// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace trainyard
{

// The sentences about references in the commands of a job that referred to nothing when it ran, one each; empty if
// there are none. Values that its submission has overridden make no difference: plain ones take the place of plain
// ones.
QString unresolvedText(const QByteArray &yaml);

} // namespace trainyard
