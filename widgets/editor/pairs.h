// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qglobal.h>

QT_BEGIN_NAMESPACE
class QKeyEvent;
QT_END_NAMESPACE

namespace trainyard
{

class CodeView;

// Brackets, quotes and <% %> that come in pairs. What was put in by itself is stepped over when it is typed, and goes
// with its partner; an invisible indicator remembers which bytes those are, whatever is edited around them.
class PairTyper
{
public:
    explicit PairTyper(CodeView *view) : m_view(view) { }
    bool handle(QKeyEvent *event); // true: done, nothing is left to type

private:
    bool type(char c);
    bool eraseBoth();
    void insertPair(const char *open, const char *close);
    bool isOurs(qsizetype offset) const;

    CodeView *m_view;
};

} // namespace trainyard
