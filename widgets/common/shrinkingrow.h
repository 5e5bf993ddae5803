// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

namespace trainyard
{

// A row of widgets that hides the least important ones when there is no room for all.
class ShrinkingRow : public QWidget
{
    Q_OBJECT
public:
    explicit ShrinkingRow(QWidget *parent = nullptr);
    // From left to right. What has the smallest weight goes first; of equal ones all go together.
    void add(QWidget *widget, int weight);
    void setWanted(QWidget *widget, bool on); // instead of its setVisible()
    void setOverflow(QWidget *button); // shown at the end while a widget is hidden, to reach it
    bool isGone(const QWidget *widget) const; // wanted, but without room
    QSize sizeHint() const override; // of all that are wanted
    QSize minimumSizeHint() const override; // of the heaviest ones

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

private:
    int widthFrom(int weight) const; // of those that weigh as much or more
    int least() const; // weight that has room
    int overflowWidth() const;
    void fit();

    struct Item {
        QWidget *widget = nullptr;
        int weight = 0;
        bool isWanted = true;
    };
    QList<Item> m_items;
    QWidget *m_overflow = nullptr;
};

} // namespace trainyard
