// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/secretvault.h"

#include <QByteArray>

namespace trainyard
{

// Values of secrets that were entered for Run, for as long as the program runs: by the name of the document and of the
// secret, as a SecretVault keeps them. They are in memory only, and overwritten when they are dropped. For one thread.
class SecretMemory : public QObject
{
    Q_OBJECT
public:
    explicit SecretMemory(QObject *parent = nullptr) : QObject(parent) { }
    ~SecretMemory() override;
    SecretMemory(const SecretMemory &) = delete;
    SecretMemory &operator=(const SecretMemory &) = delete;

    void remember(const QString &document, const SecretVault::Values &values);
    SecretVault::Values values(const QString &document, const QStringList &secrets) const; // those that are known
    void rename(const QString &document, const QString &from, const QString &to); // unless `to` is known
    // All values of a document also for another one, but for those that this has.
    void copy(const QString &document, const QString &other);
    void forget(const QString &document, const QStringList &secrets);
    void forgetAll();
    // Whether the secret has a value, also an empty one; unlike values() this makes no copy of it.
    bool knows(const QString &document, const QString &secret) const { return m_values.contains({document, secret}); }
    bool isEmpty() const { return m_values.isEmpty(); }

Q_SIGNALS:
    void changed();

private:
    using Name = std::pair<QString, QString>; // of the document, and of the secret
    bool drop(const Name &name);
    QMap<Name, QByteArray> m_values; // UTF-8, never shared: what is overwritten is the only one
};

} // namespace trainyard
