// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/formgrid.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/severitylook.h"
#include "widgets/common/stylepaint.h"
#include "widgets/common/tokens.h"
#include "widgets/form/formfield.h"

#include <QBoxLayout>
#include <QGridLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <utility>

namespace trainyard
{

FormGrid::FormGrid(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(metrics::labelGap);
    m_grid->setVerticalSpacing(metrics::formRowGap);
    m_grid->setColumnMinimumWidth(0, metrics::labelColumn);
    m_grid->setColumnStretch(1, 1);
}

QLabel *FormGrid::addRow(const QString &label, QWidget *field)
{
    auto *words = new ColourLabel(label, Colour::Muted);
    words->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    words->setFixedHeight(metrics::field);
    words->setTextFormat(Qt::PlainText);
    m_grid->addWidget(words, m_rows, 0, Qt::AlignTop | Qt::AlignRight);
    m_grid->addWidget(field, m_rows, 1);
    ++m_rows;
    return words;
}

QLabel *FormGrid::addField(const QString &label, FormField *field)
{
    QLabel *words = addRow(label, field);
    // A column without any field that grows would be as narrow as its narrowest one, and the labels would take the
    // rest.
    QSizePolicy policy = field->sizePolicy();
    policy.setHorizontalPolicy(QSizePolicy::Expanding);
    field->setSizePolicy(policy);
    field->setLabel(words);
    return words;
}

void FormGrid::addWide(QWidget *widget) { m_grid->addWidget(widget, m_rows++, 0, 1, 2); }

void FormGrid::setRowVisible(QWidget *field, bool visible)
{
    const int index = m_grid->indexOf(field);
    if (index < 0) {
        return;
    }
    int row = 0;
    int column = 0;
    int rowSpan = 0;
    int columnSpan = 0;
    m_grid->getItemPosition(index, &row, &column, &rowSpan, &columnSpan);
    field->setVisible(visible);
    if (QLayoutItem *label = m_grid->itemAtPosition(row, 0); label && label->widget() && label->widget() != field) {
        label->widget()->setVisible(visible);
    }
}

QWidget *beside(const QList<QWidget *> &widgets, int stretchAt)
{
    auto *line = new QWidget;
    auto *row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(metrics::space2);
    for (qsizetype i = 0; i < widgets.size(); ++i) {
        row->addWidget(widgets.at(i), i == stretchAt ? 1 : 0, Qt::AlignTop);
        if (i == stretchAt) {
            row->setAlignment(widgets.at(i), {});
        }
    }
    if (stretchAt < 0) {
        row->addStretch(1);
    }
    return line;
}

namespace
{
class WrappedPair final : public QWidget
{
public:
    WrappedPair(QWidget *first, QWidget *second, int leastFirst, QWidget *ofFirst)
        : m_grid(new QGridLayout(this)), m_first(first), m_second(second), m_ofFirst(ofFirst), m_leastFirst(leastFirst)
    {
        m_grid->setContentsMargins(0, 0, 0, 0);
        m_grid->setVerticalSpacing(0);
        m_grid->setHorizontalSpacing(metrics::space2);
        m_grid->setColumnStretch(0, 1);
        arrange();
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QWidget::resizeEvent(event);
        const bool fits = width() - m_second->sizeHint().width() - metrics::space2 >= m_leastFirst;
        if (fits == m_isBelow) {
            m_isBelow = !fits;
            arrange();
        }
    }

private:
    void arrange()
    {
        constexpr int gapRow = 2;
        constexpr int belowRow = 3;
        for (QWidget *widget : {m_first, m_second, m_ofFirst}) {
            if (widget) {
                m_grid->removeWidget(widget);
            }
        }
        m_grid->addWidget(m_first, 0, 0, 1, m_isBelow ? 2 : 1);
        if (m_ofFirst) {
            m_grid->addWidget(m_ofFirst, 1, 0, 1, 2);
        }
        m_grid->setRowMinimumHeight(gapRow, m_isBelow ? metrics::space2 : 0);
        m_grid->addWidget(
            m_second, m_isBelow ? belowRow : 0, m_isBelow ? 0 : 1, 1, m_isBelow ? 2 : 1, Qt::AlignTop | Qt::AlignLeft);
    }

