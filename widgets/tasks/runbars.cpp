// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runbars.h"

#include "engine/api/jobfacts.h"
#include "engine/api/reasons.h"
#include "engine/api/tasklabel.h"
#include "widgets/common/buttonkeys.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/savednotice.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
constexpr int mostHeldNamed = 3;
}

RunBars::RunBars(QWidget *page)
    : QObject(page), m_page(page), m_wait(new InfoBar(page)), m_reason(new InfoBar(page)), m_held(new InfoBar(page)),
      m_error(new InfoBar(page))
{
    m_wait->setObjectName(QStringLiteral("runPageWait"));
    m_wait->setClosable(false);
    for (InfoBar *bar : {m_wait, m_reason}) {
        bar->setJobLinks(true);
        connect(bar, &InfoBar::jobClicked, this, &RunBars::jobRequested);
        connect(bar, &InfoBar::settingClicked, this, &RunBars::settingRequested);
    }
}

void RunBars::addWaitTo(QBoxLayout *layout) { layout->addWidget(m_wait); }

void RunBars::addTo(QBoxLayout *layout)
{
    for (InfoBar *bar : {m_error, m_reason, m_held}) {
        layout->addWidget(bar);
    }
}

void RunBars::setView(const RunView &view)
{
    const JobSummary before = std::exchange(m_view, view).job;
    const JobSummary &job = view.job;
    if (job.uuid != before.uuid || !job.stopRequested) {
        m_stopBegan.reset();
    } else if (!before.stopRequested) {
        m_stopBegan = QDateTime::currentMSecsSinceEpoch();
    }
    const Told now = isUnheardStop(job)                                        ? Told::StopsUnheard
        : job.stopRequested && !isFinal(job.state)                             ? Told::Stops
        : job.reason == reason::WaitRetry::code && job.state == State::Waiting ? Told::WaitsForRetry
        : asksToCopy(job)                                                      ? Told::AsksToCopy
        : job.state == State::Succeeded && job.counts.failed > 0               ? Told::HasFailedTasks
        : job.state == State::Succeeded && view.isRehearsal && !view.promoted  ? Told::IsRehearsed
                                                                               : Told::Other;
    const bool isTold = std::exchange(m_told, now) == now && job.uuid == before.uuid;
    const bool hasReason = !reasonText(job.reason, view.reasonArgs()).isEmpty();
    if (now == Told::Other && job.state == State::Waiting && !job.paused && !isUnfollowed(job) && hasReason) {
        m_saidOnce.clear();
        m_reason->hide();
        showReason(m_wait, false);
        return;
    }
    m_wait->hide();
    const bool isOfHost = now == Told::Other
        && (job.state == State::Waiting || job.paused || isOutOfReach(job) || isUnfollowed(job)) && hasReason;
    if (!isOfHost) {
        m_hostOffered = {};
    }
    if (now == Told::StopsUnheard) {
        m_saidOnce.clear();
        if (isTold) {
            m_reason->setText(waitText());
            explainGiveUp(m_reason->findChild<QPushButton *>(QStringLiteral("giveUp")));
        } else {
            sayUnheard();
        }
    } else if (now == Told::Stops) {
        m_saidOnce.clear();
        if (isTold) {
            m_reason->setText(stopText(QDateTime::currentMSecsSinceEpoch()));
        } else {
            sayStopping();
        }
    } else if (now == Told::WaitsForRetry) {
        m_saidOnce.clear();
        if (isTold) {
            m_reason->setText(waitText());
        } else {
            sayWaitsForRetry();
        }
    } else if (now == Told::AsksToCopy) {
        m_saidOnce.clear();
        if (isTold) {
            m_reason->setText(waitText());
        } else {
            askToCopy();
        }
    } else if (now == Told::HasFailedTasks) {
        m_saidOnce.clear();
        if (!isTold) {
            m_reason->show(InfoBar::Kind::Waiting,
                tr("%n task(s) failed. The job succeeded all the same, because its completion policy allows that. "
                   "Choose a failed task to read its log.",
                    nullptr, job.counts.failed));
            m_reason->setClosable(true);
        }
    } else if (now == Told::IsRehearsed) {
        m_saidOnce.clear();
        if (!isTold) {
            offerOriginal();
        }
    } else if (isOfHost) {
        m_saidOnce.clear();
        showReason(m_reason, true);
    } else if (job.state == State::Stopped && job.reason == reason::StopWorse::code) {
        m_saidOnce.clear();
        m_reason->show(InfoBar::Kind::Info, waitText());
        m_reason->setClosable(true);
    } else if (job.state == State::Succeeded && !unreachedRuleText(job.results).isEmpty()) {
        m_saidOnce.clear();
        m_reason->show(InfoBar::Kind::Info, unreachedRuleText(job.results));
        m_reason->setClosable(true);
    } else if (job.state == State::Running && view.attempts.size() > 1) {
        sayRetried(view.attempts.at(view.attempts.size() - 2));
    } else if ((job.state == State::Running || job.state == State::Succeeded) && !view.unresolved.isEmpty()) {
        sayOnce(view.unresolved);
    } else {
        m_saidOnce.clear();
        m_reason->hide();
    }
}

