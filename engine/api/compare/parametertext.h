// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>

namespace trainyard
{

// The text of a job with the values that its parameters had when it ran, as JobSummary::parameters has them: a
// submission may override those of the text. Equal values keep their spelling, and a text that cannot be edited is
// returned as it is.
QByteArray yamlWithParameters(const QByteArray &yaml, const QJsonObject &parameters);

} // namespace trainyard
