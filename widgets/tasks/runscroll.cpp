// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runscroll.h"

#include "widgets/common/tokens.h"

#include <QApplication>
#include <QEvent>
#include <QLineEdit>
#include <QPointer>
#include <QTimer>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{
constexpr int leastInSight = 4 * metrics::row;
} // namespace

RunScroll::RunScroll(QWidget *parent) : QScrollArea(parent)
{
    auto *content = new QWidget;
    content->setMinimumWidth(1); // as wide as there is room: it wraps, where it would else be cut off at the right
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    setObjectName(QStringLiteral("runScroll"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus); // what is in it has the keys
    setWidget(content);
    viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    // A field that a key has opened is typed into at once. By the mouse one is where one has pressed.
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, QWidget *now) {
        if (!qobject_cast<QLineEdit *>(now) || !widget()->isAncestorOf(now)
            || QGuiApplication::mouseButtons() != Qt::NoButton) {
            return;
        }
        QTimer::singleShot(0, this, [this, field = QPointer<QWidget>(now)] { // it may have no place yet
            if (field) {
                ensureWidgetVisible(field, 0, metrics::row);
            }
        });
    });
}

QSize RunScroll::sizeHint() const { return widget()->sizeHint(); }

QSize RunScroll::minimumSizeHint() const { return {widget()->minimumSizeHint().width(), leastInSight}; }

bool RunScroll::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest) {
        updateGeometry(); // what is in it may need another width now
    }
    return QScrollArea::viewportEvent(event);
}

} // namespace trainyard
