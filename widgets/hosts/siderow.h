// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPainter;

namespace trainyard
{

// One line of the side of the window that can be chosen and has a menu, by the mouse and by the keys.
class SideRow : public QWidget
{
    Q_OBJECT
public:
    explicit SideRow(QWidget *parent = nullptr);
    QSize sizeHint() const override;

Q_SIGNALS:
    void menuRequested(const QPoint &globalPosition);
    void activated(); // by a click or a key

protected:
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void paintHead(QPainter *painter, const QString &iconName); // and the ground while it has the focus
    void paintName(QPainter *painter, const QString &name, int end); // behind the icon, to that pixel
};

} // namespace trainyard
