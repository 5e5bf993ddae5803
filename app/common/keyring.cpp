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

Error errorOf(const QKeychain::Job &job)
{
    const bool none = job.error() == QKeychain::NoBackendAvailable || job.error() == QKeychain::NotImplemented;
    return {none ? QStringLiteral("keyring.none") : QStringLiteral("keyring.refused"),
        {{QStringLiteral("reason"), job.errorString()}}};
}

Error noBus() { return {QStringLiteral("keyring.none"), {{QStringLiteral("reason"), QString()}}}; }

// One answer for several requests that run at the same time.
struct Gathered {
    int open = 0;
    std::optional<Error> error;
    SecretVault::Values values;
};

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
                all->error = errorOf(*request);
            }
            if (--all->open == 0) {
                // What one of them gave is of use also when another one failed.
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
        const Result<void> answer = isThere() ? Result<void>() : Result<void>(tl::unexpected(noBus()));
        QTimer::singleShot(0, receiver, [kept, answer] { kept(answer); });
        return;
    }
    const auto all = std::make_shared<Gathered>();
    all->open = int(values.size());
    const QPointer<QObject> guard(receiver);
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        auto *request = new QKeychain::WritePasswordJob(service); // outlives its window, and deletes itself
        request->setKey(keyOf(job, it.key()));
        request->setTextData(*it);
        connect(request, &QKeychain::Job::finished, request, [request, all, guard, kept] {
            if (request->error() != QKeychain::NoError) {
                all->error = errorOf(*request);
            }
            if (--all->open == 0 && guard) {
                kept(all->error ? Result<void>(tl::unexpected(*all->error)) : Result<void>());
            }
        });
        request->start();
    }
}

void Keyring::forget(const QString &job, const QStringList &secrets, QObject *receiver, const Kept &forgotten)
{
    if (!isThere() || secrets.isEmpty()) {
        const Result<void> answer = isThere() ? Result<void>() : Result<void>(tl::unexpected(noBus()));
        QTimer::singleShot(0, receiver, [forgotten, answer] { forgotten(answer); });
        return;
    }
    const auto all = std::make_shared<Gathered>();
    all->open = int(secrets.size());
    const QPointer<QObject> guard(receiver);
    for (const QString &secret : secrets) {
        auto *request = new QKeychain::DeletePasswordJob(service); // outlives its window, and deletes itself
        request->setKey(keyOf(job, secret));
        connect(request, &QKeychain::Job::finished, request, [request, all, guard, forgotten] {
            if (request->error() != QKeychain::NoError && request->error() != QKeychain::EntryNotFound) {
                all->error = errorOf(*request);
            }
            if (--all->open == 0 && guard) {
                forgotten(all->error ? Result<void>(tl::unexpected(*all->error)) : Result<void>());
            }
        });
        request->start();
    }
}

} // namespace trainyard
