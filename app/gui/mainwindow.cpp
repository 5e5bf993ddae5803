// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/mainwindow.h"

#include "app/gui/commandpalette.h"
#include "app/gui/configurationbar.h"
#include "app/gui/dropmark.h"
#include "app/gui/gallerypage.h"
#include "app/gui/importer.h"
#include "app/gui/keyring.h"
#include "app/gui/pagebars.h"
#include "app/gui/questions.h"
#include "app/gui/runinmenu.h"
#include "app/gui/statusline.h"
#include "app/gui/tabarea.h"
#include "app/gui/templateshelf.h"
#include "app/gui/welcomepage.h"
#include "engine/client/paths.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/form/designerpage.h"
#include "widgets/hosts/hostspane.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/texts.h"

#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QKeySequence>
#include <QMenu>
#include <QScreen>
#include <QStatusBar>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

// How the window is built; what it does stands in mainwindow_*.cpp, by duty.
namespace trainyard
{
namespace
{
constexpr int autosaveMs = 10'000;
constexpr int frameAllowance = 40; // what a window manager puts around a window

QToolButton *toolButton(QAction *action)
{
    auto *button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setIconSize({metrics::toolIcon, metrics::toolIcon});
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text());
    return button;
}
} // namespace

MainWindow::MainWindow(const Options &options, QWidget *parent)
    : QMainWindow(parent), m_options(options), m_client(new EngineClient(this)), m_tabs(new TabArea),
      m_dropMark(new DropMark(m_tabs)), m_bars(new PageBars), m_bar(m_bars->windowBar()), m_jobs(new JobsPane),
      m_hosts(new HostsPane), m_status(new StatusLine),
      m_search(new SearchField(SearchField::Kind::Search, tr("Search or command"))), m_palette(nullptr),
      m_importer(new Importer(this)), m_vault(new Keyring(this)), m_shelf(new TemplateShelf(this))
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(tr("Trainyard"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    // The size of the pictures, where the screen has room for it and for the frame around it.
    const QSize room = screen()->availableGeometry().size() - QSize(frameAllowance, frameAllowance);
    resize(QSize(1440, 900).boundedTo(room));

    auto *central = new QWidget;
    auto *layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *configuration = new ConfigurationBar(paths::configFolder(), central);
    connect(configuration, &ConfigurationBar::openRequested, this,
        [this](const QString &file) { openOutside(QUrl::fromLocalFile(file)); });
    layout->addWidget(configuration);
    layout->addWidget(m_bars);
    layout->addWidget(m_tabs, 1);
    setCentralWidget(central);

    makeActions();
    makeToolBar();
    makeDocks();
    makeMenu();
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->layout()->setContentsMargins(0, 0, 0, 0);
    statusBar()->setFixedHeight(metrics::statusLine);
    statusBar()->addPermanentWidget(m_status, 1);

    m_palette = new CommandPalette(m_search, this);
    m_palette->setSource([this] {
        QList<CommandPalette::Entry> entries;
        for (QAction *a : std::as_const(m_actions)) {
            if (a->objectName() != QLatin1String("commandPalette")) {
                entries.append({a->text().remove(QLatin1Char('&')), a->shortcut().toString(QKeySequence::NativeText),
                    a->property("iconName").toString(), [a] { a->trigger(); }, a->isEnabled()});
            }
        }
        if (const DesignerPage *page = currentDesigner()) {
            const QList<QAction *> pageActions = page->pageActions();
            for (QAction *a : pageActions) {
                entries.append({a->text().remove(QLatin1Char('&')), a->shortcut().toString(QKeySequence::NativeText),
                    {}, [a] { a->trigger(); }, a->isEnabled()});
            }
        }
        std::sort(entries.begin(), entries.end(), [](const auto &a, const auto &b) {
            return a.enabled != b.enabled ? a.enabled : a.text.localeAwareCompare(b.text) < 0;
        });
        for (const JobTemplate &job : m_shelf->templates()) {
            entries.append({tr("New from template: %1").arg(job.title), job.needs, QStringLiteral("new"),
                [this, id = job.id] { openTemplate(id); }, true});
        }
        const QStringList recent = m_settings.recentFiles();
        for (const QString &file : recent) {
            entries.append({tr("Open recent: %1").arg(QFileInfo(file).fileName()), QFileInfo(file).path(),
                QStringLiteral("open"), [this, file] { openFile(file); }, true});
        }
        const QList<JobSummary> jobs = m_client->jobs();
        for (const JobSummary &job : jobs) {
            entries.append({tr("%1 #%2").arg(job.name, QString::number(job.id)), stateLabel(shapeOf(job)),
                QStringLiteral("box"), [this, uuid = job.uuid] { openRun(uuid); }, true});
        }
        return entries;
    });

    connect(m_tabs, &TabArea::currentPageChanged, this, &MainWindow::onPageChanged);
    connect(m_tabs, &TabArea::closeRequested, this, &MainWindow::closePage);
    connect(m_tabs, &TabArea::dragRequested, this, &MainWindow::exportDrag);
    m_tabs->addButton()->setToolTip(tr("New job"));
    m_tabs->addButton()->setAccessibleName(tr("New job"));
    connect(m_tabs->addButton(), &QToolButton::clicked, action("new"), &QAction::trigger);
    connect(m_status, &StatusLine::problemsClicked, this, [this] {
        if (DesignerPage *page = currentDesigner()) {
            page->setProblemsVisible(!page->problemsVisible());
        }
    });
    m_sessionTimer = new QTimer(this);
    m_sessionTimer->setSingleShot(true);
    connect(m_sessionTimer, &QTimer::timeout, this, &MainWindow::saveSessionNow);
    connectEngine();
    connectImporter();
    m_shelf->setCatalogue(m_settings.templateCatalogue());
    new Questions(m_client, this);
    qApp->installEventFilter(this); // drops anywhere in the window

    restoreGeometry(m_settings.windowGeometry());
    restoreState(m_settings.windowState(), windowStateVersion);
    if (options.restoreSession) {
        restoreSession();
    }
    if (m_tabs->pages().isEmpty()) {
        showWelcome();
    }
    updateRecentMenu();
    updateEngine();
    updateActions();

    auto *autosave = new QTimer(this);
    autosave->start(autosaveMs);
    connect(autosave, &QTimer::timeout, this, [this] {
        if (m_options.restoreSession) {
            saveSessionNow();
        }
    });
    m_client->start(options.startEngine ? EngineClient::Start::IfNeeded : EngineClient::Start::Never);
}

MainWindow::~MainWindow()
{
    m_closing = true;
    qApp->removeEventFilter(this);
    // Pages go while all they talk to is alive, and say nothing to a window that is half gone.
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *page : pages) {
        page->disconnect(this);
        delete page;
    }
}

