// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/engineclient.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QStringList>

class QMessageBox;

namespace trainyard
{

class QuestionTurn;

// Asks whether the large work folder of a job is copied to another host, one job after the other. Each question is put
// once; the page of the run has it as long as the job waits. It goes when it was answered elsewhere.
class CopyQuestions : public QObject
{
    Q_OBJECT
public:
    // `turn`: shared with others that ask; without one it does not take turns.
    CopyQuestions(EngineClient *client, QWidget *window, QuestionTurn *turn = nullptr);

private:
    void take(const JobSummary &job);
    void drop(const QString &uuid);
    void askNext();

    EngineClient *m_client;
    QWidget *m_window;
    QuestionTurn *m_turn;
    QHash<QString, JobSummary> m_known; // that wait for an answer, by UUID
    QStringList m_waiting; // of these, that have yet to be asked about
    QString m_asked; // whose question is open
    QPointer<QMessageBox> m_box;
};

} // namespace trainyard
