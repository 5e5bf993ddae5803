// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QList>

#include <algorithm>

namespace trainyard::core
{

// A line of an output without what launchers and log drivers put before it.
struct WhyLine {
    qsizetype begin = 0, end = 0; // in the text
    qint64 number = 0; // in the output, from 1
    QByteArrayView words; // behind the prefix
    QByteArrayView aside; // the words of a line that the program only shows; the line has no others then
    QByteArrayView stream; // which process wrote it, as far as the prefix tells: "[rank1]:", "3:", "(Worker pid=12)"
    bool isOfKernel = false; // the log of the system has it from the kernel
    bool isShown = false; // it may belong to a text that the program only shows, whose end is not marked
};

// Takes the words of a line that the program only shows.
inline void setAside(WhyLine &line)
{
    if (!line.words.isEmpty()) {
        line.aside = line.words;
        line.words = {};
    }
}

// The lines of a text without colours. Of a progress bar, which overwrites itself, each state is a line with the number
// of the whole; of several empty lines, one is kept.
QList<WhyLine> whyLinesOf(QByteArrayView text, qint64 firstNumber);
// The index of the line that holds this place of the text.
qsizetype whyLineAt(const QList<WhyLine> &lines, qsizetype at);

// What the engine's own script says in the output of a task, such as that it is held open, causes nothing, but
// something that the host lacks does: "trainyard: n1 has no conda, which '...' needs.". The lines stay, so that their
// numbers do.
void blankOwnLines(QByteArray &text);
// Takes away the command that bash repeats at the end of the output (model/base/shellecho.h): whatever it holds was not
// written by a program. True: there was one.
bool cutCommandEcho(QByteArray &text);

inline QByteArrayView headOf(QByteArrayView words, qsizetype most) { return words.first(std::min(words.size(), most)); }

// Whether a line says that the program went on: it tries again, does without, or takes something else.
bool isRecoveredLine(QByteArrayView words);
// Whether a line says that the program goes another way: "no cache, building it".
bool takesOtherWay(QByteArrayView words);
// Whether a line says that it is not an error: a warning, a note, or one of those.
bool isMildLine(QByteArrayView words);
// Whether a line tells nothing about how the run went on: it is empty, of a launcher, or a warning.
bool isQuietLine(QByteArrayView words);

} // namespace trainyard::core
