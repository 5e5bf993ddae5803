// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/base/result.h"

#include <QList>
#include <QObject>

namespace trainyard
{

class ActionRegistry;
class DocumentTab;
class EngineClient;
class EngineController;
class FileController;
class HostController;
class Page;
class PreviewTab;
class Secrets;
class TargetBox;
class Workbench;

// The preview of a document: what the engine answers to the very request that Run would send.
class PreviewController : public QObject
{
    Q_OBJECT
public:
    // Adds the action "preview".
    PreviewController(Workbench *workbench, ActionRegistry *actions, EngineClient *client, EngineController *engine,
        HostController *hosts, FileController *files, Secrets *secrets, TargetBox *target);

Q_SIGNALS:
    void runRequested(trainyard::DocumentTab *document);

private:
    void previewCurrent();
    void open(DocumentTab *document);
    void connectTab(PreviewTab *tab, DocumentTab *document);
    void plan(PreviewTab *tab);
    void takePlan(PreviewTab *tab, const QByteArray &text, const Result<PlanReply> &plan);
    void updateWaiting();
    void onFront(Page *front);
    void onRunInChanged(DocumentTab *document);
    void updateTexts(ActionRegistry *actions);
    PreviewTab *previewOf(const DocumentTab *document) const;

    Workbench *m_workbench;
    EngineClient *m_client;
    HostController *m_hosts;
    FileController *m_files;
    Secrets *m_secrets;
    TargetBox *m_target;
    QList<PreviewTab *> m_tabs;
};

} // namespace trainyard
