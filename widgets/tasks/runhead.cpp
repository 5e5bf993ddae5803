// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runhead.h"

#include "engine/api/jobfacts.h"
#include "engine/api/tasklabel.h"
#include "widgets/common/buttonkeys.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/icons.h"
#include "widgets/common/jobtime.h"
#include "widgets/common/meters.h"
#include "widgets/common/style.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/historylists.h"
#include "widgets/text/rehearsaltexts.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QDateTime>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int leastNameWidth = 120;
constexpr int mostTagsWidth = 180;
constexpr int leastStateWidth = 140; // no less than the word of any state
} // namespace

RunHead::RunHead()
    : Ground(Colour::Surface), m_name(new ElidedLabel), m_number(mutedLabel({})), m_tags(new QWidget),
      m_tagNames(new ElidedLabel), m_state(new StateLabel), m_duration(mutedLabel({})), m_bar(new ProgressBar),
      m_progress(mutedLabel({})), m_attempt(new QToolButton)
{
    setFixedHeight(metrics::pageHead);
    setMinimumWidth(1); // fit() sees to it
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(metrics::space4, 0, metrics::space3, 0);
    layout->setSpacing(metrics::space3);
    m_name->setFont(fonts::heading());
    QFont numberFont = fonts::heading();
    numberFont.setWeight(QFont::Normal);
    m_number->setFont(numberFont);
    m_number->setObjectName(QStringLiteral("runPageNumber"));
    makeTags();
    m_progress->setObjectName(QStringLiteral("runPageProgress"));
    m_bar->setObjectName(QStringLiteral("runPageBar"));
    m_bar->setFixedWidth(m_bar->sizeHint().width());
    m_bar->setAccessibleName(tr("Progress"));
    m_attempt->setAutoRaise(true);
    m_attempt->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_attempt->setPopupMode(QToolButton::InstantPopup);
    m_attempt->setMenu(new QMenu(m_attempt));
    m_attempt->setAccessibleName(tr("Attempt shown"));
    m_attempt->setToolTip(
        plainTip(tr("Choose the attempt that is shown.") + QLatin1Char('\n') + AttemptList::meaning()));
    connect(m_attempt->menu(), &QMenu::aboutToShow, this, &RunHead::fillAttemptMenu);
    for (QWidget *part :
        std::initializer_list<QWidget *>{m_name, m_number, m_tags, m_state, m_duration, m_attempt, m_bar, m_progress}) {
        layout->addWidget(part);
    }
    layout->addStretch(1);
    makeButtons();
    fit();
}

void RunHead::makeTags()
{
    auto *row = new QHBoxLayout(m_tags);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(metrics::space1);
    row->addWidget(new IconLabel(QStringLiteral("tag"), metrics::smallIcon, Colour::Muted));
    m_tagNames->setObjectName(QStringLiteral("runPageTags"));
    m_tagNames->setColour(Colour::Muted);
    row->addWidget(m_tagNames);
}

void RunHead::updateTags()
{
    m_tagNames->setText(m_view.job.labels.tags.join(QStringLiteral(", ")));
    m_tagNames->setFixedWidth(std::min(m_tagNames->sizeHint().width(), mostTagsWidth));
    m_tags->setToolTip(plainTip(tr("Tags: %1").arg(m_tagNames->text())));
}

QPushButton *RunHead::addButton(const char *name, const QString &iconName, const QString &text, const QString &tip)
{
    auto *button = new QPushButton(icon(iconName), text);
    setButtonKind(button, ButtonKind::Normal);
    button->setIconSize({15, 15});
    button->setObjectName(QLatin1String(name));
    button->setToolTip(plainTip(tip));
    button->setStatusTip(tip);
    button->setAccessibleName(text.isEmpty() ? tip : text);
    pressOnceByDoubleClick(button);
    m_words.insert(button, text);
    layout()->addWidget(button);
    return button;
}

void RunHead::makeButtons()
{
    m_board = addButton("runPageBoard", QStringLiteral("chart"), tr("TensorBoard"), {});
    m_board->hide();
    m_stop = addButton("runPageStop", QStringLiteral("stop"), tr("Stop"), tr("Stop this job"));
    m_pause = addButton("runPagePause", QStringLiteral("pause"), tr("Pause"),
        tr("Suspend the processes of this job; its memory and GPUs stay allocated"));
    m_retry = addButton("runPageRetry", QStringLiteral("redo"), tr("Retry failed tasks"),
        tr("Start another attempt of this job with the tasks that did not succeed; the others keep their results"));
    m_again = addButton(
        "runPageAgain", QStringLiteral("restart"), tr("Run again"), tr("Submit this job again, as a new job"));
    m_edit = addButton(
        "runPageEdit", QStringLiteral("edit"), tr("Edit as new"), tr("Open this job's YAML as a new document"));
    m_folder = addButton("runPageFolder", QStringLiteral("folder"), {}, tr("Open the folder of this run"));
    connect(m_board, &QPushButton::clicked, this, [this] {
        if (const QString address = m_view.services.value(0).address; !address.isEmpty()) {
            Q_EMIT addressRequested(address);
        }
    });
    connect(m_stop, &QPushButton::clicked, this, &RunHead::stopRequested);
    connect(m_pause, &QPushButton::clicked, this, [this] { Q_EMIT pauseRequested(!m_view.job.paused); });
    connect(m_retry, &QPushButton::clicked, this, &RunHead::retryRequested);
    connect(m_again, &QPushButton::clicked, this, &RunHead::runAgainRequested);
    connect(m_edit, &QPushButton::clicked, this, &RunHead::editAsNewRequested);
    connect(m_folder, &QPushButton::clicked, this, &RunHead::openFolderRequested);
}

