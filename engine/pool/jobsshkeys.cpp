// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/jobsshkeys.h"

#include "model/template/pluginsteps.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

bool JobSshKeys::isAwaited(const ActiveJob &job, const QUuid &tryUuid)
{
    if (!job.spec || !wantsSshKey(*job.spec) || m_secrets.secretsOf(sshKeyId(job.state.uuid))) {
        return false;
    }
    Wait &wait = m_waits[job.state.uuid];
    if (wait.pair || !wait.problem.isEmpty()) {
        return false; // its tasks say what that means for them
    }
    wait.tries.insert(tryUuid);
    if (!wait.maker) {
        const QString folder = m_secrets.folder().isEmpty() ? m_runtimeFolder : m_secrets.folder();
        wait.maker = std::make_unique<SshKeyMaker>(
            folder, [this, uuid = job.state.uuid](const Result<SshKeyPair> &pair) { keyMade(uuid, pair); });
    }
    return true;
}

void JobSshKeys::keyMade(const QUuid &uuid, const Result<SshKeyPair> &pair)
{
    const auto it = m_waits.find(uuid);
    if (it == m_waits.end()) {
        return;
    }
    it->second.maker.release()->deleteLater(); // it is what calls
    if (pair) {
        it->second.pair = Value(Value::Map{{u"private"_s, Value(QString::fromLatin1(pair->privateKey))},
            {u"public"_s, Value(QString::fromLatin1(pair->publicKey))}});
        m_secrets.keep(sshKeyId(uuid), *it->second.pair);
    } else {
        it->second.problem = pair.error().code;
    }
    const QSet<QUuid> tries = std::exchange(it->second.tries, {});
    Q_EMIT made(uuid, tries);
}

JobSshKeys::Pair JobSshKeys::pairOf(const QUuid &job)
{
    const auto part = [](const std::optional<Value> &kept, const QString &key) {
        const Value *value = kept ? kept->find(key) : nullptr;
        return value && value->asString() ? value->asString()->toUtf8() : QByteArray();
    };
    std::optional<Value> kept = m_secrets.secretsOf(sshKeyId(job));
    QString problem;
    if (const auto wait = m_waits.find(job); !kept && wait != m_waits.end()) {
        kept = wait->second.pair;
        problem = wait->second.problem;
    }
    return {part(kept, u"private"_s), part(kept, u"public"_s), problem};
}

void JobSshKeys::forget(const QUuid &job)
{
    m_secrets.forget(sshKeyId(job));
    m_waits.erase(job);
}

} // namespace trainyard
