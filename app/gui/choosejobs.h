// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QDialog>
#include <QSet>

class QCheckBox;
class QListWidget;
class QPushButton;

namespace trainyard
{

class EmptyState;
class FilterField;

// Asks which jobs to compare. Call open(); it deletes itself.
class ChooseJobs : public QDialog
{
    Q_OBJECT
public:
    // `chosen` are marked already; at least `least` have to be.
    ChooseJobs(const QList<JobSummary> &jobs, const QStringList &chosen, int least, QWidget *parent);
    QListWidget *list() const { return m_list; }
    FilterField *field() const { return m_field; }

Q_SIGNALS:
    void jobsChosen(const QStringList &uuids);

private:
    QStringList chosen() const;
    void filter();
    void update();
    void showEmpty(bool on);

    int m_least;
    QList<JobSummary> m_jobs; // of each row
    FilterField *m_field;
    QListWidget *m_list;
    EmptyState *m_empty;
    QCheckBox *m_all = nullptr;
    QPushButton *m_compare;
    bool m_isMarkingAll = false;
};

} // namespace trainyard
