// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;

namespace trainyard
{

class InfoBar;

// Brings chosen files of a task to this computer: how many they are and where to first, then how far it is. Knows no
// engine: values are set from outside, wishes come out as signals. Closing it before the end cancels.
class BringDialog : public QDialog
{
    Q_OBJECT
public:
    // `task` and `host` are for people.
    BringDialog(const QString &task, const QString &host, const QString &folder, QWidget *parent = nullptr);

    // The answer to lookWanted(). Files that are here already are not brought again.
    void setPreview(qsizetype files, qint64 bytes, qsizetype alreadyHere, const QStringList &notes);
    void setProgress(qsizetype filesDone, qint64 bytesDone, const QString &current);
    void addRemark(const QString &sentence); // of a file: it is left out, or has another name here
    // It is over: `problem` says why not all were tried.
    void setEnded(qsizetype brought, const QString &problem);
    QString folder() const; // absolute

Q_SIGNALS:
    void lookWanted(const QString &folder); // answer with setPreview(), or setEnded()
    void bringWanted(); // answer with setProgress() and setEnded()
    void cancelled(); // while files are brought or looked at

protected:
    void done(int result) override;

private:
    void chooseFolder();
    void look();
    void begin();
    void setBusy(bool on);

    QLabel *m_text;
    QLineEdit *m_folder;
    QPushButton *m_choose, *m_bring, *m_close;
    QProgressBar *m_progress;
    QListWidget *m_remarks;
    InfoBar *m_bar;
    qsizetype m_files = 0;
    qint64 m_bytes = 0;
    bool m_isBusy = false; // something is asked for
    bool m_isOver = false;
};

} // namespace trainyard
