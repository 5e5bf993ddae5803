// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/secretvault.h"
#include "model/yaml/yamlpath.h"

namespace trainyard
{

class FormContext;

// Takes the values of secrets out of the text into the keyring. A value leaves the text only when the keyring gives it
// back; otherwise everything stays as it is and the page says why, with what can be done.
class SecretMove : public QObject
{
    Q_OBJECT
public:
    enum class Purpose { Save, Text }; // the file is saved once they are moved, or the text alone changes

    SecretMove(FormContext *context, const YamlPath &secrets, QObject *parent);
    void move(const QStringList &names, Purpose purpose = Purpose::Save);
    // Moves the entry of the keyring and the remembered value to a new name; has no effect if there are none.
    void follow(const QString &from, const QString &to);

Q_SIGNALS:
    void moved(); // into the keyring, and out of the text

private:
    SecretVault::Values valuesInText(const QStringList &names, QStringList *others) const;
    void keep(const QString &job, const SecretVault::Values &values);
    void check(const QString &job, const SecretVault::Values &values);
    void takeOut(const QString &job, const SecretVault::Values &values);
    void mask(const QStringList &names, bool isAll);
    void remember(const QStringList &names) const; // in memory only
    QString withOutcome(const QString &sentence) const;
    void sayWhyNot(const Error &error, const SecretVault::Values &values);

    FormContext *m_context;
    YamlPath m_path;
    Purpose m_purpose = Purpose::Save;
};

} // namespace trainyard
