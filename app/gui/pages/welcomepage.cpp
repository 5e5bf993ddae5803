// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/welcomepage.h"

#include "app/gui/pages/templatecard.h"
#include "app/gui/pages/welcomerows.h"
#include "widgets/common/flowlayout.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"
#include "widgets/text/formats.h"
#include "widgets/text/gputexts.h"

#include <QAbstractButton>
#include <QFileInfo>
#include <QGridLayout>
#include <QMap>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollArea>
#include <QSvgRenderer>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qsizetype leastCards = 6; // the others are a click or a word away
constexpr QMargins pageMargins(36, 36, 40, 24);
constexpr int partsGap = 44;
constexpr int headGap = 28;

} // namespace

WelcomePage::WelcomePage(QWidget *parent)
    : QWidget(parent), m_parts(new QHBoxLayout), m_templates(new QVBoxLayout), m_recent(new QVBoxLayout),
      m_computer(new QVBoxLayout), m_grid(new QGridLayout), m_count(smallMutedLabel({})),
      m_search(new SearchField(SearchField::Kind::Search, tr("Search templates")))
{
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    outer->addWidget(scroll);
    auto *page = new Ground(Colour::Window);
    scroll->setWidget(page);

    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(pageMargins);
    layout->setSpacing(0);
    auto *head = new QHBoxLayout;
    head->setSpacing(metrics::space4);
    head->setContentsMargins(metrics::space3, 0, 0, 0);
    head->addWidget(new IconLabel(QStringLiteral("trainyard"), 44, Colour::Accent));
    auto *names = new QVBoxLayout;
    names->setSpacing(0);
    names->addWidget(titleLabel(tr("Trainyard")));
    names->addWidget(mutedLabel(tr("Describe a job once, run it on your GPUs, see what happens.")));
    head->addLayout(names);
    head->addStretch();
    layout->addLayout(head);
    layout->addSpacing(headGap);
    m_head = head;

    m_parts->setSpacing(partsGap);
    layout->addLayout(m_parts, 1);
    m_ways = new QVBoxLayout;
    m_ways->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_parts->addLayout(m_ways);
    m_start = new QWidget;
    auto *start = new QVBoxLayout(m_start);
    start->setContentsMargins(0, 0, 0, 0);
    start->setSpacing(0);
    m_ways->addWidget(m_start, 0, Qt::AlignTop);

    const auto indented = [start](QWidget *widget) {
        auto *row = new QHBoxLayout;
        row->setContentsMargins(metrics::space3, 0, 0, 0);
        row->addWidget(widget);
        start->addLayout(row);
    };
    // On one line with the heading beside it, which stands in a row with a field.
    const auto rowHeading = [this](const QString &text) {
        QLabel *heading = headingLabel(text);
        heading->setFixedHeight(m_search->sizeHint().height());
        return heading;
    };
    indented(rowHeading(tr("Start")));
    start->addSpacing(metrics::space2);
    auto *hello = new StartRow(QStringLiteral("run"), tr("Run the hello-world job now"),
        tr("Shows state, log and hosts in 4 seconds"), {}, true);
    hello->setObjectName(QStringLiteral("welcomeHello"));
    auto *create = new StartRow(QStringLiteral("new"), tr("New job"), tr("A form and its YAML, side by side"),
        QKeySequence(QKeySequence::New).toString(QKeySequence::NativeText), false);
    auto *open = new StartRow(QStringLiteral("open"), tr("Open a file…"), tr("YAML, or an old JSON job"),
        QKeySequence(QKeySequence::Open).toString(QKeySequence::NativeText), false);
    for (StartRow *row : {hello, create, open}) {
        start->addWidget(row);
    }
    connect(hello, &QAbstractButton::clicked, this, &WelcomePage::helloRequested);
    connect(create, &QAbstractButton::clicked, this, &WelcomePage::newRequested);
    connect(open, &QAbstractButton::clicked, this, &WelcomePage::openRequested);
    start->addSpacing(12);
    indented(new DropHint);
    m_about = new QWidget;
    auto *about = new QVBoxLayout(m_about);
    about->setSpacing(0);
    m_ways->addWidget(m_about, 0, Qt::AlignTop);
    about->addWidget(rowHeading(tr("This computer")));
    about->addSpacing(metrics::space1);
    auto *card = new Ground(Colour::Surface);
    card->setCard(true);
    m_computer->setContentsMargins(metrics::space4, 10, metrics::space4, 10);
    m_computer->setSpacing(0);
    card->setLayout(m_computer);
    about->addWidget(card);
    about->addSpacing(22);
    about->addWidget(headingLabel(tr("Recent")));
    about->addSpacing(4);
    auto *recentBox = new QWidget;
    recentBox->setLayout(m_recent);
    m_recent->setContentsMargins(0, 0, 0, 0);
    m_recent->setSpacing(0);
    about->addWidget(recentBox);

    m_templates->setSpacing(0);
    m_parts->addLayout(m_templates, 1);
    m_templatesHead = new QWidget;
    auto *templatesHead = new QHBoxLayout(m_templatesHead);
    templatesHead->setContentsMargins(0, 0, 0, 0);
    templatesHead->setSpacing(metrics::space2);
    templatesHead->addWidget(headingLabel(tr("Templates")));
    templatesHead->addWidget(m_count);
    m_all = new QPushButton;
    m_all->setObjectName(QStringLiteral("welcomeGallery"));
    setButtonKind(m_all, ButtonKind::Link);
    templatesHead->addSpacing(metrics::space2);
    templatesHead->addWidget(m_all);
    templatesHead->addStretch();
    m_search->setMinimumWidth(96); // a word: on a small screen, what stands beside it leaves no more
    m_search->setMaximumWidth(224);
    templatesHead->addWidget(m_search, 1);
    m_templates->addWidget(m_templatesHead);
    m_templates->addSpacing(metrics::space2);
    m_grid->setSpacing(metrics::space4);
    m_grid->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_none = mutedLabel(tr("No template has these words."));
    m_none->hide();
    m_templates->addWidget(m_none);
    m_templates->addLayout(m_grid);
    m_templates->addStretch();
    connect(m_all, &QPushButton::clicked, this, &WelcomePage::galleryRequested);
    connect(m_search, &QLineEdit::textChanged, this, [this] {
        m_columns = 0;
        arrangeTemplates();
    });
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        if (m_found) {
            m_found->click();
        }
    });
    setRecentFiles({});
    setComputer({}, {});
    arrangeTemplates();
}

