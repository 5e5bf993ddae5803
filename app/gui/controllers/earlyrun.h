// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

#include <functional>

class QAction;
class QShortcut;

namespace trainyard
{

class DocumentTab;
class Workbench;

// The key of Run while the action is off, where Qt would drop it without a word: a text that is being checked is run as
// soon as that is through, and of any other one it is said why it cannot run.
class EarlyRun : public QObject
{
    Q_OBJECT
public:
    EarlyRun(
        QAction *run, Workbench *workbench, const std::function<void(DocumentTab *)> &runDocument, QObject *parent);
    void setDocument(DocumentTab *tab); // that Run is about, or null; after the action was switched on or off

private:
    void act();

    QAction *m_run;
    QShortcut *m_key;
    Workbench *m_workbench;
    std::function<void(DocumentTab *)> m_runDocument;
    QPointer<DocumentTab> m_document;
};

} // namespace trainyard
