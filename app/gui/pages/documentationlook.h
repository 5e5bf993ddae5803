// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPalette;
class QTextDocument;

namespace trainyard
{

inline constexpr int documentationWidth = 920; // of the text: longer lines are hard to read

// Gives the tables of a page the look of the program's own tables: a bold head with its own background, a line of one
// pixel below each row, and room around the words.
void setDocumentationLook(QTextDocument *document, const QPalette &palette);

} // namespace trainyard
