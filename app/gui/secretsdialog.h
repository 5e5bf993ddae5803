// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QMap>
#include <QStringList>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace trainyard
{

// Asks for the secrets that a document only names. Values known to the desktop's keyring are filled in; on request new
// ones are kept there. Nothing is written anywhere else.
class SecretsDialog : public QDialog
{
    Q_OBJECT
public:
    SecretsDialog(const QString &jobName, const QStringList &keys, QWidget *parent = nullptr);
    QMap<QString, QString> values() const;

Q_SIGNALS:
    void valuesGiven(const QMap<QString, QString> &values);

private:
    void readKeyring();
    void finish();
    QString m_jobName;
    QMap<QString, QLineEdit *> m_fields;
    QCheckBox *m_keep;
    QPushButton *m_run;
};

} // namespace trainyard
