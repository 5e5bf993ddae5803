// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runpage.h"

#include "engine/api/jobfacts.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/historylists.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QDataStream>
#include <QDateTime>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
RunPage::RunPage(QWidget *parent)
    : QWidget(parent), m_bar(new InfoBar(this)), m_heldBar(new InfoBar(this)), m_errorBar(new InfoBar(this)),
      m_failure(new FailurePanel), m_tasks(new TasksPane), m_log(new LogPane), m_across(new QSplitter(Qt::Horizontal)),
      m_down(new QSplitter(Qt::Vertical))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHead());
    layout->addWidget(m_errorBar);
    layout->addWidget(m_bar);
    layout->addWidget(m_heldBar);
    layout->addWidget(m_failure);
    m_across->addWidget(m_tasks);
    m_across->addWidget(m_log);
    m_across->setSizes({540, 640}); // in this proportion, whatever the room
    m_across->setChildrenCollapsible(false);
    auto *upper = new Ground(Colour::Surface);
    upper->setBorders(Qt::TopEdge);
    auto *upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins(0, 1, 0, 0);
    upperLayout->addWidget(m_across);
    m_down->addWidget(upper);
    m_down->addWidget(makeBottom());
    m_down->setStretchFactor(0, 1);
    m_down->setStretchFactor(1, 0);
    m_down->setSizes({600, 160});
    m_down->setChildrenCollapsible(false);
    layout->addWidget(m_down, 1);
    m_failure->hide();
    foldBottom(true);
    setFocusProxy(m_tasks->view()); // keys that come next look around, and end nothing

    connect(m_failure, &FailurePanel::runAgainRequested, this, &RunPage::runAgainRequested);
    connect(m_failure, &FailurePanel::rerunRequested, this, [this] { Q_EMIT rerunRequested({}); });
    connect(m_failure, &FailurePanel::editRequested, this, &RunPage::editAsNewRequested);
    connect(m_failure, &FailurePanel::documentRequested, this, &RunPage::documentRequested);
    connect(m_failure, &FailurePanel::jobClicked, this, &RunPage::jobRequested);
    m_bar->setJobLinks(true);
    connect(m_bar, &InfoBar::jobClicked, this, &RunPage::jobRequested);
    connect(m_failure, &FailurePanel::lineRequested, this, [this](qint64 line) { m_log->view()->showLine(line); });
    connect(m_tasks, &TasksPane::currentTaskChanged, this, &RunPage::updateLog);
    connect(m_tasks, &TasksPane::rerunRequested, this, &RunPage::rerunRequested);
    connect(m_log, &LogPane::statusChanged, this, [this](const QString &text) {
        m_status = text;
        Q_EMIT statusChanged(text);
    });
    connect(m_log->view(), &LogView::completed, this, &RunPage::updateReason);
    auto *timer = new QTimer(this);
    timer->start(1000);
    connect(timer, &QTimer::timeout, this, &RunPage::tick);
}

QString RunPage::title() const { return tr("%1 #%2").arg(m_job.name, QString::number(m_job.id)); }

void RunPage::setSummary(const JobSummary &job)
{
    if (job == m_job) {
        return;
    }
    m_job = job;
    m_tasks->setPaused(job.paused);
    updateHead();
    updateReason();
    Q_EMIT titleChanged();
}

void RunPage::updateServices()
{
    const ServiceInfo board = m_services.value(0);
    m_board->setVisible(!m_services.isEmpty() && !isFinal(m_job.state));
    m_board->setEnabled(!board.address.isEmpty());
    const QString tip = !board.address.isEmpty() ? tr("Open %1 in the browser").arg(board.address)
        : board.state == QLatin1StringView("missing")
        ? tr("TensorBoard is not installed on the host of %1-%2").arg(board.role, QString::number(board.index))
        : tr("TensorBoard did not start");
    m_board->setToolTip(plainTip(tip));
    m_board->setStatusTip(tip);
    m_board->setAccessibleDescription(tip);
}

void RunPage::openService()
{
    if (!m_services.isEmpty() && !m_services.first().address.isEmpty()) {
        Q_EMIT addressRequested(m_services.first().address);
    }
}

