// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"

#include <QPointer>
#include <QStringList>

namespace trainyard
{

class EngineClient;
class RunPage;

// A run in the window, kept in step with the engine.
class RunTab final : public Page
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView kind{"run"}; // in PageRegistry and in sessions

    RunTab(EngineClient *client, const QString &uuid);
    RunPage *run() const { return m_run; }

    // The page that it was begun from. The runs of one page share a tab.
    Page *startedFrom() const { return m_startedFrom; }
    void setStartedFrom(Page *page) { m_startedFrom = page; }
    bool isOver() const;

    QString title() const override;
    QIcon icon() const override;
    QString statusText() const override;
    QString jobUuid() const override { return m_uuid; }
    bool hasYaml() const override;
    std::optional<ExportedJob> exported(bool withSecrets) override;
    std::optional<SessionTab> place() const override;

private:
    RunPage *m_run;
    QString m_uuid;
    QPointer<Page> m_startedFrom;
};

} // namespace trainyard
