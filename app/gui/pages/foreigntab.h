// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"

namespace trainyard
{

class ForeignPage;
class ForeignRuns;

// A run of another program in the window.
class ForeignTab final : public Page
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView kind{"foreign"}; // in PageRegistry and in sessions

    ForeignTab(ForeignRuns *runs, const QString &uuid);

    ForeignPage *run() const { return m_page; }

    QString title() const override;
    QString tip() const override;
    QIcon icon() const override;
    QString statusText() const override;
    QString jobUuid() const override { return m_uuid; }
    std::optional<SessionTab> place() const override;
    void focus() override; // never the button that removes it

Q_SIGNALS:
    void forgetRequested(const QString &uuid); // out of the list

private:
    void update();

    ForeignRuns *m_runs;
    ForeignPage *m_page;
    QString m_uuid;
};

} // namespace trainyard
