// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Operations on whole lines, and on several carets. Each is one undo step.
namespace trainyard
{

class CodeView;

namespace lineedits
{
void duplicate(CodeView *view); // the line, or the selection
void move(CodeView *view, int by); // the lines of the selection, one up (-1) or down (1)
// Moves the lines of the selection to the indentation that the text before them asks for; tabs become spaces.
void reindent(CodeView *view);
// Indents the line of a selection within one line, which stays selected. Returns false if there is no such selection.
bool indentSelected(CodeView *view);
void addCaret(CodeView *view, int by); // in the line above (-1) or below (1) the outermost one
void selectNext(CodeView *view); // the word at the caret, then one more place of the selection for each call
} // namespace lineedits
} // namespace trainyard