void RunHead::setView(const RunView &view)
{
    m_view = view;
    QWidget *const focus = QApplication::focusWidget();
    const bool hasFocusInside = focus && isAncestorOf(focus);
    const JobSummary &job = m_view.job;
    m_name->setText(job.name);
    m_number->setText(QStringLiteral("#%1").arg(job.id));
    const QString link
        = rehearsalLine(m_view.rehearsal, m_view.promoted, m_view.isRehearsal, QDateTime::currentMSecsSinceEpoch());
    m_number->setToolTip(plainTip(link));
    m_number->setAccessibleDescription(link);
    const AttemptInfo *former = m_view.formerAttempt();
    const QString host = m_view.connectingTo();
    m_state->setShape(
        former ? shapeOf(former->state) : shapeOf(job), host.isEmpty() ? QString() : tr("Connecting to %1").arg(host));
    m_bar->setShare(job.progress.value_or(0));
    updateTags();
    updateBoard();
    updateButtons();
    const int attempts = m_view.attemptCount();
    m_attempt->setVisible(attempts > 1);
    m_attempt->setText(tr("Attempt %1 of %2").arg(m_view.attempt + 1).arg(attempts));
    tick(QDateTime::currentMSecsSinceEpoch());
    fit();
    // A button that goes out hands the focus to the one beside it, which does something else.
    if (hasFocusInside && (!focus->isEnabled() || focus->isHidden())) {
        Q_EMIT focusDropped();
    }
}

QString RunHead::progressText(qint64 now) const
{
    const JobSummary &job = m_view.job;
    const int total = job.counts.total();
    if (m_view.formerAttempt()) {
        return {};
    }
    if (job.progress || job.endExpected) {
        return progressWords(job.progress, job.endExpected, now);
    }
    if (!isFinal(job.state) && total > 1) {
        return tr("%1 of %2 done")
            .arg(QString::number(total - job.counts.waiting - job.counts.running), QString::number(total));
    }
    return job.state == State::Succeeded && job.counts.failed > 0
        ? tr("%1 of %2 failed").arg(QString::number(job.counts.failed), QString::number(total))
        : QString();
}

QString RunHead::shortProgress() const
{
    return m_view.job.progress && !m_view.formerAttempt() ? percentWords(*m_view.job.progress) : QString();
}

void RunHead::updateButtons()
{
    const JobSummary &job = m_view.job;
    const bool active = !isFinal(job.state);
    const bool canBeTold = !job.stopRequested && job.state != State::Unknown;
    m_stop->setEnabled(active && canBeTold);
    setWords(m_stop, job.stopRequested && active ? tr("Stopping…") : tr("Stop"));
    m_pause->setVisible(active);
    m_pause->setEnabled(canBeTold);
    setWords(m_pause, job.paused ? tr("Resume") : tr("Pause"));
    m_pause->setIcon(icon(job.paused ? QStringLiteral("run") : QStringLiteral("pause")));
    m_pause->setToolTip(
        plainTip(job.paused ? tr("Continue this job where it was paused")
                            : tr("Suspend the processes of this job; its memory and GPUs stay allocated")));
    // Why it failed is said below, with what to do: the same buttons twice would only be to choose between.
    const bool isOfferedBelow = m_view.failure().has_value();
    m_retry->setVisible(canRetryFailed(job) && !isOfferedBelow);
    m_edit->setVisible(!isOfferedBelow);
    m_again->setVisible(!isOfferedBelow);
    m_edit->setEnabled(!m_view.yaml.isEmpty());
    m_again->setEnabled(!m_view.yaml.isEmpty());
    m_folder->setEnabled(!m_view.runFolder.isEmpty());
}

void RunHead::updateBoard()
{
    const ServiceInfo board = m_view.services.value(0);
    m_board->setVisible(!m_view.services.isEmpty() && !isFinal(m_view.job.state));
    m_board->setEnabled(!board.address.isEmpty());
    const QString tip = !board.address.isEmpty() ? tr("Open %1 in the browser").arg(board.address)
        : board.state == QLatin1StringView("missing")
        ? tr("TensorBoard is not installed on the host of %1").arg(taskLabel(board))
        : tr("TensorBoard did not start");
    m_board->setToolTip(plainTip(tip));
    m_board->setStatusTip(tip);
    m_board->setAccessibleDescription(tip);
}

