// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/codeplace.h"

#include <QObject>

class QMenu;

namespace trainyard
{

class LogPane;
class TasksPane;

// The way from a line of the output to the code that it names, for tasks that ran on this computer: an entry in the
// menu of the log, and what links in the words about a failure do. A name without a folder is looked for in the work
// folder of the task.
class CodeOpener : public QObject
{
    Q_OBJECT
public:
    CodeOpener(TasksPane *tasks, LogPane *log, QObject *parent);
    bool isHere() const; // the chosen task ran on this computer
    void open(const QString &file, int line);
    // found() reports whether open() can show a location here, each time this changes. Without a name, nothing is
    // searched for.
    void seek(const QString &file, int line);

Q_SIGNALS:
    void found(const QString &file, int line); // as it was named; empty: it is not here
    void openRequested(const QString &path, int line); // it is there
    void problem(const QString &sentence);

private:
    void addTo(QMenu *menu, const QString &text);
    struct Sought {
        QString file;
        int line = 0;
        QString logFolder; // of the task that names it
        friend bool operator==(const Sought &, const Sought &) = default;
    };
    TasksPane *m_tasks;
    Sought m_sought;
};

} // namespace trainyard
