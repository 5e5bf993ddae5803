// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

class QVBoxLayout;

namespace trainyard
{

// The area below the head of a run's page. In a window that is too low, the page scrolls, and nothing in it is
// squeezed; it is never narrower than its contents.
class RunScroll : public QScrollArea
{
    Q_OBJECT
public:
    explicit RunScroll(QWidget *parent = nullptr);
    QVBoxLayout *column() const { return m_column; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool viewportEvent(QEvent *event) override;

private:
    QVBoxLayout *m_column;
};

} // namespace trainyard
