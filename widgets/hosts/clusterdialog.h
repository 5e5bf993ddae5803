// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/hosts/clustersetup.h"

class QComboBox;
class QToolButton;

namespace trainyard
{

// The settings of a Slurm cluster, as typed.
struct ClusterEntry {
    QString name; // "lab"
    QString options; // of sbatch, in one line; may be empty
    QString folder; // that its nodes share; may be empty
    QString login = {}; // the host that has its commands; empty: this computer
    QString images = {}; // how tasks enter images: apptainer, pyxis; empty: they do not
    QString modules = {}; // that tasks load, separated by commas; may be empty
    friend bool operator==(const ClusterEntry &, const ClusterEntry &) = default;
};

// Asks for a new Slurm cluster, or for other settings of one. saveRequested() comes with what can be used.
class ClusterDialog : public ClusterSetup
{
    Q_OBJECT
public:
    ClusterDialog(const QStringList &takenNames, QWidget *parent); // a new one
    ClusterDialog(const ClusterEntry &present, QWidget *parent); // its name stays
    void setHosts(const QStringList &names); // by which a cluster can be reached, beside this computer
    void setLogin(const QString &host); // as if it were chosen; empty: this computer
    void setFolder(const QString &folder); // that was chosen after folderRequested()

Q_SIGNALS:
    void saveRequested(const trainyard::ClusterEntry &entry);
    void folderRequested(const QString &present); // may be empty

private:
    ClusterDialog(const ClusterEntry &present, const QStringList &takenNames, QWidget *parent);
    ClusterEntry entry() const;
    void check();

    QLineEdit *m_options, *m_modules, *m_folder;
    QComboBox *m_login, *m_images;
    ColourLabel *m_optionsError, *m_modulesError, *m_folderError;
    QLabel *m_folderHelp;
    QToolButton *m_browse;
};

} // namespace trainyard
