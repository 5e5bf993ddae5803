// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPoint>
#include <QRect>

class QWidget;

namespace trainyard
{

// Where a card of this size stands beside a point: never over the point, inside of the area where it has room there,
// and over as few of the other points as possible. Of equal places it is the one nearest to `nearY`.
QRect besidePoint(const QPoint &point, const QSize &size, const QRect &area, const QList<QPoint> &others, int nearY);

// The same in the first of these areas in which it has room there, else in the last one.
QRect besidePoint(
    const QPoint &point, const QSize &size, const QList<QRect> &areas, const QList<QPoint> &others, int nearY);

// Where a card may stand in its parent: over this part of it, else, where that is too small, over all of it.
QList<QRect> cardAreas(const QWidget &card, const QWidget *over);

// Hides a card on Esc, wherever the keyboard is, and when the mouse is pressed or its wheel is turned elsewhere in the
// window. It watches only while the card is shown.
class CardClosing : public QObject
{
    Q_OBJECT
public:
    explicit CardClosing(QWidget *card); // which has it

Q_SIGNALS:
    void closed(bool byKey);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void close(bool byKey);
    QWidget *m_card;
};

} // namespace trainyard
