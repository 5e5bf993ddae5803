// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whyfailed.h"
#include "engine/launch/stepreport.h"

#include <QByteArray>

namespace trainyard
{

// Which lines of an output, from its beginning, are those that steps have printed.
core::StepLines stepLinesIn(QByteArrayView output, const QList<launch::PrintedStep> &steps);

// The text with nothing in the lines of these numbers (from 1, in order), which all others keep.
QByteArray withoutLines(const QByteArray &text, const QList<qint64> &numbers);

} // namespace trainyard
