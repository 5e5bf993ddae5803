// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"

#include <QDialog>

class QCompleter;
class QLineEdit;
class QPlainTextEdit;

namespace trainyard
{

// Asks for the tags and the note of jobs. For several jobs it shows the tags that all of them have; tags are added or
// removed for all of them, and their notes stay.
class LabelsDialog : public QDialog
{
    Q_OBJECT
public:
    enum class Begin { Tags, Note };
    // `knownTags` are offered while one types.
    LabelsDialog(const QList<JobSummary> &jobs, const QStringList &knownTags, Begin begin, QWidget *parent = nullptr);

    api::LabelChange change() const; // what was typed, beside what there was

protected:
    void showEvent(QShowEvent *event) override;

private:
    QStringList typedTags() const;
    void completeTag();
    void insertTag(const QString &tag);

    QList<JobSummary> m_jobs;
    QStringList m_shown; // tags that were shown at first
    QStringList m_known;
    QLineEdit *m_tags;
    QPlainTextEdit *m_note;
    QCompleter *m_completer;
};

} // namespace trainyard