void RunPage::setDetail(const JobDetail &detail)
{
    m_services = detail.services;
    const bool heldChanged = m_heldTasks != detail.held;
    m_heldTasks = detail.held;
    m_attempts = detail.attempts;
    m_yaml = detail.yaml;
    m_runFolder = detail.runFolder;
    const QString yaml = QString::fromUtf8(detail.yaml);
    if (m_configuration->toPlainText() != yaml) {
        m_configuration->setPlainText(yaml);
    }
    setSummary(detail.summary);
    m_attemptList->setAttempts(m_attempts);
    m_attemptList->setShown(m_attempt);
    foldByItself();
    updateAttemptExit();
    updateHead();
    if (heldChanged || isFinal(m_job.state)) {
        updateHeld(); // a button that is being pressed stays
    }
    followFailure();
    updateReason();
}

void RunPage::setTasks(int attempt, const QList<TaskInfo> &tasks)
{
    m_attempt = attempt;
    m_attemptList->setShown(attempt);
    updateAttemptExit();
    m_tasks->setTasks(tasks);
    updateHead();
    followFailure();
    updateReason();
    if (tasks.isEmpty()) {
        forgetTries();
        m_log->setLog({}, {}, tr("The tasks appear here when the job starts."));
    }
}

void RunPage::updateAttemptExit()
{
    std::optional<int> code;
    for (const AttemptInfo &attempt : std::as_const(m_attempts)) {
        code = attempt.index == m_attempt ? attempt.exitCode : code;
    }
    m_tasks->model()->setAttemptExit(code);
}

void RunPage::applyTasks(const QList<TaskInfo> &changed)
{
    QList<TaskInfo> shown;
    int newest = m_attempt;
    for (const TaskInfo &task : changed) {
        newest = std::max(newest, task.attempt);
    }
    if (newest > m_attempt && !m_attemptChosen) {
        Q_EMIT attemptRequested(newest);
        return;
    }
    for (const TaskInfo &task : changed) {
        if (task.attempt == m_attempt) {
            shown.append(task);
        }
    }
    m_tasks->apply(shown);
}

void RunPage::setHosts(const QList<HostInfo> &hosts)
{
    QHash<QString, QString> labels;
    for (const HostInfo &host : hosts) {
        labels.insert(host.id, host.label);
    }
    if (labels == m_tasks->model()->hostLabels()) {
        return; // they are measured all the time
    }
    m_tasks->model()->setHostLabels(labels);
    updateTries();
    updateReason();
}

void RunPage::setError(const QString &sentence)
{
    if (sentence.isEmpty()) {
        m_errorBar->hide();
    } else {
        m_errorBar->show(InfoBar::Kind::Failed, sentence.toHtmlEscaped());
    }
}

void RunPage::updateHead()
{
    QWidget *const focus = QApplication::focusWidget();
    const bool inHead = focus && m_head->isAncestorOf(focus);
    updateServices();
    m_name->setText(m_job.name);
    m_number->setText(QStringLiteral("#%1").arg(m_job.id));
    const AttemptInfo *former = formerAttempt();
    m_state->setShape(former ? shapeOf(former->state) : shapeOf(m_job));
    const bool active = !isFinal(m_job.state);
    const int total = m_job.counts.total();
    m_progress->setText(active && total > 1
            ? tr("%1 of %2 done")
                  .arg(QString::number(total - m_job.counts.waiting - m_job.counts.running), QString::number(total))
            : QString());
    m_stop->setEnabled(active && !m_job.stopRequested && m_job.state != State::Unknown);
    setWords(m_stop, m_job.stopRequested && active ? tr("Stopping…") : tr("Stop"));
    m_tasks->setCanRerun(!active && (m_attempts.isEmpty() || m_attempt == m_attempts.constLast().index));
    m_pause->setVisible(active);
    m_pause->setEnabled(!m_job.stopRequested && m_job.state != State::Unknown);
    setWords(m_pause, m_job.paused ? tr("Resume") : tr("Pause"));
    m_pause->setIcon(icon(m_job.paused ? QStringLiteral("run") : QStringLiteral("pause")));
    m_pause->setToolTip(plainTip(m_job.paused ? tr("Continue this job where it was paused")
                                              : tr("Halt the processes of this job; memory and GPUs stay taken")));
    m_rerun->setVisible(canRerunFailed(m_job));
    m_edit->setEnabled(!m_yaml.isEmpty());
    m_again->setEnabled(!m_yaml.isEmpty());
    m_folder->setEnabled(!m_runFolder.isEmpty());
    const int attempts = std::max<int>(int(m_attempts.size()), m_job.retries + 1);
    m_attemptButton->setVisible(attempts > 1);
    m_attemptButton->setText(tr("Attempt %1 of %2").arg(m_attempt + 1).arg(attempts));
    tick();
    fitHead();
    // A button that goes out hands the focus to the one beside it, which does something else.
    if (inHead && (!focus->isEnabled() || focus->isHidden())) {
        setFocus();
    }
}

