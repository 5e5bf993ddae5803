// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStringList>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace trainyard
{

class ColourLabel;
class InfoBar;

// What is set for a Slurm cluster, as it is typed.
struct ClusterEntry {
    QString name; // "lab"
    QString options; // of sbatch, in one line; may be empty
    QString folder; // that its nodes share; may be empty
    QString login = {}; // the host that has its commands; empty: this computer
    QString images = {}; // how tasks enter images: apptainer, pyxis; empty: they do not
    friend bool operator==(const ClusterEntry &, const ClusterEntry &) = default;
};

// Asks for a new cluster, or for other settings of one. Knows no engine: saveRequested() comes with what can be used,
// and the dialog waits to be told what became of it. open() it, and it goes by itself.
class ClusterDialog : public QDialog
{
    Q_OBJECT
public:
    ClusterDialog(const QStringList &takenNames, QWidget *parent); // a new one
    ClusterDialog(const ClusterEntry &present, QWidget *parent); // its name stays
    void setHosts(const QStringList &names); // by which a cluster can be reached, beside this computer
    void setFolder(const QString &folder); // that was chosen after folderRequested()
    void setSaveError(const QString &sentence); // it can be tried again
    void setSaved(); // closes it

Q_SIGNALS:
    void saveRequested(const trainyard::ClusterEntry &entry);
    void folderRequested(const QString &present); // may be empty

private:
    ClusterDialog(const ClusterEntry &present, const QStringList &takenNames, bool isNew, QWidget *parent);
    ClusterEntry entry() const;
    QString nameError(const QString &name) const; // empty: none
    void check();
    void setSaving(bool isSaving);

    const bool m_isNew;
    const QStringList m_taken;
    QLineEdit *m_name, *m_options, *m_folder;
    QComboBox *m_login, *m_images;
    ColourLabel *m_nameError, *m_optionsError, *m_folderError;
    QLabel *m_folderHelp;
    QToolButton *m_browse;
    QWidget *m_fields;
    QLabel *m_progress;
    InfoBar *m_bar;
    QPushButton *m_save;
};

} // namespace trainyard
