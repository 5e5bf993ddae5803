// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"
#include "widgets/log/lanemerge.h"

#include <optional>

class QAction;
class QMenu;
class QToolButton;

namespace trainyard
{

class Chip;
class SegmentedControl;

// The head of a log: of which task and try it is, which stream and which time of it are shown, and its tools. What does
// not fit goes into a menu.
class LogHead : public Ground
{
    Q_OBJECT
public:
    explicit LogHead(const QList<QAction *> &tools);
    bool setTitle(const QString &title); // of the task or tasks; whether it is another one
    bool setTry(const QString &words); // likewise; empty: there is only one
    void setRange(const std::optional<LogTimeRange> &range); // a chip that can be removed
    QString task() const { return m_titleText; }
    QString title() const; // with the try
    QToolButton *titleButton() const { return m_title; }
    QToolButton *tryButton() const { return m_try; }
    SegmentedControl *streams() const { return m_streams; }
    void fit(int width); // what does not fit leaves, from the right; the name of the task stays
    bool isOutgrown(int width) const; // its parts want more than this, and than when they were fitted

Q_SIGNALS:
    void rangeRemoved();
    void moreAboutToShow(QMenu *menu); // with what does not fit: others add to it

private:
    void addName(QToolButton *button);
    void fillMore();
    QString m_titleText;
    QToolButton *m_title;
    QToolButton *m_try;
    QToolButton *m_more;
    SegmentedControl *m_streams;
    Chip *m_range;
    QList<QToolButton *> m_tools;
    int m_fittedWidth = 0; // that its parts wanted when they were fitted
};

} // namespace trainyard
