// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"
#include "engine/api/values.h"
#include "widgets/log/evidencereader.h"

#include <QObject>

#include <memory>

class QTimer;

namespace trainyard
{

// A line of the output of one try of a task.
struct LoggedLine {
    QString task; // "worker/0"
    int number = 0; // of the try, from 0
    qint64 line = 0; // of the whole log, from 0
};

// Keeps the lines of the output of a task that show why it failed. They are read from its whole log, on another thread
// and whatever is shown of a log meanwhile, and again while more of it may come, as from another host.
class EvidenceSeeker : public QObject
{
    Q_OBJECT
public:
    explicit EvidenceSeeker(QObject *parent);
    ~EvidenceSeeker() override;

    struct Found {
        QString task; // "worker/0"; empty: nothing is sought
        int number = 0; // of its try, from 0
        QString title; // the task and, if it was tried again, the try
        LogEvidence evidence;
        LoggedLine at(qint64 line) const { return {task, number, line}; }
    };
    // In the output of this task, as it is now, what the finding names; an empty one: its last lines.
    void seek(const std::optional<TaskInfo> &task, const FailureFacts &finding);
    const Found &found() const { return m_found; }

Q_SIGNALS:
    void changed(); // what is found

private:
    struct Subject {
        QString task;
        QString folder;
        int number = 0, tries = 0;
        bool isFinal = false;
        EvidenceReader::Wanted wanted;
        friend bool operator==(const Subject &, const Subject &) = default;
    };
    static Subject subjectOf(const std::optional<TaskInfo> &task, const FailureFacts &finding);
    void read();
    void take(const EvidenceReader *of, const LogEvidence &evidence);
    void forgetReader();
    Subject m_subject;
    Found m_found;
    std::shared_ptr<EvidenceReader> m_reader; // one thread has it at a time
    bool m_isReading = false;
    QTimer *m_again;
};

} // namespace trainyard
