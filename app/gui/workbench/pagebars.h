// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QWidget>

#include <chrono>

class QVBoxLayout;

namespace trainyard
{

class BarOffers;
class InfoBar;

// What the window has to say, in bars below the page, where they move nothing when they come and go. One of them is the
// window's own: what answered the user there goes when another page comes to the front, once it could be read, and is
// not about that page for ever. What is said of a page is in a bar of that page, which goes out of sight and comes back
// with it. What waits for an answer has a bar of its own, the lowest, which does not move when the others come and go.
class PageBars : public QWidget
{
    Q_OBJECT
public:
    explicit PageBars(QWidget *parent = nullptr);
    void setFront(const QWidget *page);
    InfoBar *windowBar() const { return m_window; }
    InfoBar *barOf(QWidget *page); // made when there is none; the window's for no page
    BarOffers *offers() const { return m_offers; }
    // Of the page in front where it says something, else the window's, or that of the offers where only that is seen.
    InfoBar *shown() const;
    void setReadingTime(std::chrono::milliseconds time) { m_readingTime = time; }
    void hideFor(const QWidget *page); // what is said of it, and of the window; offers stay

private:
    QVBoxLayout *m_layout;
    InfoBar *m_window;
    InfoBar *m_offerBar;
    BarOffers *m_offers;
    QHash<const QObject *, QWidget *> m_holders; // of the pages' bars: a bar that is out of sight is not hidden itself
    const QObject *m_front = nullptr;
    std::chrono::milliseconds m_readingTime = std::chrono::seconds(4); // of a sentence or two
};

} // namespace trainyard
