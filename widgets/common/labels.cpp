// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/labels.h"

#include "widgets/common/icons.h"
#include "widgets/common/stylepaint.h"

#include <QAction>
#include <QEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QTextDocument>

#include <algorithm>

namespace trainyard
{

ElidedLabel::ElidedLabel(const QString &text, QWidget *parent) : QWidget(parent), m_text(text)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void ElidedLabel::setText(const QString &text)
{
    if (m_text != text) {
        m_text = text;
        setAccessibleName(text);
        updateGeometry();
        updateTip();
        update();
    }
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode)
{
    m_mode = mode;
    update();
}

void ElidedLabel::setElidedPart(const QString &part)
{
    m_part = part;
    update();
}

QString ElidedLabel::shownText() const
{
    constexpr int leastLetters = 8;
    const QFontMetrics fm = fontMetrics();
    const int room = contentsRect().width();
    const qsizetype at = m_part.isEmpty() ? -1 : m_text.indexOf(m_part);
    if (at < 0 || fm.horizontalAdvance(m_text) <= room) {
        return fm.elidedText(m_text, m_mode, room);
    }
    const QString before = m_text.first(at);
    const QString after = m_text.sliced(at + m_part.size());
    const int ofPart = std::max(room - fm.horizontalAdvance(before + after), leastLetters * fm.averageCharWidth());
    return fm.elidedText(before + fm.elidedText(m_part, m_mode, ofPart) + after, m_mode, room);
}

void ElidedLabel::setColour(Colour role)
{
    m_colour = role;
    update();
}

void ElidedLabel::setAlignment(Qt::Alignment alignment)
{
    m_alignment = alignment;
    update();
}

QSize ElidedLabel::sizeHint() const
{
    const QFontMetrics fm = fontMetrics();
    return QSize(fm.horizontalAdvance(m_text) + 2, fm.height()).grownBy(contentsMargins());
}

QSize ElidedLabel::minimumSizeHint() const
{
    const int least = QSize(fontMetrics().averageCharWidth() * 4, 0).grownBy(contentsMargins()).width();
    return {std::min(sizeHint().width(), least), sizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(colour(isEnabled() ? m_colour : Colour::Muted, this));
    painter.drawText(contentsRect(), int(m_alignment) | Qt::TextSingleLine, shownText());
}

void ElidedLabel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    updateTip();
}

void ElidedLabel::updateTip() { setToolTip(sizeHint().width() - 2 > width() ? plainTip(m_text) : QString()); }

ColourLabel::ColourLabel(const QString &text, Colour role, QWidget *parent) : QLabel(parent), m_role(role)
{
    setTextFormat(Qt::PlainText);
    setText(text);
    apply();
}

void ColourLabel::setColour(Colour role)
{
    m_role = role;
    apply();
}

void ColourLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_applying) {
        apply();
    }
}

void ColourLabel::apply()
{
    m_applying = true;
    // Only this role is set; WindowText stays, because the theme is read from it.
    QPalette p;
    p.setColor(QPalette::BrightText, colour(m_role, this));
    setPalette(p);
    setForegroundRole(QPalette::BrightText);
    m_applying = false;
}

void keepWhole(QLabel *label, int width)
{
    label->setMinimumHeight(label->text().isEmpty() ? 0 : std::max(0, label->heightForWidth(width)));
}

QLabel *plainLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText); // before there is a text that could be taken for another one
    label->setText(text);
    return label;
}

QString plainCaption(const QString &name) { return QString(name).replace(QLatin1Char('&'), QStringLiteral("&&")); }

QString readCaption(const QString &caption)
{
    QString read;
    read.reserve(caption.size());
    for (qsizetype i = 0; i < caption.size(); ++i) {
        if (caption.at(i) == u'&' && ++i >= caption.size()) {
            break;
        }
        read.append(caption.at(i)); // behind a mark, also when that is another one
    }
    return read;
}

QString plainTip(const QString &text)
{
    constexpr qsizetype mostCharacters = 4000;
    constexpr qsizetype longLine = 110;
    const QString shown = text.size() > mostCharacters ? text.left(mostCharacters) + QChar(0x2026) : text;
    const QList<QStringView> lines = QStringView(shown).split(QLatin1Char('\n'));
    const bool isLong
        = std::any_of(lines.cbegin(), lines.cend(), [](QStringView line) { return line.size() > longLine; });
    return isLong || Qt::mightBeRichText(shown)
        ? QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(shown.toHtmlEscaped())
        : shown;
}

