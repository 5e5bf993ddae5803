// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/engineclient.h"

#include "engine/api/callcodec.h"
#include "engine/client/enginelink.h"
#include "engine/client/enginemirror.h"
#include "engine/client/rpcconnection.h"

#include <utility>

namespace trainyard
{

class EngineClient::Private
{
public:
    explicit Private(EngineClient *client) : q(client), mirror(newestHeld)
    {
        QObject::connect(&link, &EngineLink::statusChanged, q, &EngineClient::statusChanged);
        QObject::connect(&link, &EngineLink::ready, q, &EngineClient::reset);
        QObject::connect(&link, &EngineLink::dropped, q, [this] { mirror.dropPart(); });
        QObject::connect(&link, &EngineLink::told, q,
            [this](const QString &name, const QJsonObject &params) { takeEvent(name, params); });
    }

    EngineClient *q;
    EngineMirror mirror;
    EngineLink link;

private:
    void takeEvent(const QString &name, const QJsonObject &params)
    {
        if (const auto all = api::decodedEvent<api::SnapshotTaken>(name, params)) {
            if (mirror.take(*all)) {
                link.becomeReady();
            }
        } else if (const auto changed = api::decodedEvent<api::JobChanged>(name, params)) {
            mirror.put(changed->job);
            Q_EMIT q->jobChanged(changed->job);
        } else if (const auto dropped = api::decodedEvent<api::JobRemoved>(name, params)) {
            mirror.dropJob(dropped->id);
            link.forgetWatched(dropped->id);
            Q_EMIT q->jobRemoved(dropped->id);
        } else if (const auto of = api::decodedEvent<api::TasksChanged>(name, params)) {
            Q_EMIT q->tasksChanged(of->id, of->tasks);
        } else if (const auto grown = api::decodedEvent<api::LogsGrew>(name, params)) {
            Q_EMIT q->logsGrew(grown->id, grown->logs);
        } else if (const auto moved = api::decodedEvent<api::ResultsMoved>(name, params)) {
            Q_EMIT q->resultsMoved(moved->id);
        } else if (const auto told = api::decodedEvent<api::HostChanged>(name, params)) {
            mirror.put(told->host);
            Q_EMIT q->hostChanged(told->host);
        } else if (const auto removed = api::decodedEvent<api::HostRemoved>(name, params)) {
            mirror.dropHost(removed->id);
            Q_EMIT q->hostRemoved(removed->id);
        } else if (const auto asked = api::decodedEvent<api::QuestionAsked>(name, params)) {
            Q_EMIT q->question(asked->question);
        } else if (const auto answered = api::decodedEvent<api::QuestionGone>(name, params)) {
            Q_EMIT q->questionGone(answered->id);
        } else if (const auto approvals = api::decodedEvent<api::ApprovalsChanged>(name, params)) {
            Q_EMIT q->approvalsChanged(approvals->open);
        } else if (name == api::SettingsChanged::name) {
            Q_EMIT q->settingsChanged();
        }
        // "resync": this client was too slow and the connection ends now; the next one brings a snapshot.
    }
};

EngineClient::EngineClient(QObject *parent) : QObject(parent), d(std::make_unique<Private>(this)) { }

EngineClient::~EngineClient() = default;

void EngineClient::start(Start mode) { d->link.start(mode); }

void EngineClient::startWith(std::unique_ptr<RpcConnection> connection) { d->link.startWith(std::move(connection)); }

void EngineClient::setPatience(std::chrono::milliseconds patience) { d->link.setPatience(patience); }

EngineClient::Status EngineClient::status() const { return d->link.status(); }

Error EngineClient::lastError() const { return d->link.trouble(); }

void EngineClient::setAnswersQuestions(bool on) { d->link.greeting().answersQuestions = on; }

void EngineClient::setReadsOnly(bool on) { d->link.greeting().readsOnly = on; }

void EngineClient::setAssistant(const QString &name, const QString &session)
{
    d->link.greeting().assistant = name;
    d->link.greeting().assistantSession = session;
}

void EngineClient::send(const PendingRequest &request, const QJsonObject &params)
{
    d->link.sendWhenReady(request, params);
}

QList<JobSummary> EngineClient::jobs() const { return d->mirror.jobs(); }

std::optional<JobSummary> EngineClient::job(const QString &uuid) const { return d->mirror.job(uuid); }

QList<HostInfo> EngineClient::hosts() const { return d->mirror.hosts(); }

void EngineClient::watchTasks(const QString &uuid, bool on) { d->link.watch(uuid, on); }

} // namespace trainyard
