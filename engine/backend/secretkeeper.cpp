// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/secretkeeper.h"

#include "engine/client/paths.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <fcntl.h>
#include <unistd.h>

namespace trainyard
{

using namespace Qt::StringLiterals;

SecretKeeper::SecretKeeper(const QString &runtimeFolder)
{
    for (const QString &folder : {runtimeFolder, QString(u"/dev/shm/trainyard-"_s + QString::number(::getuid()))}) {
        if (!folder.isEmpty() && paths::isTmpfs(folder) && paths::ensurePrivateFolder(folder)
            && paths::ensurePrivateFolder(folder + u"/secrets"_s)) {
            m_folder = folder + u"/secrets"_s;
            m_isOwn = folder == runtimeFolder;
            return;
        }
    }
}

QString SecretKeeper::fileOf(const QUuid &job) const { return m_folder + u'/' + job.toString(QUuid::WithoutBraces); }

void SecretKeeper::keep(const QUuid &job, const Value &secrets)
{
    m_known.insert(job, secrets);
    if (m_folder.isEmpty()) {
        return;
    }
    const QByteArray bytes = QJsonDocument(QJsonArray{secrets.toJson()}).toJson(QJsonDocument::Compact);
    const QByteArray path = QFile::encodeName(fileOf(job));
    const QByteArray beside = path + ".new";
    const int fd = ::open(beside.constData(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    const bool whole = fd >= 0 && ::write(fd, bytes.constData(), std::size_t(bytes.size())) == bytes.size();
    if (fd >= 0) {
        ::close(fd);
    }
    if (!whole || ::rename(beside.constData(), path.constData()) != 0) {
        ::unlink(beside.constData());
        ::unlink(path.constData()); // the next daemon must not take those of before for these
    }
}

std::optional<Value> SecretKeeper::secretsOf(const QUuid &job)
{
    const auto it = m_known.constFind(job);
    if (it != m_known.cend()) {
        return *it;
    }
    QFile file(fileOf(job));
    if (m_folder.isEmpty() || !file.open(QIODevice::ReadOnly)) {
        return std::nullopt;
    }
    const QJsonArray one = QJsonDocument::fromJson(file.readAll()).array();
    if (one.size() != 1) {
        return std::nullopt;
    }
    return *m_known.insert(job, Value::fromJson(one.first()));
}

void SecretKeeper::forget(const QUuid &job)
{
    m_known.remove(job);
    if (!m_folder.isEmpty()) {
        QFile::remove(fileOf(job));
    }
}

void SecretKeeper::forgetOthers(const QSet<QUuid> &jobs)
{
    if (m_folder.isEmpty() || !m_isOwn) {
        return;
    }
    const QStringList names = QDir(m_folder).entryList(QDir::Files | QDir::Hidden);
    for (const QString &name : names) {
        const QUuid job = QUuid::fromString(name);
        const bool isWhole = job.toString(QUuid::WithoutBraces) == name; // it was written to its end
        if (!isWhole || !jobs.contains(job)) {
            QFile::remove(m_folder + u'/' + name);
        }
    }
}

} // namespace trainyard
