// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>
#include <QTreeWidget>

namespace trainyard
{

// The former and present entries, oldest first. The page shows the current row; a click or the arrow keys choose
// another one.
class HistoryList : public QTreeWidget
{
    Q_OBJECT
public:
    void setShown(int number); // of an attempt or a try, from 0
    // The pauses of the job that are over: times are without them, from the next rows or tick on.
    void setPauses(const QList<PauseSpan> &pauses) { m_pauses = pauses; }

Q_SIGNALS:
    void chosen(int number); // by hand

protected:
    HistoryList(const QString &name, const QStringList &heads);
    void setRow(
        int row, int number, const QStringList &texts, trainyard::State state); // the state is in the second column
    void setRowCount(int count);
    const QList<PauseSpan> &pauses() const { return m_pauses; }
    void fitColumns(); // to their words, up to a width at which the last one can still be read

private:
    bool m_setting = false;
    QList<PauseSpan> m_pauses;
};

// The attempts of a job.
class AttemptList : public HistoryList
{
    Q_OBJECT
public:
    AttemptList();
    static QString meaning(); // of the word
    void setAttempts(const QList<AttemptInfo> &attempts);
};

// The tries of one task within an attempt.
class TryList : public HistoryList
{
    Q_OBJECT
public:
    TryList();
    static QString meaning(const QString &task); // of the word; the task may be empty
    // Times go by for those that have not ended.
    void setTries(const QList<TaskInfo> &tries, const QHash<QString, QString> &hostLabels,
        std::optional<int> attemptExit, qint64 now);
    void tick(qint64 now);

private:
    QList<TaskInfo> m_tries;
};

} // namespace trainyard
