// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QStringList>

namespace trainyard
{

// One window program per user and display: a second start hands its files to the first and ends. The lock decides who
// is first; the socket carries {"open": [...]}. When the first does not answer in two seconds the second starts anyway.
class SingleInstance : public QObject
{
    Q_OBJECT
public:
    explicit SingleInstance(QObject *parent = nullptr);
    ~SingleInstance() override;

    // True: another window took the files (absolute paths) and this program should end.
    bool handOver(const QStringList &files);
    // Listens for later starts. False: somebody else is first, or the folder cannot be used.
    bool listen();

Q_SIGNALS:
    void openRequested(const QStringList &files);

private:
    void accept();
    QString m_socketPath;
    QLocalServer m_server;
    int m_lock = -1;
};

} // namespace trainyard