void WelcomePage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrangeTemplates();
}

// Side by side they stand over the first two cards, so that the page has one left edge for each column.
void WelcomePage::arrangeWays(bool sideBySide, int column)
{
    constexpr int between = 26;
    m_ways->setDirection(sideBySide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_ways->setSpacing(sideBySide ? metrics::space4 : between);
    const int indent = sideBySide ? 0 : metrics::space3;
    m_about->layout()->setContentsMargins(indent, 0, 0, 0);
    m_start->setFixedWidth(column + metrics::space3);
    m_about->setFixedWidth(column + indent);
}

void WelcomePage::arrangeTemplates()
{
    const int whole = width() - pageMargins.left() - pageMargins.right() - metrics::scrollBar;
    const int beside = whole - partsGap - StartRow::column - metrics::space3;
    const bool isNarrow = beside < TemplateCard::fit(beside, metrics::space4).width;
    m_parts->setDirection(isNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    const int indent = isNarrow ? metrics::space3 : 0; // under the headings of the other part
    m_templates->setContentsMargins(indent, 0, 0, 0);
    const auto [columns, cardWidth] = TemplateCard::fit(isNarrow ? whole - indent : beside, metrics::space4);
    arrangeWays(isNarrow && columns > 1, isNarrow && columns > 1 ? cardWidth : StartRow::column);
    m_templatesHead->setFixedWidth(columns * (cardWidth + metrics::space4) - metrics::space4);
    for (TemplateCard *card : std::as_const(m_cards)) {
        card->setCardWidth(cardWidth);
    }
    // Beside the ways to start they take the height that there is; below them they are scrolled to.
    const int above = pageMargins.top() + m_head->sizeHint().height() + headGap + m_templatesHead->sizeHint().height()
        + metrics::space2;
    const int rows = isNarrow ? 0 : TemplateCard::rowsIn(height() - above - pageMargins.bottom(), metrics::space4);
    const qsizetype most = std::max(leastCards, qsizetype(rows) * columns);
    if (columns == m_columns && most == m_most) {
        return;
    }
    m_columns = columns;
    m_most = most;
    m_all->setVisible(m_cards.size() > most);
    while (QLayoutItem *item = m_grid->takeAt(0)) {
        delete item;
    }
    const QString words = m_search->text().trimmed();
    qsizetype shown = 0;
    m_found = nullptr;
    for (TemplateCard *card : std::as_const(m_cards)) {
        const bool fits = card->job().matches(words) && (!words.isEmpty() || shown < most);
        const bool isFirstFound = fits && shown == 0 && !words.isEmpty();
        m_found = isFirstFound ? card : m_found;
        card->setOpenedByEnter(isFirstFound);
        if (fits) {
            m_grid->addWidget(card, int(shown) / columns, int(shown) % columns);
            ++shown;
        }
        card->setVisible(fits);
    }
    m_none->setVisible(shown == 0 && !m_cards.isEmpty());
}

void WelcomePage::setTemplates(const QList<JobTemplate> &templates)
{
    for (TemplateCard *card : std::as_const(m_cards)) {
        card->hide();
        card->deleteLater();
    }
    m_cards.clear();
    m_found = nullptr;
    for (const JobTemplate &job : templates) {
        auto *card = new TemplateCard(job, m_templatesHead->parentWidget());
        connect(card, &QAbstractButton::clicked, this, [this, id = job.id] { Q_EMIT templateRequested(id); });
        m_cards.append(card);
    }
    m_count->setText(QString::number(m_cards.size()));
    m_all->setText(tr("Show all"));
    m_columns = 0;
    arrangeTemplates();
}

void WelcomePage::setRecentFiles(const QStringList &files)
{
    removeWidgets(m_recent);
    if (files.isEmpty()) {
        m_recent->addWidget(mutedLabel(tr("Files you open appear here.")));
    }
    for (const QString &file : files.mid(0, 8)) {
        auto *row = new QWidget;
        auto *layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        auto *button = new QPushButton(plainCaption(QFileInfo(file).fileName()));
        setButtonKind(button, ButtonKind::Link);
        button->setToolTip(plainTip(file));
        layout->addWidget(button);
        auto *folder = new ElidedLabel(QFileInfo(file).path());
        folder->setColour(Colour::Muted);
        folder->setFont(fonts::small());
        layout->addWidget(folder, 1);
        connect(button, &QPushButton::clicked, this, [this, file] { Q_EMIT fileRequested(file); });
        m_recent->addWidget(row);
    }
}

void WelcomePage::setComputer(const std::optional<HostInfo> &host, const QString &engineError)
{
    QList<Fact> facts;
    if (!host || host->state != HostState::Online) {
        if (engineError.isEmpty()) {
            facts.append({StateShape::Waiting, tr("Engine"), tr("starting…")});
        } else {
            facts.append({StateShape::Failed, tr("Engine"), engineError});
        }
    } else {
        QMap<QString, int> kinds;
        for (const GpuInfo &gpu : host->gpus) {
            ++kinds[tr("%1, %2 each").arg(shortGpuName(gpu.name), formatMiB(gpu.memoryMiB))];
        }
        QStringList gpus;
        for (auto it = kinds.cbegin(); it != kinds.cend(); ++it) {
            gpus.append(tr("%1 × %2").arg(*it).arg(it.key()));
        }
        facts.append({gpus.isEmpty() ? StateShape::Waiting : StateShape::Succeeded, tr("GPUs"),
            gpus.isEmpty() ? tr("none; jobs use the CPU") : gpus.join(QStringLiteral("; "))});
        facts.append({StateShape::Succeeded, tr("CPU"),
            tr("%n core(s), %1 memory", nullptr, host->cpus).arg(formatMiB(host->memoryMiB))});
        if (host->diskFreeMiB >= 0) {
            facts.append({host->diskLow ? StateShape::Waiting : StateShape::Succeeded, tr("Disk"),
                tr("%1 free").arg(formatMiB(host->diskFreeMiB))});
        }
    }
    if (facts == m_facts) {
        return; // jobs and hosts change all the time
    }
    m_facts = facts;
    removeWidgets(m_computer);
    for (const Fact &fact : std::as_const(m_facts)) {
        m_computer->addWidget(new FactRow(fact.shape, fact.name, fact.value));
    }
}

} // namespace trainyard
