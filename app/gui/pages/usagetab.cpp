// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/usagetab.h"

#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "widgets/common/icons.h"
#include "widgets/text/texts.h"
#include "widgets/usage/usagepage.h"

#include <QDateTime>
#include <QTimer>

namespace trainyard
{
namespace
{
constexpr int refreshMs = 20'000;
}

UsageTab::UsageTab(Workbench *workbench, EngineClient *client, HostController *hosts, RunTabs *runs)
    : Page(new UsagePage), m_client(client), m_page(static_cast<UsagePage *>(widget())), m_timer(new QTimer(this))
{
    m_page->setHosts(hosts->hosts());
    connect(hosts, &HostController::changed, m_page, &UsagePage::setHosts);
    connect(m_page, &UsagePage::usageWanted, this, &UsageTab::fetch);
    connect(m_page, &UsagePage::jobRequested, runs, [runs](const QString &uuid) { runs->open(uuid); });
    connect(client, &EngineClient::reset, this, &UsageTab::refresh);
    connect(m_timer, &QTimer::timeout, this, &UsageTab::refresh);
    m_timer->setInterval(refreshMs);
    connect(workbench, &Workbench::frontChanged, this, [this](const Page *front) {
        if (front == this) {
            refresh();
            m_timer->start();
        } else {
            m_timer->stop();
        }
    });
    refresh();
}

QString UsageTab::title() const { return tr("GPUs over time"); }

QIcon UsageTab::icon() const { return trainyard::icon(QStringLiteral("gpu"), Colour::Muted); }

void UsageTab::focus() { m_page->focusContent(); }

std::optional<SessionTab> UsageTab::place() const
{
    SessionTab tab;
    tab.kind = kind;
    return tab;
}

void UsageTab::refresh()
{
    if (m_client->status() == EngineClient::Status::Ready) {
        m_page->refresh(QDateTime::currentMSecsSinceEpoch());
    } else {
        m_page->setTrouble(tr("What ran is shown when the engine is connected."));
    }
}

void UsageTab::fetch(qint64 from, qint64 to)
{
    m_client->call<api::GetUsage>({from, to}, this, [this, from, to](const Result<UsageReply> &usage) {
        if (usage) {
            m_page->setUsage(*usage, from, to);
        } else {
            m_page->setTrouble(errorText(usage.error()));
        }
    });
}

} // namespace trainyard
