// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobdocument.h"
#include "model/runtime/rehearsal.h"

#include <QDialog>
#include <QHash>

class QLabel;
class QLineEdit;
class QPushButton;

namespace trainyard
{

class NumberBox;

// Asks at which size a job is rehearsed (docs/rehearsals.md), and shows in what the rehearsal differs from the job.
// Call open(); it deletes itself.
class RehearseDialog : public QDialog
{
    Q_OBJECT
public:
    // `job` can run. `place` is the name of where the rehearsal runs.
    RehearseDialog(const ParseOutcome &job, const QString &place, QWidget *parent);
    NumberBox *time() const { return m_time; }
    NumberBox *gpus() const { return m_gpus; } // null: no role of the job has one
    QLineEdit *parameter(const QString &name) const { return m_parameters.value(name); }
    QStringList changes() const { return m_shown; }

Q_SIGNALS:
    void rehearsed(const trainyard::RehearsalWishes &wishes);

private:
    Result<RehearsalWishes> wishes() const;
    void update();

    ParseOutcome m_job;
    NumberBox *m_time, *m_gpus = nullptr;
    QHash<QString, QLineEdit *> m_parameters;
    QLabel *m_changes;
    QPushButton *m_run;
    QStringList m_shown;
};

} // namespace trainyard
