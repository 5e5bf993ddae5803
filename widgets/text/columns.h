// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace trainyard
{

// Text measured as a terminal shows it: Chinese, Japanese and Korean characters and emoji take two columns, combining
// marks and escape sequences none.
int columnsOf(QStringView text);
// The beginning that has room, ending in an ellipsis where something is missing. Escape sequences stay whole, and
// colours end with it.
QString cutToColumns(const QString &text, int columns);
// A name: the ellipsis stands in its middle, since its end often tells it from others.
QString elideName(const QString &text, int columns);

// Columns as wide as their widest cell, two blanks apart, nothing behind the last; the first row may be a heading.
// Control characters, which could do anything to a terminal, come out as blanks. With a `width`, the columns named in
// `names` give way as far as they must (not below 8) so that the first columns of the last cell are seen; lines are not
// longer than it.
QStringList alignedRows(const QList<QStringList> &rows, int width = 0, const QList<int> &names = {});

} // namespace trainyard
