// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"

namespace trainyard
{

class ActionRegistry;
class EngineController;
class FileController;
class PageRegistry;
class TemplateController;
class WelcomePage;

// The first page in the window, kept in step with templates, recent files and this computer.
class WelcomeTab final : public Page
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView kind{"welcome"}; // in PageRegistry and in sessions

    WelcomeTab(ActionRegistry *actions, EngineController *engine, FileController *files, TemplateController *templates);
    // Registers the page and the action "welcome", which shows it.
    static void install(PageRegistry *pages, ActionRegistry *actions, EngineController *engine, FileController *files,
        TemplateController *templates);

    QString title() const override;
    QIcon icon() const override;
    std::optional<SessionTab> place() const override;
};

} // namespace trainyard