// When it is opened: a job changes all the time, and an entry must not go while it is being chosen.
void RunPage::fillAttemptMenu()
{
    QMenu *menu = m_attemptButton->menu();
    menu->clear();
    for (const AttemptInfo &attempt : std::as_const(m_attempts)) {
        QAction *a = menu->addAction(tr("Attempt %1: %2").arg(attempt.index + 1).arg(stateText(attempt.state)), this,
            [this, index = attempt.index] { showAttempt(index); });
        a->setCheckable(true);
        a->setChecked(attempt.index == m_attempt);
    }
}

// The attempt that is shown, when it is not the newest one.
const AttemptInfo *RunPage::formerAttempt() const
{
    const auto shown = std::find_if(m_attempts.cbegin(), m_attempts.cend(),
        [this](const AttemptInfo &attempt) { return attempt.index == m_attempt; });
    return shown == m_attempts.cend() || shown + 1 == m_attempts.cend() ? nullptr : &*shown;
}

void RunPage::tick()
{
    const qint64 current = QDateTime::currentMSecsSinceEpoch();
    const qint64 now = m_job.paused ? clockEnd(m_job, current) : current; // all clocks of a paused job stand
    QString text;
    if (const AttemptInfo *former = formerAttempt(); former && former->started && former->completed) {
        text = tr("after %1").arg(clockText(*former->completed - *former->started));
    }
    const qint64 span = clockEnd(m_job, now) - m_job.countedFrom();
    if (!text.isEmpty()) {
    } else if (m_job.state == State::Waiting) {
        text = tr("for %1").arg(clockText(span));
    } else {
        text = isFinal(m_job.state) ? tr("after %1").arg(clockText(span)) : clockText(span);
    }
    const bool widthChanged = text.size() != m_duration->text().size();
    m_duration->setText(text);
    m_duration->setToolTip(
        plainTip(m_job.retries > 0 ? tr("All attempts together, since the job was submitted: %1")
                                         .arg(clockText(m_job.completed.value_or(now) - m_job.submitted))
                                   : QString()));
    if (widthChanged) {
        fitHead();
    }
    if (m_job.reason == QLatin1StringView("wait.retry") && m_bar->isVisibleTo(this)) {
        m_bar->setText(waitText()); // it counts down
    }
    if (!isFinal(m_job.state)) {
        m_tasks->tick(now);
        m_tryList->tick(now);
    }
    if (m_heldBar->isVisibleTo(this)) {
        m_heldBar->setText(heldText(QDateTime::currentMSecsSinceEpoch()));
    }
}

void RunPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitHead();
    fitFailure();
}

void RunPage::showAttempt(int attempt)
{
    m_attemptChosen = attempt + 1 < m_attempts.size();
    Q_EMIT attemptRequested(attempt);
}

QByteArray RunPage::saveLayout() const
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << m_across->saveState() << m_down->saveState() << m_tabs->tabData(m_tabs->currentIndex()).value<qint32>();
    // Only what was chosen by hand: another time the page shows by itself what matters then.
    const auto chosen = m_tasks->chosenTask();
    stream << (chosen ? chosen->first : QString()) << qint32(chosen ? chosen->second : -1);
    stream << qint32(m_foldChosen ? (m_folded ? 1 : 0) : -1);
    return bytes;
}

void RunPage::restoreLayout(const QByteArray &layout)
{
    QDataStream stream(layout);
    QByteArray across, down;
    qint32 tab = 0;
    stream >> across >> down >> tab;
    if (stream.status() == QDataStream::Ok) {
        m_across->restoreState(across);
        m_down->restoreState(down);
        if (m_folded) {
            m_unfoldedHeight = std::max(m_unfoldedHeight, m_down->sizes().value(1));
            sizeBottom();
        }
        for (int i = 0; i < m_tabs->count(); ++i) {
            if (m_tabs->tabData(i).value<qint32>() == tab) {
                m_tabs->setCurrentIndex(i);
            }
        }
    }
    QString role;
    qint32 index = -1;
    stream >> role >> index;
    if (stream.status() == QDataStream::Ok && index >= 0) {
        m_tasks->setCurrentTask(role, index);
    }
    qint32 folded = -1;
    stream >> folded;
    if (stream.status() == QDataStream::Ok && folded >= 0) {
        m_foldChosen = true;
        foldBottom(folded == 1);
    }
}

} // namespace trainyard
