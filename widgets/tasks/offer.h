// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/style.h"

#include <QWidget>

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace trainyard
{

// What can be done, what it means, and the buttons that do it: beside the words, or below them where there is little
// room.
class Offer : public QWidget
{
    Q_OBJECT
public:
    Offer(const QString &title, const QString &detail);
    QPushButton *addButton(const QString &text, ButtonKind kind);
    void setTitle(const QString &text);
    void setDetail(const QString &text);
    int wholeWidth() const; // with its words on one line each
    // `wraps`: the words are broken into lines, and all of it is no wider than `room`.
    void fit(bool wraps, int room);

private:
    QBoxLayout *m_line;
    QHBoxLayout *m_buttons;
    QLabel *m_title;
    QLabel *m_detail;
};

} // namespace trainyard
