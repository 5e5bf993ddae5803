// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/tasks/runfiles.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QStackedLayout;
class QTimer;
class QTreeWidget;
class QTreeWidgetItem;

namespace trainyard
{

class EmptyState;
class SegmentedControl;

// The files of a try, as they are on this computer, with a preview of texts and images: those that Trainyard writes
// and, of a task that ran here, those of its work folder. Everything is read on other threads.
class FilesView : public QWidget
{
    Q_OBJECT
public:
    explicit FilesView(QWidget *parent = nullptr);
    // Of the try that is shown; `hostLabel` is empty when it runs on this computer. Nothing: no task.
    void setTry(const std::optional<TaskInfo> &task, const QString &hostLabel);
    QWidget *controls() const { return m_controls; } // for the row of tabs
    QTreeWidget *list() const { return m_list; }
    QString previewText() const; // as it is shown; empty for an image

Q_SIGNALS:
    void openRequested(const QString &path); // a file or a folder, with another program
    void terminalRequested(const trainyard::TaskInfo &task); // in the folder, where it ran

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void makeControls();
    QString root() const; // the folder that is listed; empty: none
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
    QTreeWidget *m_list;
    QStackedLayout *m_pages, *m_previews;
    QPlainTextEdit *m_text;
    QLabel *m_image;
    EmptyState *m_empty, *m_noPreview;
    QTimer *m_timer;
    bool m_isLooking = false;
};

} // namespace trainyard
