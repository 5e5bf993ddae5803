// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// QScintilla's headers use Qt's keywords, which the project does without.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscicommandset.h>
#include <Qsci/qsciscintilla.h>
#undef signals
#undef slots
