// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/pagebars.h"

#include "app/gui/workbench/baroffers.h"
#include "widgets/common/infobar.h"

#include <QVBoxLayout>

namespace trainyard
{

PageBars::PageBars(QWidget *parent)
    : QWidget(parent), m_layout(new QVBoxLayout(this)), m_window(new InfoBar), m_offerBar(new InfoBar),
      m_offers(new BarOffers(m_offerBar))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_layout->addWidget(m_window);
    m_layout->addWidget(m_offerBar);
    m_window->hide();
    m_offerBar->hide();
}

void PageBars::setFront(const QWidget *page)
{
    if (page != m_front) {
        m_window->goWhenRead(m_readingTime);
    }
    m_front = page;
    for (auto it = m_holders.cbegin(); it != m_holders.cend(); ++it) {
        it.value()->setVisible(it.key() == page);
    }
}

InfoBar *PageBars::barOf(QWidget *page)
{
    if (!page) {
        return m_window;
    }
    QWidget *&holder = m_holders[page];
    if (!holder) {
        holder = new QWidget;
        auto *layout = new QVBoxLayout(holder);
        layout->setContentsMargins(0, 0, 0, 0);
        auto *bar = new InfoBar;
        layout->addWidget(bar);
        bar->hide();
        m_layout->insertWidget(m_layout->indexOf(m_offerBar), holder);
        holder->setVisible(page == m_front);
        connect(page, &QObject::destroyed, this, [this](const QObject *gone) { delete m_holders.take(gone); });
    }
    return holder->findChild<InfoBar *>();
}

InfoBar *PageBars::shown() const
{
    const QWidget *holder = m_holders.value(m_front);
    auto *bar = holder ? holder->findChild<InfoBar *>() : nullptr;
    if (bar && !bar->isHidden()) {
        return bar;
    }
    return m_window->isHidden() && !m_offerBar->isHidden() ? m_offerBar : m_window;
}

void PageBars::hideFor(const QWidget *page)
{
    m_window->hide();
    if (const QWidget *holder = m_holders.value(page)) {
        holder->findChild<InfoBar *>()->hide();
    }
}

} // namespace trainyard
