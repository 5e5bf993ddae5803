// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/daemon/desktopnotices.h"

#include <QCoreApplication>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

const QString busName = u"trainyard-notices"_s;
const QString service = u"org.freedesktop.Notifications"_s;
const QString path = u"/org/freedesktop/Notifications"_s;
constexpr int asTheDesktopLikes = -1; // how long it is shown

} // namespace

DesktopNotices::~DesktopNotices()
{
    m_bus.reset();
    QDBusConnection::disconnectFromBus(busName);
}

bool DesktopNotices::connectTo(const QString &address)
{
    if (m_bus && m_bus->isConnected() && address == m_address) {
        return true;
    }
    m_bus.reset();
    QDBusConnection::disconnectFromBus(busName);
    m_shown.clear();
    m_address = address;
    if (address.isEmpty()) {
        return false;
    }
    m_bus = QDBusConnection::connectToBus(address, busName);
    if (!m_bus->isConnected()) {
        Q_EMIT failed(m_bus->lastError().message());
        return false;
    }
    m_bus->connect(service, path, service, u"ActionInvoked"_s, this, SLOT(takeAction(uint, QString)));
    m_bus->connect(service, path, service, u"NotificationClosed"_s, this, SLOT(forget(uint, uint)));
    return true;
}

void DesktopNotices::show(const QList<NoticeWords> &notices, const QString &busAddress)
{
    if (!connectTo(busAddress)) {
        return;
    }
    for (const NoticeWords &words : notices) {
        show(words);
    }
}

void DesktopNotices::show(const NoticeWords &words)
{
    QStringList actions;
    if (!words.job.isEmpty()) {
        actions << u"default"_s << QCoreApplication::translate("trainyard::Notices", "Show log") << u"log"_s
                << QCoreApplication::translate("trainyard::Notices", "Show log");
        if (words.canRunAgain) {
            actions << u"again"_s << QCoreApplication::translate("trainyard::Notices", "Run again");
        }
    }
    // 1 is normal, 2 stays until it is seen; nothing that a job does is that important.
    const QVariantMap hints{{u"urgency"_s, QVariant::fromValue(uchar(1))}, {u"desktop-entry"_s, u"trainyard"_s},
        {u"category"_s, words.isUrgent ? u"transfer.error"_s : u"transfer.complete"_s}};
    QDBusMessage call = QDBusMessage::createMethodCall(service, path, service, u"Notify"_s);
    // The text is markup there.
    call.setArguments({u"Trainyard"_s, uint(0), u"trainyard"_s, words.title, words.text.toHtmlEscaped(), actions, hints,
        asTheDesktopLikes});
    auto *watcher = new QDBusPendingCallWatcher(m_bus->asyncCall(call), this);
    ++m_unanswered;
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, job = words.job] {
        watcher->deleteLater();
        --m_unanswered;
        const QDBusPendingReply<uint> reply = *watcher;
        if (reply.isError()) {
            Q_EMIT failed(reply.error().message());
        } else if (!job.isEmpty()) {
            m_shown.insert(reply.value(), job);
        }
        lookWhetherShown();
    });
}

void DesktopNotices::sayWhenShown()
{
    m_isAsked = true;
    lookWhetherShown();
}

void DesktopNotices::lookWhetherShown()
{
    if (m_isAsked && m_unanswered == 0) {
        m_isAsked = false;
        Q_EMIT shown();
    }
}

void DesktopNotices::takeAction(uint id, const QString &action)
{
    const QString job = m_shown.value(id);
    if (job.isEmpty()) {
        return; // of another program
    }
    if (action == "again"_L1) {
        Q_EMIT runAgainRequested(job);
    } else {
        Q_EMIT logRequested(job);
    }
}

void DesktopNotices::forget(uint id, uint) { m_shown.remove(id); }

} // namespace trainyard
