// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/filedialog.h"
#include "widgets/log/lineprefix.h"

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
    void setRun(const QString &name, qint64 number) { m_run = savedRunName(name, number); } // whose logs they are
    // Where to? The log that is shown now, whatever is chosen while the user types a file name.
    void ask(const QString &title, const LogSourceFactory &source, const LinePrefix &prefix);
    bool isSaving() const { return !m_saver.isNull(); }

Q_SIGNALS:
    void changed(); // isSaving()

private:
    void save(const LogSourceFactory &source, const LinePrefix &prefix, const QString &path);
    void offerCancel();
    void end();
    QWidget *m_pane;
    QString m_run; // the beginning of the suggested names
    InfoBar *m_bar;
    QPointer<LogSaver> m_saver; // while a log is being written
};

} // namespace trainyard
