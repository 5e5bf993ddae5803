// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/infobar.h"

#include <QList>
#include <QObject>

#include <functional>
#include <optional>

namespace trainyard
{

// A question to the user, and the buttons that answer it.
struct BarOffer {
    struct Action {
        QString label, objectName;
        std::function<void()> run;
    };
    QString topic;
    InfoBar::Kind kind = InfoBar::Kind::Info;
    QString text; // as InfoBar takes it
    QList<Action> actions;
};

// Shows offers one after the other in a separate bar. Neither another offer nor another message of the window replaces
// one: it stays until one of its buttons is pressed, until the user closes it, or until it is withdrawn.
class BarOffers : public QObject
{
    Q_OBJECT
public:
    enum class Turn { Last, First }; // First: the user waits for it
    explicit BarOffers(InfoBar *bar);
    void add(
        const BarOffer &offer, Turn turn = Turn::Last); // in the place of one of the same topic, unless it is First
    void takeBack(const QString &topic);
    bool isOffered(const QString &topic) const;

private:
    std::optional<qsizetype> placeOf(const QString &topic) const;
    void showFirst();
    void drop(qsizetype place);
    QString words() const; // of the first one, with how many come after it

    InfoBar *m_bar;
    QList<BarOffer> m_offers; // the first one is in the bar
};

} // namespace trainyard
