// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/failurepanel.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/tasks/logexcerpt.h"
#include "widgets/tasks/offer.h"
#include "widgets/text/changetexts.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
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
constexpr qsizetype mostChanges = 3;
constexpr int signSize = 16;

// A label breaks lines between words only. A word with more than its room may be broken anywhere; others stay as they
// are, because what is put between their letters would be copied with them.
QString withBreaks(const QString &text, const QFontMetrics &fm, int room)
{
    if (text.contains(u'\n')) {
        QStringList lines = text.split(u'\n');
        for (QString &line : lines) {
            line = withBreaks(line, fm, room);
        }
        return lines.join(u'\n');
    }
    QStringList words = text.split(u' ');
    for (QString &word : words) {
        if (fm.horizontalAdvance(word) <= std::max(1, room)) {
            continue;
        }
        QString broken;
        for (const QChar c : std::as_const(word)) {
            broken += c;
            if (!c.isHighSurrogate()) {
                broken += QChar(0x200b);
            }
        }
        word = broken;
    }
    return words.join(u' ');
}

Offer *offerWith(const QPushButton *button) { return qobject_cast<Offer *>(button->parentWidget()); }
} // namespace

FailurePanel::FailurePanel(QWidget *parent)
    : QWidget(parent), m_scroll(new QScrollArea), m_content(new QWidget), m_changes(new QWidget),
      m_parts(new QHBoxLayout(m_content)), m_between(new Line(Qt::Vertical)), m_cause(headingLabel({})),
      m_explanation(mutedLabel({})), m_advice(plainLabel()), m_evidenceTitle(smallMutedLabel({})),
      m_evidence(new LogExcerpt)
{
    m_parts->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, metrics::space3);
    m_parts->setSpacing(metrics::space4);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(metrics::selectionBar, 1, 0, 1);
    whole->addWidget(m_scroll);
    m_scroll->setObjectName(QStringLiteral("failureScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus); // its links and buttons have it
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(m_content);
    m_scroll->viewport()->setAutoFillBackground(false); // the tint of the panel is its ground
    m_content->setAutoFillBackground(false);
    auto *said = new QHBoxLayout;
    said->setSpacing(metrics::space3);
    auto *mark = new IconLabel(QStringLiteral("error"), signSize, Colour::Failed);
    auto *beside = new QVBoxLayout; // the middle of the first line
    beside->addSpacing(std::max(0, (QFontMetrics(fonts::heading()).height() - mark->sizeHint().height()) / 2));
    beside->addWidget(mark);
    beside->addStretch();
    said->addLayout(beside);
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
    said->addLayout(left, 1);
    m_parts->addLayout(said, 1);

    auto *right = new QVBoxLayout;
    right->setSpacing(6);
    right->addWidget(smallMutedLabel(tr("What to do")));
    const auto row = [&](const QString &title, const QString &detail, const QString &button, ButtonKind kind) {
        auto *offer = new Offer(title, detail);
        right->addWidget(offer);
        return offer->addButton(button, kind);
    };
    auto *changes = new QVBoxLayout(m_changes);
    changes->setContentsMargins(0, 0, 0, 0);
    changes->setSpacing(6);
    right->addWidget(m_changes);
    m_changes->hide();
    m_retry = row(tr("Run only the failed tasks"), tr("The other tasks keep their results"), tr("Retry failed tasks"),
        ButtonKind::Primary);
    m_retry->parentWidget()->hide();
    connect(m_retry, &QPushButton::clicked, this, &FailurePanel::retryRequested);
    m_again = row(tr("Start a new job with the same text"), tr("Changes nothing in the job"), tr("Run again"),
        ButtonKind::Primary);
    m_edit = row(
        tr("Change something first"), tr("Opens the job as a new document"), tr("Edit as new"), ButtonKind::Normal);
    m_document = row(tr("Correct the job itself"), tr("Opens its file"), tr("Open the document"), ButtonKind::Normal);
    m_document->setObjectName(QStringLiteral("failureDocument"));
    m_document->parentWidget()->hide();
    m_offers = right;
    connect(m_document, &QPushButton::clicked, this,
        [this] { Q_EMIT documentRequested(m_shownDocument == Document::Place); });
    right->addStretch();
    m_parts->addWidget(m_between);
    m_parts->addLayout(right);
    connect(m_again, &QPushButton::clicked, this, &FailurePanel::runAgainRequested);
    connect(m_edit, &QPushButton::clicked, this, &FailurePanel::editRequested);
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
    m_mayGoWell = mayGoWell;
    updateKinds();
    m_causeText = cause;
    m_explanationText = explanation;
    m_adviceText = advice;
    m_explanation->setVisible(!explanation.isEmpty());
    m_advice->setVisible(!advice.isEmpty());
    setAccessibleName(cause);
    fitHeight();
}

void FailurePanel::setChanges(const QList<JobChange> &changes)
{
    const QList<JobChange> shown = changes.first(std::min(changes.size(), mostChanges));
    const auto isSame = [](const JobChange &a, const JobChange &b) {
        return a.code == b.code && a.path == b.path && a.from == b.from && a.to == b.to;
    };
    if (std::equal(shown.cbegin(), shown.cend(), m_changesShown.cbegin(), m_changesShown.cend(), isSame)) {
        return;
    }
    m_changesShown = shown;
    qDeleteAll(m_changes->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly));
    for (const JobChange &change : shown) {
        const ChangeWords words = changeWords(change);
        auto *offer = new Offer(words.title, words.detail);
        m_changes->layout()->addWidget(offer);
        QPushButton *review = offer->addButton(tr("Review…"), ButtonKind::Normal);
        review->setObjectName(QStringLiteral("change.") + change.code);
        review->setAccessibleDescription(words.title);
        connect(review, &QPushButton::clicked, this, [this, change] { Q_EMIT changeRequested(change, false); });
        QPushButton *run = offer->addButton(tr("Change and run…"), ButtonKind::Normal);
        run->setObjectName(QStringLiteral("changeRun.") + change.code);
        run->setAccessibleDescription(words.title);
        connect(run, &QPushButton::clicked, this, [this, change] { Q_EMIT changeRequested(change, true); });
    }
    m_changes->setVisible(!shown.isEmpty());
    orderTabs();
    updateKinds();
    fitHeight();
}

