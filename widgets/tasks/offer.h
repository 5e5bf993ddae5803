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

// An offer: its name, its meaning, and its buttons, beside the words or, if there is little room, below them.
class Offer : public QWidget
{
    Q_OBJECT
public:
    enum class Form {
        Line, // with its words on one line each
        Wrapped, // the words are broken into lines, so that all of it is no wider than its room
        Short // little more than the button, whose tip has the words; with setTitled() the title is there, too
    };
    Offer(const QString &title, const QString &detail);
    QPushButton *addButton(const QString &text, ButtonKind kind);
    void setTitle(const QString &text);
    void setTitled() { m_isTitled = true; } // the button alone does not say what it does
    void setDetail(const QString &text);
    void setForm(Form form, int room);
    int wholeWidth() const; // as Form::Line
    int leastWidth() const; // in any form
    QSize sizeAs(Form form, int room) const;

private:
    struct Places {
        bool isBelow = false; // the buttons are below the words
        bool hasTitle = true;
        QSize size;
    };
    Places placesAs(Form form, int room) const;
    void explain();
    QBoxLayout *m_line;
    QHBoxLayout *m_buttons;
    QLabel *m_title;
    QLabel *m_detail;
    bool m_isShort = false;
    bool m_isTitled = false;
};

} // namespace trainyard