QAction *MainWindow::action(const char *objectName) const { return m_actions.value(objectName); }

QAction *MainWindow::addCommand(const char *name, const QString &iconName, const QString &text, const QString &tip,
    const QKeySequence &shortcut, const std::function<void()> &run)
{
    auto *a = new QAction(text, this);
    if (!iconName.isEmpty()) {
        a->setIcon(icon(iconName));
        a->setProperty("iconName", iconName);
    }
    a->setObjectName(QLatin1String(name));
    a->setShortcut(shortcut);
    a->setStatusTip(tip);
    const QString key = shortcut.toString(QKeySequence::NativeText);
    a->setToolTip(key.isEmpty() ? tip : tr("%1 (%2)").arg(tip, key));
    connect(a, &QAction::triggered, this, [run] { run(); });
    addAction(a);
    m_actions.insert(name, a);
    return a;
}

void MainWindow::makeActions()
{
    addCommand("new", QStringLiteral("new"), tr("&New job"), tr("Start a new job"), QKeySequence::New,
        [this] { newDocument(bundledTemplates().constFirst().yaml().value_or(QByteArray()), {}); });
    addCommand("newFromTemplate", QStringLiteral("table"), tr("New from &template…"),
        tr("Choose from the templates, with what each does and needs"), Qt::CTRL | Qt::SHIFT | Qt::Key_N,
        [this] { showGallery(); });
    addCommand("newFromClipboard", QStringLiteral("copy"), tr("New from clip&board"),
        tr("Open the YAML, the file or the address in the clipboard as a new document"),
        Qt::CTRL | Qt::SHIFT | Qt::Key_V, [this] { newFromClipboard(); });
    addCommand("open", QStringLiteral("open"), tr("&Open…"), tr("Open YAML files"), QKeySequence::Open,
        [this] { chooseFiles(); });
    addCommand("save", QStringLiteral("save"), tr("&Save"), tr("Save this document"), QKeySequence::Save, [this] {
        if (DesignerPage *page = currentDesigner()) {
            save(page, false);
        }
    });
    // Not QKeySequence::SaveAs or Quit, which are no keys on some desktops.
    addCommand("saveAs", {}, tr("Save &as…"), tr("Save this document under another name"),
        Qt::CTRL | Qt::SHIFT | Qt::Key_S, [this] {
            if (DesignerPage *page = currentDesigner()) {
                save(page, true);
            }
        });
    addCommand("saveAsTemplate", {}, tr("Save as te&mplate…"), tr("Keep this document as a template of your own"), {},
        [this] { askTemplateName(); });
    addCommand("templateFolder", {}, tr("Template &catalogue folder…"),
        tr("Show the templates of a folder too, such as one that your team shares"), {}, [this] { chooseCatalogue(); });
    addCommand("copyYaml", QStringLiteral("copy"), tr("Copy as &YAML"),
        tr("Copy the whole job to the clipboard; secrets are masked"), {}, [this] { copyYaml(false); });
    addCommand("copyYamlWithSecrets", {}, tr("Copy with &secrets"),
        tr("Copy the whole job to the clipboard, secrets in plain text"), {}, [this] { copyYaml(true); });
    addCommand("copyRunCommand", QStringLiteral("terminal"), tr("Copy as trainyardctl &command"),
        tr("Copy a command line that runs this job"), {}, [this] { copyRunCommand(); });
    addCommand("preview", QStringLiteral("eye"), tr("&Preview"),
        tr("What Run would do, task by task: scripts, environment, ports, places"),
        Qt::CTRL | Qt::SHIFT | Qt::Key_Return, [this] { previewCurrent(); });
    action("preview")->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Enter)});
    addCommand("compareSaved", {}, tr("Compare with the sa&ved file"), tr("What changed since this document was saved"),
        {}, [this] { compareCurrent(CompareWith::Saved); });
    addCommand("compareLastRun", {}, tr("Compare with its &last run"), tr("What changed since this job ran last"), {},
        [this] { compareCurrent(CompareWith::LastRun); });
    addCommand("compare", QStringLiteral("split"), tr("&Compare with…"),
        tr("Compare this document with its saved file or with any run"), Qt::CTRL | Qt::SHIFT | Qt::Key_D,
        [this] { compareCurrent(CompareWith::Any); });
    addCommand("close", QStringLiteral("close"), tr("&Close tab"), tr("Close this tab"), QKeySequence::Close, [this] {
        if (QWidget *page = m_tabs->currentPage()) {
            closePage(page);
        }
    });
    addCommand("quit", {}, tr("&Quit"), tr("Close the window; jobs go on"), Qt::CTRL | Qt::Key_Q, [this] { close(); });
    addCommand("run", QStringLiteral("run"), tr("&Run"), tr("Run this job"), Qt::Key_F5, [this] { runCurrent(); });
    addCommand(
        "stop", QStringLiteral("stop"), tr("S&top"), tr("Stop the job of this tab"), Qt::SHIFT | Qt::Key_F5, [this] {
            if (const RunPage *page = currentRun()) {
                stopJob(page->uuid());
            }
        });
    addCommand("runAgain", QStringLiteral("restart"), tr("Run &again"), tr("Submit the job of this tab once more"),
        Qt::CTRL | Qt::Key_F5, [this] {
            if (const RunPage *page = currentRun()) {
                runAgain(page->uuid());
            }
        });
    addCommand("rerunWithText", QStringLiteral("restart"), tr("Rerun &failed tasks with this text"),
        tr("One more attempt of the run that this text came from; tasks that succeeded keep their results"), {},
        [this] { rerunWithText(currentDesigner()); });
    addCommand("editAsNew", QStringLiteral("edit"), tr("&Edit as new"), tr("Open this run's YAML as a new document"),
        {}, [this] {
            if (const RunPage *page = currentRun()) {
                editAsNew(page->uuid());
            }
        });
    addCommand("hello", QStringLiteral("run"), tr("Run the &hello-world job"),
        tr("Run a small job that shows state, log and hosts"), {},
        [this] { submitDocument(helloJob(), {}, QStringLiteral("hello"), {}, m_tabs->currentPage()); });
    addCommand("commandPalette", QStringLiteral("search"), tr("Search or &command"),
        tr("Find a command or a job by its words"), Qt::CTRL | Qt::Key_K, [this] { m_palette->open(); });
    addCommand("filterJobs", QStringLiteral("filter"), tr("&Filter jobs"), tr("Find a job in the list"),
        Qt::CTRL | Qt::SHIFT | Qt::Key_J, [this] {
            m_jobsDock->show();
            m_jobs->filterField()->setFocus();
        });
    addCommand(
        "addHost", QStringLiteral("plus"), tr("Add a &host…"), tr("Add a host that is reached by ssh"), {}, [this] {
            m_hostsDock->show();
            m_hosts->showAdd();
        });
    addCommand("welcome", QStringLiteral("trainyard"), tr("&Welcome page"), tr("Show the welcome page"), {},
        [this] { showWelcome(); });
    addCommand("nextTab", {}, tr("Next tab"), tr("Go to the next tab"), Qt::CTRL | Qt::Key_PageDown,
        [this] { m_tabs->nextTab(); });
    addCommand("previousTab", {}, tr("Previous tab"), tr("Go to the previous tab"), Qt::CTRL | Qt::Key_PageUp,
        [this] { m_tabs->previousTab(); });
    action("nextTab")->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_PageDown), QKeySequence(Qt::CTRL | Qt::Key_Tab)});
    action("previousTab")
        ->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_PageUp), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Tab)});
    addCommand("undo", QStringLiteral("undo"), tr("&Undo"), tr("Undo the last change"), {}, [this] {
        if (DesignerPage *page = currentDesigner()) {
            page->undo();
        }
    });
    addCommand("redo", QStringLiteral("redo"), tr("Re&do"), tr("Do the undone change again"), {}, [this] {
        if (DesignerPage *page = currentDesigner()) {
            page->redo();
        }
    });
    auto *themes = new QActionGroup(this);
    const auto theme = [&](const char *name, const QString &text, ThemeMode mode) {
        QAction *a = addCommand(name, {}, text, text, {}, [this, mode] { setTheme(mode); });
        a->setCheckable(true);
        a->setChecked(m_settings.themeMode() == mode);
        themes->addAction(a);
    };
    theme("themeSystem", tr("Theme: as the &system"), ThemeMode::System);
    theme("themeLight", tr("Theme: &light"), ThemeMode::Light);
    theme("themeDark", tr("Theme: &dark"), ThemeMode::Dark);
    addCommand("stopEngine", {}, tr("Stop the engine; jobs go on"),
        tr("End the background program; tasks keep running"), {},
        [this] { m_client->stopEngine(false, this, [](const Result<bool> &) {}); });
}