// The keys go through the offers as they stand.
void FailurePanel::orderTabs()
{
    QWidget *before = nullptr;
    for (int i = 0; i < m_offers->count(); ++i) {
        const QWidget *offer = m_offers->itemAt(i)->widget();
        const QList<QPushButton *> buttons = offer ? offer->findChildren<QPushButton *>() : QList<QPushButton *>();
        for (QPushButton *button : buttons) {
            if (before) {
                QWidget::setTabOrder(before, button);
            }
            before = button;
        }
    }
}

void FailurePanel::setCodeLinks(bool on) { m_evidence->setCodeLinks(on); }

void FailurePanel::setRetry(bool on, bool isPart)
{
    Offer *offer = offerWith(m_retry);
    offer->setTitle(isPart ? tr("Run only the failed tasks") : tr("Run the failed tasks again"));
    offer->setDetail(isPart ? tr("The other tasks keep their results") : tr("Another attempt of the same job"));
    if (offer->isHidden() == on) {
        offer->setVisible(on);
        updateKinds();
        fitHeight();
    }
}

void FailurePanel::setDocument(Document document)
{
    Offer *offer = offerWith(m_document);
    if (document == m_shownDocument) {
        return;
    }
    m_shownDocument = document;
    const bool isPlace = document == Document::Place;
    const bool isOther = document == Document::OtherFile;
    offer->setTitle(isPlace ? tr("Say where the file is")
            : isOther       ? tr("Correct the file of the job")
                            : tr("Correct the job itself"));
    offer->setDetail(isPlace             ? tr("Choose a work folder, or save the job beside the file")
            : isOther                    ? tr("Its text differs from that of this run")
            : document == Document::Text ? tr("Opens the document that it was run from")
                                         : tr("Opens its file"));
    offerWith(m_edit)->setDetail(
        isOther ? tr("Opens the text of this run as a new document") : tr("Opens the job as a new document"));
    offer->setVisible(document != Document::None);
    updateKinds();
    fitHeight();
}

