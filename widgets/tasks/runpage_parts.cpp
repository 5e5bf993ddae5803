// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/historylists.h"
#include "widgets/tasks/runpage.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

// What a run page is made of, and how its head fits into the room there is.
namespace trainyard
{
namespace
{
constexpr int leastNameWidth = 120;
constexpr int leastFailure = 96; // the cause and a line of what it means
constexpr int leastTaskRows = 2;
} // namespace

QWidget *RunPage::makeHead()
{
    auto *head = m_head = new Ground(Colour::Surface);
    head->setFixedHeight(metrics::pageHead);
    auto *layout = new QHBoxLayout(head);
    head->setMinimumWidth(1); // fitHead() sees to it
    layout->setContentsMargins(metrics::space4, 0, metrics::space3, 0);
    layout->setSpacing(metrics::space3);
    m_name = new ElidedLabel;
    m_name->setFont(fonts::heading());
    m_number = mutedLabel({});
    QFont numberFont = fonts::heading();
    numberFont.setWeight(QFont::Normal);
    m_number->setFont(numberFont);
    m_state = new StateLabel;
    m_duration = mutedLabel({});
    m_progress = mutedLabel({});
    m_progress->setObjectName(QStringLiteral("runPageProgress"));
    m_attemptButton = new QToolButton;
    m_attemptButton->setAutoRaise(true);
    m_attemptButton->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_attemptButton->setPopupMode(QToolButton::InstantPopup);
    m_attemptButton->setMenu(new QMenu(m_attemptButton));
    m_attemptButton->setAccessibleName(tr("Attempt shown"));
    m_attemptButton->setToolTip(tr("Choose the attempt that is shown"));
    connect(m_attemptButton->menu(), &QMenu::aboutToShow, this, &RunPage::fillAttemptMenu);
    layout->addWidget(m_name);
    layout->addWidget(m_number);
    layout->addWidget(m_state);
    layout->addWidget(m_duration);
    layout->addWidget(m_progress);
    layout->addWidget(m_attemptButton);
    layout->addStretch(1);
    const auto button = [&](const char *name, const QString &iconName, const QString &text, const QString &tip,
                            void (RunPage::*wish)()) {
        auto *b = new QPushButton(icon(iconName), text);
        setButtonKind(b, ButtonKind::Normal);
        b->setIconSize({15, 15});
        b->setObjectName(QLatin1String(name));
        b->setToolTip(plainTip(tip));
        b->setStatusTip(tip);
        b->setAccessibleName(text.isEmpty() ? tip : text);
        m_words.insert(b, text);
        if (wish) {
            connect(b, &QPushButton::clicked, this, wish);
        }
        layout->addWidget(b);
        return b;
    };
    m_board = button("runPageBoard", QStringLiteral("chart"), tr("TensorBoard"), {}, &RunPage::openService);
    m_board->hide();
    m_stop = button("runPageStop", QStringLiteral("stop"), tr("Stop"), tr("Stop this job"), &RunPage::stopRequested);
    m_pause = button("runPagePause", QStringLiteral("pause"), tr("Pause"),
        tr("Halt the processes of this job; memory and GPUs stay taken"), nullptr);
    connect(m_pause, &QPushButton::clicked, this, [this] { Q_EMIT pauseRequested(!m_job.paused); });
    m_rerun = button("runPageRerun", QStringLiteral("redo"), tr("Rerun failed tasks"),
        tr("One more attempt with the tasks that did not succeed; the others keep their results"), nullptr);
    connect(m_rerun, &QPushButton::clicked, this, [this] { Q_EMIT rerunRequested({}); });
    m_again = button("runPageAgain", QStringLiteral("restart"), tr("Run again"), tr("Submit the same job once more"),
        &RunPage::runAgainRequested);
    m_edit = button("runPageEdit", QStringLiteral("edit"), tr("Edit as new"),
        tr("Open this job's YAML as a new document"), &RunPage::editAsNewRequested);
    m_folder = button("runPageFolder", QStringLiteral("folder"), {}, tr("Open the folder of this run"),
        &RunPage::openFolderRequested);
    return head;
}

QWidget *RunPage::makeBottom()
{
    auto *bottom = new Ground(Colour::Surface);
    m_bottomPane = bottom;
    auto *layout = new QVBoxLayout(bottom);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_tabs = new QTabBar;
    setTabKind(m_tabs, TabKind::Inner);
    // A saved layout names them by these numbers.
    m_tabs->setTabData(m_tabs->addTab(tr("Attempts")), 0);
    const int tries = m_tabs->addTab(tr("Tries"));
    m_tabs->setTabData(tries, 2);
    m_tabs->setTabToolTip(tries, tr("How often the chosen task was begun in this attempt, and how that ended"));
    m_tabs->setTabData(m_tabs->addTab(tr("Configuration")), 1);
    auto *tabRow = new Ground(Colour::Surface);
    tabRow->setBorders(Qt::BottomEdge);
    auto *tabLayout = new QHBoxLayout(tabRow);
    tabLayout->setContentsMargins(4, 0, 0, 0);
    tabLayout->addWidget(m_tabs);
    tabLayout->addStretch();
    layout->addWidget(tabRow);
    auto *body = new QWidget;
    m_bottomBody = body;
    body->setObjectName(QStringLiteral("runPageHistory"));
    m_bottom = new QStackedLayout(body);
    layout->addWidget(body, 1);

    m_attemptList = new AttemptList;
    connect(m_attemptList, &HistoryList::chosen, this, &RunPage::showAttempt);
    m_bottom->addWidget(m_attemptList);
    m_tryList = new TryList;
    connect(m_tryList, &HistoryList::chosen, this, &RunPage::showTry);
    m_bottom->addWidget(m_tryList);
    m_configuration = new QPlainTextEdit;
    m_configuration->setReadOnly(true);
    m_configuration->setFrameShape(QFrame::NoFrame);
    m_configuration->setFont(fonts::fixed());
    m_configuration->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_configuration->setAccessibleName(tr("Configuration, secrets masked"));
    m_configuration->document()->setDocumentMargin(metrics::space3);
    m_bottom->addWidget(m_configuration);
    connect(m_tabs, &QTabBar::currentChanged, m_bottom, &QStackedLayout::setCurrentIndex);
    m_tabs->setToolTip(tr("Click the current tab to fold the pane"));
    // What a click means depends on which tab was the current one before it.
    connect(m_tabs, &QTabBar::tabBarClicked, this, [this](int index) {
        if (index >= 0) {
            m_foldChosen = true;
            foldBottom(!m_folded && index == m_tabs->currentIndex());
        }
    });
    return bottom;
}

void RunPage::setWords(QPushButton *button, const QString &words)
{
    if (m_words.value(button) != words) {
        m_words[button] = words;
        button->setAccessibleName(words);
    }
}

void RunPage::foldBottom(bool on)
{
    if (m_folded == on) {
        return;
    }
    const QList<int> sizes = m_down->sizes();
    if (on && sizes.value(1) > 0) {
        m_unfoldedHeight = sizes.value(1);
    }
    m_folded = on;
    m_bottomBody->setVisible(!on);
    m_bottomPane->setMaximumHeight(on ? m_tabs->sizeHint().height() + 1 : QWIDGETSIZE_MAX);
    sizeBottom();
    fitFailure();
}

// A splitter gives a pane the height it had, also where that is more than it may have.
void RunPage::sizeBottom()
{
    const QList<int> sizes = m_down->sizes();
    const int whole = sizes.value(0) + sizes.value(1);
    const int lower = m_folded ? m_bottomPane->maximumHeight() : m_unfoldedHeight;
    m_down->setSizes({std::max(1, whole - lower), lower});
}

// One attempt of tasks that were tried once is told by the head already.
void RunPage::foldByItself()
{
    if (!m_foldChosen && (m_attempts.size() > 1 || (m_triesOf && m_triesOf->tries > 0))) {
        foldBottom(false); // and so it stays: nothing jumps when another task is chosen
    }
}

// Why a job failed may be a long story; the tasks and the log keep what they need at least.
void RunPage::fitFailure()
{
    // What is below the tasks keeps the height that it has.
    const int lower = m_down->handleWidth() + m_down->sizes().value(1);
    int taken = m_head->height()
        + std::max(m_down->minimumSizeHint().height(), m_down->widget(0)->minimumSizeHint().height() + lower);
    for (const InfoBar *bar : {m_errorBar, m_bar, m_heldBar}) {
        taken += bar->isVisibleTo(this) ? bar->height() : 0;
    }
    taken += leastTaskRows * metrics::row; // in sight below it
    m_failure->setMostHeight(std::max(leastFailure, height() - taken));
}

// What has no room in the head loses its words, the least important button first, and then goes.
void RunPage::fitHead()
{
    m_name->setMinimumWidth(std::min(m_name->sizeHint().width(), leastNameWidth));
    m_number->show();
    m_duration->show();
    m_progress->setVisible(!m_progress->text().isEmpty());
    for (auto it = m_words.cbegin(); it != m_words.cend(); ++it) {
        it.key()->setText(it.value());
    }
    m_stop->show();
    const auto fits = [this] {
        m_head->layout()->invalidate();
        return m_head->layout()->minimumSize().width() <= width();
    };
    if (!fits() && isFinal(m_job.state)) {
        m_stop->hide(); // there is nothing to stop
    }
    if (!fits()) {
        m_progress->hide();
    }
    for (QPushButton *button : {m_edit, m_pause, m_board, m_again, m_rerun, m_stop}) {
        if (fits()) {
            return;
        }
        if (button->isVisibleTo(this)) {
            button->setText({});
        }
    }
    for (QWidget *widget : {static_cast<QWidget *>(m_duration), static_cast<QWidget *>(m_number)}) {
        if (fits()) {
            return;
        }
        widget->hide();
    }
}

} // namespace trainyard
