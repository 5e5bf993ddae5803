// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/secretvault.h"

namespace trainyard
{

// The keyring of this desktop, by way of QtKeychain.
class Keyring : public SecretVault
{
    Q_OBJECT
public:
    using SecretVault::SecretVault;
    bool isThere() const override;
    void find(const QString &job, const QStringList &secrets, QObject *receiver, const Found &found) override;
    void keep(const QString &job, const Values &values, QObject *receiver, const Kept &kept) override;
    void forget(const QString &job, const QStringList &secrets, QObject *receiver, const Kept &forgotten) override;
};

} // namespace trainyard
