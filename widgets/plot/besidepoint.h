// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPoint>
#include <QRect>

class QWidget;

namespace trainyard
{

// The position of a card of this size beside a point: never over the point, within the area if it fits, and over as few
// of the other points as possible. Of equal positions it is the one nearest to `nearY`.
QRect besidePoint(const QPoint &point, const QSize &size, const QRect &area, const QList<QPoint> &others, int nearY);

// The same in the first of these areas in which it has room there, else in the last one.
QRect besidePoint(
    const QPoint &point, const QSize &size, const QList<QRect> &areas, const QList<QPoint> &others, int nearY);

// The area of its parent that a card may cover: this part of it or, if that is too small, all of it.
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
