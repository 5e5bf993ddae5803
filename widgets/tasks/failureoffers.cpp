// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/failureoffers.h"

#include "widgets/common/flowlayout.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/tasks/offer.h"
#include "widgets/text/changetexts.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
constexpr qsizetype mostChanges = 3;
constexpr int offerGap = 6;

QMargins marginsAs(FailureOffers::Form form)
{
    const int above = form == FailureOffers::Form::Below ? metrics::space1 : metrics::space3;
    return {metrics::space4, above, metrics::space4, metrics::space3};
}

Offer::Form offerForm(FailureOffers::Form form)
{
    return form == FailureOffers::Form::Beside ? Offer::Form::Line
        : form == FailureOffers::Form::Below   ? Offer::Form::Wrapped
                                               : Offer::Form::Short;
}
} // namespace

FailureOffers::FailureOffers()
    : m_heading(smallMutedLabel(tr("What to do"))),
      m_retry(addOffer(tr("Run only the failed tasks"), tr("The other tasks keep their results"))),
      m_again(addOffer(tr("Start a new job with the same text"), tr("Changes nothing in the job"))),
      m_edit(addOffer(tr("Change something first"), tr("Opens the job as a new document"))),
      m_open(addOffer(tr("Correct the job itself"), tr("Opens its file"))),
      m_retryButton(m_retry->addButton(tr("Retry failed tasks"), ButtonKind::Primary)),
      m_againButton(m_again->addButton(tr("Run again"), ButtonKind::Primary)),
      m_editButton(m_edit->addButton(tr("Edit as new"), ButtonKind::Normal)),
      m_openButton(m_open->addButton(tr("Open the document"), ButtonKind::Normal))
{
    setObjectName(QStringLiteral("failureOffers"));
    setAccessibleName(m_heading->text());
    m_heading->setParent(this);
    m_openButton->setObjectName(QStringLiteral("failureDocument"));
    m_retry->hide();
    m_open->hide();
    connect(m_retryButton, &QPushButton::clicked, this, &FailureOffers::retryRequested);
    connect(m_againButton, &QPushButton::clicked, this, &FailureOffers::runAgainRequested);
    connect(m_editButton, &QPushButton::clicked, this, &FailureOffers::editRequested);
    connect(
        m_openButton, &QPushButton::clicked, this, [this] { Q_EMIT documentRequested(m_document == Document::Place); });
    updateOrder();
}

Offer *FailureOffers::addOffer(const QString &title, const QString &detail)
{
    auto *offer = new Offer(title, detail);
    offer->setParent(this);
    offer->show(); // one that comes later counts at once
    return offer;
}

Offer *FailureOffers::changeOffer(const JobChange &change)
{
    const ChangeWords words = changeWords(change);
    Offer *offer = addOffer(words.title, words.detail);
    offer->setTitled(); // several of them have buttons of the same words
    QPushButton *run = offer->addButton(tr("Change and run…"), ButtonKind::Normal);
    run->setObjectName(QStringLiteral("change.") + change.code);
    run->setAccessibleDescription(words.title);
    connect(run, &QPushButton::clicked, this, [this, change] { Q_EMIT changeRequested(change); });
    return offer;
}

// The best offer is first, and a retry is not recommended if it would fail in the same way.
QList<Offer *> FailureOffers::inOrder() const
{
    const QList<Offer *> code = m_code ? QList<Offer *>{m_code} : QList<Offer *>();
    if (againIsBest()) {
        return QList<Offer *>{m_retry, m_again} + m_changes + code + QList<Offer *>{m_edit, m_open};
    }
    if (m_mayGoWell) {
        return m_changes + QList<Offer *>{m_retry, m_again} + code + QList<Offer *>{m_edit, m_open};
    }
    const bool isOther = m_document == Document::OtherFile; // which has another text than the run that failed
    const QList<Offer *> job{isOther ? m_edit : m_open, isOther ? m_open : m_edit}, again{m_retry, m_again};
    return m_fault == Fault::Around ? m_changes + again + job + code
        : m_fault == Fault::Job     ? m_changes + job + code + again
                                    : m_changes + code + job + again;
}

