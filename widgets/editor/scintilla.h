// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// QScintilla's headers use Qt's keywords, which the project does without.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscicommandset.h>
#include <Qsci/qsciscintilla.h>
#undef signals
#undef slots

namespace trainyard
{

// Positions in the API of Scintilla are longs of the platform.
inline long at(qsizetype value) { return long(value); }
inline unsigned long uat(qsizetype value) { return static_cast<unsigned long>(value); }

} // namespace trainyard
