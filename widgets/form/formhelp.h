// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QRect>
#include <QWidget>

namespace trainyard
{

class HelpCard;

// The card of help for the fields of a window: the one that the text has, below a field and what is wrong with it. It
// goes with the next key, click or scroll, and, where the pointer asked for it, when the pointer leaves the field.
class FormHelp : public QObject
{
    Q_OBJECT
public:
    enum class Asked { ByPointer, ByKey };
    static FormHelp *of(QWidget *widget); // the one of its window
    void show(QWidget *at, const QRect &place, const QString &html, Asked asked); // `place` is of the screen
    void hide();
    HelpCard *card() const { return m_card; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    explicit FormHelp(QWidget *window);
    HelpCard *m_card;
    QPointer<QWidget> m_at;
    QRect m_place;
    Asked m_asked = Asked::ByPointer;
};

} // namespace trainyard