// A change that addresses the cause ranks before a retry, unless the cause is temporary.
bool FailureOffers::againIsBest() const { return m_mayGoWell && (m_isTransient || m_changes.isEmpty()); }

QList<Offer *> FailureOffers::shown() const
{
    QList<Offer *> shown = inOrder();
    shown.removeIf([](const Offer *offer) { return offer->isHidden(); });
    return shown;
}

void FailureOffers::setMayGoWell(bool on)
{
    m_mayGoWell = on;
    m_again->setDetail(on ? tr("Changes nothing in the job") : tr("Helps only once the cause has been removed"));
    updateRetry();
    updateOrder();
    Q_EMIT changed();
}

void FailureOffers::setTransient(bool on)
{
    if (on != m_isTransient) {
        m_isTransient = on;
        updateOrder();
        Q_EMIT changed();
    }
}

void FailureOffers::setChanges(const QList<JobChange> &changes)
{
    const QList<JobChange> wanted = changes.first(std::min(changes.size(), mostChanges));
    const auto isSame = [](const JobChange &a, const JobChange &b) {
        return a.code == b.code && a.path == b.path && a.from == b.from && a.to == b.to;
    };
    if (std::equal(wanted.cbegin(), wanted.cend(), m_changesShown.cbegin(), m_changesShown.cend(), isSame)) {
        return;
    }
    m_changesShown = wanted;
    qDeleteAll(std::exchange(m_changes, {}));
    m_arranged.clear(); // the next ones may be where these were in memory
    for (const JobChange &change : wanted) {
        m_changes.append(changeOffer(change));
    }
    updateOrder();
    Q_EMIT changed();
}

void FailureOffers::setCode(const QString &file, int line)
{
    if (file == m_codeFile && line == m_codeLine) {
        return;
    }
    m_codeFile = file;
    m_codeLine = line;
    delete std::exchange(m_code, nullptr);
    m_arranged.clear(); // the next one may be where this one was in memory
    if (!file.isEmpty()) {
        constexpr int mostName = 160; // of a name that may be long
        const QString name = fontMetrics().elidedText(QFileInfo(file).fileName(), Qt::ElideMiddle, mostName);
        m_code = addOffer(tr("Correct the code"), tr("Opens the place where it failed"));
        QPushButton *open = m_code->addButton(
            plainCaption(tr("Open %1 at line %2").arg(name, QString::number(line))), ButtonKind::Normal);
        open->setObjectName(QStringLiteral("failureCode"));
        connect(open, &QPushButton::clicked, this, [this] { Q_EMIT codeRequested(m_codeFile, m_codeLine); });
    }
    updateOrder();
    Q_EMIT changed();
}

void FailureOffers::setFault(Fault fault)
{
    if (fault != m_fault) {
        m_fault = fault;
        updateRetry();
        updateOrder();
        Q_EMIT changed();
    }
}

void FailureOffers::updateRetry()
{
    m_retry->setTitle(m_isRetryPart ? tr("Run only the failed tasks") : tr("Run the failed tasks again"));
    m_retry->setDetail(!m_mayGoWell && m_fault == Fault::Around ? tr("Helps only once the cause has been removed")
            : m_isRetryPart                                     ? tr("The other tasks keep their results")
                                                                : tr("Another attempt of the same job"));
}

void FailureOffers::setRetry(bool on, bool isPart)
{
    m_isRetryPart = isPart;
    updateRetry();
    if (m_retry->isHidden() == on) {
        m_retry->setVisible(on);
        updateOrder();
        Q_EMIT changed();
    }
}

void FailureOffers::setDocument(Document document)
{
    if (document == m_document) {
        return;
    }
    m_document = document;
    const bool isPlace = document == Document::Place;
    const bool isOther = document == Document::OtherFile;
    m_open->setTitle(isPlace ? tr("Say where the file is")
            : isOther        ? tr("Correct the file of the job")
                             : tr("Correct the job itself"));
    m_open->setDetail(isPlace            ? tr("Choose a work folder, or save the job beside the file")
            : isOther                    ? tr("Its text differs from that of this run")
            : document == Document::Text ? tr("Opens the document that it was run from")
                                         : tr("Opens its file"));
    m_edit->setDetail(
        isOther ? tr("Opens the text of this run as a new document") : tr("Opens the job as a new document"));
    m_open->setVisible(document != Document::None);
    updateOrder();
    Q_EMIT changed();
}

