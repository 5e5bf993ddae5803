// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/sweep/sweepdraft.h"

#include <QDialog>

class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QTreeView;

namespace trainyard
{

class EmptyState;
class InfoBar;
class SweepForm;
class SweepModel;

// Asks for the values of a sweep, and shows its jobs and what they ask for while they are typed. Other code submits the
// jobs and reports its progress.
class SweepDialog : public QDialog
{
    Q_OBJECT
public:
    SweepDialog(const QString &job, const SweepDraft &draft, QWidget *parent = nullptr);

    const SweepDraft &draft() const;
    const SweepPreview &preview() const { return m_preview; }
    // While the jobs are submitted, nothing can be changed, and Cancel means stopRequested().
    void setProgress(qsizetype done, qsizetype all);
    void setFailed(const QString &sentence); // it can be changed and tried again
    // The group that is made where this one is asked for, such as one with a number. The jobs are named after it.
    void setGroup(const QString &asked, const QString &made);

Q_SIGNALS:
    void changed(); // what is asked for
    void runRequested();
    void stopRequested();

public Q_SLOTS:
    void reject() override;

protected:
    void showEvent(QShowEvent *event) override;

private:
    void renew();
    void fitColumns();
    QString summary() const;

    SweepPreview m_preview;
    SweepForm *m_form;
    QScrollArea *m_scroll = nullptr; // around it
    SweepModel *m_model;
    QTreeView *m_table;
    EmptyState *m_none; // in the place of the table, before there are values
    QLabel *m_head;
    QLabel *m_demand;
    QLabel *m_shared; // the folder, by several jobs
    QLabel *m_rule; // what it comes to
    InfoBar *m_bar;
    QProgressBar *m_progress;
    QPushButton *m_run;
    QPushButton *m_cancel;
    QString m_askedGroup, m_madeGroup;
    bool m_isSubmitting = false;
};

} // namespace trainyard
