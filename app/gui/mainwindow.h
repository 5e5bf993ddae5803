// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/guisettings.h"
#include "engine/client/engineclient.h"

#include <QMainWindow>

class QDockWidget;

namespace trainyard
{

class ActionRegistry;
class CommandPalette;
class DesignerPage;
class EngineController;
class ExchangeController;
class FileController;
class ForeignController;
class HostController;
class HostsPane;
class Importer;
class InfoBar;
class JobController;
class JobsPane;
class PageBars;
class PageRegistry;
class RunController;
class RunPage;
class RunTabs;
class SearchField;
class Secrets;
class SecretVault;
class SessionController;
class StatusLine;
class TabArea;
class TargetBox;
class TemplateController;
class TemplateShelf;
class WindowToolBar;
class Workbench;

// The window: lists at the left, documents and runs in tabs, a status line at the bottom. It makes its parts and wires
// them; their work is in workbench/ (any page), pages/ (each kind of page) and controllers/ (each duty, with its
// actions). The methods that only pass a call on are those by which the program and its tests control the window.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    struct Options {
        bool restoreSession = true;
        bool startEngine = true; // false: only connect when one runs
    };
    explicit MainWindow(const Options &options, QWidget *parent = nullptr);
    ~MainWindow() override;

    EngineClient *client() const { return m_client; }
    TabArea *tabs() const { return m_tabs; }
    JobsPane *jobsPane() const { return m_jobs; }
    Importer *importer() const;
    TemplateShelf *shelf() const;
    QAction *action(const char *id) const;
    InfoBar *bar() const; // that says something, or may: of the page in front, else of the window
    DesignerPage *currentDesigner() const;
    RunPage *currentRun() const;

    DesignerPage *openFile(const QString &path); // null when it cannot be read; the window says why
    DesignerPage *newDocument(const QByteArray &yaml, const QString &suggestedName);
    void openFiles(const QStringList &paths);
    void showWelcome();
    void runCurrent();
    void saveAsTemplate(const QString &name); // the current document
    void setCatalogue(const QString &folder);
    void setSecretVault(SecretVault *vault); // instead of the desktop's keyring; not owned
    void leave(); // at once, without a question: everything comes back the next time

protected:
    bool event(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void makeCentre();
    void makeControllers();
    void makeActions();
    void makeDocks();
    void makePalette();

    Options m_options;
    GuiSettings m_settings;
    EngineClient *m_client;
    ActionRegistry *m_actions;
    TabArea *m_tabs;
    PageBars *m_bars;
    JobsPane *m_jobs;
    HostsPane *m_hosts;
    StatusLine *m_status;
    TargetBox *m_target;
    SearchField *m_search;
    Workbench *m_workbench;
    PageRegistry *m_pages;
    CommandPalette *m_palette = nullptr;
    QDockWidget *m_jobsDock = nullptr;
    QDockWidget *m_hostsDock = nullptr;
    Secrets *m_secrets = nullptr;
    EngineController *m_engine = nullptr;
    HostController *m_hostController = nullptr;
    FileController *m_files = nullptr;
    RunTabs *m_runs = nullptr;
    RunController *m_runner = nullptr;
    JobController *m_jobController = nullptr;
    ExchangeController *m_exchange = nullptr;
    ForeignController *m_foreign = nullptr;
    TemplateController *m_templates = nullptr;
    SessionController *m_session = nullptr;
};

} // namespace trainyard
