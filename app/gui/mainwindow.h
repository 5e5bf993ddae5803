// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/guisettings.h"
#include "engine/client/engineclient.h"
#include "widgets/diff/diffpage.h"

#include <QHash>
#include <QMainWindow>
#include <QPointer>
#include <QSet>

#include <optional>

class QComboBox;
class QDockWidget;
class QMenu;
class QMimeData;
class QToolButton;

namespace trainyard
{

class CommandPalette;
class DesignerPage;
class DropMark;
class GalleryPage;
class HostsPane;
class Importer;
class InfoBar;
class JobsPane;
class PageBars;
class PreviewPage;
class RunInMenu;
class RunPage;
class SearchField;
class SecretVault;
class StatusLine;
class TabArea;
class TemplateShelf;
class WelcomePage;

// The window: what exists at the left, documents and runs in tabs, a line at the bottom. It wires widgets to the engine
// and owns every action.
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
    QAction *action(const char *objectName) const;
    DesignerPage *currentDesigner() const;
    RunPage *currentRun() const;

    DesignerPage *openFile(const QString &path); // null when it cannot be read; the window says why
    DesignerPage *newDocument(const QByteArray &yaml, const QString &suggestedName);
    RunPage *openRun(const QString &uuid);
    void openFiles(const QStringList &paths);
    void showWelcome();
    void showGallery();
    void runCurrent();
    void importContent(const QMimeData *mime); // files, addresses or a text: what a drop or a paste brings
    Importer *importer() const { return m_importer; }
    TemplateShelf *shelf() const { return m_shelf; }
    InfoBar *bar() const; // that says something, or may: of the page in front, else of the window
    void saveAsTemplate(const QString &name); // the current document
    void setCatalogue(const QString &folder);
    void setSecretVault(SecretVault *vault); // instead of the desktop's keyring; not owned
    // Opens (or brings to the front) the comparison of a document; an empty source: the first there is.
    void compareWith(DesignerPage *designer, const QString &source);
    void openPreview(DesignerPage *designer);
    void leave(); // at once, without a question: everything comes back the next time

protected:
    bool event(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dragLeaveEvent(QDragLeaveEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    static constexpr int windowStateVersion = 1;
    static constexpr int openedSaveMs = 200; // after a tab came, went or was chosen, until the session is written
    static constexpr int typedSaveMs = 2000;

    QSet<QString> m_saidDiskLow; // hosts
    QString m_saidTrouble; // of the engine
    QSet<QString> m_awaitedHosts; // that were added or are checked; what comes of it is said
    int activeJobs() const; // not over yet
    void makeActions();
    void makeToolBar();
    void makeDocks();
    void makeMenu();
    RunInMenu *makeRunInMenu();
    void connectEngine();
    QAction *addCommand(const char *name, const QString &icon, const QString &text, const QString &tip,
        const QKeySequence &shortcut, const std::function<void()> &run);
    void prepareDesigner(DesignerPage *page);
    void updateActions();
    void updateTitle(DesignerPage *page);
    void nameWindowAfter(const QWidget *page);
    void updateEngine();
    void sayEngineTrouble(const QString &error);
    void updateHosts();
    void fillTargets(const QList<HostInfo> &hosts);
    QList<HostInfo> hosts() const;
    void checkHost(const QString &id);
    void sayAwaited(const HostInfo &host);
    void updateRecentMenu();
    void onPageChanged();
    void closePage(QWidget *page);
    void save(DesignerPage *page, bool as, const std::function<void()> &then = {});
    void chooseFiles();
    // `asker` is the page that it was asked for in, which is told when it cannot be done.
    void submit(const SubmitRequest &request, const QPointer<QWidget> &asker);
    void offerFix(const Error &refusal, const QByteArray &yaml, QWidget *asker);
    void submitDocument(
        const QByteArray &yaml, const QString &file, const QString &name, const QString &runIn, QWidget *asker);
    // What the next runs of a document are put into, as `trainyardctl run --in`; empty: as the job or the host says.
    QString runInOf(const DesignerPage *designer) const;
    void chooseRunIn(const QString &word);
    DesignerPage *designerInFront() const; // or the one whose preview is
    void withYaml(const QString &uuid, const std::function<void(const JobDetail &)> &use);
    void runAgain(const QString &uuid);
    void editAsNew(const QString &uuid);
    void stopJob(const QString &uuid);
    void pauseJob(const QString &uuid, bool on);
    void rerun(const QString &uuid, bool failedOnly, const QStringList &tasks = {});
    // The run whose failed tasks the document of this page can run again: it came from there.
    std::optional<JobSummary> rerunnable(const DesignerPage *page) const;
    void rerunWithText(DesignerPage *page);
    // From the keyring; what it does not have is asked for. Nothing happens when nobody answers.
    void withSecrets(const QString &job, const QStringList &wanted,
        const std::function<void(const QMap<QString, QString> &values)> &use);
    void openFolder(const QString &uuid);
    void removeJob(const QString &uuid);
    void previewCurrent();
    void connectPreview(PreviewPage *page, DesignerPage *designer);
    void plan(PreviewPage *page, DesignerPage *designer);
    void updatePreviews();
    DesignerPage *designerOf(const PreviewPage *page) const;
    struct Exported {
        QByteArray yaml;
        QString name;
    };
    std::optional<Exported> exported(QWidget *page, bool withSecrets);
    void exportDrag(QWidget *page);
    void copyYaml(bool withSecrets);
    static void copyToClipboard(const QByteArray &yaml);
    void copyRunCommand();
    void newFromClipboard();
    void connectImporter();
    DesignerPage *openOldJob(const QString &path);
    DesignerPage *convertedDocument(const QByteArray &bytes, const QString &name);
    void openTemplate(const QString &id);
    void chooseCatalogue();
    void askTemplateName();
    void fillNewMenu(QMenu *menu);
    enum class CompareWith { Saved, LastRun, Any };
    void compareCurrent(CompareWith what);
    QList<DiffPage::Source> diffSources(const DesignerPage *designer) const;
    QString lastRunOf(const DesignerPage *designer) const;
    void loadDiff(DiffPage *page, const DesignerPage *designer, const QString &id);
    void updateDiff(DiffPage *page, const DesignerPage *designer);
    void setTheme(ThemeMode mode);
    bool askForUnkept(); // true: a question stands, and the window stays
    void saveSessionNow();
    void saveSessionSoon(int ms);
    void restoreSession();
    void say(const QString &sentence, bool failed = true);
    void sayOf(QWidget *page, const QString &sentence, bool failed = true); // shown with that page; null: with any
    // With the program that the desktop has for it; said when there is none, or nothing to open.
    void openOutside(const QUrl &url, QWidget *page = nullptr);
    RunPage *runPage(const QString &uuid) const; // null when it is not open

    Options m_options;
    GuiSettings m_settings;
    EngineClient *m_client;
    TabArea *m_tabs;
    DropMark *m_dropMark;
    PageBars *m_bars;
    InfoBar *m_bar; // of the window itself
    JobsPane *m_jobs;
    HostsPane *m_hosts;
    StatusLine *m_status;
    SearchField *m_search;
    CommandPalette *m_palette;
    WelcomePage *m_welcome = nullptr;
    QComboBox *m_target = nullptr;
    QToolButton *m_runButton = nullptr;
    RunInMenu *m_runInMenu = nullptr;
    QMenu *m_recentMenu = nullptr;
    QDockWidget *m_jobsDock = nullptr;
    QDockWidget *m_hostsDock = nullptr;
    QHash<QByteArray, QAction *> m_actions;
    QHash<const DesignerPage *, QPointer<PreviewPage>> m_previews;
    QHash<const DesignerPage *, QPointer<DiffPage>> m_diffs;
    DesignerPage *lastDesigner() const; // for a preview from another page
    QPointer<QWidget> m_lastDesigner; // asked also while it goes away: it is not a designer any more then
    Importer *m_importer;
    SecretVault *m_vault;
    TemplateShelf *m_shelf;
    QPointer<GalleryPage> m_gallery;
    bool m_showsFetch = false;
    bool m_showsUnopened = false; // the bar tells of a file that could not be opened
    int m_untitled = 0;
    QTimer *m_sessionTimer = nullptr; // what was opened or typed is written down when it runs out
    bool m_closing = false;
    QSet<const QWidget *> m_mayGo; // documents that the user lets go without saving
};

} // namespace trainyard
