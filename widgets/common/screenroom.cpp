// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/screenroom.h"

#include <QEvent>
#include <QScreen>
#include <QWidget>

namespace trainyard
{
namespace
{

// The frame of a window is not known before it is there; that of the window below is the same.
QSize frameAround(const QWidget &dialog)
{
    const QWidget *below = dialog.parentWidget() ? dialog.parentWidget()->window() : &dialog;
    return below->frameGeometry().size() - below->size();
}

class ScreenRoom final : public QObject
{
public:
    explicit ScreenRoom(QWidget *dialog) : QObject(dialog), m_dialog(dialog)
    {
        setObjectName(QStringLiteral("screenRoom"));
        dialog->installEventFilter(this);
    }
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Show) {
            fit();
        } else if (event->type() == QEvent::Resize && !event->spontaneous()) {
            // Not where a user draws its edge: over two screens there is more room. The layout that made it larger has
            // to come to its end before it takes another minimum.
            QMetaObject::invokeMethod(this, &ScreenRoom::fit, Qt::QueuedConnection);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    void fit()
    {
        if (!m_dialog->isWindow() || !m_dialog->isVisible()) {
            return;
        }
        const QSize room = m_dialog->screen()->availableGeometry().size() - frameAround(*m_dialog);
        const QSize least = m_dialog->minimumSize();
        if (least.boundedTo(room) != least) { // else the layout would insist on it
            m_dialog->setMinimumSize(least.boundedTo(room));
        }
        if (m_dialog->size().boundedTo(room) != m_dialog->size()) {
            m_dialog->resize(m_dialog->size().boundedTo(room));
        }
    }
    QWidget *m_dialog;
};

} // namespace

void keepOnScreen(QWidget *dialog)
{
    if (!dialog->findChild<QObject *>(QStringLiteral("screenRoom"), Qt::FindDirectChildrenOnly)) {
        new ScreenRoom(dialog);
    }
}

} // namespace trainyard
