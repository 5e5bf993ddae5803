// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/hosts/clustersetup.h"

class QComboBox;

namespace trainyard
{

// The settings of an OpenPAI cluster, as typed.
struct OpenPaiEntry {
    QString name; // "lab"
    QString address, user;
    QString virtualCluster; // empty: default
    QString token; // empty: it stays
    bool isPlainAllowed = false; // by its setting
    QString password = {}; // with which the cluster makes a token, instead of one
    friend bool operator==(const OpenPaiEntry &, const OpenPaiEntry &) = default;
};

// Asks for a new OpenPAI cluster, or for other settings of one. saveRequested() comes with what can be used.
class OpenPaiDialog : public ClusterSetup
{
    Q_OBJECT
public:
    OpenPaiDialog(const QStringList &takenNames, QWidget *parent); // a new one
    OpenPaiDialog(const OpenPaiEntry &present, QWidget *parent); // its name stays

Q_SIGNALS:
    void saveRequested(const trainyard::OpenPaiEntry &entry);

private:
    OpenPaiDialog(const OpenPaiEntry &present, const QStringList &takenNames, QWidget *parent);
    OpenPaiEntry entry() const;
    void check();
    bool isByPassword() const;
    void showLogin(); // what the chosen way asks for

    const bool m_isPlainAllowed;
    QLineEdit *m_address, *m_user, *m_cluster, *m_token;
    QComboBox *m_way;
    QLabel *m_tokenHelp;
    ColourLabel *m_addressError, *m_userError;
};

} // namespace trainyard