void MainWindow::makeToolBar()
{
    auto *bar = new QToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    addToolBar(Qt::TopToolBarArea, bar);
    auto *row = new Ground(Colour::Window);
    row->setBorders(Qt::BottomEdge);
    row->setFixedHeight(metrics::toolBar);
    row->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(metrics::space2, 0, metrics::space2, 1);
    layout->setSpacing(4);
    const auto separator = [&] {
        layout->addSpacing(6);
        auto *line = new Line(Qt::Vertical);
        line->setFixedHeight(20);
        layout->addWidget(line);
        layout->addSpacing(6);
    };
    QToolButton *create = toolButton(action("new"));
    create->setPopupMode(QToolButton::MenuButtonPopup);
    auto *newMenu = new QMenu(create);
    newMenu->setObjectName(QStringLiteral("newMenu"));
    connect(newMenu, &QMenu::aboutToShow, this, [this, newMenu] { fillNewMenu(newMenu); });
    fillNewMenu(newMenu);
    create->setMenu(newMenu);
    layout->addWidget(create);
    layout->addWidget(toolButton(action("open")));
    layout->addWidget(toolButton(action("save")));
    separator();
    m_runButton = toolButton(action("run"));
    m_runButton->setObjectName(QStringLiteral("runButton"));
    m_runButton->setAutoRaise(false);
    setButtonKind(m_runButton, ButtonKind::Primary);
    m_runButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_runButton->setIconSize({14, 14});
    m_runButton->setPopupMode(QToolButton::MenuButtonPopup);
    auto *runMenu = new QMenu(m_runButton);
    runMenu->addActions(
        {action("run"), action("rerunWithText"), action("preview"), action("runAgain"), action("editAsNew")});
    runMenu->addSeparator();
    m_runInMenu = makeRunInMenu();
    runMenu->addMenu(m_runInMenu);
    runMenu->addSeparator();
    runMenu->addAction(action("hello"));
    m_runButton->setMenu(runMenu);
    layout->addWidget(m_runButton);
    layout->addWidget(toolButton(action("stop")));
    separator();
    layout->addWidget(mutedLabel(tr("on")));
    layout->addSpacing(4);
    m_target = new QComboBox;
    m_target->setObjectName(QStringLiteral("target"));
    m_target->setAccessibleName(tr("Host to run on"));
    m_target->setToolTip(tr("Where Run puts the job"));
    m_target->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_target->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(m_target);
    connect(m_target, &QComboBox::activated, this,
        [this](int index) { m_settings.setTarget(m_target->itemData(index).toString()); });
    layout->addStretch(1);
    m_search->setFixedWidth(300);
    m_search->setKeyHint(action("commandPalette")->shortcut().toString(QKeySequence::NativeText));
    m_search->setFocusPolicy(Qt::ClickFocus);
    layout->addWidget(m_search);
    auto *menuButton = new QToolButton;
    menuButton->setObjectName(QStringLiteral("menuButton"));
    menuButton->setIcon(icon(QStringLiteral("menu")));
    menuButton->setIconSize({metrics::toolIcon, metrics::toolIcon});
    menuButton->setAutoRaise(true);
    menuButton->setPopupMode(QToolButton::InstantPopup);
    menuButton->setToolTip(tr("Menu (F10)"));
    menuButton->setShortcut(Qt::Key_F10);
    menuButton->setAccessibleName(tr("Menu"));
    menuButton->setMenu(new QMenu(menuButton));
    layout->addWidget(menuButton);
    bar->addWidget(row);
    updateHosts();
}

