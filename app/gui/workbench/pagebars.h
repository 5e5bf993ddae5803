// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QWidget>

class QVBoxLayout;

namespace trainyard
{

class InfoBar;

// What the window has to say, in bars below the page, where they move nothing when they come and go. One of them is the
// window's own; what is said of a page is in a bar of that page, which goes out of sight and comes back with it.
class PageBars : public QWidget
{
    Q_OBJECT
public:
    explicit PageBars(QWidget *parent = nullptr);
    void setFront(const QWidget *page);
    InfoBar *windowBar() const { return m_window; }
    InfoBar *barOf(QWidget *page); // made when there is none; the window's for no page
    InfoBar *shown() const; // of the page in front where it says something, else the window's
    void hideFor(const QWidget *page); // what is said of it, and of the window

private:
    QVBoxLayout *m_layout;
    InfoBar *m_window;
    QHash<const QObject *, QWidget *> m_holders; // of the pages' bars: a bar that is out of sight is not hidden itself
    const QObject *m_front = nullptr;
};

} // namespace trainyard
