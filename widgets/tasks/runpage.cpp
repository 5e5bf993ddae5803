// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runpage.h"

#include "widgets/common/clocktext.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{
constexpr qint64 evidenceLines = 4;
constexpr int leastNameWidth = 120;
constexpr int mostHeldNamed = 3;

// Cells begin where their headers do.
class CellDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() == 0) {
            option->rect.setLeft(option->rect.left() + headerInset);
        }
    }

private:
    static constexpr int headerInset = 6;
};

QString taskName(const QString &role, int index) { return role + QLatin1Char('-') + QString::number(index); }
} // namespace

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
    m_across->setStretchFactor(0, 0);
    m_across->setStretchFactor(1, 1);
    m_across->setSizes({540, 640});
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

    connect(m_failure, &FailurePanel::runAgainRequested, this, &RunPage::runAgainRequested);
    connect(m_failure, &FailurePanel::editRequested, this, &RunPage::editAsNewRequested);
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
    m_attemptButton = new QToolButton;
    m_attemptButton->setAutoRaise(true);
    m_attemptButton->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_attemptButton->setPopupMode(QToolButton::InstantPopup);
    m_attemptButton->setMenu(new QMenu(m_attemptButton));
    m_attemptButton->setAccessibleName(tr("Attempt shown"));
    layout->addWidget(m_name);
    layout->addWidget(m_number);
    layout->addWidget(m_state);
    layout->addWidget(m_duration);
    layout->addWidget(m_attemptButton);
    layout->addStretch(1);
    const auto button = [&](const char *name, const QString &iconName, const QString &text, const QString &tip,
                            void (RunPage::*wish)()) {
        auto *b = new QPushButton(icon(iconName), text);
        setButtonKind(b, ButtonKind::Normal);
        b->setIconSize({15, 15});
        b->setObjectName(QLatin1String(name));
        b->setToolTip(tip);
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
    auto *layout = new QVBoxLayout(bottom);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_tabs = new QTabBar;
    setTabKind(m_tabs, TabKind::Inner);
    m_tabs->addTab(tr("Attempts"));
    m_tabs->addTab(tr("Configuration"));
    auto *tabRow = new Ground(Colour::Surface);
    tabRow->setBorders(Qt::BottomEdge);
    auto *tabLayout = new QHBoxLayout(tabRow);
    tabLayout->setContentsMargins(4, 0, 0, 0);
    tabLayout->addWidget(m_tabs);
    tabLayout->addStretch();
    layout->addWidget(tabRow);
    auto *body = new QWidget;
    m_bottom = new QStackedLayout(body);
    layout->addWidget(body, 1);

    m_attemptList = new QTreeWidget;
    m_attemptList->setObjectName(QStringLiteral("attemptList"));
    m_attemptList->setAccessibleName(tr("Attempts"));
    m_attemptList->setFrameShape(QFrame::NoFrame);
    m_attemptList->setRootIsDecorated(false);
    m_attemptList->setUniformRowHeights(true);
    m_attemptList->setIndentation(0);
    m_attemptList->setItemDelegate(new CellDelegate(m_attemptList));
    m_attemptList->setHeaderLabels({tr("Attempt"), tr("State"), tr("Started"), tr("Took"), tr("Exit"), tr("Ended by")});
    m_attemptList->header()->setStretchLastSection(true);
    m_attemptList->header()->resizeSection(1, 128);
    connect(m_attemptList, &QTreeWidget::itemActivated, this,
        [this](QTreeWidgetItem *item) { showAttempt(item->data(0, Qt::UserRole).toInt()); });
    m_bottom->addWidget(m_attemptList);
    m_configuration = new QPlainTextEdit;
    m_configuration->setReadOnly(true);
    m_configuration->setFrameShape(QFrame::NoFrame);
    m_configuration->setFont(fonts::fixed());
    m_configuration->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_configuration->setAccessibleName(tr("Configuration, secrets masked"));
    m_configuration->document()->setDocumentMargin(metrics::space3);
    m_bottom->addWidget(m_configuration);
    connect(m_tabs, &QTabBar::currentChanged, m_bottom, &QStackedLayout::setCurrentIndex);
    return bottom;
}

QString RunPage::title() const { return tr("%1 #%2").arg(m_job.name, QString::number(m_job.id)); }