void MainWindow::fillNewMenu(QMenu *menu)
{
    menu->clear();
    menu->addAction(icon(QStringLiteral("document")), tr("Empty job"), this,
        [this] { newDocument(QByteArrayLiteral("protocolVersion: 2\nname: job\ntype: job\n"), {}); });
    menu->addAction(action("newFromClipboard"));
    menu->addAction(action("newFromTemplate"));
    menu->addSeparator();
    constexpr qsizetype most = 8; // the page has them all
    for (const JobTemplate &job : m_shelf->templates().first(std::min(most, m_shelf->templates().size()))) {
        menu->addAction(job.title, this, [this, id = job.id] { openTemplate(id); });
    }
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
    m_hosts->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    splitDockWidget(m_jobsDock, m_hostsDock, Qt::Vertical);
    resizeDocks({m_jobsDock, m_hostsDock}, {metrics::sideWidth, metrics::sideWidth}, Qt::Horizontal);

    connect(m_jobs, &JobsPane::openRequested, this, [this](const QString &uuid) { openRun(uuid); });
    connect(m_jobs, &JobsPane::stopRequested, this, &MainWindow::stopJob);
    connect(m_jobs, &JobsPane::runAgainRequested, this, &MainWindow::runAgain);
    connect(m_jobs, &JobsPane::pauseRequested, this, &MainWindow::pauseJob);
    connect(m_jobs, &JobsPane::rerunRequested, this,
        [this](const QString &uuid, bool failedOnly) { rerun(uuid, failedOnly); });
    connect(m_jobs, &JobsPane::moveRequested, this, [this](const QString &uuid, const QString &before) {
        m_client->move(uuid, before, this, [this](const Result<bool> &moved) {
            if (!moved) {
                say(errorText(moved.error()));
            } else if (!*moved) {
                say(tr("Only jobs that wait have a place in the queue."));
            }
        });
    });
    connect(m_jobs, &JobsPane::editAsNewRequested, this, &MainWindow::editAsNew);
    connect(m_jobs, &JobsPane::openFolderRequested, this, &MainWindow::openFolder);
    connect(m_jobs, &JobsPane::removeRequested, this, &MainWindow::removeJob);
    connect(m_jobs, &JobsPane::copyYamlRequested, this,
        [this](const QString &uuid) { withYaml(uuid, [](const JobDetail &detail) { copyToClipboard(detail.yaml); }); });
    connect(m_jobs, &JobsPane::helloRequested, action("hello"), &QAction::trigger);
    connect(m_jobs, &JobsPane::yamlWanted, this, [this](const QString &uuid) {
        withYaml(uuid, [this, uuid](const JobDetail &detail) { m_jobs->setYaml(uuid, detail.yaml); });
    });
}

