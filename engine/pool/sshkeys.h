// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>
#include <QTimer>
#include <QUuid>

#include <chrono>
#include <functional>

namespace trainyard
{

struct SshKeyPair {
    QByteArray privateKey, publicKey;
};

// Makes a new pair for the tasks of one job, by ssh-keygen in `folder` (private, better in memory), where nothing of it
// stays. It usually takes some milliseconds; on a computer without free resources it may take long, so nothing waits
// for it. `done` is called once, from the event loop, unless the maker is destroyed first. Errors: "ssh-key.missing"
// (there is no ssh-keygen), "ssh-key.slow" {seconds}, "ssh-key.failed" {said}.
class SshKeyMaker : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(const Result<SshKeyPair> &)>;
    SshKeyMaker(const QString &folder, Done done, std::chrono::milliseconds patience = std::chrono::seconds(10));
    ~SshKeyMaker() override;

private:
    QTemporaryDir m_folder; // 0700
    Done m_done;
    QTimer m_limit;
    QProcess m_program;

    void start();
    void ended(int code, QProcess::ExitStatus status);
    void say(const Result<SshKeyPair> &result);
};

// Under which the SecretKeeper has the pair of a job.
QUuid sshKeyId(const QUuid &job);

} // namespace trainyard
