// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"
#include "widgets/tasks/runview.h"

#include <QHash>

class QPushButton;
class QToolButton;

namespace trainyard
{

class ProgressBar;
class StateLabel;

// The head of a run's page: its name, its state, how long it has taken, which attempt is shown, and what can be done
// with it. What has no room loses its words, and then goes.
class RunHead : public Ground
{
    Q_OBJECT
public:
    RunHead();
    void setView(const RunView &view);
    void tick(qint64 now);
    void fit(); // into the width that it has: to be called when that has changed

Q_SIGNALS:
    void stopRequested();
    void pauseRequested(bool on);
    void retryRequested(); // of what failed
    void runAgainRequested();
    void editAsNewRequested();
    void openFolderRequested();
    void addressRequested(const QString &address); // of what a task serves
    void attemptChosen(int attempt);
    void focusDropped(); // the button that had the focus can no longer be pressed

private:
    QPushButton *addButton(const char *name, const QString &iconName, const QString &text, const QString &tip);
    void makeButtons();
    void updateButtons();
    void updateBoard();
    void makeTags();
    void updateTags();
    QString progressText(qint64 now) const;
    QString shortProgress() const; // if there is no room for all of it
    void setWords(QPushButton *button, const QString &words);
    void fillAttemptMenu();

    RunView m_view;
    ElidedLabel *m_name;
    QLabel *m_number;
    QWidget *m_tags; // with a sign and their names
    ElidedLabel *m_tagNames;
    StateLabel *m_state;
    QLabel *m_duration;
    ProgressBar *m_bar;
    QLabel *m_progress;
    QString m_wholeProgress;
    bool m_isProgressShort = false;
    QToolButton *m_attempt;
    QPushButton *m_board;
    QPushButton *m_stop;
    QPushButton *m_pause;
    QPushButton *m_retry;
    QPushButton *m_again;
    QPushButton *m_edit;
    QPushButton *m_folder;
    QHash<QPushButton *, QString> m_words; // left out if there is no room
};

} // namespace trainyard
