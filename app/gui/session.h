// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <QVariant>

#include <atomic>
#include <functional>
#include <memory>

namespace trainyard
{

// The open pages, so that they can be restored: written beside the state, secrets masked.
struct SessionTab {
    QString kind; // of its page, as in PageRegistry
    QString path; // of a document, may be empty
    QString name; // shown name of an unsaved document
    QString uuid; // of a run; of a document without a file: of the run that its text came from
    QByteArray text; // of a document that is not in its file as it is; the file has it with masked secrets
    bool modified = false;
    bool masked = false; // text had secrets: they are gone
    QByteArray layout; // other data of its page, in its own form
    QByteArray base; // digest of the file that a modified text was made from
    QString origin = {}; // file of the job that a document without a file was made from
    bool edited = true; // since it was made; a document without a file may be as it was given
    bool earlier = false; // text is the last one that could be written: the newest cannot be read and may hold secrets
    QString target = {}; // where a document runs
    QStringList runs = {}; // that a document was submitted as, the newest last

    // Pages such as the welcome page, which any window has on request.
    bool isBare() const
    {
        return path.isEmpty() && name.isEmpty() && uuid.isEmpty() && text.isEmpty() && layout.isEmpty();
    }
};
struct Session {
    QList<SessionTab> tabs;
    int current = 0;
};

QString sessionFolder(); // <state>/autosave
QString sessionFile(); // of the first window; further ones have files of their own, see SessionStore
// load() gives an empty session when there is none or it cannot be read. A secret does not reach the disk: save() masks
// it. False: the file is as it was before.
Session loadSession(const QString &path = sessionFile());
bool saveSession(const Session &session, const QString &path = sessionFile());
// A text as it may be written there: secrets masked. One that cannot be read, half-written as it may be, is kept only
// when it has no word of secrets, however that is encoded; else nothing is, and a session keeps what it had.
QByteArray storable(const QByteArray &bytes);

QStringList sessionFiles(); // of all windows, open or not
void removeSession(const QString &path);

// Writes sessions into one file, one after the other; of waiting ones only the newest. A session is first written so
// that it outlives this program, which takes no longer than writing does, and then so that it outlives a power cut. A
// busy disk may take many seconds for the latter, so that happens on a separate thread and does not delay the next
// session.
class SessionWriter
{
public:
    // Puts the bytes at the path and returns when they are on the disk. Runs on a thread of the writer.
    using Confirm = std::function<bool(const QByteArray &bytes, const QString &path)>;
    explicit SessionWriter(const QString &path, Confirm confirmed = {});
    ~SessionWriter(); // when the last one is written
    void write(const Session &session);
    void finish();
    bool hasFailed() const { return m_failed; } // the newest one that was tried is not written: give it again

private:
    struct Waiting;
    void writeDown(const Session &session);

    QString m_path;
    Confirm m_confirm;
    std::atomic_bool m_failed = false;
    std::shared_ptr<Waiting> m_waiting;
    QThreadPool m_confirming; // goes last: the other one gives it work
    QThreadPool m_pool;
};

} // namespace trainyard