// With the way to the page of the host that it is about. A button that is being pressed stays.
void RunBars::showReason(InfoBar *bar, bool isWarning)
{
    const QString host = m_view.job.reasonArgs.value(QLatin1StringView("host")).toString();
    if (!host.isEmpty() && bar->isVisibleTo(m_page)
        && m_hostOffered == std::pair<const InfoBar *, QString>(bar, host)) {
        bar->setText(waitText());
        return;
    }
    bar->show(isWarning ? InfoBar::Kind::Waiting : InfoBar::Kind::Waits, waitText());
    bar->setClosable(false);
    m_hostOffered = {bar, host};
    if (!host.isEmpty()) {
        QPushButton *show
            = bar->addAction(tr("Show %1").arg(m_view.reasonArgs().value(QLatin1StringView("host")).toString()));
        show->setObjectName(QStringLiteral("showHost"));
        show->setToolTip(plainTip(tr("Show the host on the page Hosts")));
        connect(show, &QPushButton::clicked, this, [this, host] { Q_EMIT hostRequested(host); });
    }
}

void RunBars::sayWaitsForRetry()
{
    m_reason->show(InfoBar::Kind::Waiting, waitText());
    m_reason->setClosable(false);
    QPushButton *retry = m_reason->addAction(tr("Retry now"));
    retry->setObjectName(QStringLiteral("retryNow"));
    pressOnceByDoubleClick(retry); // the second time, the job would be running
    connect(retry, &QPushButton::clicked, this, &RunBars::retryNowRequested);
}

void RunBars::askToCopy()
{
    m_reason->show(InfoBar::Kind::Waiting, waitText());
    m_reason->setClosable(false);
    for (const bool isCopied : {true, false}) {
        QPushButton *button = m_reason->addAction(isCopied ? tr("Copy it") : tr("Do not copy it"));
        button->setObjectName(isCopied ? QStringLiteral("copyWork") : QStringLiteral("refuseCopy"));
        button->setToolTip(plainTip(isCopied ? tr("The folder is not asked about again until it has doubled in size")
                                             : tr("The job fails and says what can be done")));
        connect(button, &QPushButton::clicked, this, [this, isCopied] { Q_EMIT copyAnswered(isCopied); });
    }
}

void RunBars::offerOriginal()
{
    m_reason->show(InfoBar::Kind::Info, tr("The rehearsal succeeded. The whole job has not been submitted yet."));
    m_reason->setClosable(true);
    QPushButton *submit = m_reason->addAction(tr("Submit the original…"));
    submit->setObjectName(QStringLiteral("submitOriginal"));
    submit->setToolTip(plainTip(tr("Open the document that this rehearsal tries out, to submit the whole job")));
    pressOnceByDoubleClick(submit);
    connect(submit, &QPushButton::clicked, this, &RunBars::originalRequested);
}

