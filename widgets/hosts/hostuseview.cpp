// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hostuseview.h"

#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/text/hosttexts.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{

constexpr int captionWidth = 120; // as the names of steps
constexpr int useShare = 1000; // of the room, up to the widest that the fields may be

QStringList wordsOf(const QString &text)
{
    static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
    return text.split(between, Qt::SkipEmptyParts);
}

QStringList without(QStringList words, const QStringList &others)
{
    words.removeIf([&others](const QString &word) { return others.contains(word); });
    return words;
}

void showText(QLineEdit *edit, const QString &text, bool isAnother)
{
    if (isAnother || !edit->isModified()) {
        edit->setText(text);
        setFieldError(edit, false);
    }
}

} // namespace

HostUseView::HostUseView(QWidget *parent)
    : QWidget(parent), m_labels(new QLineEdit), m_hours(new QLineEdit), m_address(new QLineEdit),
      m_drain(new QPushButton), m_error(new ColourLabel({}, Colour::Failed)), m_quarantines(new QVBoxLayout)
{
    m_drain->setObjectName(QStringLiteral("hostDrain"));
    m_drain->setToolTip(tr("On a drained host nothing new starts; what runs there continues"));
    setSmall(m_drain);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(metrics::space4, metrics::space2, metrics::space4, metrics::space2);
    head->addWidget(semiboldLabel(tr("Use")));
    head->addStretch();
    head->addWidget(m_drain);

    m_labels->setObjectName(QStringLiteral("hostLabels"));
    m_labels->setAccessibleName(tr("Labels"));
    m_labels->setPlaceholderText(tr("words that jobs may ask for, such as a100"));
    m_hours->setObjectName(QStringLiteral("hostHours"));
    m_hours->setAccessibleName(tr("Closed hours"));
    m_hours->setPlaceholderText(tr("such as Mon-Fri 09:00-17:00"));
    m_hours->setToolTip(tr("Nothing new starts on the host in these hours of the week, by the clock of this computer"));
    m_address->setObjectName(QStringLiteral("hostPeerAddress"));
    m_address->setAccessibleName(tr("Address for other hosts"));
    m_address->setToolTip(
        tr("By which address, or which interface, tasks on other hosts reach the host; empty: chosen by Trainyard"));
    m_error->setObjectName(QStringLiteral("hostUseError"));
    m_error->setWordWrap(true);
    m_error->setFont(fonts::small());
    m_error->hide();
    auto *fields = new QWidget;
    auto *grid = new QGridLayout(fields);
    grid->setContentsMargins(metrics::space4, 0, metrics::space4, metrics::space3);
    grid->setHorizontalSpacing(metrics::space3);
    grid->setVerticalSpacing(metrics::space2);
    grid->setColumnMinimumWidth(0, captionWidth + metrics::stateShape + metrics::space3);
    grid->setColumnStretch(1, 1);
    grid->addWidget(mutedLabel(tr("Labels")), 0, 0);
    grid->addWidget(m_labels, 0, 1);
    grid->addWidget(mutedLabel(tr("Closed hours")), 1, 0);
    grid->addWidget(m_hours, 1, 1);
    grid->addWidget(mutedLabel(tr("Address for others")), 2, 0);
    grid->addWidget(m_address, 2, 1);
    grid->addWidget(m_error, 3, 1);
    m_quarantines->setContentsMargins(metrics::space4, 0, metrics::space4, 0);
    m_quarantines->setSpacing(metrics::space2);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addLayout(m_quarantines);
    fields->setMaximumWidth(captionWidth + metrics::stateShape + 2 * metrics::space3 + metrics::formMaximum
        + 2 * metrics::space4); // a field is no longer than what is read at a glance
    auto *beside = new QHBoxLayout;
    beside->addWidget(fields, useShare);
    beside->addStretch(1);
    layout->addLayout(beside);

    connect(m_drain, &QPushButton::clicked, this, [this] {
        api::HostChange change;
        change.drained = !m_host.drained;
        request(change);
    });
    connect(m_labels, &QLineEdit::editingFinished, this, &HostUseView::changeLabels);
    connect(m_hours, &QLineEdit::editingFinished, this, &HostUseView::changeHours);
    connect(m_address, &QLineEdit::editingFinished, this, &HostUseView::changeAddress);
}

