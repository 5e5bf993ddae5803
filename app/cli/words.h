// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/timewords.h"

#include <QString>
#include <QStringList>

namespace trainyard::cli
{

// " Did you mean 'logs'?", or nothing when no candidate is close.
QString didYouMean(const QString &word, const QStringList &candidates);

// Of what somebody answers to a question that ends in [y/N].
bool isYes(const QString &answer);

} // namespace trainyard::cli
