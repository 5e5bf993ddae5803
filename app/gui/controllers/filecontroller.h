// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/clusteroffers.h"
#include "model/base/result.h"

#include <QList>
#include <QObject>
#include <QPointer>
#include <QStringList>

#include <functional>

namespace trainyard
{

class ActionRegistry;
class DesignerPage;
class DocumentSaving;
class DocumentTab;
class EngineClient;
class FormKnowledge;
class GuiSettings;
class HostController;
class Page;
class PageRegistry;
class RecentFiles;
class Secrets;
class Workbench;
struct SessionTab;

// Opens and restores documents. Large because each way to open one is a separate action: new, open, dropped, restored,
// from a template or a run.
class FileController : public QObject
{
    Q_OBJECT
public:
    // Adds the actions "new", "open", "save", "saveAs", "undo" and "redo", and registers documents as pages.
    FileController(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, EngineClient *client,
        HostController *hosts, Secrets *secrets, GuiSettings *settings);

    DocumentTab *openFile(const QString &path); // null when it cannot be read; the window says why
    void openFiles(const QStringList &paths); // and raises the window
    // The function that opens files with runs of other programs instead of jobs, and returns the remaining ones.
    void setRuns(const std::function<QStringList(const QStringList &paths)> &take) { m_takeRuns = take; }
    // A text that also exists elsewhere, such as that of a template or of a run, may be closed without a question. One
    // that exists nowhere else, such as a pasted one, counts as changed.
    enum class Kept { Elsewhere, Nowhere };
    // A job of version 1 is converted.
    DocumentTab *newDocument(const QByteArray &yaml, const QString &suggestedName, Kept kept = Kept::Elsewhere);
    void save(DocumentTab *tab, bool as, const std::function<void()> &then = {});

    DocumentTab *current() const; // in front, or null
    DocumentTab *find(const Page *page) const; // the open document that this page is, or null
    // The offers of clusters for suggestions in forms; call it again when they have changed.
    void setOffers(const std::function<ClusterOffers()> &offers);
    RecentFiles *recent() const { return m_recent; }

Q_SIGNALS:
    void opened(trainyard::DocumentTab *tab); // right before it is shown

private:
    void makeActions(ActionRegistry *actions);
    void enableActions(ActionRegistry *actions) const;
    DocumentTab *add(DesignerPage *designer);
    Result<DocumentTab *> tryOpen(const QString &path);
    DocumentTab *openAt(const QString &path) const;
    Result<DocumentTab *> openOldJob(const QString &path);
    DocumentTab *openScript(const QString &path);
    DocumentTab *convertedDocument(const QByteArray &bytes, const QString &name);
    Page *restore(const SessionTab &place);
    DocumentTab *restoreText(const SessionTab &place);
    void setTextWrapped(bool on);
    QString freeName(const QString &wanted) const;
    void noteFolder(const QString &folder); // of a document that was opened or saved
    void chooseFiles();

    Workbench *m_workbench;
    HostController *m_hosts;
    FormKnowledge *m_knowledge;
    DocumentSaving *m_saving;
    GuiSettings *m_settings;
    RecentFiles *m_recent;
    QList<DocumentTab *> m_tabs;
    std::function<QStringList(const QStringList &)> m_takeRuns;
};

} // namespace trainyard
