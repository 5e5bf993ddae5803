// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QObject>

#include <functional>

QT_BEGIN_NAMESPACE
class QKeyEvent;
class QWheelEvent;
class QWidget;
QT_END_NAMESPACE

namespace trainyard
{

// How much larger than usual the text of one kind of views is, in steps of a point: the same in all of them, whichever
// window or dialog they are in. GUI thread only.
class TextSize : public QObject
{
    Q_OBJECT
public:
    static constexpr int least = -4, most = 20;

    static TextSize *code(); // YAML, commands, scripts
    static TextSize *logs();
    static TextSize *of(const QWidget *view); // that which follows one; null: none does

    int steps() const { return m_steps; }
    void setSteps(int steps); // as far as it goes
    QFont font(int steps) const; // of fixed width
    QFont font() const { return font(m_steps); }
    // `apply` is called now and with every other size, as long as the view lives.
    void follow(QWidget *view, const std::function<void()> &apply);
    // Ctrl with plus, minus, zero or the wheel. False: it means something else.
    bool handle(const QKeyEvent *event);
    bool handle(const QWheelEvent *event);

Q_SIGNALS:
    void changed(int steps);

private:
    TextSize() = default;
    QList<const QObject *> m_views;
    int m_steps = 0;
};

} // namespace trainyard
