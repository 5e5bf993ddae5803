// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/sshkeys.h"

#include <QFile>

#include <utility>

namespace trainyard
{

using namespace Qt::StringLiterals;

SshKeyMaker::SshKeyMaker(const QString &folder, Done done, std::chrono::milliseconds patience)
    : m_folder(folder + u"/key-XXXXXX"_s), m_done(std::move(done))
{
    m_limit.setSingleShot(true);
    m_limit.setInterval(patience);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        say(fail(u"ssh-key.slow"_s, {{u"seconds"_s, m_limit.interval() / 1000}}));
    });
    connect(&m_program, &QProcess::finished, this, &SshKeyMaker::ended);
    connect(&m_program, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            say(fail(u"ssh-key.missing"_s));
        }
    });
    // Never from here: the caller does not have it yet.
    QMetaObject::invokeMethod(
        this, [this] { start(); }, Qt::QueuedConnection);
}

SshKeyMaker::~SshKeyMaker()
{
    m_program.disconnect(this);
    if (m_program.state() != QProcess::NotRunning) {
        m_program.kill();
        m_program.waitForFinished(1000); // it has been killed: that it is gone is a matter of a moment
    }
}

void SshKeyMaker::start()
{
    if (!m_folder.isValid()) {
        say(fail(u"ssh-key.failed"_s, {{u"said"_s, m_folder.errorString()}}));
        return;
    }
    m_limit.start();
    m_program.setStandardInputFile(QProcess::nullDevice());
    m_program.start(u"ssh-keygen"_s,
        {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, QString(), u"-C"_s, u"trainyard"_s, u"-f"_s,
            m_folder.filePath(u"key"_s)});
}

void SshKeyMaker::ended(int code, QProcess::ExitStatus status)
{
    QFile privateKey(m_folder.filePath(u"key"_s));
    QFile publicKey(m_folder.filePath(u"key"_s) + u".pub"_s);
    if (status != QProcess::NormalExit || code != 0 || !privateKey.open(QIODevice::ReadOnly)
        || !publicKey.open(QIODevice::ReadOnly)) {
        const QString said = QString::fromUtf8(m_program.readAllStandardError()).trimmed();
        say(fail(u"ssh-key.failed"_s, {{u"said"_s, said}}));
        return;
    }
    say(SshKeyPair{privateKey.readAll(), publicKey.readAll()});
}

void SshKeyMaker::say(const Result<SshKeyPair> &result)
{
    m_limit.stop();
    m_program.disconnect(this);
    if (const Done done = std::exchange(m_done, nullptr)) {
        done(result);
    }
}

QUuid sshKeyId(const QUuid &job) { return QUuid::createUuidV5(job, u"ssh"_s); }

} // namespace trainyard
