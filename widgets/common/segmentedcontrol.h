// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

class QMenu;

namespace trainyard
{

// A few choices beside each other of which one is on: "Form | Both | YAML". Arrow keys move the choice.
class SegmentedControl : public QWidget
{
    Q_OBJECT
    Q_PROPERTY(int currentIndex READ currentIndex WRITE setCurrentIndex NOTIFY currentChanged)
public:
    explicit SegmentedControl(const QStringList &choices, QWidget *parent = nullptr);
    int currentIndex() const { return m_current; }
    void setCurrentIndex(int index);
    QStringList choices() const { return m_choices; }
    void setChoiceVisible(int index, bool on); // one that is hidden may stay the current one
    void addTo(QMenu *menu); // the choices that are not hidden, if the control does not fit
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void currentChanged(int index);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QRect segmentRect(int index) const;
    int segmentAt(const QPoint &position) const;
    void step(int by);
    void describe();
    QStringList m_choices;
    QList<bool> m_isHidden; // of each choice
    int m_current = 0;
    int m_hover = -1;
};

} // namespace trainyard
