// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logsource.h"

#include <QObject>
#include <QPointer>

class QWidget;

namespace trainyard
{

class InfoBar;
class LogSaver;

// Saves a log to a file that is asked for, and says in the bar above the log how far it is, and what else is to be said
// there.
class LogSaving : public QObject
{
    Q_OBJECT
public:
    LogSaving(QWidget *pane, InfoBar *bar);
    void say(const QString &sentence);
    // Where to? The log that is shown now, whatever is chosen while the user types a file name.
    void ask(const QString &title, const LogSourceFactory &source);
    bool isSaving() const { return !m_saver.isNull(); }

Q_SIGNALS:
    void changed(); // isSaving()

private:
    void save(const LogSourceFactory &source, const QString &path);
    void offerCancel();
    void end();
    QWidget *m_pane;
    InfoBar *m_bar;
    QPointer<LogSaver> m_saver; // while a log is being written
};

} // namespace trainyard