void RunHead::setWords(QPushButton *button, const QString &words)
{
    if (m_words.value(button) != words) {
        m_words[button] = words;
        button->setAccessibleName(words);
    }
}

// When it is opened: a job changes all the time, and an entry must not go while it is being chosen.
void RunHead::fillAttemptMenu()
{
    QMenu *menu = m_attempt->menu();
    menu->clear();
    for (const AttemptInfo &attempt : std::as_const(m_view.attempts)) {
        QAction *a = menu->addAction(tr("Attempt %1: %2").arg(attempt.index + 1).arg(stateText(attempt.state)), this,
            [this, index = attempt.index] { Q_EMIT attemptChosen(index); });
        a->setCheckable(true);
        a->setChecked(attempt.index == m_view.attempt);
    }
}

void RunHead::tick(qint64 now)
{
    const JobSummary &job = m_view.job;
    const qint64 time = m_view.clock(now);
    const qint64 span = countedMs(job, time);
    QString text;
    if (const AttemptInfo *former = m_view.formerAttempt(); former && former->started && former->completed) {
        text = tr("after %1").arg(clockText(ranMsIn(job.pauses, *former->started, *former->completed)));
    } else if (job.state == State::Waiting && job.reason == reason::WaitRetry::code) {
        text = m_view.attempts.isEmpty()
            ? tr("for a retry") // behind the word of the state
            : tr("for a retry; attempt %1 took %2").arg(m_view.attempts.constLast().index + 1).arg(clockText(span));
    } else if (job.state == State::Waiting) {
        text = tr("for %1").arg(clockText(span));
    } else {
        text = isFinal(job.state) ? tr("after %1").arg(clockText(span)) : clockText(span);
    }
    const QString progress = progressText(now);
    const bool widthChanged = text.size() != m_duration->text().size() || progress.size() != m_wholeProgress.size();
    m_duration->setText(text);
    m_wholeProgress = progress;
    m_progress->setText(m_isProgressShort ? shortProgress() : progress);
    m_progress->setToolTip(plainTip(m_isProgressShort ? progress : QString()));
    m_bar->setAccessibleDescription(progress);
    const QStringList tips = jobTimeDetails(job, time, m_view.formerAttempt());
    m_duration->setToolTip(plainTip(tips.join(QLatin1Char('\n'))));
    if (widthChanged) {
        fit();
    }
}

// The least important button loses its words first.
void RunHead::fit()
{
    m_name->setMinimumWidth(std::min(m_name->sizeHint().width(), leastNameWidth));
    // The engine has not reported it yet: it has no state, and no actions.
    if (m_view.job == JobSummary()) {
        const QList<QWidget *> parts = findChildren<QWidget *>(Qt::FindDirectChildrenOnly);
        for (QWidget *part : parts) {
            part->hide();
        }
        return;
    }
    for (QWidget *part : std::initializer_list<QWidget *>{m_name, m_state, m_folder}) {
        part->show();
    }
    m_number->show();
    m_duration->show();
    const auto shorten = [this](bool on) {
        m_isProgressShort = on;
        m_progress->setText(on ? shortProgress() : m_wholeProgress);
        m_progress->setToolTip(plainTip(on ? m_wholeProgress : QString()));
    };
    shorten(false);
    m_progress->setVisible(!m_wholeProgress.isEmpty());
    m_bar->setVisible(m_view.job.progress && !m_wholeProgress.isEmpty());
    for (auto it = m_words.cbegin(); it != m_words.cend(); ++it) {
        it.key()->setText(it.value());
    }
    m_stop->show();
    m_state->setMostWidth(StateLabel::mostUsual);
    const auto missing = [this] {
        layout()->invalidate();
        return layout()->minimumSize().width() - width();
    };
    const auto fits = [&missing] { return missing() <= 0; };
    m_tags->setVisible(!m_tagNames->text().isEmpty());
    if (!fits()) {
        m_tags->hide(); // the list tells them, too
    }
    if (!fits() && isFinal(m_view.job.state)) {
        m_stop->hide(); // there is nothing to stop
    }
    if (!fits()) {
        m_bar->hide();
    }
    if (!fits() && !shortProgress().isEmpty()) {
        shorten(true);
    } else if (!fits()) {
        m_progress->hide();
    }
    for (QPushButton *button : {m_edit, m_pause, m_board, m_again, m_retry, m_stop}) {
        if (fits()) {
            return;
        }
        if (button->isVisibleTo(this)) {
            button->setText({});
        }
    }
    if (!fits()) {
        m_progress->hide();
    }
    // Its text about the state is also shown below on the page.
    if (const int width = missing(); width > 0) {
        m_state->setMostWidth(std::max(leastStateWidth, m_state->sizeHint().width() - width));
    }
    for (QWidget *widget : {static_cast<QWidget *>(m_duration), static_cast<QWidget *>(m_number)}) {
        if (fits()) {
            return;
        }
        widget->hide();
    }
}

} // namespace trainyard