    QGridLayout *m_grid;
    QWidget *m_first;
    QWidget *m_second;
    QWidget *m_ofFirst;
    int m_leastFirst;
    bool m_isBelow = false;
};
} // namespace

QWidget *besideOrBelow(QWidget *first, QWidget *second, int leastFirst, QWidget *ofFirst)
{
    return new WrappedPair(first, second, leastFirst, ofFirst);
}

QWidget *above(QWidget *line, QWidget *below)
{
    auto *column = new QWidget;
    auto *box = new QVBoxLayout(column);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(line);
    box->addWidget(below);
    box->addStretch(1); // height that is left over moves no field of the line
    return column;
}

QLabel *rowLabel(const QString &text, QWidget *buddy)
{
    auto *label = new ColourLabel(text, Colour::Muted);
    label->setTextFormat(Qt::PlainText);
    label->setFixedHeight(metrics::field);
    if (buddy) {
        label->setBuddy(buddy);
    }
    return label;
}

Disclosure::Disclosure(const QString &title, QWidget *parent) : QWidget(parent), m_title(title)
{
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(title);
}

void Disclosure::setSummary(const QString &summary)
{
    if (m_summary != summary) {
        m_summary = summary;
        setAccessibleDescription(summary);
        setToolTip(plainTip(summary));
        updateGeometry();
        update();
    }
}

void Disclosure::setMark(Severity worst)
{
    if (m_mark != worst) {
        m_mark = worst;
        updateGeometry();
        update();
    }
}

void Disclosure::setBody(QWidget *body)
{
    m_body = body;
    body->setProperty("disclosure", QVariant::fromValue<QObject *>(this));
    body->setVisible(m_open);
}

void Disclosure::openAround(QWidget *widget)
{
    for (QWidget *each = widget; each; each = each->parentWidget()) {
        if (auto *disclosure = qobject_cast<Disclosure *>(each->property("disclosure").value<QObject *>())) {
            disclosure->setOpen(true);
        }
    }
}

void Disclosure::setOpen(bool open)
{
    if (m_open == open) {
        return;
    }
    m_open = open;
    if (m_body) {
        m_body->setVisible(open);
    }
    update();
    Q_EMIT toggled(open);
}

bool Disclosure::setProblems(int count)
{
    const bool areMore = count > std::exchange(m_problems, count);
    if (areMore) {
        setOpen(true);
    }
    return areMore;
}

QSize Disclosure::sizeHint() const
{
    int width = metrics::smallIcon + metrics::space2;
    if (!m_title.isEmpty()) {
        width += fontMetrics().horizontalAdvance(m_title) + metrics::space2;
    }
    width += m_mark == Severity::Note ? 0 : metrics::smallIcon + metrics::space1;
    // Fractions of a pixel count when text is elided.
    return {width + fontMetrics().horizontalAdvance(m_summary) + 4, metrics::field};
}

QSize Disclosure::minimumSizeHint() const
{
    const int title = m_title.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_title) + 2;
    return {std::max(60, metrics::smallIcon + metrics::space2 + title), metrics::field};
}

void Disclosure::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int side = metrics::smallIcon;
    paintIcon(&painter, m_open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
        QRectF(2, (height() - side) / 2.0, side, side), colour(Colour::Muted, this));
    int x = side + metrics::space2;
    if (!m_title.isEmpty()) {
        painter.setFont(font());
        painter.setPen(colour(Colour::Text, this));
        const int width = fontMetrics().horizontalAdvance(m_title);
        painter.drawText(QRect(x, 0, width + 2, height()), Qt::AlignVCenter, m_title);
        x += width + metrics::space2;
    }
    if (!m_open || m_title.isEmpty()) {
        if (m_mark != Severity::Note) {
            paintIcon(&painter, iconOf(m_mark), QRectF(x, (height() - side) / 2.0, side, side),
                colour(colourOf(m_mark), this));
            x += side + metrics::space1;
        }
        painter.setFont(font());
        painter.setPen(colour(Colour::Muted, this));
        const QString shown = fontMetrics().elidedText(m_summary, Qt::ElideRight, this->width() - x - 2);
        painter.drawText(QRect(x, 0, this->width() - x, height()), Qt::AlignVCenter, shown);
    }
    if (hasFocus()) {
        stylepaint::focusRing(&painter, rect(), metrics::smallRadius, colour(Colour::Accent, this));
    }
}

void Disclosure::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) {
        setOpen(!m_open);
    }
}

void Disclosure::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        setOpen(!m_open);
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace trainyard
