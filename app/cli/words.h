// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/timewords.h"

#include <QString>
#include <QStringList>

namespace trainyard::cli
{

// " Did you mean 'logs'?", or nothing when no candidate is close.
QString didYouMean(const QString &word, const QStringList &candidates);

// Behind the failure to read a file: where the word is the number of a job ("16", "#16"), says on stderr how its text
// is had and how it is run again.
void sayIfJobWord(const QString &word);

// "tag:mix 'lr>0.1'": words as they are typed into a shell.
QString shellWords(const QStringList &words);

// Reads the user's answer to a question that ends in [y/N].
bool isYes(const QString &answer);

} // namespace trainyard::cli
