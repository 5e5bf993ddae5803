// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/addtrouble.h"

#include "widgets/common/labels.h"
#include "widgets/common/style.h"

#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard
{

AddTrouble::AddTrouble(QLineEdit *address, QWidget *parent)
    : QWidget(parent), m_address(address), m_words(new ColourLabel({}, Colour::Failed)),
      m_anyway(new QPushButton(tr("Add anyway")))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::space1);
    m_words->setFont(fonts::small());
    m_words->setWordWrap(true);
    layout->addWidget(m_words);
    m_anyway->setObjectName(QStringLiteral("hostAddAnyway"));
    m_anyway->setAutoDefault(false);
    setSmall(m_anyway);
    layout->addWidget(m_anyway, 0, Qt::AlignLeft);
    m_anyway->hide();
    hide();
    connect(m_anyway, &QPushButton::clicked, this, &AddTrouble::anywayRequested);
    connect(address, &QLineEdit::textEdited, this, [this] { setText({}, false); }); // it is about another one
}

void AddTrouble::setText(const QString &text, bool mayBeAdded)
{
    setFieldError(m_address, !text.isEmpty());
    m_words->setText(text);
    keepWhole(m_words, width());
    m_anyway->setVisible(mayBeAdded);
    setVisible(!text.isEmpty());
}

void AddTrouble::setAdding(bool on)
{
    if (on) {
        m_address->setEnabled(false); // the focus goes on to the next one
        m_focusMeanwhile = window()->focusWidget();
    } else if (!m_address->isEnabled()) {
        m_address->setEnabled(true);
        if (window()->focusWidget() == m_focusMeanwhile) {
            m_address->setFocus();
        }
    }
}

void AddTrouble::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    keepWhole(m_words, width());
}

} // namespace trainyard
