// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"

#include <QString>

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

    bool isOver() const;
    void setDeleted(bool on); // it can still be restored; until then it is read-only
    bool isDeleted() const { return m_isDeleted; }
    void setTemporary(bool on);
    void setFormerTitle(const QString &title) { m_formerTitle = title; } // shown until the engine reports the job

    bool isTemporary() const override { return m_isTemporary; }
    void keep() override { setTemporary(false); }
    QString title() const override;
    QString tip() const override;
    QIcon icon() const override;
    QString statusText() const override;
    QString jobUuid() const override { return m_uuid; }
    bool isFinishedRun() const override { return isOver(); }
    bool hasYaml() const override;
    std::optional<ExportedJob> exported(bool withSecrets) override;
    std::optional<SessionTab> place() const override;

private:
    bool isKnown() const;

    RunPage *m_run;
    QString m_uuid;
    QString m_formerTitle;
    bool m_isTemporary = false;
    bool m_isDeleted = false;
};

} // namespace trainyard
