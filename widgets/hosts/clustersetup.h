// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStringList>

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace trainyard
{

class ColourLabel;
class InfoBar;

// The common base of the dialogs that set up clusters. Its first field is the name; subclasses add the others to
// grid(). It knows no engine: the result of saving is set from outside. Call open(); it deletes itself.
class ClusterSetup : public QDialog
{
    Q_OBJECT
public:
    void setSaveError(const QString &sentence); // it can be tried again
    void setSaved(); // closes it

protected:
    struct Subject {
        QString kind; // begins the names of the widgets: "openPai"
        QString addTitle, changeTitle; // of the window
        QString name; // of the cluster; empty: a new one
        QStringList takenNames;
        int mostErrorLines = 4; // for which there is room
    };
    ClusterSetup(const Subject &subject, QWidget *parent);
    bool isNew() const { return m_isNew; }
    QGridLayout *grid() const { return m_grid; }
    QString name() const; // as it is typed
    // When all fields are there: the rest of the dialog, with the focus on the name or else on `first`.
    void finish(QWidget *first);
    void allowSaving(bool areOthersGood); // if the name is good, too

Q_SIGNALS:
    void nameChanged();
    void saveClicked(); // can be used; the dialog waits

private:
    QString nameError() const; // empty: none
    void setSaving(bool isSaving);

    const bool m_isNew;
    const Subject m_subject;
    QLineEdit *m_name;
    ColourLabel *m_nameError;
    QWidget *m_fields;
    QGridLayout *m_grid;
    QLabel *m_progress;
    InfoBar *m_bar;
    QPushButton *m_save = nullptr;
    bool m_isSaveAllowed = false;
};

} // namespace trainyard