void RunBars::sayStopping()
{
    m_reason->show(InfoBar::Kind::Info, stopText(QDateTime::currentMSecsSinceEpoch()));
    m_reason->setClosable(false);
    QPushButton *kill = m_reason->addAction(tr("Kill now"));
    kill->setObjectName(QStringLiteral("killNow"));
    kill->setToolTip(
        plainTip(tr("Do not wait for the end of the grace period. What the tasks would still save is lost.")));
    connect(kill, &QPushButton::clicked, this, [this, kill] {
        kill->setEnabled(false);
        Q_EMIT killRequested();
    });
}

void RunBars::explainGiveUp(QPushButton *button) const
{
    if (button) {
        button->setToolTip(plainTip(m_view.job.reason == reason::StopHostAway::code
                ? tr("End the job here. What the host has of it may still run there.")
                : tr("End the job here. What the cluster has of it may still run there.")));
    }
}

void RunBars::sayUnheard()
{
    m_reason->show(InfoBar::Kind::Waiting, waitText());
    m_reason->setClosable(false);
    QPushButton *giveUp = m_reason->addAction(tr("Give up"));
    giveUp->setObjectName(QStringLiteral("giveUp"));
    explainGiveUp(giveUp);
    connect(giveUp, &QPushButton::clicked, this, &RunBars::giveUpRequested); // again, where the engine was away
}

// How long the tasks still have, as far as it is known here.
QString RunBars::stopText(qint64 now) const
{
    if (!m_view.graceSeconds) {
        return tr("The tasks are asked to end. Those that do not are killed after the grace period.");
    }
    const qint64 grace = *m_view.graceSeconds * 1000;
    if (!m_stopBegan) {
        return tr("The tasks are asked to end. Those that do not are killed after the grace period of %1.")
            .arg(clockText(grace));
    }
    const qint64 left = *m_stopBegan + grace - now;
    return left > 0 ? tr("The tasks are asked to end. Those that do not are killed in %1.").arg(clockText(left + 999))
                    : tr("The grace period is over. What is left of the tasks is killed now.");
}

// Line by line, but for a sentence and one more, which are a paragraph.
QString RunBars::waitText() const
{
    const QJsonObject args = m_view.reasonArgs();
    QStringList lines{reasonText(m_view.job.reason, args)};
    lines += waitDetails(m_view.job.reason, args);
    const bool isParagraph = lines.size() == 2 && lines.constLast().endsWith(u'.');
    for (QString &line : lines) {
        line = line.toHtmlEscaped();
    }
    return lines.join(isParagraph ? QStringLiteral(" ") : QStringLiteral("<br>"));
}

void RunBars::sayRetried(const AttemptInfo &before)
{
    const qint64 took
        = before.started && before.completed ? ranMsIn(m_view.job.pauses, *before.started, *before.completed) : 0;
    const QString number = QString::number(before.index + 1);
    const bool hadSucceeded = before.state == State::Succeeded;
    const QString text = hadSucceeded
        ? tr("Attempt %1 succeeded after %2; the job was run again.").arg(number, clockText(took))
        : before.exitCode ? tr("Attempt %1 ended after %2 (%3); the job was retried.")
                                .arg(number, clockText(took), exitWords(*before.exitCode, before.triggerRawExit))
                          : tr("Attempt %1 ended after %2; the job was retried.").arg(number, clockText(took));
    if (sayOnce(text, !hadSucceeded)) {
        const QPushButton *show = m_reason->addAction(tr("Show it"));
        connect(show, &QPushButton::clicked, this, [this, index = before.index] { Q_EMIT attemptChosen(index); });
    }
}

