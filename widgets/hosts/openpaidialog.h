// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStringList>

class QLabel;
class QLineEdit;
class QPushButton;

namespace trainyard
{

class ColourLabel;
class InfoBar;

// What is set for an OpenPAI cluster, as it is typed.
struct OpenPaiEntry {
    QString name; // "lab"
    QString address, user;
    QString virtualCluster; // empty: default
    QString token; // empty: it stays
    bool isPlainAllowed = false; // by its setting
    friend bool operator==(const OpenPaiEntry &, const OpenPaiEntry &) = default;
};

// Asks for a new OpenPAI cluster, or for other settings of one. Knows no engine: saveRequested() comes with what can be
// used, and the dialog waits to be told what became of it. open() it, and it goes by itself.
class OpenPaiDialog : public QDialog
{
    Q_OBJECT
public:
    OpenPaiDialog(const QStringList &takenNames, QWidget *parent); // a new one
    OpenPaiDialog(const OpenPaiEntry &present, QWidget *parent); // its name stays
    void setSaveError(const QString &sentence); // it can be tried again
    void setSaved(); // closes it

Q_SIGNALS:
    void saveRequested(const trainyard::OpenPaiEntry &entry);

private:
    OpenPaiDialog(const OpenPaiEntry &present, const QStringList &takenNames, bool isNew, QWidget *parent);
    OpenPaiEntry entry() const;
    QString nameError(const QString &name) const; // empty: none
    void check();
    void setSaving(bool isSaving);

    const bool m_isNew, m_isPlainAllowed;
    const QStringList m_taken;
    QLineEdit *m_name, *m_address, *m_user, *m_cluster, *m_token;
    ColourLabel *m_nameError, *m_addressError, *m_userError;
    QWidget *m_fields;
    QLabel *m_progress;
    InfoBar *m_bar;
    QPushButton *m_save;
};

} // namespace trainyard
