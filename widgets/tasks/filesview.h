// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/base/result.h"
#include "widgets/tasks/runfiles.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QStackedLayout;
class QTimer;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace trainyard
{

class ElidedLabel;
class EmptyState;
class SegmentedControl;

// The files of a try, as they are on this computer, with a preview of texts and images: those that Trainyard writes
// and, of a task that ran here, those of its work folder. Of a task on another host it lists those of the work folder
// there, and some can be brought here; a folder that the host shares with this computer is read here. Everything is
// read on other threads, or set from outside.
class FilesView : public QWidget
{
    Q_OBJECT
public:
    explicit FilesView(QWidget *parent = nullptr);
    // The try that is shown; `hostLabel` is empty when it runs on this computer. Nothing: no task.
    void setTry(const std::optional<TaskInfo> &task, const QString &hostLabel);
    // The answer to hostFilesWanted(); of another task or attempt than the one shown it is passed over.
    void setHostFiles(const TaskInfo &task, const Result<api::TaskFileList> &told);
    void setBrought(const QList<BroughtFiles> &brought); // of the job: what its rule has brought here
    QWidget *controls() const { return m_controls; } // for the row of tabs
    QTreeWidget *list() const { return m_list; }
    QString previewText() const; // as it is shown; empty for an image

Q_SIGNALS:
    void openRequested(const QString &path); // a file or a folder, with another program
    void hostFilesWanted(const trainyard::TaskInfo &task); // those of its work folder, wherever that is
    void bringRequested(const trainyard::TaskInfo &task, const QStringList &globs); // to this computer
    void terminalRequested(const trainyard::TaskInfo &task); // in the folder, where it ran

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    enum Root { TryRoot, WorkRoot };
    static constexpr int filePathRole = Qt::UserRole;

    void makeControls();
    QString root() const; // the folder that is listed; empty: none
    bool isOnHost() const; // what is listed is not on this computer
    bool isShared() const; // what is listed is there and here
    void updateBrought();
    void bringSelected();
    void updateActions();
    void look();
    void setFiles(const QString &folder, const RunFiles &files);
    void showPreview();
    void setPreview(const QString &path, const FilePreview &preview);
    void showMenu(const QPoint &at);
    QString pathOf(const QTreeWidgetItem *item) const;

    std::optional<TaskInfo> m_task;
    QString m_hostLabel, m_workFolder;
    RunFiles m_files;
    QString m_listed; // the folder that m_files is of
    QString m_shown; // the file that the preview is of
    QWidget *m_controls;
    SegmentedControl *m_which;
    QLabel *m_note;
    ElidedLabel *m_broughtLine;
    QToolButton *m_bring = nullptr, *m_openFolder = nullptr;
    QList<BroughtFiles> m_brought;
    QTreeWidget *m_list;
    QStackedLayout *m_pages, *m_previews;
    QPlainTextEdit *m_text;
    QLabel *m_image;
    EmptyState *m_empty, *m_noPreview;
    QTimer *m_timer;
    bool m_isLooking = false;
    bool m_sharesWork = false; // m_workFolder is of a task elsewhere, whose host has the same one
};

} // namespace trainyard
