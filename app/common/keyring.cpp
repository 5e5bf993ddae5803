// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/keyring.h"

#include <QPointer>
#include <QTimer>
#include <qt6keychain/keychain.h>

#include <memory>

namespace trainyard
{
namespace
{

const QString service = QStringLiteral("trainyard");
QString keyOf(const QString &job, const QString &secret) { return job + QLatin1Char('/') + secret; }

// `refusal`: the code that says what was not done.
Error errorOf(const QKeychain::Job &job, const QString &refusal)
{
    const bool none = job.error() == QKeychain::NoBackendAvailable || job.error() == QKeychain::NotImplemented;
    return {none ? QStringLiteral("keyring.none") : refusal, {{QStringLiteral("reason"), job.errorString()}}};
}

Error noBus() { return {QStringLiteral("keyring.none"), {{QStringLiteral("reason"), QString()}}}; }

// One answer for several requests that run at the same time.
struct Gathered {
    int open = 0;
    std::optional<Error> error;
    SecretVault::Values values;
    QString refusal; // the code for it
    bool mayBeMissing = false; // a missing entry is not an error
};

// Answers a change that has nothing to do, or for which there is no keyring.
void answerSoon(bool isThere, QObject *receiver, const SecretVault::Kept &done)
{
    const Result<void> answer = isThere ? Result<void>() : Result<void>(tl::unexpected(noBus()));
    QTimer::singleShot(0, receiver, [done, answer] { done(answer); });
}

// Starts one of several changes. A request outlives the window that made it, and deletes itself.
void start(QKeychain::Job *request, const QString &key, const std::shared_ptr<Gathered> &all, QObject *receiver,
    const SecretVault::Kept &done)
{
    request->setKey(key);
    QObject::connect(
        request, &QKeychain::Job::finished, request, [request, all, guard = QPointer<QObject>(receiver), done] {
            const bool isMissing = request->error() == QKeychain::EntryNotFound && all->mayBeMissing;
            if (request->error() != QKeychain::NoError && !isMissing) {
                all->error = errorOf(*request, all->refusal);
            }
            if (--all->open == 0 && guard) {
                done(all->error ? Result<void>(tl::unexpected(*all->error)) : Result<void>());
            }
        });
    request->start();
}

} // namespace

// Without a session bus there is none to ask, and asking would wait for it.
bool Keyring::isThere() const { return !qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS"); }

void Keyring::find(const QString &job, const QStringList &secrets, QObject *receiver, const Found &found)
{
    if (!isThere() || secrets.isEmpty()) {
        const Result<Values> answer = isThere() ? Result<Values>(Values()) : Result<Values>(tl::unexpected(noBus()));
        QTimer::singleShot(0, receiver, [found, answer] { found(answer); });
        return;
    }
    const auto all = std::make_shared<Gathered>();
    all->open = int(secrets.size());
    for (const QString &secret : secrets) {
        auto *request = new QKeychain::ReadPasswordJob(service, this); // deletes itself
        request->setKey(keyOf(job, secret));
        connect(request, &QKeychain::Job::finished, receiver, [request, secret, all, found] {
            if (request->error() == QKeychain::NoError) {
                all->values.insert(secret, request->textData());
            } else if (request->error() != QKeychain::EntryNotFound) {
                all->error = errorOf(*request, QStringLiteral("keyring.not-read"));
            }
            if (--all->open == 0) {
                // The values of one of them are useful even if another one failed.
                found(all->error && all->values.isEmpty() ? Result<Values>(tl::unexpected(*all->error))
                                                          : Result<Values>(all->values));
            }
        });
        request->start();
    }
}

void Keyring::keep(const QString &job, const Values &values, QObject *receiver, const Kept &kept)
{
    if (!isThere() || values.isEmpty()) {
        answerSoon(isThere(), receiver, kept);
        return;
    }
    const auto all = std::make_shared<Gathered>();
    all->open = int(values.size());
    all->refusal = QStringLiteral("keyring.refused");
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        auto *request = new QKeychain::WritePasswordJob(service);
        request->setTextData(*it);
        start(request, keyOf(job, it.key()), all, receiver, kept);
    }
}

void Keyring::forget(const QString &job, const QStringList &secrets, QObject *receiver, const Kept &forgotten)
{
    if (!isThere() || secrets.isEmpty()) {
        answerSoon(isThere(), receiver, forgotten);
        return;
    }
    const auto all = std::make_shared<Gathered>();
    all->open = int(secrets.size());
    all->refusal = QStringLiteral("keyring.not-deleted");
    all->mayBeMissing = true;
    for (const QString &secret : secrets) {
        start(new QKeychain::DeletePasswordJob(service), keyOf(job, secret), all, receiver, forgotten);
    }
}

} // namespace trainyard
