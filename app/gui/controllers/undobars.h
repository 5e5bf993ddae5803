// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>

namespace trainyard
{

class InfoBar;

// What was done with jobs and can be undone. The latest act stands in the bar of the list that one looks at, with a
// button, and the keys of Undo work in that list; when it is undone or over, the one before it stands there again.
class UndoBars : public QObject
{
    Q_OBJECT
public:
    explicit UndoBars(InfoBar *windowBar, QObject *parent);

    struct Act {
        QString topic; // each act has its own
        QString text; // as InfoBar takes it
        std::function<void()> undo; // called once, when the act is no longer here
        QString buttonName = {}; // as an object
        bool isSaidByWindow = false; // in the bar of the window, where no list is seen
    };
    void put(const Act &act); // as the latest one; one of the same topic is replaced where it is
    void drop(const QString &topic); // it cannot be undone any more
    void undo(); // the latest
    void follow(InfoBar *bar, QWidget *list);

private:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void showWhereSeen(bool isNew = false);
    void fill(InfoBar *bar, const Act &act);

    struct Place {
        InfoBar *bar;
        QWidget *list;
    };
    QList<Place> m_places;
    QList<Act> m_acts; // the latest is the last
    QPointer<InfoBar> m_window;
};

} // namespace trainyard