void RunPage::setSummary(const JobSummary &job)
{
    if (job == m_job) {
        return;
    }
    m_job = job;
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
    m_board->setToolTip(tip);
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
    updateAttempts();
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
    m_tasks->setTasks(tasks);
    updateHead();
    followFailure();
    updateReason();
    if (tasks.isEmpty()) {
        m_log->setLog({}, {}, tr("The tasks appear here when the job starts."));
    }
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
    m_tasks->model()->setHostLabels(labels);
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
    updateServices();
    m_name->setText(m_job.name);
    m_number->setText(QStringLiteral("#%1").arg(m_job.id));
    m_state->setState(m_job.state);
    const bool active = !isFinal(m_job.state);
    m_stop->setEnabled(active && !m_job.stopRequested && m_job.state != State::Unknown);
    setWords(m_stop, m_job.stopRequested && active ? tr("Stopping…") : tr("Stop"));
    m_tasks->setCanRerun(!active && (m_attempts.isEmpty() || m_attempt == m_attempts.constLast().index));
    m_pause->setVisible(active);
    m_pause->setEnabled(!m_job.stopRequested && m_job.state != State::Unknown);
    setWords(m_pause, m_job.paused ? tr("Resume") : tr("Pause"));
    m_pause->setIcon(icon(m_job.paused ? QStringLiteral("run") : QStringLiteral("pause")));
    m_pause->setToolTip(m_job.paused ? tr("Let this job go on where it was halted")
                                     : tr("Halt the processes of this job; memory and GPUs stay taken"));
    m_rerun->setVisible(!active && m_job.counts.succeeded > 0 && m_job.counts.succeeded < m_job.counts.total());
    m_edit->setEnabled(!m_yaml.isEmpty());
    m_again->setEnabled(!m_yaml.isEmpty());
    m_folder->setEnabled(!m_runFolder.isEmpty());
    const int attempts = std::max<int>(int(m_attempts.size()), m_job.retries + 1);
    m_attemptButton->setVisible(attempts > 1);
    m_attemptButton->setText(tr("Attempt %1 of %2").arg(m_attempt + 1).arg(attempts));
    QMenu *menu = m_attemptButton->menu();
    menu->clear();
    for (const AttemptInfo &attempt : std::as_const(m_attempts)) {
        QAction *a = menu->addAction(tr("Attempt %1: %2").arg(attempt.index + 1).arg(stateText(attempt.state)), this,
            [this, index = attempt.index] { showAttempt(index); });
        a->setCheckable(true);
        a->setChecked(attempt.index == m_attempt);
    }
    tick();
    fitHead();
}

void RunPage::tick()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QString text;
    for (const AttemptInfo &attempt : std::as_const(m_attempts)) {
        if (attempt.index == m_attempt && &attempt != &m_attempts.constLast() && attempt.started && attempt.completed) {
            text = tr("after %1").arg(clockText(*attempt.completed - *attempt.started)); // a former one
        }
    }
    const qint64 span = m_job.completed.value_or(now) - m_job.countedFrom();
    if (!text.isEmpty()) {
    } else if (m_job.state == State::Waiting) {
        text = tr("for %1").arg(clockText(span));
    } else {
        text = isFinal(m_job.state) ? tr("after %1").arg(clockText(span)) : clockText(span);
    }
    const bool widthChanged = text.size() != m_duration->text().size();
    m_duration->setText(text);
    m_duration->setToolTip(m_job.retries > 0 ? tr("All attempts together, since the job was submitted: %1")
                                                   .arg(clockText(m_job.completed.value_or(now) - m_job.submitted))
                                             : QString());
    if (widthChanged) {
        fitHead();
    }
    if (!isFinal(m_job.state)) {
        m_tasks->tick(now);
    }
    if (m_heldBar->isVisibleTo(this)) {
        m_heldBar->setText(heldText(now));
    }
}

