// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/secretvault.h"

#include <QDialog>
#include <QMap>
#include <QPointer>
#include <QStringList>

class QCheckBox;
class QLabel;
class QLabel;
class QLineEdit;
class QPushButton;

namespace trainyard
{

class SecretMemory;

// Asks for the secrets that a document only names. On request they are kept in the desktop's keyring, or remembered
// until the program ends. They are not written anywhere else.
class SecretsDialog : public QDialog
{
    Q_OBJECT
public:
    // `known`: the values from the vault. Without a vault no value can be kept.
    SecretsDialog(const QString &jobName, const QStringList &keys, SecretVault *vault,
        const SecretVault::Values &known = {}, QWidget *parent = nullptr);
    // Fills the empty fields with remembered values, and offers to remember new ones. Not owned.
    void setMemory(SecretMemory *memory, bool isTicked);
    // They are those of a stored run, which keeps no values. Fields that are empty are filled with `values`, those that
    // its file has, and it is said where they come from.
    void setStoredRun(const QString &file, const SecretVault::Values &values);
    void setKeyringSilent(); // it was asked for the values and has not answered
    QMap<QString, QString> values() const;

Q_SIGNALS:
    void valuesGiven(const QMap<QString, QString> &values);

private:
    void finish();
    void describe();
    QString origin() const; // a sentence or two: why they are asked for, and where values that stand there are from
    QString m_jobName;
    QPointer<SecretVault> m_vault;
    QPointer<QObject> m_memory;
    QMap<QString, QLineEdit *> m_fields;
    bool m_isOfRun = false;
    bool m_isKeyringSilent = false;
    QString m_file; // of that run
    SecretVault::Values m_filled; // from that file
    QLabel *m_help;
    QCheckBox *m_keep;
    QCheckBox *m_remember;
    QCheckBox *m_empty; // an empty value is legal, but rarely meant
    QPushButton *m_run;
};

} // namespace trainyard