void HostUseView::setHost(const HostInfo &host)
{
    const bool isAnother = host.id != m_host.id;
    const bool isOtherwiseHeld = isAnother || host.quarantines != m_host.quarantines;
    // Text that is being typed stays while the host reports other changes.
    showText(m_labels, host.labels.join(QLatin1Char(' ')), isAnother || host.labels != m_host.labels);
    showText(m_hours, host.hours, isAnother || host.hours != m_host.hours);
    showText(m_address, host.address, isAnother || host.address != m_host.address);
    m_host = host;
    HostInfo chosen = host;
    chosen.address.clear();
    m_address->setPlaceholderText(peerAddressText(chosen));
    m_drain->setText(host.drained ? tr("Open again") : tr("Drain"));
    if (isAnother) {
        setError({});
    }
    if (isOtherwiseHeld) {
        showQuarantines();
    }
}

void HostUseView::setError(const QString &text)
{
    m_error->setText(text);
    m_error->setVisible(!text.isEmpty());
    if (text.isEmpty()) {
        return;
    }
    const std::pair<QLineEdit *, QString> asked[] = {{m_hours, m_askedHours}, {m_address, m_askedAddress}};
    for (const auto &[edit, typed] : asked) {
        if (!typed.isEmpty()) {
            edit->setText(typed); // to be corrected
            edit->setModified(true);
            setFieldError(edit, true);
        }
    }
}

void HostUseView::showQuarantines()
{
    while (QLayoutItem *item = m_quarantines->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const Quarantine &quarantine : std::as_const(m_host.quarantines)) {
        auto *row = new QWidget;
        auto *line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, metrics::space2);
        line->setSpacing(metrics::space3);
        auto *what = new ColourLabel(quarantineText(quarantine), Colour::Failed);
        what->setWordWrap(true);
        what->setTextInteractionFlags(Qt::TextSelectableByMouse);
        line->addWidget(what, 1);
        auto *release = new QPushButton(tr("Release"));
        release->setObjectName(QStringLiteral("hostRelease"));
        release->setToolTip(tr("Let new tasks run there again"));
        setSmall(release);
        connect(release, &QPushButton::clicked, this,
            [this, gpu = quarantine.index] { Q_EMIT releaseRequested(m_host.id, gpu); });
        line->addWidget(release, 0, Qt::AlignTop);
        m_quarantines->addWidget(row);
    }
}

void HostUseView::changeLabels()
{
    const QStringList wanted = wordsOf(m_labels->text());
    api::HostChange change;
    change.addLabels = without(wanted, m_host.labels);
    change.removeLabels = without(m_host.labels, wanted);
    m_labels->setModified(false);
    if (!change.addLabels.isEmpty() || !change.removeLabels.isEmpty()) {
        request(change);
    }
}

void HostUseView::changeHours()
{
    api::HostChange change;
    change.hours = m_hours->text().trimmed();
    m_hours->setModified(false);
    if (*change.hours != m_host.hours) {
        request(change);
    }
}

void HostUseView::changeAddress()
{
    const QString typed = m_address->text().trimmed();
    api::HostChange change;
    change.address = typed == QLatin1StringView("auto") ? QString() : typed;
    m_address->setModified(false);
    if (*change.address != m_host.address) {
        request(change);
    }
}

void HostUseView::request(const api::HostChange &change)
{
    setError({});
    m_askedHours = change.hours.value_or(QString());
    m_askedAddress = change.address.value_or(QString());
    api::HostChange whole = change;
    whole.id = m_host.id;
    Q_EMIT changeRequested(whole);
}

} // namespace trainyard