void FailureOffers::updateKinds()
{
    const QList<Offer *> offers = shown();
    const QPushButton *first = offers.isEmpty() ? nullptr : offers.constFirst()->findChild<QPushButton *>();
    const QList<QPushButton *> buttons = findChildren<QPushButton *>();
    for (QPushButton *button : buttons) {
        setButtonKind(button, button == first ? ButtonKind::Primary : ButtonKind::Normal);
    }
}

// The keys go through the offers as they stand.
void FailureOffers::updateOrder()
{
    updateKinds();
    const QList<Offer *> order = inOrder();
    if (order == m_arranged && layout()) {
        return;
    }
    m_arranged = order;
    arrange();
    QWidget *before = m_retryButton; // is always there: one that comes later would be reached after all of the page
    for (const Offer *offer : order) {
        const QList<QPushButton *> buttons = offer->findChildren<QPushButton *>();
        for (QPushButton *button : buttons) {
            if (button != before) {
                QWidget::setTabOrder(before, button);
            }
            before = button;
        }
    }
}

void FailureOffers::arrange()
{
    delete layout(); // its widgets stay
    QLayout *arranged = nullptr;
    if (m_form == Form::Short) {
        arranged = new FlowLayout(metrics::space2, this);
    } else {
        auto *list = new QVBoxLayout(this);
        list->setSpacing(offerGap);
        list->addWidget(m_heading);
        arranged = list;
    }
    m_heading->setVisible(m_form != Form::Short);
    for (Offer *offer : inOrder()) {
        arranged->addWidget(offer);
    }
    if (auto *list = qobject_cast<QVBoxLayout *>(arranged)) {
        list->addStretch(); // what is said may be higher
    }
    arranged->setContentsMargins(marginsAs(m_form));
}

void FailureOffers::setForm(Form form, int width)
{
    if ((form == Form::Short) != (m_form == Form::Short)) {
        m_form = form;
        arrange();
    }
    m_form = form;
    const QMargins around = marginsAs(form);
    layout()->setContentsMargins(around);
    for (Offer *offer : inOrder()) {
        offer->setForm(offerForm(form), width - around.left() - around.right());
    }
    layout()->invalidate();
    updateGeometry();
}

int FailureOffers::heightAs(Form form, int width) const
{
    const QMargins around = marginsAs(form);
    const int room = width - around.left() - around.right();
    int height = form == Form::Short ? 0 : m_heading->sizeHint().height();
    int x = 0, line = 0; // of the buttons beside each other
    const QList<Offer *> offers = shown();
    for (const Offer *offer : offers) {
        const QSize size = offer->sizeAs(offerForm(form), room);
        if (form != Form::Short) {
            height += offerGap + size.height();
        } else if (x > 0 && x + size.width() > room) {
            height += line + metrics::space2;
            x = size.width() + metrics::space2;
            line = size.height();
        } else {
            x += size.width() + metrics::space2;
            line = std::max(line, size.height());
        }
    }
    return around.top() + height + line + around.bottom();
}

int FailureOffers::widthBeside() const
{
    int width = m_heading->sizeHint().width();
    const QList<Offer *> offers = shown();
    for (const Offer *offer : offers) {
        width = std::max(width, offer->wholeWidth());
    }
    const QMargins around = marginsAs(Form::Beside);
    return around.left() + width + around.right();
}

QSize FailureOffers::minimumSizeHint() const
{
    int width = 0;
    const QList<Offer *> offers = shown();
    for (const Offer *offer : offers) {
        width = std::max(width, offer->leastWidth());
    }
    const QMargins around = marginsAs(Form::Short);
    return {around.left() + width + around.right(), QWidget::minimumSizeHint().height()};
}

} // namespace trainyard
