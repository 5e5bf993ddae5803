// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/sessionstore.h"

#include "engine/client/paths.h"

#include <QFile>
#include <QThread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace trainyard
{
namespace
{

constexpr int mostWindows = 1000;
constexpr int heldElsewhere = -2;
constexpr int dyingMs = 3000; // that a killed window has to release its file; a large one takes its time
constexpr int aliveMs = 50; // a signal that has been sent may not have come yet
constexpr int lookMs = 10;

QString fileOf(int window)
{
    return window == 1
        ? sessionFile()
        : sessionFolder() + QStringLiteral("/session-") + QString::number(window) + QStringLiteral(".json");
}

// Whether the program that holds the lock is on its way out: it has given up its memory, and its files go next.
bool isDying(int lock)
{
    std::array<char, 16> digits{};
    if (::pread(lock, digits.data(), digits.size() - 1, 0) <= 0) {
        return false;
    }
    QFile words(QStringLiteral("/proc/%1/cmdline").arg(QString::fromLatin1(digits.data())));
    return !words.open(QIODevice::ReadOnly) || words.readAll().isEmpty();
}

// A descriptor that holds the lock until it is closed; -1 where no lock can be had at all. The file of the lock stays:
// were it removed, two windows could each lock one of its name. It names the program that holds it.
int lockOf(const QString &file)
{
    const QByteArray path = QFile::encodeName(file + QStringLiteral(".lock"));
    const int lock = ::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0) {
        return lock;
    }
    for (int waited = 0; ::flock(lock, LOCK_EX | LOCK_NB) != 0; waited += lookMs) {
        const bool isHeld = errno == EWOULDBLOCK;
        if (!isHeld || waited >= (isDying(lock) ? dyingMs : aliveMs)) {
            ::close(lock);
            return isHeld ? heldElsewhere : -1;
        }
        QThread::msleep(lookMs);
    }
    const QByteArray holder = QByteArray::number(qint64(::getpid()));
    if (::ftruncate(lock, 0) != 0 || ::pwrite(lock, holder.constData(), size_t(holder.size()), 0) < 0) {
        return lock; // without the name, it holds all the same
    }
    return lock;
}

// Whether one tab can stand for both: neither has a text that the other one lacks.
bool isSame(const SessionTab &a, const SessionTab &b)
{
    if (a.kind != b.kind || a.path != b.path || a.name != b.name || a.uuid != b.uuid) {
        return false;
    }
    if (!a.path.isEmpty() || !a.uuid.isEmpty()) {
        return !a.modified || !b.modified || a.text == b.text;
    }
    return a.text == b.text && (!a.text.isEmpty() || a.layout == b.layout);
}

void append(Session &session, const Session &other)
{
    for (const SessionTab &tab : other.tabs) {
        const auto same = std::find_if(
            session.tabs.begin(), session.tabs.end(), [&tab](const SessionTab &open) { return isSame(open, tab); });
        if (same != session.tabs.end()) {
            *same = same->modified ? *same : tab;
        } else if (!tab.isBare()) {
            session.tabs.append(tab);
        }
    }
}

} // namespace

SessionStore::SessionStore() : m_file(sessionFile())
{
    if (!paths::ensurePrivateFolder(paths::stateFolder()) || !paths::ensurePrivateFolder(sessionFolder())) {
        return; // nothing can be written there either
    }
    for (int window = 1; window <= mostWindows; ++window) {
        m_lock = lockOf(fileOf(window));
        if (m_lock != heldElsewhere) {
            m_file = m_lock >= 0 ? fileOf(window) : m_file;
            return;
        }
    }
}

SessionStore::~SessionStore()
{
    if (m_lock >= 0) {
        ::close(m_lock);
    }
}

Session SessionStore::take() const
{
    Session session = loadSession(m_file);
    if (m_lock < 0) {
        return session;
    }
    const QStringList files = sessionFiles();
    for (const QString &file : files) {
        if (file == m_file) {
            continue;
        }
        const int lock = lockOf(file);
        if (lock < 0) {
            continue; // of a window that is open
        }
        if (const Session left = loadSession(file); !left.tabs.isEmpty()) {
            append(session, left);
            if (saveSession(session, m_file)) {
                removeSession(file);
            }
        }
        ::close(lock);
    }
    return session;
}

} // namespace trainyard