void FailurePanel::updateKinds()
{
    QList<QPushButton *> buttons = m_changes->findChildren<QPushButton *>();
    const QPushButton *change = buttons.size() > 1 ? buttons.at(1) // after the look at it
        : m_document->parentWidget()->isHidden() || m_shownDocument == Document::OtherFile ? m_edit
                                                                                           : m_document;
    buttons << m_retry << m_again << m_edit << m_document;
    const QPushButton *first = !m_mayGoWell ? change : m_retry->parentWidget()->isHidden() ? m_again : m_retry;
    for (QPushButton *button : std::as_const(buttons)) {
        setButtonKind(button, button == first ? ButtonKind::Primary : ButtonKind::Normal);
    }
    // The best offer stands first, and the same once more is not praised where it would fail the same way.
    Offer *again = offerWith(m_again);
    again->setDetail(m_mayGoWell ? tr("Changes nothing in the job") : tr("Helps only once the cause has been removed"));
    QPushButton *before = m_mayGoWell ? m_retry : m_document;
    if (m_offers->itemAt(m_offers->indexOf(before->parentWidget()) + 1)->widget() != again) {
        m_offers->removeWidget(again);
        m_offers->insertWidget(m_offers->indexOf(before->parentWidget()) + 1, again);
        orderTabs();
        fitHeight();
    }
}

void FailurePanel::setEvidence(
    const QString &task, qint64 firstLine, const QStringList &lines, std::optional<qint64> root)
{
    m_evidenceTitle->setVisible(!lines.isEmpty());
    m_evidence->setVisible(!lines.isEmpty());
    m_evidenceTitle->setText(
        root ? tr("Around line %L1 of %2").arg(*root + 1).arg(task) : tr("The last lines of %1").arg(task));
    m_evidence->setAccessibleName(m_evidenceTitle->text());
    m_evidence->setLines(firstLine, lines, root);
    fitHeight();
}

void FailurePanel::setMostHeight(int height)
{
    m_mostHeight = height;
    fitHeight();
}

// What to do stands below what happened, and not beside it.
bool FailurePanel::isNarrow(int room) const
{
    const QList<Offer *> offers = m_content->findChildren<Offer *>();
    int ofOffers = 0;
    for (const Offer *offer : offers) {
        ofOffers = std::max(ofOffers, offer->isHidden() ? 0 : offer->wholeWidth());
    }
    return room < std::max(leastBeside, ofOffers + leastOfSaid);
}

int FailurePanel::roomForWords(int room) const
{
    const QMargins around = m_parts->contentsMargins();
    const int beside = isNarrow(room) ? 0 : m_offers->minimumSize().width() + 2 * m_parts->spacing() + 1;
    return room - around.left() - around.right() - signSize - metrics::space3 - beside
        - metrics::scrollBar; // which may come
}

int FailurePanel::leastHeight(int width) const
{
    const QMargins around = m_parts->contentsMargins();
    const int room = std::max(1, roomForWords(width - metrics::selectionBar));
    const int line = m_explanationText.isEmpty() ? 0 : m_explanation->fontMetrics().lineSpacing() + 3;
    return around.top() + m_cause->heightForWidth(room) + line + around.bottom() + 2;
}

// What does not fit is scrolled to; it is also read without that.
void FailurePanel::updateTip(bool isCut)
{
    QStringList whole{m_causeText, m_explanationText, m_adviceText};
    whole.removeAll(QString());
    const QString tip = isCut ? whole.join(u'\n') : QString();
    for (QLabel *label : {m_cause, m_explanation, m_advice}) {
        label->setToolTip(plainTip(tip));
    }
}

// What is said in the room that there is for it, which a panel that was never shown does not have yet.
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

void FailurePanel::fitHeight()
{
    const int room = width() - metrics::selectionBar;
    const bool isBelow = isNarrow(room);
    m_parts->setDirection(isBelow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_between->setVisible(!isBelow);
    const QMargins around = m_parts->contentsMargins();
    const QList<Offer *> offers = m_content->findChildren<Offer *>();
    for (Offer *offer : offers) { // beside the words they have what they want
        offer->fit(isBelow, room - around.left() - around.right() - metrics::scrollBar);
    }
    fitWords(room);
    m_parts->invalidate();
    int wanted = m_parts->totalHeightForWidth(room) + 2;
    if (wanted > m_mostHeight) { // its scroll bar takes room too
        wanted = std::max(wanted, m_parts->totalHeightForWidth(room - metrics::scrollBar) + 2);
    }
    updateTip(wanted > m_mostHeight);
    const int height = std::min(wanted, m_mostHeight);
    if (height != minimumHeight() || height != maximumHeight()) {
        setFixedHeight(height);
    }
}

void FailurePanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitHeight();
}

// What was never shown has no height to a layout: a page that was behind others is measured when it comes forward.
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
