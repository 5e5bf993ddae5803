// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/daemon/noticebatch.h"

#include <QDBusConnection>
#include <QHash>
#include <QObject>

#include <functional>

namespace trainyard
{

// Notices on the desktop, by org.freedesktop.Notifications on the session's bus. It lives on a separate thread, because
// connecting to a bus blocks. Without a bus, or without a program on it that shows notices, nothing happens.
class DesktopNotices : public QObject
{
    Q_OBJECT
public:
    ~DesktopNotices() override;

public Q_SLOTS:
    void show(const QList<trainyard::NoticeWords> &notices, const QString &busAddress);
    void sayWhenShown(); // shown(), once the desktop has answered for all that came before

Q_SIGNALS:
    void shown();
    void logRequested(const QString &uuid); // a button was pressed
    void runAgainRequested(const QString &uuid);
    void failed(const QString &why);

private Q_SLOTS:
    void takeAction(uint id, const QString &action);
    void forget(uint id, uint reason);

private:
    bool connectTo(const QString &address);
    void show(const NoticeWords &words);
    void lookWhetherShown();

    QString m_address;
    std::optional<QDBusConnection> m_bus;
    QHash<uint, QString> m_shown; // the job of a notice
    int m_unanswered = 0;
    bool m_isAsked = false; // whether all are shown
};

} // namespace trainyard

Q_DECLARE_METATYPE(trainyard::NoticeWords)
