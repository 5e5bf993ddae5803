// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/mainwindow.h"

#include "app/common/windowoptions.h"
#include "app/gui/approvalsbar.h"
#include "app/gui/configurationbar.h"
#include "app/gui/controllers/clustercontroller.h"
#include "app/gui/controllers/codecontroller.h"
#include "app/gui/controllers/comparecontroller.h"
#include "app/gui/controllers/enginecontroller.h"
#include "app/gui/controllers/exchangecontroller.h"
#include "app/gui/controllers/exportcontroller.h"
#include "app/gui/controllers/filecontroller.h"
#include "app/gui/controllers/foreigncontroller.h"
#include "app/gui/controllers/frontjobactions.h"
#include "app/gui/controllers/helpcontroller.h"
#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/controllers/jobcontroller.h"
#include "app/gui/controllers/joblabelcontroller.h"
#include "app/gui/controllers/logcontroller.h"
#include "app/gui/controllers/portcontroller.h"
#include "app/gui/controllers/previewcontroller.h"
#include "app/gui/controllers/runcomparisons.h"
#include "app/gui/controllers/runcontroller.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/controllers/secrets.h"
#include "app/gui/controllers/sessioncontroller.h"
#include "app/gui/controllers/sweepcontroller.h"
#include "app/gui/controllers/templatecontroller.h"
#include "app/gui/controllers/textsizecontroller.h"
#include "app/gui/dropmark.h"
#include "app/gui/mainmenu.h"
#include "app/gui/pages/alljobstab.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/pages/foreigntab.h"
#include "app/gui/pages/hoststab.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/pages/usagetab.h"
#include "app/gui/pages/welcometab.h"
#include "app/gui/recentfiles.h"
#include "app/gui/removalbar.h"
#include "app/gui/runinmenu.h"
#include "app/gui/targetbox.h"
#include "app/gui/windowtoolbar.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/closedtabs.h"
#include "app/gui/workbench/commandpalette.h"
#include "app/gui/workbench/pagebars.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/statusline.h"
#include "app/gui/workbench/tabarea.h"
#include "app/gui/workbench/tabmenu.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/paths.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/form/designerpage.h"
#include "widgets/hosts/hostspane.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/plot/foreignpage.h"
#include "widgets/tasks/runpage.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QPointer>
#include <QScreen>
#include <QStatusBar>
#include <QStatusTipEvent>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{
constexpr int frameAllowance = 40; // what a window manager puts around a window
}