void MainWindow::makeMenu()
{
    QMenu *menu = findChild<QToolButton *>(QStringLiteral("menuButton"))->menu();
    menu->addActions({action("new"), action("newFromTemplate"), action("newFromClipboard"), action("open")});
    m_recentMenu = menu->addMenu(tr("Open &recent"));
    menu->addActions({action("save"), action("saveAs"), action("saveAsTemplate")});
    QMenu *share = menu->addMenu(tr("Cop&y as"));
    share->addActions({action("copyYaml"), action("copyRunCommand")});
    share->addSeparator();
    share->addAction(action("copyYamlWithSecrets"));
    QMenu *compare = menu->addMenu(tr("C&ompare"));
    compare->addActions({action("compareSaved"), action("compareLastRun"), action("compare")});
    menu->addAction(action("close"));
    menu->addSeparator();
    QMenu *edit = menu->addMenu(tr("&Edit"));
    connect(edit, &QMenu::aboutToShow, this, [this, edit] {
        edit->clear();
        edit->addActions({action("undo"), action("redo")});
        if (const DesignerPage *page = currentDesigner()) {
            edit->addSeparator();
            edit->addActions(page->pageActions());
        }
    });
    QMenu *run = menu->addMenu(tr("&Run"));
    run->addActions({action("run"), action("rerunWithText"), action("preview"), action("stop"), action("runAgain"),
        action("editAsNew")});
    run->addMenu(m_runInMenu);
    run->addSeparator();
    run->addActions({action("hello"), action("addHost"), action("stopEngine")});
    QMenu *view = menu->addMenu(tr("&View"));
    view->addAction(m_jobsDock->toggleViewAction());
    view->addAction(m_hostsDock->toggleViewAction());
    view->addActions({action("commandPalette"), action("filterJobs"), action("welcome"), action("newFromTemplate"),
        action("templateFolder")});
    view->addSeparator();
    view->addActions({action("nextTab"), action("previousTab")});
    view->addSeparator();
    view->addActions({action("themeSystem"), action("themeLight"), action("themeDark")});
    menu->addSeparator();
    menu->addAction(action("quit"));
}

