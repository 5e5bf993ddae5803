// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session.h"
#include "widgets/diff/diffpage.h"

#include <QList>
#include <QObject>
#include <QString>

namespace trainyard
{

class ActionRegistry;
class DiffTab;
class DocumentTab;
class EngineClient;
class FileController;
class Page;
class JobRemoval;
class PageRegistry;
class Workbench;

// Comparisons of a document or a run: with its saved file, its last run, any run.
class CompareController : public QObject
{
    Q_OBJECT
public:
    // Adds the actions "compareSaved", "compareLastRun" and "compare".
    CompareController(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, EngineClient *client,
        const JobRemoval *removal, FileController *files);

private:
    void makeActions(ActionRegistry *actions);
    Page *current() const; // that can be compared; null: none
    void compareSaved(Page *page);
    void compareLastRun(Page *page);
    void compareAny(Page *page);
    // Opens the comparison of a page, or brings it to the front; an empty source: the first there is.
    void compareWith(Page *compared, const QString &source);
    DiffTab *tabOf(Page *page);
    QList<DiffPage::Source> sourcesOf(Page *page) const;
    QString lastRunOf(Page *page) const;
    QString fileOf(const Page *page) const;
    static QByteArray textOf(Page *page);
    Page *restore(const SessionTab &place);
    void chooseAwaited(DiffTab *tab);
    void load(DiffTab *tab, const QString &id);
    void loadFile(DiffTab *tab);
    void showFile(DiffTab *tab, const QByteArray &bytes);
    void update(DiffTab *tab);
    void onFront(Page *front);

    Workbench *m_workbench;
    EngineClient *m_client;
    const JobRemoval *m_removal;
    FileController *m_files;
    QList<DiffTab *> m_tabs;
};

} // namespace trainyard
