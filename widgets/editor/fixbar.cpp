// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/fixbar.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/severitylook.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/text/texts.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace trainyard
{

FixBar::FixBar(QWidget *parent) : QFrame(parent)
{
    setObjectName(QStringLiteral("fixBar"));
    setFont(fonts::small());
    m_row = new QHBoxLayout(this);
    m_row->setContentsMargins(metrics::space2 + metrics::smallIcon + metrics::space2, 0, metrics::space2, 0);
    m_row->setSpacing(metrics::space2);
    m_text = new ElidedLabel;
    m_text->setObjectName(QStringLiteral("fixText"));
    m_text->setElideMode(Qt::ElideRight);
    m_key = new KeyCap(QStringLiteral("Ctrl+."));
    m_row->addWidget(m_text, 1);
    m_row->addWidget(m_key);
    hide();
}

void FixBar::setDiagnostic(const Diagnostic &diagnostic)
{
    m_severity = diagnostic.severity;
    m_text->setColour(colourOf(m_severity));
    m_text->setText(diagnosticBrief(diagnostic));
    const QString whole = diagnosticText(diagnostic);
    setToolTip(plainTip(whole));
    setAccessibleDescription(whole);
    qDeleteAll(m_links);
    m_links.clear();
    for (const Fix &fix : diagnostic.fixes) {
        auto *link = new QPushButton(plainCaption(fixTitle(fix)));
        setButtonKind(link, ButtonKind::Link);
        setSmall(link);
        link->setFont(fonts::small());
        link->setFocusPolicy(Qt::NoFocus);
        link->setCursor(Qt::PointingHandCursor);
        connect(link, &QPushButton::clicked, this, [this, fix] { Q_EMIT fixRequested(fix); });
        m_row->insertWidget(m_row->count() - 1, link);
        m_links.append(link);
    }
    m_key->setVisible(!m_links.isEmpty());
    fitLinks();
    update();
}

// The problem comes first: if there is no room for all of it, the fixes are hidden, the last one first. The
// key beside them offers all, and so does the list of problems.
void FixBar::fitLinks()
{
    constexpr qreal leastShare = 0.6; // of the line for the cause, beside the first fix
    const QMargins margins = m_row->contentsMargins();
    const int spacing = m_row->spacing();
    int room = width() - margins.left() - margins.right();
    room -= m_key->isHidden() ? 0 : m_key->sizeHint().width() + spacing;
    const int whole = m_text->sizeHint().width();
    bool fits = true;
    for (qsizetype i = 0; i < m_links.size(); ++i) {
        const int left = room - m_links.at(i)->sizeHint().width() - spacing;
        fits = fits && left >= (i == 0 ? std::min(whole, int(room * leastShare)) : whole);
        m_links.at(i)->setVisible(fits);
        room = fits ? left : room;
    }
}

void FixBar::resizeEvent(QResizeEvent *event)
{
    QFrame::resizeEvent(event);
    fitLinks();
}

void FixBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), colour(groundOf(m_severity), this));
    const int side = metrics::smallIcon;
    paintIcon(&painter, iconOf(m_severity), QRectF(metrics::space2, (height() - side) / 2.0, side, side),
        colour(colourOf(m_severity), this));
}

} // namespace trainyard
