// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/labels.h"

#include <QHash>

class QPlainTextEdit;
class QTabBar;

namespace trainyard
{

class AttemptList;
class CurvesView;
class TryList;

// The pane below the tasks and the log of a run: its metrics, its attempts, the tries of the chosen task, and its
// configuration, each under a tab. It can be folded to the row of its tabs.
class RunHistory : public Ground
{
    Q_OBJECT
public:
    RunHistory();
    void setAttempts(const QList<AttemptInfo> &attempts, int shown);
    void setShownAttempt(int attempt);
    void setTries(const QList<TaskInfo> &tries, int shown, const QHash<QString, QString> &hostLabels,
        std::optional<int> attemptExit);
    void setConfiguration(const QByteArray &yaml);
    void tick(qint64 now);
    CurvesView *curves() const { return m_curves; }

    int tab() const; // a number that a saved layout may keep
    void setTab(int tab);
    bool isFolded() const { return m_folded; }
    void setFolded(bool on);

Q_SIGNALS:
    void attemptChosen(int attempt); // by hand
    void tryChosen(int number); // by hand
    void foldChosen(bool on); // by hand; answer with setFolded()
    void grew(); // it tells more than the head of the page: there are several attempts, or tries

private:
    QWidget *makeTabRow();
    void showControls();
    void explainTab();
    QTabBar *m_tabs;
    ElidedLabel *m_explanation; // of the word on the tab
    QWidget *m_body;
    AttemptList *m_attempts;
    TryList *m_tries;
    QPlainTextEdit *m_configuration;
    CurvesView *m_curves;
    QString m_task; // whose tries are listed
    bool m_folded = false;
};

} // namespace trainyard
