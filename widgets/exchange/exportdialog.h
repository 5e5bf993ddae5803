// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/export/jobexport.h"

#include <QDialog>

#include <functional>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QLabel;
class QListWidget;
class QPushButton;
QT_END_NAMESPACE

namespace trainyard
{

class CodeView;
class EmptyState;
class InfoBar;

// A job as another system runs it: which one, the text, and what is different there. Knows no document and no file: it
// is given a function that exports, and asks for what is to be done with the text.
class ExportDialog : public QDialog
{
    Q_OBJECT
public:
    using Export = std::function<Result<Exported>(ExportTarget target, const ExportOptions &options)>;
    // `hasImages` says whether a role has an image, which Apptainer could run.
    ExportDialog(const QString &job, bool hasImages, Export make, QWidget *parent = nullptr);

    ExportTarget target() const;
    void setTarget(ExportTarget target);
    // The result of saving.
    void say(const QString &sentence, bool failed);

Q_SIGNALS:
    void copyRequested(const QByteArray &text);
    void saveRequested(const QByteArray &text, trainyard::ExportTarget target);
    // With a README beside it, for recipients of both.
    void folderRequested(
        const trainyard::Exported &exported, trainyard::ExportTarget target, const trainyard::ExportOptions &options);

private:
    ExportOptions options() const;
    void showText();
    void makeText();

    const Export m_make;
    QListWidget *m_targets;
    QCheckBox *m_apptainer;
    QLabel *m_about;
    InfoBar *m_bar;
    CodeView *m_bash, *m_yaml;
    EmptyState *m_nothing; // in the place of the text, where there is none
    QLabel *m_notesTitle;
    QListWidget *m_notes;
    QPushButton *m_copy, *m_saveFolder, *m_save;
    const bool m_hasImages;
    Result<Exported> m_exported = Exported();
};

} // namespace trainyard
