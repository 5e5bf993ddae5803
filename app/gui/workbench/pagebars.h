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

// The messages of the window, in bars below the page, where they move nothing when they appear and disappear. One bar
// belongs to the window: an answer to the user disappears from it when another page comes to the front, once there was
// time to read it, so that it does not seem to be about that page. A message about a page is in a bar of that page,
// which is hidden and shown with it. Questions have a separate bar, the lowest, which does not move when the others
// appear and disappear.
class PageBars : public QWidget
{
    Q_OBJECT
public:
    explicit PageBars(QWidget *parent = nullptr);
    void setFront(const QWidget *page);
    InfoBar *windowBar() const { return m_window; }
    InfoBar *barOf(QWidget *page); // made when there is none; the window's for no page
    BarOffers *offers() const { return m_offers; }
    // The bar of the page in front if it has a message, otherwise the window's, or that of the offers if only that is
    // visible.
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
