// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace legacyfuzz
{

// What must hold for any bytes that are taken for a job of version 1. Called by the fuzz target and, with the kept
// inputs, by an ordinary test.
void import(const QByteArray &bytes);

} // namespace legacyfuzz
