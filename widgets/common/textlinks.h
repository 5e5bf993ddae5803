// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// Escaped markup in which the numbers of jobs ("#41") and the keys of settings ("gpu.exclude") are links.
QString withTextLinks(const QString &escaped);
QString settingOfLink(const QString &link); // the key of the one clicked; empty: it is not a setting

} // namespace trainyard
