// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>

namespace trainyard
{

// When this goes, the painter has its pens, brushes and fonts of before again.
class SavedPainter
{
public:
    explicit SavedPainter(QPainter *painter) : m_painter(painter) { m_painter->save(); }
    ~SavedPainter() { m_painter->restore(); }
    SavedPainter(const SavedPainter &) = delete;
    SavedPainter &operator=(const SavedPainter &) = delete;

private:
    QPainter *m_painter;
};

} // namespace trainyard
