// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QMap>
#include <QObject>
#include <QStringList>

#include <functional>

namespace trainyard
{

// Where the values of secrets are kept that a document only names: the desktop's keyring, behind this interface so that
// the form needs no desktop. Values are kept by the name of the job and of the secret. Answers come on the thread of
// the receiver, later, and not at all when it is gone.
//
// Errors, each with a reason: keyring.none (there is none); the keyring refused to look up (keyring.not-read), to store
// (keyring.refused) or to delete (keyring.not-deleted).
class SecretVault : public QObject
{
    Q_OBJECT
public:
    using Values = QMap<QString, QString>; // by the secret's name
    using Found = std::function<void(const Result<Values> &)>;
    using Kept = std::function<void(const Result<void> &)>;

    explicit SecretVault(QObject *parent = nullptr) : QObject(parent) { }
    // Whether it is worth asking. False where it is known beforehand that no keyring answers.
    virtual bool isThere() const = 0;
    // The known values; a missing value is not an error.
    virtual void find(const QString &job, const QStringList &secrets, QObject *receiver, const Found &found) = 0;
    virtual void keep(const QString &job, const Values &values, QObject *receiver, const Kept &kept) = 0;
    // A missing value is not an error.
    virtual void forget(const QString &job, const QStringList &secrets, QObject *receiver, const Kept &forgotten) = 0;
};

} // namespace trainyard
