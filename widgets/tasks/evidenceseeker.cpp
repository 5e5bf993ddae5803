// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/evidenceseeker.h"

#include "engine/api/tasklabel.h"
#include "widgets/common/aside.h"
#include "widgets/tasks/tasktries.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
// A lost task may never print anything again: then it is asked for less and less often.
constexpr int soonestMs = 200, latestMs = 5000;
} // namespace

EvidenceSeeker::EvidenceSeeker(QObject *parent) : QObject(parent), m_again(new QTimer(this))
{
    m_again->setSingleShot(true);
    connect(m_again, &QTimer::timeout, this, &EvidenceSeeker::read);
}

EvidenceSeeker::~EvidenceSeeker() { forgetReader(); }

EvidenceSeeker::Subject EvidenceSeeker::subjectOf(const std::optional<TaskInfo> &task, const FailureFacts &finding)
{
    if (!task || task->logFolder.isEmpty()) {
        return {};
    }
    Subject subject{
        taskLabel(*task), task->logFolder, TaskTries::newestBegun(*task), task->tries, isFinal(task->state), {}};
    // A status alone may say for certain what ended it: then the last line is only the last.
    if (subject.isFinal && finding.showsLine() && finding.certainty != QLatin1StringView("unknown")) {
        subject.wanted.line = finding.line - 1;
        subject.wanted.text = finding.text;
    }
    return subject;
}

void EvidenceSeeker::seek(const std::optional<TaskInfo> &task, const FailureFacts &finding)
{
    const Subject subject = subjectOf(task, finding);
    if (subject == m_subject) {
        return;
    }
    // The lines are kept until the same log is read for another finding.
    if (subject.folder != m_subject.folder || subject.task != m_subject.task) {
        m_found = {};
    }
    m_subject = subject;
    forgetReader();
    if (!subject.folder.isEmpty()) {
        m_reader = std::make_shared<EvidenceReader>(
            TryLogSource::factory(subject.folder, LogSource::Filter::Both), subject.wanted);
        read();
    }
}

void EvidenceSeeker::forgetReader()
{
    m_again->stop();
    m_again->setInterval(0);
    m_isReading = false;
    if (m_reader) {
        m_reader->cancel();
        m_reader.reset();
    }
}

void EvidenceSeeker::read()
{
    if (!m_reader || std::exchange(m_isReading, true)) {
        return;
    }
    runAside(this, [this, reader = m_reader]() -> std::function<void()> {
        const WaitAside wait;
        const LogEvidence evidence = reader->read();
        return [this, reader, evidence] { take(reader.get(), evidence); };
    });
}

void EvidenceSeeker::take(const EvidenceReader *of, const LogEvidence &evidence)
{
    if (of != m_reader.get()) {
        return; // another log is read since
    }
    m_isReading = false;
    LogEvidence shown = evidence;
    if (!evidence.isWhole && !m_subject.isFinal) {
        shown = {}; // it goes on to write: what is last now, and where, will not stay so
    }
    Found found{m_subject.task, m_subject.number, m_subject.task, shown};
    if (m_subject.tries > 0) { // as the head of the log has it
        found.title
            = tr("%1, try %2 of %3")
                  .arg(m_subject.task, QString::number(m_subject.number + 1), QString::number(m_subject.tries + 1));
    }
    const bool isOther = found.task != m_found.task || found.title != m_found.title || shown != m_found.evidence;
    if (!evidence.isWhole) {
        const int before = m_again->interval();
        m_again->start(isOther || before == 0 ? soonestMs : std::min(2 * before, latestMs));
    }
    if (isOther) {
        m_found = found;
        Q_EMIT changed();
    }
}

} // namespace trainyard
