// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <functional>

class QFileDialog;
class QObject;
class QWidget;

namespace trainyard
{

// A dialog that asks for files or a folder, and goes when it is closed. The desktop's own where there is one; Qt's
// shows names in full.
QFileDialog *makeFileDialog(QWidget *window, const QString &title, const QString &at, const QString &filter);

// The suggestion of a dialog that saves a file.
struct SavedKind {
    QString name; // for people: "Comma-separated values"
    // With the dot; the first one is added to a name without a known extension. Without any, the name is unchanged.
    QStringList suffixes;
};

// `path`, with the suffix of the kind at `chosen` where it has that of no kind. Pure.
QString withSuffixOf(const QString &path, const QList<SavedKind> &kinds, qsizetype chosen);

// Where files are saved that have no place of their own: the folder of what was opened or saved last. GUI thread only.
void setSaveFolder(const QString &folder);
// The folder in which the program was started, if files are to be saved there: not the root, not the home folder, and
// none that this user cannot write into. GUI thread only.
void setStartFolder(const QString &folder);
// Where a dialog begins that has no place of its own: the folder of what was opened or saved last, else that in which
// the program was started, else the home folder. GUI thread only.
QString beginFolder();
// Where a dialog begins that asks for a folder and has `path`: there, else in the nearest folder above it that exists,
// else, where there is only the root, or the path is not absolute, in beginFolder(). GUI thread only.
QString beginFolderAt(const QString &path);
// No file is suggested to be saved in it or below it. GUI thread only.
void setFolderOfRuns(const QString &folder);

// Asks where a file is to be saved; `at` is what it suggests. For a name without a folder, or with one that is not
// there or is a folder of runs, it is beginFolder(). `chosen` is called with the
// whole name, once the user has agreed that a file of that name is replaced, and while `context` lives. Opened already,
// and deleted when it is closed. GUI thread only.
QFileDialog *askWhereToSave(QWidget *window, const QString &title, const QString &at, const QList<SavedKind> &kinds,
    const QObject *context, const std::function<void(const QString &path)> &chosen);

// Asks whether files that are there are replaced, by whole names; `agreed` is called when they are, and while `context`
// lives. GUI thread only.
void askToReplace(
    QWidget *window, const QStringList &paths, const QObject *context, const std::function<void()> &agreed);

// How the names of files begin that are saved of a job: "resnet-41". Number 0: it has none, as the run of another
// program.
QString savedRunName(const QString &name, qint64 number);

// The kinds that several places save.
QList<SavedKind> savedTables(); // CSV
QList<SavedKind> savedPlots(); // PDF, SVG and PNG

} // namespace trainyard
