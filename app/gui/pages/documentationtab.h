// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"

namespace trainyard
{

class ActionRegistry;
class DocumentationPage;

// The documentation in the window, which is compiled in. Open once: another page of it is shown in the same tab.
class DocumentationTab final : public Page
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView kind{"documentation"}; // in PageRegistry and in sessions

    explicit DocumentationTab(const ActionRegistry *actions);
    void open(const QString &page); // "editor.md"
    void openShortcuts(); // a list of all keys of the window

    QString title() const override;
    QIcon icon() const override;
    void focus() override;
    std::optional<SessionTab> place() const override;

private:
    const ActionRegistry *m_actions;
    DocumentationPage *m_page;
};

} // namespace trainyard
