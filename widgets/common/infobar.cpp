// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/infobar.h"

#include "widgets/common/flowlayout.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"
#include "widgets/common/textlinks.h"
#include "widgets/common/wordbreaks.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTextDocumentFragment>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace trainyard
{

InfoBar::InfoBar(QWidget *parent)
    : QWidget(parent), m_text(plainLabel()), m_actions(new QHBoxLayout), m_close(new QToolButton),
      m_going(new QTimer(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(
        metrics::space4 + 15 + metrics::space2, metrics::space1, metrics::space2, metrics::space1);
    layout->setSpacing(metrics::space3);
    m_text->setTextFormat(Qt::RichText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_text->installEventFilter(this);
    m_actions->setSpacing(metrics::space3);
    m_close->setIcon(icon(QStringLiteral("close")));
    m_close->setIconSize({14, 14});
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(tr("Close this message"));
    m_close->setToolTip(plainTip(m_close->accessibleName()));
    setSmall(m_close);
    layout->addWidget(m_text, 1);
    layout->addLayout(m_actions);
    layout->addWidget(m_close);
    setMinimumHeight(metrics::infoBar);
    connect(m_close, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT closed();
    });
    connect(m_text, &QLabel::linkActivated, this, [this](const QString &link) {
        if (const qint64 number = jobOfLink(link)) {
            Q_EMIT jobClicked(number);
        } else if (const QString key = settingOfLink(link); !key.isEmpty()) {
            Q_EMIT settingClicked(key);
        }
    });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *old, const QWidget *now) {
        if (old && now && isAncestorOf(now) && !isAncestorOf(old)) {
            m_keysBefore = old;
        }
    });
    m_going->setSingleShot(true);
    connect(m_going, &QTimer::timeout, this, [this] {
        const QWidget *focus = QApplication::focusWidget();
        if (underMouse() || (focus && isAncestorOf(focus))) {
            m_going->start(); // it is being read
        } else if (!m_lasts && (m_actions->count() == 0 || m_goingActions == Actions::Go)) {
            hide();
        }
    });
    hide();
}

void InfoBar::goSoon(std::chrono::milliseconds after, Actions actions)
{
    m_goingActions = actions;
    m_going->start(after);
}

void InfoBar::show(Kind kind, const QString &text)
{
    m_topic.clear();
    m_lasts = false;
    m_since.start();
    m_going->stop();
    m_kind = kind;
    setText(text);
    removeWidgets(m_actions);
    QWidget::show();
    update();
}

bool InfoBar::staysUntilAnswered() const { return m_lasts || m_actions->count() > 0; }

void InfoBar::goWhenRead(std::chrono::milliseconds after)
{
    constexpr int longer = 3; // who looks at the page that came reads the bar below it afterwards
    if (staysUntilAnswered() || !m_since.isValid()) {
        return;
    }
    if (m_since.elapsed() >= after.count()) {
        hide();
    } else {
        goSoon(longer * after);
    }
}

void InfoBar::setJobLinks(bool on)
{
    m_jobLinks = on;
    m_text->setTextInteractionFlags(on ? Qt::TextBrowserInteraction : Qt::TextSelectableByMouse);
}

void InfoBar::hideIfOf(const QString &topic)
{
    if (m_topic == topic) {
        hide();
    }
}

void InfoBar::setText(const QString &text)
{
    const QString safe = boldAndBreaksOnly(text);
    constexpr int mostForWord = 240; // a longer one is broken
    m_said = safe;
    m_text->setText(safe);
    m_text->setMinimumWidth(std::min(m_text->minimumSizeHint().width(), mostForWord));
    fitText();
    setAccessibleName(QTextDocumentFragment::fromHtml(safe).toPlainText());
}

void InfoBar::fitText()
{
    const int room = isVisible() ? m_text->width() : QWIDGETSIZE_MAX;
    const QString broken = withBreaks(m_said, m_text->fontMetrics(), room, WordKind::Markup);
    const QString shown = m_jobLinks ? withTextLinks(broken) : broken;
    if (shown != m_text->text()) { // the user may have selected something
        m_text->setText(shown);
    }
}

bool InfoBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_text && (event->type() == QEvent::Resize || event->type() == QEvent::Show)) {
        fitText();
    }
    return QWidget::eventFilter(watched, event);
}

// Else Qt gives them to the next widget there is: what is typed on goes into another field.
void InfoBar::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    const QWidget *focus = QApplication::focusWidget();
    if (isHidden() && focus && isAncestorOf(focus) && m_keysBefore && m_keysBefore->isVisible()
        && m_keysBefore->isEnabled() && m_keysBefore->window() == window()) {
        m_keysBefore->setFocus();
    }
}

QPushButton *InfoBar::addAction(const QString &label)
{
    auto *button = new QPushButton(plainCaption(label), this);
    setButtonKind(button, ButtonKind::Link);
    m_actions->addWidget(button);
    button->show();
    setTabOrder(m_close->previousInFocusChain(), button); // as they stand
    return button;
}

QWidget *InfoBar::comeAfter(QWidget *before)
{
    QList<QWidget *> parts{m_text};
    for (int i = 0; i < m_actions->count(); ++i) {
        parts.append(m_actions->itemAt(i)->widget());
    }
    parts.append(m_close);
    for (QWidget *part : std::as_const(parts)) {
        setTabOrder(before, part);
        before = part;
    }
    return before;
}

void InfoBar::setClosable(bool closable) { m_close->setVisible(closable); }
void InfoBar::setBoxed(bool boxed)
{
    m_boxed = boxed;
    update();
}
QString InfoBar::text() const { return m_said; }

void InfoBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    Colour tint = Colour::Selection;
    Colour front = Colour::Accent;
    QString name = QStringLiteral("info");
    switch (m_kind) {
    case Kind::Info:
        break;
    case Kind::Waits:
        tint = Colour::WaitingTint;
        front = Colour::Waiting;
        break;
    case Kind::Waiting:
        tint = Colour::WaitingTint;
        front = Colour::Waiting;
        name = QStringLiteral("warning");
        break;
    case Kind::Failed:
        tint = Colour::FailedTint;
        front = Colour::Failed;
        name = QStringLiteral("error");
        break;
    case Kind::Succeeded:
        tint = Colour::SucceededTint;
        front = Colour::Succeeded;
        name = QStringLiteral("check");
        break;
    }
    const QColor border = colour(Colour::Border, this);
    if (m_boxed) {
        stylepaint::roundedBox(&painter, rect(), metrics::radius, colour(tint, this), border);
    } else {
        painter.fillRect(rect(), colour(tint, this));
        painter.fillRect(0, 0, width(), 1, border);
        painter.fillRect(0, height() - 1, width(), 1, border);
        if (m_kind == Kind::Failed) {
            painter.fillRect(0, 0, metrics::selectionBar, height(), colour(front, this));
        }
    }
    const QRectF sign(metrics::space4, (height() - 15) / 2.0, 15, 15);
    if (m_kind == Kind::Waits) {
        paintState(&painter, StateShape::Waiting, sign, colour(front, this));
    } else {
        paintIcon(&painter, name, sign, colour(front, this));
    }
}

} // namespace trainyard
