// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/controllers/underway.h"
#include "engine/api/values.h"
#include "widgets/sweep/sweepdraft.h"

#include <QHash>
#include <QObject>

#include <memory>

namespace trainyard
{

class ActionRegistry;
class DocumentTab;
class EngineClient;
class PageRegistry;
class Secrets;
class SweepDialog;
class TargetBox;
class Workbench;

// Sweeps of the document in front: asks for the values, and hands the jobs over as one group, whose comparison
// it opens. What was written for a document is there again when its sweep is opened again in this window.
class SweepController : public QObject
{
    Q_OBJECT
public:
    // Adds the action "runAsSweep".
    SweepController(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, EngineClient *client,
        Secrets *secrets, TargetBox *target);
    // When not all of its jobs could be handed over.
    static QString begunText(qsizetype count, const QString &group);

private:
    // The input for a document, and the initial offer.
    struct Written {
        SweepDraft offered, draft;
    };
    void open();
    SweepDraft resumed(const DocumentTab *tab, const SweepDraft &offered) const;
    void remember(DocumentTab *tab, const Written &written);
    struct Begun;
    void nameGroup(SweepDialog *dialog, const std::shared_ptr<Begun> &begun);
    void submit(SweepDialog *dialog, const SubmitRequest &request, const std::shared_ptr<Begun> &begun);
    void show(const QString &group);

    Workbench *m_workbench;
    PageRegistry *m_pages;
    EngineClient *m_client;
    Secrets *m_secrets;
    TargetBox *m_target;
    QHash<const QObject *, Written> m_ofTabs;
    UnderWay m_underWay;
    QHash<QString, Written> m_ofFiles; // for documents that are opened again
};

} // namespace trainyard