QString RunPage::heldText(qint64 now) const
{
    QStringList lines;
    for (const HeldTask &task : m_heldTasks.mid(0, mostHeldNamed)) {
        const int minutes = int(std::max<qint64>(0, task.until - now) + 59'999) / 60'000;
        lines.append(tr("<b>%1</b> failed with status %2 and is held open for %n more minute(s).", nullptr, minutes)
                         .arg(taskName(task.role, task.index).toHtmlEscaped(), exitNumber(task.status)));
    }
    if (m_heldTasks.size() > mostHeldNamed) {
        lines.append(tr("%n more task(s) are held too.", nullptr, int(m_heldTasks.size()) - mostHeldNamed));
    }
    return lines.join(QStringLiteral("<br>"));
}

// Failed tasks that stay for a look: how to enter them, and an end before their time.
void RunPage::updateHeld()
{
    if (m_heldTasks.isEmpty() || isFinal(m_job.state)) {
        m_heldBar->hide();
        return;
    }
    m_heldBar->show(InfoBar::Kind::Failed, heldText(QDateTime::currentMSecsSinceEpoch()));
    m_heldBar->setClosable(false);
    const HeldTask &first = m_heldTasks.constFirst();
    QPushButton *copy = m_heldBar->addAction(tr("Copy command to enter"));
    copy->setObjectName(QStringLiteral("copyEnter"));
    const QString command = QStringLiteral("trainyardctl exec %1 %2/%3")
                                .arg(QString::number(m_job.id), first.role, QString::number(first.index));
    copy->setToolTip(command);
    connect(copy, &QPushButton::clicked, this, [command] { QGuiApplication::clipboard()->setText(command); });
    QPushButton *release = m_heldBar->addAction(m_heldTasks.size() > 1 ? tr("Release all") : tr("Release"));
    release->setObjectName(QStringLiteral("releaseHeld"));
    release->setToolTip(tr("End it now; its result is that of the commands"));
    connect(release, &QPushButton::clicked, this, [this] {
        QStringList tasks;
        for (const HeldTask &task : std::as_const(m_heldTasks)) {
            tasks.append(task.role + QLatin1Char('/') + QString::number(task.index));
        }
        Q_EMIT releaseRequested(tasks);
    });
}

void RunPage::setWords(QPushButton *button, const QString &words)
{
    if (m_words.value(button) != words) {
        m_words[button] = words;
        button->setAccessibleName(words);
    }
}

// What has no room in the head loses its words, the least important button first, and then goes.
void RunPage::fitHead()
{
    m_name->setMinimumWidth(std::min(m_name->sizeHint().width(), leastNameWidth));
    m_number->show();
    m_duration->show();
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

void RunPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitHead();
}

// The task that ended the job is what one wants to read first.
void RunPage::followFailure()
{
    if (m_job.state != State::Failed) {
        return;
    }
    for (const AttemptInfo &attempt : std::as_const(m_attempts)) {
        if (attempt.index == m_attempt && attempt.triggerIndex >= 0) {
            m_tasks->suggestTask(attempt.triggerRole, attempt.triggerIndex);
        }
    }
}

void RunPage::updateReason()
{
    const QString reason = reasonText(m_job.reason, m_job.reasonArgs);
    const bool failed = m_job.state == State::Failed;
    m_failure->setVisible(failed);
    if (failed) {
        QString name;
        for (const AttemptInfo &attempt : std::as_const(m_attempts)) {
            if (attempt.index == m_attempt && attempt.triggerIndex >= 0) {
                name = attempt.triggerRole + QLatin1Char('-') + QString::number(attempt.triggerIndex);
            }
        }
        QString cause = name.isEmpty() ? tr("The job failed") : tr("%1 failed").arg(name);
        QString explanation = reason;
        if (m_job.exitCode) {
            const ExitText exit = exitText(*m_job.exitCode);
            if (!exit.phrase.isEmpty()) {
                cause = name.isEmpty() ? exit.phrase : name + QStringLiteral(": ") + exit.phrase;
            }
            QStringList sentences{tr("Exit code %1.").arg(exitNumber(*m_job.exitCode))};
            // What the output shows says more than what the code means in general.
            const QString solution = m_job.reasonArgs.value(QLatin1StringView("solution")).toString();
            const bool isFound = m_job.reason.startsWith(QLatin1StringView("exit.")) && !reason.isEmpty();
            for (const QString &part :
                {isFound ? reason : exit.reason, solution.isEmpty() ? exit.advice : solution, exit.retry}) {
                if (!part.isEmpty()) {
                    sentences.append(part);
                }
            }
            if (name.isEmpty() && !reason.isEmpty()) {
                sentences.prepend(reason); // no task tipped it: the job's own time limit, what it was to wait for
            }
            explanation = sentences.join(QLatin1Char(' '));
        }
        if (m_job.reason.startsWith(QLatin1StringView("after."))) {
            // Nothing of it ran: what its code means in general would only mislead.
            cause = failurePhrase(m_job.exitCode.value_or(0), m_job.reason, m_job.reasonArgs);
            explanation = reason + QLatin1Char(' ')
                + tr("\"Rerun all tasks as a new attempt\" in the menu of the jobs list runs it all the same.");
        }
        m_failure->setFailure(cause, explanation);
        const auto task = m_tasks->currentTask();
        const LogView *view = m_log->view();
        if (task && view->isComplete() && view->lineCount() > 0) {
            const qint64 first = std::max<qint64>(0, view->lineCount() - evidenceLines);
            m_failure->setEvidence(task->role + QLatin1Char('-') + QString::number(task->index), first,
                view->text(first, evidenceLines).split(QLatin1Char('\n')));
        } else {
            m_failure->setEvidence({}, 0, {});
        }
    }
    if ((m_job.state == State::Waiting || m_job.paused) && !reason.isEmpty()) {
        QStringList lines{reason};
        lines += waitDetails(m_job.reason, m_job.reasonArgs);
        for (QString &line : lines) {
            line = line.toHtmlEscaped();
        }
        m_bar->show(InfoBar::Kind::Waiting, lines.join(QStringLiteral("<br>")));
        m_bar->setClosable(false);
    } else if (m_job.state == State::Running && m_attempts.size() > 1) {
        const AttemptInfo &before = m_attempts.at(m_attempts.size() - 2);
        const qint64 took = before.started && before.completed ? *before.completed - *before.started : 0;
        QString text = tr("Attempt %1 ended after %2").arg(QString::number(before.index + 1), clockText(took));
        if (before.exitCode) {
            text += tr(" with exit code %1").arg(exitNumber(*before.exitCode));
        }
        m_bar->show(InfoBar::Kind::Waiting, text.toHtmlEscaped() + tr("; the job was retried."));
        QPushButton *show = m_bar->addAction(tr("Show it"));
        connect(show, &QPushButton::clicked, this, [this, index = before.index] { showAttempt(index); });
    } else {
        m_bar->hide();
    }
}

void RunPage::updateAttempts()
{
    m_attemptList->clear();
    for (const AttemptInfo &attempt : std::as_const(m_attempts)) {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        QString trigger;
        if (!attempt.triggerRule.isEmpty()) {
            trigger = attempt.triggerRule == QLatin1String("minFailed")  ? tr("enough tasks failed")
                : attempt.triggerRule == QLatin1String("minSucceeded")   ? tr("enough tasks succeeded")
                : attempt.triggerRule == QLatin1String("completedTasks") ? tr("enough tasks ended")
                : attempt.triggerRule == QLatin1String("startFailed")    ? tr("a task could not be started")
                                                                         : tr("all tasks were done");
            if (attempt.triggerIndex >= 0) {
                trigger += QStringLiteral(", ") + attempt.triggerRole + QLatin1Char('-')
                    + QString::number(attempt.triggerIndex);
            }
        }
        auto *item = new QTreeWidgetItem({QString::number(attempt.index + 1), stateText(attempt.state),
            attempt.started ? formatTime(*attempt.started, now) : QString(),
            attempt.started && attempt.completed ? clockText(*attempt.completed - *attempt.started) : QString(),
            attempt.exitCode ? exitNumber(*attempt.exitCode) : QString(), trigger});
        item->setIcon(1, stateIcon(shapeOf(attempt.state)));
        item->setData(0, Qt::UserRole, attempt.index);
        m_attemptList->addTopLevelItem(item);
    }
}

void RunPage::showAttempt(int attempt)
{
    m_attemptChosen = attempt + 1 < m_attempts.size();
    Q_EMIT attemptRequested(attempt);
}

void RunPage::updateLog(const TaskInfo &task)
{
    const QString name = task.role + QLatin1Char('-') + QString::number(task.index);
    QString why = reasonText(task.reason, task.reasonArgs);
    if (why.isEmpty()) {
        why = task.state == State::Waiting ? tr("%1 waits; its output appears here when it starts.").arg(name)
                                           : tr("%1 has written nothing yet.").arg(name);
    }
    m_log->setLog(name, task.logFolder, why);
    if (!m_log->titleButton()->menu()) {
        auto *menu = new QMenu(m_log->titleButton());
        m_log->titleButton()->setMenu(menu);
        connect(menu, &QMenu::aboutToShow, this, [this, menu] {
            menu->clear();
            const QList<TaskInfo> tasks = m_tasks->model()->tasks();
            for (const TaskInfo &t : tasks.mid(0, 40)) {
                menu->addAction(stateIcon(shapeOf(t.state)), t.role + QLatin1Char('-') + QString::number(t.index), this,
                    [this, role = t.role, index = t.index] { m_tasks->setCurrentTask(role, index); });
            }
            if (tasks.size() > 40) {
                menu->addAction(tr("%n more in the list", nullptr, int(tasks.size()) - 40))->setEnabled(false);
            }
        });
    }
}

QByteArray RunPage::saveLayout() const
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << m_across->saveState() << m_down->saveState() << qint32(m_tabs->currentIndex());
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
        m_tabs->setCurrentIndex(tab);
    }
}

} // namespace trainyard
