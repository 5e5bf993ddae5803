// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/foreigntab.h"

#include "engine/foreign/foreignruns.h"
#include "widgets/common/icons.h"
#include "widgets/plot/foreignpage.h"
#include "widgets/text/texts.h"

namespace trainyard
{

ForeignTab::ForeignTab(ForeignRuns *runs, const QString &uuid)
    : Page(new ForeignPage), m_runs(runs), m_page(static_cast<ForeignPage *>(widget())), m_uuid(uuid)
{
    connect(m_page, &ForeignPage::forgetRequested, runs, [this] { Q_EMIT forgetRequested(m_uuid); });
    connect(runs, &ForeignRuns::changed, this, [this](const ForeignRun &run) {
        if (run.summary.uuid == m_uuid) {
            update();
        }
    });
    connect(runs, &ForeignRuns::opened, this, &ForeignTab::update);
    connect(runs, &ForeignRuns::failed, this, &ForeignTab::update);
    update();
}

void ForeignTab::update()
{
    const std::optional<ForeignRun> run = m_runs->run(m_uuid);
    if (!run) {
        if (!m_runs->isReading()) {
            m_page->setMissing(tr("The files of this run no longer exist."));
        }
        return;
    }
    ForeignPage::Facts facts;
    for (const auto &[name, value] : run->facts) {
        if (!name.starts_with("config/") && !name.starts_with("tag/")) {
            facts.append({QString::fromStdString(name), QString::fromStdString(value)});
        }
    }
    QStringList remarks;
    for (const ForeignNote &note : run->notes) {
        remarks.append(errorText(Error{note.code, note.args}));
    }
    m_page->setRun(run->summary, run->task, facts, remarks);
    Q_EMIT changed();
    Q_EMIT statusTextChanged(statusText());
}

QString ForeignTab::title() const
{
    return m_page->summary().name.isEmpty() ? tr("Run from files") : m_page->summary().name;
}

QString ForeignTab::tip() const { return m_page->summary().file; }

QIcon ForeignTab::icon() const { return trainyard::icon(QStringLiteral("folder"), Colour::Muted); }

QString ForeignTab::statusText() const
{
    const QString file = m_page->summary().file; // empty until the run is read
    return file.isEmpty() ? tr("Read-only") : tr("Read-only, from %1").arg(file);
}

void ForeignTab::focus() { m_page->focusContent(); }

std::optional<SessionTab> ForeignTab::place() const
{
    SessionTab tab;
    tab.kind = kind;
    tab.uuid = m_uuid;
    return tab;
}

} // namespace trainyard
