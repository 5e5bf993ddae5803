// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/sweepsubmission.h"

#include "app/gui/controllers/freegroup.h"
#include "engine/client/engineclient.h"

namespace trainyard
{
SweepSubmission::SweepSubmission(EngineClient *client, const SweepDraft &draft, const SweepPreview &preview,
    const SubmitRequest &request, QObject *parent)
    : QObject(parent), m_client(client), m_document(YamlDocument::parse(draft.yaml)), m_preview(preview),
      m_name(draft.group), m_request(request), m_group(draft.group)
{
    m_request.groupLimit = draft.limit;
    m_request.stopWorse = draft.stopWorse;
}

void SweepSubmission::start(const QString &group)
{
    Q_EMIT progressed(0, m_preview.points.size());
    if (group.isEmpty()) {
        chooseGroup();
    } else {
        m_group = group;
        submitNext();
    }
}

void SweepSubmission::stop() { m_isStopped = true; }

void SweepSubmission::chooseGroup()
{
    findFreeGroup(m_client, m_name, this, [this](const Result<QString> &group) {
        if (!group) {
            Q_EMIT failed(group.error());
            return;
        }
        m_group = *group;
        submitNext();
    });
}

void SweepSubmission::submitNext()
{
    const qsizetype all = m_preview.points.size();
    if (m_isStopped && m_done == 0) {
        Q_EMIT stopped();
        return;
    }
    if (m_isStopped || m_done == all) {
        Q_EMIT finished(m_group);
        return;
    }
    const Result<QByteArray> text = sweepJobText(
        m_document, sweepJobName(m_group, m_done, all), m_preview.parameters, m_preview.points.at(m_done));
    if (!text) {
        Q_EMIT failed(text.error());
        return;
    }
    m_request.yaml = *text;
    m_request.group = m_group;
    m_request.key = sweepJobKey(m_group, m_done);
    m_client->call<api::Submit>(m_request, this, [this](const Result<SubmitReply> &reply) { take(reply); });
}

void SweepSubmission::take(const Result<SubmitReply> &reply)
{
    if (!reply && reply.error().code == QLatin1String("engine.submit-unknown") && ++m_lost < EngineClient::mostLosses) {
        submitNext();
        return;
    }
    if (!reply) {
        Q_EMIT failed(reply.error());
        return;
    }
    m_lost = 0;
    ++m_done;
    Q_EMIT progressed(m_done, m_preview.points.size());
    submitNext();
}

} // namespace trainyard
