// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qglobal.h>

QT_BEGIN_NAMESPACE
class QKeyEvent;
QT_END_NAMESPACE

namespace trainyard
{

class CodeView;

// Brackets, quotes and <% %> that come in pairs. A closing one that was inserted automatically is stepped over when it
// is typed, and is removed with its partner; an invisible indicator remembers which bytes those are, whatever is edited
// around them. Return at the end of a template steps over its end.
class PairTyper
{
public:
    explicit PairTyper(CodeView *view) : m_view(view) { }
    // In a shell's text a lone quote or bracket is common: only <% %> comes in a pair there.
    enum class Which { All, Templates };
    bool handle(QKeyEvent *event, Which which = Which::All); // true: done, nothing is left to type
    bool leaveTemplate(); // false: the caret is not at the end of one

private:
    bool type(char c, Which which);
    bool eraseBoth();
    void insertPair(const char *open, const char *close);
    bool isOurs(qsizetype offset) const;

    CodeView *m_view;
};

} // namespace trainyard