void enableOr(QAction *action, bool on, const QString &whyOff)
{
    action->setEnabled(on);
    if (!on) {
        action->setToolTip(plainTip(whyOff));
    }
}

QString boldAndBreaksOnly(const QString &markup)
{
    // Escaped texts come in with their entities.
    QString result = markup;
    result.replace(QLatin1Char('<'), QLatin1String("&lt;"));
    for (const char *tag : {"b>", "/b>", "br>"}) {
        result.replace(QLatin1String("&lt;") + QLatin1String(tag), QLatin1Char('<') + QLatin1String(tag));
    }
    return result;
}

QString withJobLinks(const QString &escaped)
{
    static const QRegularExpression number(QStringLiteral("(?<![&\\w])#(\\d{1,18})\\b")); // &#39; is an entity
    return QString(escaped).replace(number, QStringLiteral("<a href=\"job:\\1\">#\\1</a>"));
}

qint64 jobOfLink(const QString &link) { return link.startsWith(QLatin1String("job:")) ? link.mid(4).toLongLong() : 0; }

QLabel *mutedLabel(const QString &text, QWidget *parent)
{
    QLabel *label = plainLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

QLabel *smallMutedLabel(const QString &text, QWidget *parent)
{
    QLabel *label = mutedLabel(text, parent);
    label->setFont(fonts::small());
    return label;
}

QLabel *semiboldLabel(const QString &text, QWidget *parent)
{
    QLabel *label = plainLabel(text, parent);
    label->setFont(fonts::semibold());
    return label;
}

QLabel *headingLabel(const QString &text, QWidget *parent)
{
    QLabel *label = plainLabel(text, parent);
    label->setFont(fonts::heading());
    return label;
}

ElidedLabel *nameHeading(const QString &text, const QString &name)
{
    auto *label = new ElidedLabel(text);
    label->setAccessibleName(text);
    label->setFont(fonts::heading());
    label->setElidedPart(name);
    return label;
}

QLabel *titleLabel(const QString &text, QWidget *parent)
{
    QLabel *label = plainLabel(text, parent);
    label->setFont(fonts::title());
    return label;
}

IconLabel::IconLabel(const QString &name, int size, Colour role, QWidget *parent)
    : QWidget(parent), m_name(name), m_size(size), m_role(role)
{
    setFixedSize(size, size);
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void IconLabel::setIcon(const QString &name, Colour role)
{
    m_name = name;
    m_role = role;
    update();
}

void IconLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintIcon(&painter, m_name, rect(), colour(m_role, this));
}

KeyCap::KeyCap(const QString &key, QWidget *parent) : QWidget(parent), m_key(key)
{
    setFont(fonts::tiny());
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

QSize KeyCap::sizeHint() const { return {fontMetrics().horizontalAdvance(m_key) + 10, 18}; }

void KeyCap::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    stylepaint::roundedBox(&painter, rect(), 3, {}, colour(Colour::Border, this));
    painter.setPen(colour(Colour::Muted, this));
    painter.drawText(rect(), Qt::AlignCenter, m_key);
}

Line::Line(Qt::Orientation orientation, QWidget *parent) : QWidget(parent)
{
    if (orientation == Qt::Horizontal) {
        setFixedHeight(1);
    } else {
        setFixedWidth(1);
    }
}

void Line::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), colour(Colour::Border, this));
}

Ground::Ground(Colour role, QWidget *parent) : QWidget(parent), m_role(role) { }

void Ground::setBorders(Qt::Edges edges)
{
    m_edges = edges;
    update();
}

void Ground::setCard(bool card)
{
    m_card = card;
    update();
}

void Ground::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor border = colour(Colour::Border, this);
    if (m_card) {
        stylepaint::roundedBox(&painter, rect(), metrics::cardRadius, colour(m_role, this), border);
        return;
    }
    painter.fillRect(rect(), colour(m_role, this));
    if (m_edges.testFlag(Qt::TopEdge)) {
        painter.fillRect(0, 0, width(), 1, border);
    }
    if (m_edges.testFlag(Qt::BottomEdge)) {
        painter.fillRect(0, height() - 1, width(), 1, border);
    }
    if (m_edges.testFlag(Qt::LeftEdge)) {
        painter.fillRect(0, 0, 1, height(), border);
    }
    if (m_edges.testFlag(Qt::RightEdge)) {
        painter.fillRect(width() - 1, 0, 1, height(), border);
    }
}

} // namespace trainyard