// The job changes all the time: a button that is being pressed stays, and a closed bar stays away.
bool RunBars::sayOnce(const QString &text, bool isWarning)
{
    if (text == m_saidOnce) {
        return false;
    }
    m_saidOnce = text;
    m_reason->show(isWarning ? InfoBar::Kind::Waiting : InfoBar::Kind::Info, text.toHtmlEscaped());
    m_reason->setClosable(true);
    return true;
}

// How to enter the tasks, and how to end them before their time.
void RunBars::setKeptTasks(qint64 job, const QList<KeptTask> &tasks)
{
    if (tasks == m_keptTasks) {
        return; // a button that is being pressed stays
    }
    m_keptTasks = tasks;
    if (tasks.isEmpty()) {
        m_held->hide();
        return;
    }
    m_held->show(InfoBar::Kind::Failed, heldText(QDateTime::currentMSecsSinceEpoch()));
    m_held->setClosable(false);
    const KeptTask &first = tasks.constFirst();
    QPushButton *copy = m_held->addAction(tr("Copy command to enter"));
    copy->setObjectName(QStringLiteral("copyEnter"));
    const QString command = QStringLiteral("trainyardctl exec %1 %2").arg(QString::number(job), taskLabel(first));
    copy->setToolTip(plainTip(command));
    connect(copy, &QPushButton::clicked, this, [command] { QGuiApplication::clipboard()->setText(command); });
    QPushButton *release = m_held->addAction(tasks.size() > 1 ? tr("Release all") : tr("Release"));
    release->setObjectName(QStringLiteral("releaseHeld"));
    release->setToolTip(tr("End it now; its result is that of the commands"));
    connect(release, &QPushButton::clicked, this, &RunBars::requestRelease);
}

QString RunBars::heldText(qint64 now) const
{
    QStringList lines;
    for (const KeptTask &task : m_keptTasks.mid(0, mostHeldNamed)) {
        const int minutes = int(std::max<qint64>(0, task.until - now) + 59'999) / 60'000;
        const QString name = taskLabel(task);
        lines.append(tr(
            "<b>%1</b> failed with exit status %2 and is kept for inspection for %n more minute(s).", nullptr, minutes)
                         .arg(name.toHtmlEscaped(), exitNumber(task.status)));
    }
    if (m_keptTasks.size() > mostHeldNamed) {
        lines.append(tr("%n more task(s) are kept, too.", nullptr, int(m_keptTasks.size()) - mostHeldNamed));
    }
    return lines.join(QStringLiteral("<br>"));
}

void RunBars::requestRelease()
{
    QStringList tasks;
    for (const KeptTask &task : std::as_const(m_keptTasks)) {
        tasks.append(taskLabel(task));
    }
    Q_EMIT releaseRequested(tasks);
}

void RunBars::setError(const QString &sentence, bool failed)
{
    // A request that goes well says nothing about a file that was saved meanwhile.
    static const QString topic = QStringLiteral("request");
    if (sentence.isEmpty()) {
        m_error->hideIfOf(topic);
    } else {
        m_error->show(failed ? InfoBar::Kind::Failed : InfoBar::Kind::Info, sentence.toHtmlEscaped());
        m_error->setTopic(topic);
    }
}

void RunBars::setSaved(const QString &file) { saySaved(m_error, file); }

void RunBars::tick(qint64 now)
{
    if (m_told == Told::Stops && m_view.job.stopRequested && !isFinal(m_view.job.state)) {
        m_reason->setText(stopText(now)); // it counts down
    } else if (m_view.job.reason == QLatin1StringView("wait.retry") && m_reason->isVisibleTo(m_page)) {
        m_reason->setText(waitText()); // it counts down
    }
    if (m_held->isVisibleTo(m_page)) {
        m_held->setText(heldText(now));
    }
}

int RunBars::shownHeight() const
{
    int height = 0;
    for (const InfoBar *bar : {m_wait, m_error, m_reason, m_held}) {
        height += bar->isVisibleTo(m_page) ? bar->height() : 0;
    }
    return height;
}

} // namespace trainyard
