// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/secretvault.h"

#include <QTimer>

// A keyring in memory, that answers later like a real one and can be away, refuse or forget.
class FakeVault : public trainyard::SecretVault
{
public:
    bool isThere() const override { return there; }
    void find(const QString &job, const QStringList &secrets, QObject *receiver, const Found &found) override
    {
        ++asked;
        if (silent) {
            waiting.append(found);
            return;
        }
        if (!unread.isEmpty()) {
            QTimer::singleShot(0, receiver, [found, code = unread] {
                found(trainyard::fail(code, {{QStringLiteral("reason"), QString()}}));
            });
            return;
        }
        Values known;
        for (const QString &secret : secrets) {
            if (const auto it = kept.constFind(job + u'/' + secret); it != kept.cend()) {
                known.insert(secret, *it);
            }
        }
        QTimer::singleShot(0, receiver, [found, known] { found(known); });
    }
    void keep(const QString &job, const Values &values, QObject *receiver, const Kept &done) override
    {
        for (auto it = values.cbegin(); it != values.cend() && !refuses && !forgets; ++it) {
            kept.insert(job + u'/' + it.key(), *it);
        }
        const trainyard::Result<void> answer = refuses
            ? trainyard::Result<void>(trainyard::fail(
                QStringLiteral("keyring.refused"), {{QStringLiteral("reason"), QStringLiteral("It is locked.")}}))
            : trainyard::Result<void>();
        QTimer::singleShot(0, receiver, [done, answer] { done(answer); });
    }
    void forget(const QString &job, const QStringList &secrets, QObject *receiver, const Kept &done) override
    {
        for (const QString &secret : secrets) {
            if (!refuses) {
                kept.remove(job + u'/' + secret);
            }
        }
        const trainyard::Result<void> answer = refuses
            ? trainyard::Result<void>(trainyard::fail(
                QStringLiteral("keyring.not-deleted"), {{QStringLiteral("reason"), QStringLiteral("It is locked.")}}))
            : trainyard::Result<void>();
        QTimer::singleShot(0, receiver, [done, answer] { done(answer); });
    }
    void reset()
    {
        kept.clear();
        there = true;
        refuses = false;
        forgets = false;
        silent = false;
        waiting.clear();
    }
    QMap<QString, QString> kept; // "job/secret"
    bool there = true;
    bool refuses = false;
    QString unread; // why nothing can be found: a code
    bool forgets = false; // says yes and keeps nothing
    bool silent = false; // does not answer what is asked for values
    QList<Found> waiting; // for an answer
    int asked = 0;
};
