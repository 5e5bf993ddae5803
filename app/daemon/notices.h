// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/daemon/desktopnotices.h"
#include "app/daemon/noticehooks.h"

#include <QThread>
#include <QTimer>

namespace trainyard
{

class Engine;

// Tells people what became of their jobs: on the desktop of the newest client, by a command and by a web address, as
// the settings notify.* say. Docs: docs/notifications.md.
class Notices : public QObject
{
    Q_OBJECT
public:
    explicit Notices(Engine &engine);
    ~Notices() override;

    // The engine is about to end: collected notices are sent now. finished() follows when they have arrived, or after a
    // moment, because another engine may wait for this one to end.
    void finish();

Q_SIGNALS:
    void finished();

private:
    void lookWhetherFinished();
    void take(const JobNotice &notice);
    void tell();
    void say(const QString &sentence); // that something does not work: in the log
    void openWindow(const QString &uuid) const;
    void runAgain(const QString &uuid);

    Engine &m_engine;
    NoticeBatch m_batch;
    QTimer m_timer;
    NoticeHooks m_hooks;
    QThread m_thread;
    DesktopNotices *m_desktop;
    QString m_deskTrouble; // said last
    QTimer m_lastMoment; // of finish()
    bool m_isFinishing = false, m_isDesktopBusy = false;
};

} // namespace trainyard
