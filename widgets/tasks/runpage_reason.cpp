// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobfacts.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QPushButton>

#include <algorithm>

// Why a run waits, failed or was tried again, and what is held of it.
namespace trainyard
{
namespace
{
constexpr qint64 evidenceLines = 4;
constexpr int mostHeldNamed = 3;

QString taskName(const QString &role, int index) { return role + QLatin1Char('-') + QString::number(index); }
} // namespace

QString RunPage::heldText(qint64 now) const
{
    QStringList lines;
    for (const HeldTask &task : m_heldTasks.mid(0, mostHeldNamed)) {
        const int minutes = int(std::max<qint64>(0, task.until - now) + 59'999) / 60'000;
        lines.append(
            tr("<b>%1</b> failed with exit status %2 and is held open for %n more minute(s).", nullptr, minutes)
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
    copy->setToolTip(plainTip(command));
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

// Why the job waits, line by line.
QString RunPage::waitText() const
{
    const QJsonObject args = withHostLabels(m_job.reasonArgs, m_tasks->model()->hostLabels());
    QStringList lines{reasonText(m_job.reason, args)};
    lines += waitDetails(m_job.reason, args);
    for (QString &line : lines) {
        line = line.toHtmlEscaped();
    }
    return lines.join(QStringLiteral("<br>"));
}

int RunPage::shownStatus() const
{
    const int code = m_job.exitCode.value_or(0);
    const int said = shownExit(code, m_job.reason, m_job.reasonArgs);
    return said == code && code > 0 && !m_attempts.isEmpty() && m_attempts.constLast().exitCode == code
        ? m_attempts.constLast().triggerRawExit.value_or(code)
        : said;
}

void RunPage::updateReason()
{
    const QJsonObject args = withHostLabels(m_job.reasonArgs, m_tasks->model()->hostLabels());
    const QString reason = reasonText(m_job.reason, args);
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
        bool mayGoWell = true;
        if (m_job.exitCode) {
            const ExitText exit = exitText(*m_job.exitCode);
            if (!exit.phrase.isEmpty()) {
                cause = name.isEmpty() ? exit.phrase : name + QStringLiteral(": ") + exit.phrase;
            }
            // The program's own status first: our code says how it was understood.
            const int status = shownStatus();
            QStringList sentences{status != *m_job.exitCode
                    ? tr("Exit status %1 (code %2).").arg(exitNumber(status), exitNumber(*m_job.exitCode))
                    : tr("Exit code %1.").arg(exitNumber(*m_job.exitCode))};
            // What the output shows says more than what the code means in general.
            const QString solution = m_job.reasonArgs.value(QLatin1StringView("solution")).toString();
            const bool isFound = m_job.reason.startsWith(QLatin1StringView("exit.")) && !reason.isEmpty();
            // The job is over: what could have begun it again is used up, or there was none.
            const QString retried = m_job.retries > 0 ? tr("This was attempt %1.").arg(m_job.retries + 1)
                : exit.countsRetries                  ? tr("It was not tried again: the job has no retries.")
                                                      : exit.retry;
            // A file that is missing is missing the next time, too.
            const bool isMissingFile
                = m_job.reasonArgs.value(QLatin1StringView("finding")) == QLatin1StringView("script-missing");
            mayGoWell = !exit.neverRetried && !isMissingFile;
            // No task tipped it: the job's own time limit, what it was to wait for. That says what to do as well, and
            // what the code means in general would say it again.
            const bool isOwn = name.isEmpty() && !reason.isEmpty() && !isFound;
            const QString meaning = isFound ? reason : exit.reason;
            const QString advice = solution.isEmpty() ? exit.advice : solution;
            for (const QString &part : {isOwn ? QString() : meaning, isOwn ? solution : advice, retried}) {
                if (!part.isEmpty()) {
                    sentences.append(part);
                }
            }
            if (isOwn) {
                sentences.prepend(reason);
            }
            explanation = sentences.join(QLatin1Char(' '));
        }
        if (m_job.reason.startsWith(QLatin1StringView("after."))) {
            // Nothing of it ran: what its code means in general would only mislead.
            cause = failurePhrase(m_job.exitCode.value_or(0), m_job.reason, m_job.reasonArgs);
            explanation = reason + QLatin1Char(' ')
                + tr("\"Rerun all tasks as a new attempt\" in the menu of the jobs list runs it all the same.");
        }
        m_failure->setFailure(cause, explanation, mayGoWell);
        m_failure->setRerun(canRerunFailed(m_job));
        m_failure->setDocument(!mayGoWell && !m_job.file.isEmpty());
        const LogView *view = m_log->view();
        if (m_tasks->currentTask() && view->isComplete() && view->lineCount() > 0) {
            const qint64 first = std::max<qint64>(0, view->lineCount() - evidenceLines);
            m_failure->setEvidence(m_log->title(), first, view->text(first, evidenceLines).split(QLatin1Char('\n')));
        } else {
            m_failure->setEvidence({}, 0, {});
        }
    }
    if ((m_job.state == State::Waiting || m_job.paused) && !reason.isEmpty()) {
        m_barText.clear();
        m_bar->show(InfoBar::Kind::Waiting, waitText());
        m_bar->setClosable(false);
    } else if (m_job.state == State::Running && m_attempts.size() > 1) {
        sayRetried(m_attempts.at(m_attempts.size() - 2));
    } else {
        m_barText.clear();
        m_bar->hide();
    }
    if (failed) {
        fitFailure(); // the bars above it came or went
    }
}

void RunPage::sayRetried(const AttemptInfo &before)
{
    const qint64 took = before.started && before.completed ? *before.completed - *before.started : 0;
    const QString number = QString::number(before.index + 1);
    const QString text = before.exitCode
        ? tr("Attempt %1 ended after %2 (%3); the job was retried.")
              .arg(number, clockText(took), exitWords(*before.exitCode, before.triggerRawExit))
        : tr("Attempt %1 ended after %2; the job was retried.").arg(number, clockText(took));
    if (text == m_barText) {
        return; // the job changes all the time: a button that is being pressed stays, and a closed bar stays away
    }
    m_barText = text;
    m_bar->show(InfoBar::Kind::Waiting, text.toHtmlEscaped());
    m_bar->setClosable(true);
    const QPushButton *show = m_bar->addAction(tr("Show it"));
    connect(show, &QPushButton::clicked, this, [this, index = before.index] { showAttempt(index); });
}

} // namespace trainyard
