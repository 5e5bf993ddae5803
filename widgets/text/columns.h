// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace trainyard
{

// Text measured as a terminal shows it: Chinese, Japanese and Korean characters and emoji take two columns, combining
// marks and escape sequences none.
int columnsOf(QStringView text);
// The beginning of a text that fits, with an ellipsis when something is missing. Escape sequences stay whole, and
// colours end with it.
QString cutToColumns(const QString &text, int columns);
// Shortens a name with an ellipsis in the middle, because its end often distinguishes it from others.
QString elideName(const QString &text, int columns);

// Breaks a line between words if it is wider than `width`; continuation lines are indented. Quoted text and a command
// after a colon are not broken, so that they can be copied, and neither is a word that is too long for any line.
QString wrappedAtWords(const QString &line, int width, int indent);
// How far it is indented, with the mark of an item of a list.
int indentOf(QStringView line);

// Columns as wide as their widest cell, two blanks apart, without blanks after the last; the first row may be a
// heading. Control characters, which could affect a terminal, become blanks. With a `width`, lines are not longer than
// it, and the columns in `names` are narrowed as needed (not below 8) so that the beginning of the last cell is
// visible. Without one, those columns are at most 80 wide: a longer name pushes the rest of its own row only.
QStringList alignedRows(const QList<QStringList> &rows, int width = 0, const QList<int> &names = {});

} // namespace trainyard
