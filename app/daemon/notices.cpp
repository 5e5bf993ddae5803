// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/daemon/notices.h"

#include "engine/client/paths.h"
#include "engine/daemon/engine.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QProcess>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int lastMomentMs = 2000; // the next engine waits 5 s for this one, which has other things to end

qint64 evenMs()
{
    static const QElapsedTimer timer = [] {
        QElapsedTimer begun;
        begun.start();
        return begun;
    }();
    return timer.elapsed();
}

} // namespace

Notices::Notices(Engine &engine) : m_engine(engine), m_desktop(new DesktopNotices)
{
    qRegisterMetaType<QList<NoticeWords>>();
    m_desktop->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_desktop, &QObject::deleteLater);
    connect(m_desktop, &DesktopNotices::logRequested, this, &Notices::openWindow);
    connect(m_desktop, &DesktopNotices::runAgainRequested, this, &Notices::runAgain);
    connect(m_desktop, &DesktopNotices::failed, this, [this](const QString &why) {
        if (why != m_deskTrouble) {
            m_deskTrouble = why;
            say(tr("The desktop shows no notices: %1").arg(why));
        }
    });
    connect(m_desktop, &DesktopNotices::shown, this, [this] {
        m_isDesktopBusy = false;
        lookWhetherFinished();
    });
    connect(&m_hooks, &NoticeHooks::failed, this, &Notices::say);
    connect(&m_hooks, &NoticeHooks::becameIdle, this, &Notices::lookWhetherFinished);
    m_lastMoment.setSingleShot(true);
    connect(&m_lastMoment, &QTimer::timeout, this, &Notices::finished);
    m_thread.setObjectName(u"notices"_s);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Notices::tell);
    connect(&engine, &Engine::noticed, this, &Notices::take);
    connect(&engine, &Engine::settingsChanged, this,
        [this] { m_hooks.setAddress(m_engine.settings().value("notify.webhook"_L1).toString()); });
}

Notices::~Notices()
{
    if (m_thread.isRunning()) {
        m_thread.quit();
        m_thread.wait();
    } else {
        delete m_desktop;
    }
}

void Notices::say(const QString &sentence) { qWarning("%s", qPrintable(sentence)); }

void Notices::take(const JobNotice &notice)
{
    const qint64 now = evenMs();
    m_batch.add(notice, now);
    if (m_isFinishing) {
        tell();
    } else if (!m_timer.isActive()) {
        m_timer.start(int(m_batch.dueAt() - now));
    }
}

void Notices::tell()
{
    const QList<JobNotice> notices = m_batch.take(evenMs());
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const QJsonObject settings = m_engine.settings();
    const QJsonObject json = noticeJson(notices, now);
    QStringList command;
    const QJsonArray words = settings.value("notify.command"_L1).toArray();
    for (const QJsonValue &word : words) {
        command.append(word.toString());
    }
    m_hooks.run(command, json);
    m_hooks.post(settings.value("notify.webhook"_L1).toString(), json);
    const QString bus = qEnvironmentVariable("DBUS_SESSION_BUS_ADDRESS");
    if (!settings.value("notify.desktop"_L1).toBool() || bus.isEmpty()) {
        return;
    }
    if (!m_thread.isRunning()) {
        m_thread.start(); // only if notices are enabled
    }
    QMetaObject::invokeMethod(
        m_desktop, [desktop = m_desktop, all = noticeWords(notices, now), bus] { desktop->show(all, bus); });
}

void Notices::finish()
{
    if (m_isFinishing) {
        return;
    }
    m_isFinishing = true;
    m_timer.stop();
    if (!m_batch.isEmpty()) {
        tell();
    }
    if (m_thread.isRunning()) {
        m_isDesktopBusy = true;
        QMetaObject::invokeMethod(m_desktop, &DesktopNotices::sayWhenShown);
    }
    m_lastMoment.start(lastMomentMs);
    lookWhetherFinished();
}

void Notices::lookWhetherFinished()
{
    if (m_lastMoment.isActive() && !m_isDesktopBusy && !m_hooks.isBusy()) {
        m_lastMoment.stop();
        Q_EMIT finished();
    }
}

// The window that is there already comes to the front.
void Notices::openWindow(const QString &uuid) const
{
    const QString window = paths::program(u"trainyard"_s);
    if (window.isEmpty() || !QProcess::startDetached(window, {u"--show-run"_s, uuid})) {
        qWarning("The window cannot be opened: the program trainyard is missing.");
    }
}

void Notices::runAgain(const QString &uuid)
{
    m_engine.whenReady(this, [this, uuid] {
        const Result<SubmitReply> done = m_engine.submissionOf(uuid).and_then(
            [this](const SubmitRequest &again) { return m_engine.submit(again); });
        if (!done) {
            say(errorText(done.error()));
            openWindow(uuid); // where it can be said what is missing
        }
    });
}

} // namespace trainyard
