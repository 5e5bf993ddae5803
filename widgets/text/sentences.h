// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>

namespace trainyard
{

// Only this file turns codes and arguments into sentences. A table per topic (sentencetables.h) maps a code to a source
// text with {name} placeholders; lists are joined by commas.
struct SentenceRow {
    const char *code;
    const char *text; // QT_TRANSLATE_NOOP("Sentences", "...")
};

// A sentence that names a command of the shell may have a second form, CODE.window, which names what the window has for
// the same. To be called by a program with a window before it says anything.
void useWindowSentences(bool on = true);
bool areForWindow(); // what other texts name: commands, or what the window has

bool hasSentence(const QString &code);
// The translated sentence; a code without one gives a sentence that names the code, never an empty text.
QString sentence(const QString &code, const QJsonObject &args = {});
// A text with its {placeholders} filled in one pass.
QString filledText(const QString &text, const QJsonObject &args);

// With a full stop unless the text is empty or ends a sentence: for texts that end with the words of another program.
QString withFullStop(const QString &text);

} // namespace trainyard
