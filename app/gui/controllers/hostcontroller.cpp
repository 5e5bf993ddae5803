// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/hostcontroller.h"

#include "app/gui/controllers/hostcleaning.h"
#include "app/gui/controllers/hostinsight.h"
#include "app/gui/copyquestions.h"
#include "app/gui/questions.h"
#include "app/gui/questionturn.h"
#include "app/gui/targetbox.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/baroffers.h"
#include "app/gui/workbench/workbench.h"
#include "engine/api/hosterrors.h"
#include "engine/client/engineclient.h"
#include "widgets/common/infobar.h"
#include "widgets/hosts/hostlabels.h"
#include "widgets/hosts/hostspane.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/sentences.h"
#include "widgets/text/texts.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
QString topicOf(const QString &hostId) { return QStringLiteral("host ") + hostId; }
QString diskTopicOf(const QString &hostId) { return QStringLiteral("disk ") + hostId; }
QString loginTopicOf(const QString &hostId) { return QStringLiteral("login ") + hostId; }
// Apart from what is said of the host itself, which goes when the host is well.
QString removalTopicOf(const QString &hostId) { return QStringLiteral("removal ") + hostId; }

// Nothing is under way that could still change it.
bool isSettled(const HostInfo &host)
{
    return host.state != HostState::Unknown && host.state != HostState::Connecting
        && !(host.state == HostState::Online && host.check == StepState::Running);
}
} // namespace

HostController::HostController(Workbench *workbench, ActionRegistry *actions, EngineClient *client, HostsPane *pane,
    TargetBox *target, const std::function<void()> &showPane)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client),
      m_cleaning(new HostCleaning(workbench, client)), m_pane(pane), m_target(target)
{
    actions->add({"addHost", QStringLiteral("plus"), tr("Add a &host…"), tr("Add a host that is reached by ssh")}, this,
        [pane, showPane] {
            showPane();
            pane->showAdd();
        });
    connect(client, &EngineClient::reset, this, &HostController::update);
    connect(client, &EngineClient::statusChanged, pane,
        [pane](EngineClient::Status status) { pane->setLoading(status == EngineClient::Status::Connecting); });
    connect(client, &EngineClient::hostChanged, this, [this](const HostInfo &host) {
        update();
        sayAwaited(host);
        // One that is online may be about to be checked.
        if (isSettled(host) && (host.state != HostState::Online || host.check != StepState::Waiting)) {
            m_logins.remove(host.id);
        }
    });
    connect(client, &EngineClient::hostRemoved, this, [this](const QString &id) {
        m_awaited.remove(id);
        m_workbench->offers()->takeBack(topicOf(id));
        m_workbench->offers()->takeBack(removalTopicOf(id));
        m_workbench->windowBar()->hideIfOf(diskTopicOf(id));
        update();
    });
    connect(pane, &HostsPane::addRequested, this, [this](const QString &address, bool anyway) {
        addHost(address, anyway, m_pane, [this](const Added &added) {
            m_pane->setAddError(added.error, added.mayBeAdded);
            if (added.error.isEmpty()) {
                m_pane->setAdded(added.id);
                Q_EMIT pageRequested(added.id); // where its check is seen
            }
        });
    });
    connect(pane, &HostsPane::hostRequested, this, &HostController::pageRequested);
    connect(pane, &HostsPane::checkRequested, this, &HostController::checkHost);
    connect(pane, &HostsPane::removeRequested, this, &HostController::askAndRemoveHost);
    makeQuestions();
}

void HostController::makeQuestions()
{
    QWidget *window = m_workbench->window();
    auto *turn = new QuestionTurn(window);
    m_questions = new Questions(m_client, window, turn);
    new CopyQuestions(m_client, window, turn);
    m_questions->setWaitedFor([this](const QString &host) { return m_logins.contains(host); });
    connect(m_questions, &Questions::putOff, this, &HostController::offerLogin);
    connect(m_questions, &Questions::putOffNoMore, this,
        [this](const QString &host) { m_workbench->offers()->takeBack(loginTopicOf(host)); });
}

// No action in this window waits for it, so a user who is typing is not interrupted.
void HostController::offerLogin(const Question &question)
{
    m_workbench->offers()->add({loginTopicOf(question.host), InfoBar::Kind::Info,
        tr("To log in to %1, ssh has a question.").arg(question.host.toHtmlEscaped()),
        {{tr("Log in…"), QStringLiteral("hostLogin"), [this, host = question.host] { checkHost(host); }}}});
}

QList<HostInfo> HostController::hosts() const { return withShownLabels(m_client->hosts()); }

void HostController::update()
{
    const QList<HostInfo> hosts = this->hosts();
    m_pane->setHosts(hosts);
    m_target->setHosts(hosts);
    sayDisksLow(hosts);
    Q_EMIT changed(hosts);
}

