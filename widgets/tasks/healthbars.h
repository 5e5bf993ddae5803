// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QList>
#include <QObject>

class QBoxLayout;
class QPushButton;
class QWidget;

namespace trainyard
{

class InfoBar;

// The health marks of a run, above the tabs of its page: a bar for each of the newest marks, with what was seen and two
// actions. A closed bar stays away until its mark changes.
class HealthBars : public QObject
{
    Q_OBJECT
public:
    explicit HealthBars(QWidget *page);
    void addTo(QBoxLayout *layout); // of the page
    void setJob(const JobSummary &job);
    int shownHeight() const; // of the bars that are there now

Q_SIGNALS:
    void showRequested(const trainyard::HealthMark &mark); // where it is to be seen
    void silenceRequested(const QString &kind); // marks of this kind, of all jobs

private:
    struct Bar {
        InfoBar *bar = nullptr;
        HealthMark mark;
    };
    void show(Bar &bar, const HealthMark &mark, const QString &text);

    QWidget *m_page;
    QString m_job; // uuid
    QList<Bar> m_bars;
    QList<HealthMark> m_closed;
};

} // namespace trainyard

Q_DECLARE_METATYPE(trainyard::HealthMark)
