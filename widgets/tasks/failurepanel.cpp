// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/failurepanel.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/wordbreaks.h"
#include "widgets/tasks/logexcerpt.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace trainyard
{

namespace
{
constexpr int besideWords = 15 + 6 + 2; // its shape, a gap and the room of a last letter
} // namespace

StateLabel::StateLabel(QWidget *parent) : QWidget(parent)
{
    setFont(fonts::semibold());
    setShape(m_shape);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void StateLabel::setShape(StateShape shape, const QString &words)
{
    m_shape = shape;
    m_all = words.isEmpty() ? stateLabel(m_shape) : words;
    setAccessibleName(m_all);
    elide();
}

void StateLabel::setMostWidth(int width)
{
    if (width != m_most) {
        m_most = width;
        elide();
    }
}

void StateLabel::elide()
{
    m_words = fontMetrics().elidedText(m_all, Qt::ElideMiddle, m_most - besideWords);
    setToolTip(plainTip(m_words == m_all ? QString() : m_all));
    updateGeometry();
    update();
}

QSize StateLabel::sizeHint() const
{
    return {besideWords + fontMetrics().horizontalAdvance(m_words), std::max(18, fontMetrics().height())};
}

void StateLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintState(&painter, m_shape, QRectF(0, (height() - 15) / 2.0, 15, 15), palette());
    painter.setPen(colour(colourOf(m_shape), this));
    painter.drawText(rect().adjusted(21, 0, 0, 0), Qt::AlignVCenter, m_words);
}

namespace
{
constexpr int leastBeside = 640; // with less, sentences beside what to do would be a tall ribbon
constexpr int leastOfSaid = 320; // beside what to do
constexpr int signSize = 16;

// The room for what is said, in so much width.
int roomForWords(int room) { return std::max(1, room - 2 * metrics::space4 - signSize - metrics::space3); }
} // namespace

FailurePanel::FailurePanel(QWidget *parent)
    : QWidget(parent), m_scroll(new QScrollArea), m_content(new QWidget), m_parts(new QHBoxLayout(this)),
      m_said(new QHBoxLayout(m_content)), m_between(new QWidget), m_above(new Line(Qt::Horizontal)),
      m_offers(new FailureOffers), m_cause(headingLabel({})), m_explanation(mutedLabel({})), m_advice(plainLabel()),
      m_evidenceTitle(smallMutedLabel({})), m_evidence(new LogExcerpt)
{
    m_parts->setContentsMargins(metrics::selectionBar, 1, 0, 1);
    m_parts->setSpacing(0);
    m_parts->addWidget(m_scroll, 1);
    auto *between = new QVBoxLayout(m_between); // of a widget: a layout keeps its margins when what is in it is hidden
    between->setContentsMargins(0, metrics::space3, 0, metrics::space3);
    between->addWidget(new Line(Qt::Vertical));
    m_parts->addWidget(m_between);
    m_parts->addWidget(m_above);
    m_parts->addWidget(m_offers);
    m_scroll->setObjectName(QStringLiteral("failureScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setMinimumHeight(1); // fitHeight() sees to it
    m_scroll->setFocusPolicy(Qt::NoFocus); // its links have it
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(m_content);
    m_scroll->viewport()->setAutoFillBackground(false); // the tint of the panel is its ground
    m_content->setAutoFillBackground(false);
    m_said->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, metrics::space3);
    m_said->setSpacing(metrics::space3);
    auto *mark = new IconLabel(QStringLiteral("error"), signSize, Colour::Failed);
    auto *beside = new QVBoxLayout; // the middle of the first line
    beside->addSpacing(std::max(0, (QFontMetrics(fonts::heading()).height() - mark->sizeHint().height()) / 2));
    beside->addWidget(mark);
    beside->addStretch();
    m_said->addLayout(beside);
    auto *left = new QVBoxLayout;
    left->setSpacing(3);
    m_cause->setWordWrap(true);
    m_explanation->setWordWrap(true);
    m_advice->setWordWrap(true);
    m_advice->setObjectName(QStringLiteral("failureAdvice"));
    m_advice->hide();
    m_cause->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_advice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_explanation->setTextInteractionFlags(Qt::TextSelectableByMouse);
    left->addWidget(m_cause);
    left->addWidget(m_explanation);
    left->addWidget(m_evidenceTitle);
    left->addWidget(m_evidence);
    left->addSpacing(4);
    left->addWidget(m_advice);
    left->addStretch(); // what to do may be higher
    m_said->addLayout(left, 1);
    connect(m_offers, &FailureOffers::changed, this, &FailurePanel::fitHeight);
    connect(m_offers, &FailureOffers::runAgainRequested, this, &FailurePanel::runAgainRequested);
    connect(m_offers, &FailureOffers::retryRequested, this, &FailurePanel::retryRequested);
    connect(m_offers, &FailureOffers::editRequested, this, &FailurePanel::editRequested);
    connect(m_offers, &FailureOffers::documentRequested, this, &FailurePanel::documentRequested);
    connect(m_offers, &FailureOffers::changeRequested, this, &FailurePanel::changeRequested);
    connect(m_offers, &FailureOffers::codeRequested, this, &FailurePanel::codeRequested);
    connect(m_explanation, &QLabel::linkActivated, this, [this](const QString &link) {
        if (const qint64 number = jobOfLink(link)) {
            Q_EMIT jobClicked(number);
        }
    });
    connect(m_evidence, &LogExcerpt::lineClicked, this, &FailurePanel::lineRequested);
    connect(m_evidence, &LogExcerpt::codeClicked, this, &FailurePanel::codeRequested);
    setEvidence({}, 0, {});
}

void FailurePanel::setFailure(const QString &cause, const QString &explanation, bool mayGoWell, const QString &advice)
{
    m_causeText = cause;
    m_explanationText = explanation;
    m_adviceText = advice;
    m_explanation->setVisible(!explanation.isEmpty());
    m_advice->setVisible(!advice.isEmpty());
    setAccessibleName(cause);
    m_offers->setMayGoWell(mayGoWell);
    fitHeight();
}

void FailurePanel::setChanges(const QList<JobChange> &changes) { m_offers->setChanges(changes); }

void FailurePanel::setTransient(bool on) { m_offers->setTransient(on); }

void FailurePanel::setFault(FailureText::Fault fault) { m_offers->setFault(fault); }

void FailurePanel::setCodeLinks(bool on) { m_evidence->setCodeLinks(on); }

void FailurePanel::setCode(const QString &file, int line) { m_offers->setCode(file, line); }

void FailurePanel::setRetry(bool on, bool isPart) { m_offers->setRetry(on, isPart); }

void FailurePanel::setDocument(Document document) { m_offers->setDocument(document); }

void FailurePanel::setEvidence(
    const QString &task, qint64 firstLine, const QStringList &lines, std::optional<qint64> root, bool isWhole)
{
    m_evidenceTitle->setVisible(!lines.isEmpty());
    m_evidence->setVisible(!lines.isEmpty());
    m_evidenceTitle->setText(root ? tr("Around line %L1 of %2").arg(*root + 1).arg(task)
            : isWhole             ? tr("The last lines of %1").arg(task)
                                  : tr("The last lines of %1 that have arrived").arg(task));
    m_evidence->setAccessibleName(m_evidenceTitle->text());
    m_evidence->setLines(firstLine, lines, root);
    fitHeight();
}

void FailurePanel::setMostHeight(int height)
{
    m_mostHeight = height;
    fitHeight();
}

// The advice is below the description of the failure, and not beside it.
bool FailurePanel::isNarrow(int room) const
{
    return room < std::max(leastBeside, m_offers->widthBeside() + leastOfSaid);
}

int FailurePanel::roomForSaid(int room, bool isBelow) const
{
    return room - (isBelow ? 0 : m_offers->widthBeside() + m_between->sizeHint().width());
}

int FailurePanel::leastHeight(int width) const
{
    const int room = width - metrics::selectionBar;
    const int forWords = roomForWords(roomForSaid(room, isNarrow(room)) - metrics::scrollBar);
    const QMargins around = m_said->contentsMargins();
    const int line = m_explanationText.isEmpty() ? 0 : m_explanation->fontMetrics().lineSpacing() + 3;
    const int said = around.top() + m_cause->heightForWidth(forWords) + line;
    // Where that is little, what is said is above what to do, and has the whole width.
    return said + m_above->minimumHeight() + m_offers->heightAs(FailureOffers::Form::Short, room) + 2;
}

// Text that does not fit can be scrolled to, but the main part is visible without scrolling.
void FailurePanel::updateTip(bool isCut)
{
    QStringList whole{m_causeText, m_explanationText, m_adviceText};
    whole.removeAll(QString());
    const QString tip = isCut ? whole.join(u'\n') : QString();
    for (QLabel *label : {m_cause, m_explanation, m_advice}) {
        label->setToolTip(plainTip(tip));
    }
}

// The text that fits into the available room, which a panel that was never shown does not have yet.
void FailurePanel::fitWords(int room)
{
    const int forWords = isVisible() ? roomForWords(room) : QWIDGETSIZE_MAX;
    m_cause->setText(withBreaks(m_causeText, m_cause->fontMetrics(), forWords));
    const QString text = withBreaks(m_explanationText, m_explanation->fontMetrics(), forWords);
    const QString escaped = text.toHtmlEscaped();
    const QString linked = withJobLinks(escaped);
    const bool hasLink = linked != escaped;
    m_explanation->setTextFormat(hasLink ? Qt::RichText : Qt::PlainText);
    m_explanation->setTextInteractionFlags(hasLink ? Qt::TextBrowserInteraction : Qt::TextSelectableByMouse);
    m_explanation->setText(hasLink ? QString(linked).replace(u'\n', QLatin1String("<br>")) : text);
    m_advice->setText(withBreaks(m_adviceText, m_advice->fontMetrics(), forWords));
}

int FailurePanel::heightOfSaid(int room)
{
    fitWords(room);
    m_said->invalidate();
    return m_said->totalHeightForWidth(room);
}

// All of it beside each other, or where the page is narrow below each other; where it is too low for the list of what
// to do as well, only what is said gives way.
void FailurePanel::fitHeight()
{
    using Form = FailureOffers::Form;
    const int room = width() - metrics::selectionBar;
    const int most = m_mostHeight - 2; // its borders
    Form form = isNarrow(room) ? Form::Below : Form::Beside;
    int said = heightOfSaid(roomForSaid(room, form == Form::Below));
    int offers = m_offers->heightAs(form, room);
    if (form == Form::Below ? said + offers > most : offers > most) {
        form = Form::Short;
        said = heightOfSaid(room);
        offers = m_offers->heightAs(form, room) + m_above->minimumHeight();
    }
    const bool isBeside = form == Form::Beside;
    m_parts->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_between->setVisible(isBeside);
    m_above->setVisible(form == Form::Short);
    m_offers->setForm(form, room);
    const int forSaid = isBeside ? most : most - offers;
    const bool isCut = said > forSaid;
    if (isCut) { // its scroll bar takes room, too
        said = heightOfSaid(roomForSaid(room, !isBeside) - metrics::scrollBar);
    }
    // One that is there because the panel was lower takes the room that the words need.
    m_scroll->setVerticalScrollBarPolicy(isCut ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    updateTip(isCut);
    const int wanted = isBeside ? std::max(said, offers) : said + offers;
    const int height = std::min(wanted, most) + 2;
    if (height != minimumHeight() || height != maximumHeight()) {
        setFixedHeight(height);
    }
}

void FailurePanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitHeight();
}

// A widget that was never shown has no height for a layout: a page behind others is measured when it comes to the
// front.
void FailurePanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    fitHeight();
}

void FailurePanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), colour(Colour::FailedTint, this));
    const QColor border = colour(Colour::Border, this);
    painter.fillRect(0, 0, width(), 1, border);
    painter.fillRect(0, height() - 1, width(), 1, border);
    painter.fillRect(0, 0, metrics::selectionBar, height(), colour(Colour::Failed, this));
}

} // namespace trainyard
