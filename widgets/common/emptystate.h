// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/tokens.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace trainyard
{

class IconLabel;

// The placeholder of a list or page without contents (yet): an icon, one sentence, one action.
class EmptyState : public QWidget
{
    Q_OBJECT
public:
    // Centred with an icon above, the same as a card among others, or flush left and small for the side of the window.
    enum class Layout { Centred, Card, Side };
    explicit EmptyState(Layout layout = Layout::Centred, QWidget *parent = nullptr);
    void setIcon(const QString &name, Colour role = Colour::Muted);
    void setText(const QString &sentence);
    void setDetail(const QString &detail);
    // An empty label takes the action away.
    void setAction(const QString &label, const QString &iconName = {});
    QPushButton *action() const { return m_action; }
    // An additional action; it is above the other one, as the first thing to do.
    void setRemedy(const QString &label, const QString &iconName = {});
    QPushButton *remedy() const { return m_remedy; }

Q_SIGNALS:
    void actionTriggered();
    void remedyTriggered();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    Layout m_kind;
    IconLabel *m_icon;
    QLabel *m_text;
    QLabel *m_detail;
    QPushButton *m_action;
    QPushButton *m_remedy;
};

} // namespace trainyard