MainWindow::MainWindow(const Options &options, QWidget *parent)
    : QMainWindow(parent), m_options(options), m_client(new EngineClient(this)), m_actions(new ActionRegistry(this)),
      m_tabs(new TabArea), m_bars(new PageBars), m_jobs(new JobsPane), m_hosts(new HostsPane), m_status(new StatusLine),
      m_target(new TargetBox(&m_settings)),
      m_search(new SearchField(SearchField::Kind::Search, tr("Search or command"))),
      m_workbench(new Workbench(this, m_actions, m_tabs, m_bars, m_status)),
      m_pages(new PageRegistry(m_workbench, this))
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(tr("Trainyard"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    // The size of the pictures, where the screen has room for it and for the frame around it.
    const QSize room = screen()->availableGeometry().size() - QSize(frameAllowance, frameAllowance);
    resize(QSize(1440, 900).boundedTo(room));

    makeCentre();
    makeControllers();
    makeActions();
    auto *bar = new WindowToolBar(m_actions, m_templates, m_runner->runInMenu(), m_target, m_search);
    addToolBar(Qt::TopToolBarArea, bar);
    makeDocks();
    fillMainMenu(bar->mainMenu(),
        {m_actions, m_workbench, m_files->recent()->menu(), m_runner->runInMenu(),
            {m_jobsDock->toggleViewAction(), m_hostsDock->toggleViewAction()}});
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->layout()->setContentsMargins(0, 0, 0, 0);
    statusBar()->setFixedHeight(metrics::statusLine);
    statusBar()->addPermanentWidget(m_status, 1);
    makePalette();

    m_session->restoreWindow();
    m_session->restorePages();
    connect(m_workbench, &Workbench::emptied, this, &MainWindow::showWelcome);
    if (!m_workbench->front()) {
        showWelcome();
    }
    m_workbench->refresh();
    m_client->start(options.startEngine ? EngineClient::Start::IfNeeded : EngineClient::Start::Never);
}

MainWindow::~MainWindow()
{
    m_jobController->finish();
    m_workbench->clear();
}

void MainWindow::makeCentre()
{
    auto *central = new QWidget;
    auto *layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *configuration = new ConfigurationBar(paths::configFolder(), central);
    connect(configuration, &ConfigurationBar::openRequested, m_workbench,
        [this](const QString &file) { m_workbench->openOutside(QUrl::fromLocalFile(file)); });
    auto *removals = new RemovalBar(m_client, central);
    connect(removals, &RemovalBar::listRequested, this,
        [this](const QString &filter) { Q_EMIT m_jobController->allJobsRequested(filter); });
    connect(removals, &RemovalBar::keepRequested, this,
        [this](const QStringList &uuids) { m_jobController->labels()->star(uuids, true); });
    auto *approvals = new ApprovalsBar(m_client, central);
    connect(approvals, &ApprovalsBar::secretsWanted, this,
        [this, approvals](const QString &job, const QStringList &names, const QString &id, const QString &digest) {
            m_secrets->withValues(job, names, [approvals = QPointer(approvals), id, digest](const auto &values) {
                if (approvals) {
                    approvals->approve(id, digest, values);
                }
            });
        });
    layout->addWidget(m_tabs, 1);
    // Below the page: a bar that comes or goes moves neither the tabs nor the page from under the pointer.
    for (QWidget *bar : std::initializer_list<QWidget *>{m_bars, approvals, removals, configuration}) {
        layout->addWidget(bar);
    }
    setCentralWidget(central);
}

// Each gets what it needs; the order follows from that.
void MainWindow::makeControllers()
{
    m_secrets = new Secrets(this);
    m_secrets->addActions(m_actions);
    new ClosedTabs(m_workbench, m_actions, m_pages); // before any page forgets what is closed
    m_engine = new EngineController(m_workbench, m_actions, m_client, m_status);
    m_hostController
        = new HostController(m_workbench, m_actions, m_client, m_hosts, m_target, [this] { m_hostsDock->show(); });
    auto *clusters = new ClusterController(m_workbench, m_actions, m_client, m_target, m_secrets, &m_settings);
    m_files = new FileController(m_workbench, m_actions, m_pages, m_client, m_hostController, m_secrets, &m_settings);
    clusters->serve(m_hosts->clusters());
    m_files->setOffers([clusters] { return clusters->offers(); });
    connect(clusters, &ClusterController::offersChanged, m_files,
        [this, clusters] { m_files->setOffers([clusters] { return clusters->offers(); }); });
    connect(clusters, &ClusterController::documentFound, m_files, [this](const ClusterDocument &found) {
        m_files->newDocument(found.yaml.toUtf8(), found.name); // the cluster still has it
    });
    m_runs = new RunTabs(m_workbench, m_pages, m_client, m_hostController, &m_settings);
    auto *logs = new LogController(m_workbench, m_actions, m_client, m_runs, &m_settings);
    new TextSizeController(m_workbench, m_actions, m_runs, &m_settings);
    new CodeController(m_workbench, m_actions, m_runs, &m_settings);
    new PortController(m_workbench, m_client, m_hostController, m_runs);
    m_runner
        = new RunController(m_workbench, m_actions, m_client, m_hostController, m_files, m_runs, m_secrets, m_target);
    connect(clusters, &ClusterController::changed, m_runner, &RunController::takeClusters);
    m_jobController = new JobController(m_workbench, m_actions, m_client, m_engine, m_hostController, m_runs, m_runner,
        m_jobs, [this] { m_jobsDock->show(); });
    new FrontJobActions(
        m_workbench, m_actions, m_client, m_runs, m_jobController->labels(), m_jobController->removal());
    AllJobsTab::install(m_pages, m_actions, m_workbench, m_client, m_jobController, m_runs);
    const auto *preview = new PreviewController(
        m_workbench, m_actions, m_client, m_engine, m_hostController, m_files, m_secrets, m_target);
    connect(preview, &PreviewController::runRequested, m_runner, &RunController::runDocument);
    new SweepController(m_workbench, m_actions, m_pages, m_client, m_secrets, m_target);
    new CompareController(m_workbench, m_actions, m_pages, m_client, m_jobController->removal(), m_files);
    m_foreign = new ForeignController(m_workbench, m_actions, m_pages, m_jobs);
    m_foreign->nameByJobs(m_client);
    m_files->setRuns([this](const QStringList &paths) { return m_foreign->take(paths); });
    connect(m_foreign, &ForeignController::shown, logs,
        [logs](const ForeignTab *tab) { logs->sharePinned(tab->run()->curves()); });
    const auto *comparisons = new RunComparisons(m_workbench, m_actions, m_pages, m_client, m_jobController->removal(),
        m_foreign->runs(), m_runs, m_runner, m_secrets);
    connect(m_jobs, &JobsPane::compareRequested, comparisons, &RunComparisons::compare);
    connect(m_jobController, &JobController::compareRequested, comparisons, &RunComparisons::compare);
    connect(m_jobController, &JobController::compareGroupRequested, comparisons, &RunComparisons::compareGroup);
    connect(m_jobs, &JobsPane::compareGroupRequested, comparisons, &RunComparisons::compareGroup);
    new ExportController(m_workbench, m_actions, m_files);
    m_exchange = new ExchangeController(m_workbench, m_actions, m_files, m_target, new DropMark(m_tabs));
    m_templates = new TemplateController(m_workbench, m_actions, m_pages, m_files, &m_settings);
    m_session = new SessionController(this, m_workbench, m_pages, m_engine, &m_settings, m_options.restoreSession);
    m_pages->addSingle(
        UsageTab::kind, [this] { return new UsageTab(m_workbench, m_client, m_hostController, m_runs); });
    m_actions->add({"usage", QStringLiteral("gpu"), tr("GPUs over &time"),
                       tr("Which jobs had the GPUs, over several days"), {}, true, tr("Usage")},
        this, [this] { m_pages->enter(UsageTab::kind); });
    HostsTab::install(m_pages, m_actions, m_workbench, m_hostController, clusters, m_runs);
    new HelpController(m_workbench, m_actions, m_pages, m_client);
    WelcomeTab::install(m_pages, m_actions, m_engine, m_files, m_templates);
}

// Makes the actions of the window itself.
void MainWindow::makeActions()
{
    // Not QKeySequence::Quit, which is not a key on some desktops.
    m_actions->add(
        {"quit", {}, tr("&Quit"), tr("Close the window; jobs continue"), {Qt::CTRL | Qt::Key_Q}, true, {}, false}, this,
        [this] { close(); });
    m_actions->add({"commandPalette", QStringLiteral("search"), tr("Search or &command"),
                       tr("Find a command or a job by its words"), {Qt::CTRL | Qt::Key_K}, false},
        this, [this] { m_palette->open(); });
    auto *themes = new QActionGroup(this);
    const auto theme = [&](const char *id, const QString &text, const QString &name, ThemeMode mode) {
        QAction *action = m_actions->add({id, {}, text, text}, this, [this, mode] {
            m_settings.setThemeMode(mode);
            if (TrainyardStyle *style = TrainyardStyle::installed()) {
                style->setThemeMode(mode);
            }
        });
        action->setIconText(name); // in the settings
        action->setCheckable(true);
        action->setChecked(m_settings.themeMode() == mode);
        themes->addAction(action);
    };
    theme("themeSystem", tr("Theme: as the &system"), tr("As the system"), ThemeMode::System);
    theme("themeLight", tr("Theme: &light"), tr("Light"), ThemeMode::Light);
    theme("themeDark", tr("Theme: &dark"), tr("Dark"), ThemeMode::Dark);

    new TabMenu(m_workbench, m_tabs);
    m_tabs->addButton()->setToolTip(tr("New job"));
    m_tabs->addButton()->setAccessibleName(tr("New job"));
    connect(m_tabs->addButton(), &QToolButton::clicked, action("new"), &QAction::trigger);
    connect(m_status, &StatusLine::problemsClicked, m_files, [this] {
        if (DocumentTab *document = m_files->current()) {
            document->toggleProblems();
        }
    });
}

void MainWindow::makeDocks()
{
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    const auto dock = [this](const QString &name, const QString &title, QWidget *content) {
        auto *d = new QDockWidget(title, this);
        d->setObjectName(name);
        d->setTitleBarWidget(new QWidget(d)); // the pane has its own head
        d->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
        d->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
        content->setMinimumWidth(metrics::sideMinimum);
        d->setWidget(content);
        addDockWidget(Qt::LeftDockWidgetArea, d);
        return d;
    };
    m_jobsDock = dock(QStringLiteral("jobsDock"), tr("Jobs"), m_jobs);
    m_hostsDock = dock(QStringLiteral("hostsDock"), tr("Hosts"), m_hosts);
    // In the menu View, where the page of the hosts has an entry, too.
    m_jobsDock->toggleViewAction()->setText(tr("Jobs at the side"));
    m_hostsDock->toggleViewAction()->setText(tr("Hosts at the side"));
    m_hosts->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    splitDockWidget(m_jobsDock, m_hostsDock, Qt::Vertical);
    resizeDocks({m_jobsDock, m_hostsDock}, {metrics::sideWidth, metrics::sideWidth}, Qt::Horizontal);
}

void MainWindow::makePalette()
{
    m_palette = new CommandPalette(m_search, this);
    m_palette->addSource([this] {
        const Page *front = m_workbench->front();
        return m_actions->paletteEntries(front ? front->actions() + front->exports() : QList<QAction *>());
    });
    m_palette->addSource([this] { return m_workbench->paletteEntries(); });
    m_palette->addSource([this] { return m_templates->paletteEntries(); });
    m_palette->addSource([this] { return m_files->recent()->paletteEntries(); });
    m_palette->addSource([this] { return m_jobController->paletteEntries(); });
    m_palette->setUsed([this] { return m_settings.usedCommands(); });
    connect(m_palette, &CommandPalette::used, this, [this](const QString &key) { m_settings.addUsedCommand(key); });
}

QAction *MainWindow::action(const char *id) const { return m_actions->action(id); }

Importer *MainWindow::importer() const { return m_exchange->importer(); }

TemplateShelf *MainWindow::shelf() const { return m_templates->shelf(); }

InfoBar *MainWindow::bar() const { return m_workbench->shownBar(); }

DesignerPage *MainWindow::currentDesigner() const
{
    const DocumentTab *document = m_files->current();
    return document ? document->designer() : nullptr;
}

RunPage *MainWindow::currentRun() const
{
    const RunTab *run = m_runs->current();
    return run ? run->run() : nullptr;
}

DesignerPage *MainWindow::openFile(const QString &path)
{
    const DocumentTab *document = m_files->openFile(path);
    return document ? document->designer() : nullptr;
}

DesignerPage *MainWindow::newDocument(const QByteArray &yaml, const QString &suggestedName)
{
    return m_files->newDocument(yaml, suggestedName)->designer();
}

void MainWindow::openFiles(const QStringList &paths)
{
    QStringList files;
    for (const QString &path : paths) {
        const QString name = path.section(QLatin1Char('/'), -1);
        if (name.startsWith(runAddress) && !QFileInfo::exists(path)) {
            m_runs->open(name.mid(runAddress.size()));
        } else {
            files.append(path);
        }
    }
    m_files->openFiles(files);
}

void MainWindow::showWelcome() { m_pages->open(WelcomeTab::kind); }

void MainWindow::runCurrent() { m_runner->runCurrent(); }

void MainWindow::saveAsTemplate(const QString &name) { m_templates->saveAsTemplate(name); }

void MainWindow::setCatalogue(const QString &folder) { m_templates->setCatalogue(folder); }

void MainWindow::setSecretVault(SecretVault *vault) { m_secrets->setVault(vault); }

bool MainWindow::event(QEvent *event)
{
    if (event->type() == QEvent::StatusTip) {
        m_status->setTip(static_cast<QStatusTipEvent *>(event)->tip());
        return true;
    }
    return QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent *event) { event->setAccepted(m_session->mayClose()); }

void MainWindow::leave()
{
    m_session->save();
    QApplication::exit(0);
}

} // namespace trainyard
