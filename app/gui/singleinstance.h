// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QStringList>

namespace trainyard
{

// One window program per user and display: a second start hands its files to the first and ends. The lock decides who
// is first, and is released when its holder ends in whatever way; the socket carries {"open": [...]}. A first one that
// is alive may be busy or still starting, so the second waits for it, and starts anyway only after a long time.
class SingleInstance : public QObject
{
    Q_OBJECT
public:
    struct Patience {
        int untilTold = 2000; // milliseconds, then waiting() says so
        int limit = 60'000; // milliseconds, then the second starts anyway
    };

    explicit SingleInstance(QObject *parent = nullptr);
    ~SingleInstance() override;

    // True: another window took the files (absolute paths) and this program should end. False: this is the first now,
    // or the first does not answer. Blocks as long as it waits.
    bool handOver(const QStringList &files, const Patience &patience);
    bool handOver(const QStringList &files) { return handOver(files, Patience()); }
    // Listens for later starts. What arrives before the event loop runs is kept for it. False: another program is
    // first, or the folder cannot be used.
    bool listen();

Q_SIGNALS:
    void openRequested(const QStringList &files);
    void waiting(); // the first is alive, but has not answered yet
    void gaveUp(); // it is alive, but has not answered in the whole time

private:
    enum class Lock { Ours, Theirs, Unusable };
    Lock takeLock();
    void accept();
    QString m_socketPath;
    QLocalServer m_server;
    int m_lock = -1; // the file; whether it is locked, takeLock() knows
};

} // namespace trainyard
