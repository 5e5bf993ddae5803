// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/pagehead.h"

#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int leastSearch = 96; // a word of it
constexpr int leastHeading = 140;
} // namespace

PageHead::PageHead(const QString &heading)
    : Ground(Colour::Surface), m_heading(new ElidedLabel(heading)), m_count(smallMutedLabel({})),
      m_row(new QHBoxLayout(this))
{
    setBorders(Qt::BottomEdge);
    setFixedHeight(metrics::pageHead);
    setMinimumWidth(1); // fit() sees to it
    m_row->setContentsMargins(metrics::space4, 0, metrics::space3, 1);
    m_row->setSpacing(metrics::space2);
    m_heading->setFont(fonts::heading());
    m_heading->setElideMode(Qt::ElideRight);
    m_row->addWidget(m_heading); // first: without a parent it would be a window
    m_row->addWidget(m_count);
    m_heading->setHidden(heading.isEmpty());
    m_count->hide();
}

void PageHead::setHeading(const QString &text)
{
    m_heading->setText(text);
    m_heading->setVisible(!text.isEmpty());
    fit();
}

void PageHead::setCount(const QString &text)
{
    m_count->setText(text);
    m_count->setVisible(!text.isEmpty());
    fit();
}

void PageHead::addSearch(SearchField *field, const QString &objectName, int width)
{
    field->setObjectName(objectName);
    field->setMinimumWidth(std::min(leastSearch, width));
    field->setMaximumWidth(width);
    field->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_row->addWidget(field, 100'000); // all the room that is left, up to its most
}

void PageHead::addMinor(QLabel *label)
{
    m_minor.append(label);
    m_row->addWidget(label);
}

void PageHead::addPrimary(QPushButton *button)
{
    setButtonKind(button, ButtonKind::Primary);
    addButton(button);
    m_primary = button;
}

void PageHead::addButton(QPushButton *button, bool losesWordsFirst)
{
    m_buttons.insert(losesWordsFirst ? 0 : m_buttons.size() - (m_primary ? 1 : 0), button);
    m_row->addWidget(button);
    setWords(button, readCaption(button->text()));
}

void PageHead::setWords(QPushButton *button, const QString &words)
{
    m_words[button] = words;
    button->setAccessibleName(words);
    fit();
}

void PageHead::resizeEvent(QResizeEvent *event)
{
    Ground::resizeEvent(event);
    fit();
}

// The other buttons at the left lose their words first; what a page is for loses them last.
void PageHead::fit()
{
    const auto missing = [this] {
        m_row->invalidate();
        return m_row->minimumSize().width() - width();
    };
    m_heading->setMinimumWidth(m_heading->sizeHint().width());
    for (QLabel *label : std::as_const(m_minor)) {
        label->setVisible(!label->text().isEmpty());
    }
    for (QPushButton *button : std::as_const(m_buttons)) {
        button->setText(plainCaption(m_words.value(button)));
    }
    for (QLabel *label : std::as_const(m_minor)) {
        if (missing() > 0) {
            label->hide();
        }
    }
    if (missing() > 0) {
        m_heading->setMinimumWidth(std::min(m_heading->sizeHint().width(), leastHeading));
    }
    for (QPushButton *button : std::as_const(m_buttons)) {
        if (missing() <= 0) {
            break;
        }
        if (!button->icon().isNull()) {
            button->setText({});
        }
    }
    if (missing() > 0) {
        m_heading->setMinimumWidth(0); // its own least
    }
}

} // namespace trainyard