void MainWindow::updateRecentMenu()
{
    m_recentMenu->clear();
    const QStringList files = m_settings.recentFiles();
    for (const QString &file : files) {
        QAction *a = m_recentMenu->addAction(QFileInfo(file).fileName(), this, [this, file] { openFile(file); });
        a->setStatusTip(file);
        a->setToolTip(file);
    }
    m_recentMenu->setEnabled(!files.isEmpty());
    if (!files.isEmpty()) {
        m_recentMenu->addSeparator();
        m_recentMenu->addAction(tr("Clear this list"), this, [this] {
            m_settings.clearRecentFiles();
            updateRecentMenu();
        });
    }
    if (m_welcome) {
        m_welcome->setRecentFiles(files);
    }
}

void MainWindow::showWelcome()
{
    if (!m_welcome) {
        m_welcome = new WelcomePage;
        m_tabs->addPage(m_welcome, icon(QStringLiteral("trainyard"), Colour::Accent), tr("Welcome"));
        connect(m_welcome, &WelcomePage::helloRequested, action("hello"), &QAction::trigger);
        connect(m_welcome, &WelcomePage::newRequested, action("new"), &QAction::trigger);
        connect(m_welcome, &WelcomePage::openRequested, action("open"), &QAction::trigger);
        connect(m_welcome, &WelcomePage::fileRequested, this, [this](const QString &path) { openFile(path); });
        connect(m_welcome, &WelcomePage::templateRequested, this, &MainWindow::openTemplate);
        connect(m_welcome, &WelcomePage::galleryRequested, this, &MainWindow::showGallery);
        connect(m_shelf, &TemplateShelf::changed, m_welcome, [this] { m_welcome->setTemplates(m_shelf->templates()); });
        m_welcome->setTemplates(m_shelf->templates());
        m_welcome->setRecentFiles(m_settings.recentFiles());
        updateEngine();
    }
    m_tabs->setCurrentPage(m_welcome);
}

void MainWindow::setTheme(ThemeMode mode)
{
    m_settings.setThemeMode(mode);
    if (TrainyardStyle *style = TrainyardStyle::installed()) {
        style->setThemeMode(mode);
    }
}

} // namespace trainyard