void HostController::sayDisksLow(const QList<HostInfo> &hosts)
{
    QSet<QString> low;
    for (const HostInfo &host : hosts) {
        if (host.diskLow) {
            low.insert(host.id);
        }
    }
    // Also those of hosts that were removed while no engine ran.
    for (const QString &id : std::as_const(m_saidDiskLow)) {
        if (!low.contains(id)) {
            m_workbench->windowBar()->hideIfOf(diskTopicOf(id));
        }
    }
    m_saidDiskLow.intersect(low);
    for (const HostInfo &host : hosts) {
        if (host.diskLow && !m_saidDiskLow.contains(host.id)) {
            m_saidDiskLow.insert(host.id);
            m_workbench->say(sentence(QStringLiteral("disk.low"),
                {{QStringLiteral("host"), host.label}, {QStringLiteral("freeMiB"), host.diskFreeMiB}}));
            m_workbench->windowBar()->setTopic(diskTopicOf(host.id));
            m_workbench->windowBar()->setLasting(true);
        }
    }
}

void HostController::addHost(
    const QString &target, bool anyway, QObject *context, const std::function<void(const Added &added)> &then)
{
    // The page that asked may be closed before the answer; the host is added all the same.
    const auto tell = [asking = QPointer<QObject>(context), then](const Added &added) {
        if (asking) {
            then(added);
        }
    };
    if (!anyway) {
        m_lookup(target, this, [this, target, asking = QPointer<QObject>(context), then, tell](const QString &unknown) {
            if (unknown.isEmpty()) {
                addHost(target, true, asking, then);
                return;
            }
            const QString why = reasonText(QStringLiteral("host.name-unknown"), {{QStringLiteral("name"), unknown}});
            tell({{},
                tr("%1 Check the spelling. If the name is known only at times, such as with a VPN, you can add the "
                   "host anyway.")
                    .arg(why),
                true});
        });
        return;
    }
    m_client->call<api::AddHost>({target, {}}, this, [this, tell](const Result<HostInfo> &host) {
        if (!host) {
            tell({{}, errorText(host.error()), false});
            return;
        }
        m_awaited.insert(host->id);
        m_logins.insert(host->id);
        sayAwaited(*host);
        tell({host->id, {}, false});
    });
}

void HostController::checkHost(const QString &id)
{
    m_logins.insert(id);
    m_questions->askNow(id);
    m_client->call<api::CheckHost>({id}, this, [this, id](const Result<HostInfo> &result) {
        if (result) {
            m_awaited.insert(id);
        } else {
            m_logins.remove(id); // nothing is under way
            m_workbench->say(errorText(result.error()));
        }
    });
}

void HostController::changeHost(
    const api::HostChange &change, QObject *context, const std::function<void(const QString &error)> &then)
{
    m_client->call<api::ChangeHost>(
        change, context, [then](const Result<HostInfo> &host) { then(host ? QString() : errorText(host.error())); });
}

void HostController::releaseHost(const QString &id, int gpu)
{
    m_client->call<api::ReleaseHost>({id, gpu}, this, [this](const Result<HostInfo> &host) {
        if (!host) {
            m_workbench->say(errorText(host.error()));
        }
    });
}

void HostController::askAndRemoveHost(const QString &id)
{
    const QList<HostInfo> known = hosts();
    const auto host = std::find_if(known.cbegin(), known.cend(), [&id](const HostInfo &one) { return one.id == id; });
    if (host == known.cend()) {
        return;
    }
    m_cleaning->askBeforeRemoval(*host, [this, id] { removeHost(id, false); });
}

void HostController::removeHost(const QString &id, bool force)
{
    m_client->call<api::RemoveHost>({id, force}, this, [this, id](const Result<bool> &result) {
        if (result) {
            return;
        }
        if (!api::mayBeForced(result.error())) {
            m_workbench->say(errorText(result.error()));
            return;
        }
        offerFirst(removalTopicOf(id), errorText(result.error()),
            {{tr("Remove anyway"), QStringLiteral("hostRemoveAnyway"), [this, id] { removeHost(id, true); }}});
    });
}

// A user who requests something of a host gets the result, and what to do there.
void HostController::offerFirst(const QString &topic, const QString &sentence, const QList<BarOffer::Action> &actions)
{
    m_workbench->offers()->add(
        {topic, InfoBar::Kind::Failed, sentence.toHtmlEscaped(), actions}, BarOffers::Turn::First);
}

// A user who added or checked a host gets a message if that failed, and can try again there.
void HostController::sayAwaited(const HostInfo &host)
{
    const QString check = checkText(host);
    const bool isWell = host.state == HostState::Online && check.isEmpty();
    if (isWell) {
        m_workbench->offers()->takeBack(topicOf(host.id));
    }
    if (!isSettled(host) || !m_awaited.remove(host.id) || isWell) {
        return;
    }
    const QString why = check.isEmpty() ? reasonText(host.error, host.errorArgs) : check;
    QList<BarOffer::Action> actions{{hosterror::isLoginWanted(host) ? tr("Log in…") : tr("Check again"),
        QStringLiteral("hostAgain"), [this, id = host.id] { checkHost(id); }}};
    // Its address may be mistyped if it was never reached.
    if (host.cpus == 0 || hosterror::isSame(host.error)) {
        actions.append({tr("Remove %1").arg(host.id), QStringLiteral("hostRemove"),
            [this, id = host.id] { askAndRemoveHost(id); }});
    }
    offerFirst(topicOf(host.id), why.isEmpty() ? tr("%1 cannot be used.").arg(host.label) : why, actions);
}

void HostController::serve(HostsPage *page)
{
    m_cleaning->serve(page);
    serveInsight(page, m_client);
}

} // namespace trainyard
