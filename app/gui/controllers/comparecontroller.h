// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
class Workbench;

// Comparisons of a document: with its saved file, its last run, any run.
class CompareController : public QObject
{
    Q_OBJECT
public:
    // Adds the actions "compareSaved", "compareLastRun" and "compare".
    CompareController(Workbench *workbench, ActionRegistry *actions, EngineClient *client, FileController *files);

private:
    void makeActions(ActionRegistry *actions);
    void compareSaved(DocumentTab *document);
    void compareLastRun(DocumentTab *document);
    void compareAny(DocumentTab *document);
    // Opens the comparison of a document, or brings it to the front; an empty source: the first there is.
    void compareWith(DocumentTab *document, const QString &source);
    DiffTab *tabOf(DocumentTab *document);
    QList<DiffPage::Source> sourcesOf(const DocumentTab *document) const;
    QString lastRunOf(const DocumentTab *document) const;
    void load(DiffTab *tab, const QString &id);
    void update(DiffTab *tab);
    void onFront(Page *front);

    Workbench *m_workbench;
    EngineClient *m_client;
    FileController *m_files;
    QList<DiffTab *> m_tabs;
};

} // namespace trainyard
