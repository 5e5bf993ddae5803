// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/secretvault.h"

#include <QDialog>
#include <QMap>
#include <QPointer>
#include <QStringList>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace trainyard
{

// Asks for the secrets that a document only names. On request they are kept in the desktop's keyring. Nothing is
// written anywhere else.
class SecretsDialog : public QDialog
{
    Q_OBJECT
public:
    // `known`: what the vault gave already. Without a vault nothing can be kept.
    SecretsDialog(const QString &jobName, const QStringList &keys, SecretVault *vault,
        const SecretVault::Values &known = {}, QWidget *parent = nullptr);
    QMap<QString, QString> values() const;

Q_SIGNALS:
    void valuesGiven(const QMap<QString, QString> &values);

private:
    void finish();
    QString m_jobName;
    QPointer<SecretVault> m_vault;
    QMap<QString, QLineEdit *> m_fields;
    QCheckBox *m_keep;
    QCheckBox *m_empty; // an empty value is legal, but rarely meant
    QPushButton *m_run;
};

} // namespace trainyard
