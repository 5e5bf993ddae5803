// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/sweep/sweepdraft.h"

#include <QObject>

namespace trainyard
{

class EngineClient;

// Hands the jobs of a sweep over to the engine, one after the other. Each has a key that follows from its group and its
// place, so that an engine that is lost meanwhile has none twice.
class SweepSubmission : public QObject
{
    Q_OBJECT
public:
    // `request`: what is the same for all; its text, key and group are filled in for each.
    SweepSubmission(EngineClient *client, const SweepDraft &draft, const SweepPreview &preview,
        const SubmitRequest &request, QObject *parent);

    // `group`: that of an interrupted submission of the same jobs, which is continued. Empty: a new group.
    void start(const QString &group = {});
    void stop(); // the job that is on its way is the last one
    qsizetype done() const { return m_done; }
    const QString &group() const { return m_group; } // that of the draft, or one with a number

Q_SIGNALS:
    void progressed(qsizetype done, qsizetype all);
    void finished(const QString &group); // all are submitted, or it was stopped and some are
    void failed(const trainyard::Error &error); // those before are submitted
    void stopped(); // before any was submitted

private:
    void chooseGroup();
    void submitNext();
    void take(const Result<SubmitReply> &reply);

    EngineClient *m_client;
    const YamlDocument m_document;
    const SweepPreview m_preview;
    const QString m_name; // of the draft
    SubmitRequest m_request;
    QString m_group;
    qsizetype m_done = 0;
    int m_lost = 0; // answers about the job that is on its way
    bool m_isStopped = false;
};

} // namespace trainyard
