// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/besidepoint.h"

#include "widgets/common/style.h"

#include <QApplication>
#include <QKeyEvent>
#include <QWidget>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace trainyard
{
namespace
{
constexpr int besideGap = metrics::space3;
constexpr int heightsTried = 12;
} // namespace

QRect besidePoint(const QPoint &point, const QSize &size, const QRect &area, const QList<QPoint> &others, int nearY)
{
    QList<QPoint> places;
    const int lowest = std::max(area.top(), area.bottom() + 1 - size.height());
    for (const int x : {point.x() + besideGap, point.x() - besideGap - size.width()}) {
        for (int i = 0; i <= heightsTried; ++i) {
            places.append({x, area.top() + (lowest - area.top()) * i / heightsTried});
        }
    }
    const int across
        = std::clamp(point.x() - size.width() / 2, area.left(), std::max(area.left(), area.right() + 1 - size.width()));
    places.append({across, point.y() - besideGap - size.height()});
    places.append({across, point.y() + besideGap});
    QRect best;
    qint64 least = std::numeric_limits<qint64>::max();
    for (const QPoint &place : std::as_const(places)) {
        const QRect card(place, size), inside = card & area;
        const qint64 outside = qint64(size.width()) * size.height() - qint64(inside.width()) * inside.height();
        const auto covered = std::count_if(
            others.cbegin(), others.cend(), [&card](const QPoint &other) { return card.contains(other); });
        constexpr qint64 ofOutside = 1'000'000, ofCovered = 1000;
        const qint64 cost = outside * ofOutside + covered * ofCovered + std::abs(place.y() - nearY);
        if (cost < least) {
            least = cost;
            best = card;
        }
    }
    return best;
}

QRect besidePoint(
    const QPoint &point, const QSize &size, const QList<QRect> &areas, const QList<QPoint> &others, int nearY)
{
    QRect card;
    for (const QRect &area : areas) {
        card = besidePoint(point, size, area, others, nearY);
        if (area.contains(card)) {
            break;
        }
    }
    return card;
}

QList<QRect> cardAreas(const QWidget &card, const QWidget *over)
{
    const QRect all = card.parentWidget()->rect();
    return over ? QList{QRect(over->mapTo(card.parentWidget(), QPoint()), over->size()), all} : QList{all};
}

CardClosing::CardClosing(QWidget *card) : QObject(card), m_card(card) { card->installEventFilter(this); }

void CardClosing::close(bool byKey)
{
    m_card->hide();
    Q_EMIT closed(byKey);
}

bool CardClosing::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Show:
    case QEvent::Hide:
        if (watched == m_card) {
            qApp->removeEventFilter(this);
            if (event->type() == QEvent::Show) {
                qApp->installEventFilter(this);
            }
        }
        return false;
    case QEvent::ShortcutOverride: // a key of the window that is Esc would come first
    case QEvent::KeyPress: {
        auto *key = static_cast<QKeyEvent *>(event);
        auto *widget = qobject_cast<QWidget *>(watched);
        if (!widget || widget->window() != m_card->window() || key->key() != Qt::Key_Escape
            || key->modifiers() != Qt::NoModifier) {
            return false;
        }
        event->accept();
        if (event->type() == QEvent::KeyPress) {
            close(true);
        }
        return true;
    }
    case QEvent::MouseButtonPress:
    case QEvent::Wheel: {
        auto *widget = qobject_cast<QWidget *>(watched);
        if (widget && widget->window() == m_card->window() && widget != m_card && !m_card->isAncestorOf(widget)
            && (event->type() != QEvent::Wheel || m_card->parentWidget()->isAncestorOf(widget))) {
            close(false);
        }
        return false;
    }
    default:
        return false;
    }
}

} // namespace trainyard
