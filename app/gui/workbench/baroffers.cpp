// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/baroffers.h"

#include "widgets/text/sentences.h"

#include <QPushButton>

#include <algorithm>

namespace trainyard
{

BarOffers::BarOffers(InfoBar *bar) : QObject(bar), m_bar(bar)
{
    connect(bar, &InfoBar::closed, this, [this] {
        if (!m_offers.isEmpty()) {
            drop(0);
        }
    });
}

std::optional<qsizetype> BarOffers::placeOf(const QString &topic) const
{
    const auto it = std::find_if(
        m_offers.cbegin(), m_offers.cend(), [&topic](const BarOffer &offer) { return offer.topic == topic; });
    return it == m_offers.cend() ? std::nullopt : std::optional(it - m_offers.cbegin());
}

bool BarOffers::isOffered(const QString &topic) const { return placeOf(topic).has_value(); }

void BarOffers::add(const BarOffer &offer, Turn turn)
{
    const std::optional<qsizetype> before = placeOf(offer.topic);
    if (before) {
        m_offers.removeAt(*before);
    }
    const qsizetype place = turn == Turn::First ? 0 : before.value_or(m_offers.size());
    m_offers.insert(place, offer);
    if (place == 0) {
        showFirst();
    } else {
        m_bar->setText(words()); // the buttons stay where the pointer is
    }
}

void BarOffers::takeBack(const QString &topic)
{
    if (const std::optional<qsizetype> place = placeOf(topic)) {
        drop(*place);
    }
}

void BarOffers::drop(qsizetype place)
{
    m_offers.removeAt(place);
    if (place == 0) {
        showFirst();
    } else {
        m_bar->setText(words());
    }
}

QString BarOffers::words() const
{
    const int more = int(m_offers.size()) - 1;
    const QString &text = m_offers.constFirst().text;
    // The words of another program may have no end.
    return more > 0 ? withFullStop(text) + QLatin1Char(' ') + tr("%n more after this.", nullptr, more) : text;
}

void BarOffers::showFirst()
{
    if (m_offers.isEmpty()) {
        m_bar->hide();
        return;
    }
    const BarOffer &first = m_offers.constFirst();
    m_bar->show(first.kind, words());
    m_bar->setTopic(first.topic);
    for (const BarOffer::Action &action : first.actions) {
        QPushButton *button = m_bar->addAction(action.label);
        button->setObjectName(action.objectName);
        connect(button, &QPushButton::clicked, this, [this, topic = first.topic, run = action.run] {
            takeBack(topic);
            run();
        });
    }
}

} // namespace trainyard
