// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/earlyrun.h"

#include "app/gui/pages/documenttab.h"
#include "app/gui/workbench/workbench.h"
#include "widgets/form/designerpage.h"

#include <QAction>
#include <QShortcut>

namespace trainyard
{

EarlyRun::EarlyRun(
    QAction *run, Workbench *workbench, const std::function<void(DocumentTab *)> &runDocument, QObject *parent)
    : QObject(parent), m_run(run), m_key(new QShortcut(run->shortcut(), workbench->window())), m_workbench(workbench),
      m_runDocument(runDocument)
{
    m_key->setEnabled(false);
    m_key->setAutoRepeat(false);
    connect(m_key, &QShortcut::activated, this, &EarlyRun::act);
}

void EarlyRun::setDocument(DocumentTab *tab)
{
    m_document = tab;
    m_key->setEnabled(tab && !m_run->isEnabled()); // two of one key would both be dropped
}

void EarlyRun::act()
{
    if (!m_document) {
        return;
    }
    DesignerPage *designer = m_document->designer();
    designer->commit(); // what is in a field may be all that is missing
    if (designer->canRun() || designer->isBeingChecked()) {
        m_runDocument(m_document);
    } else if (const QStringList why = designer->runBlockers(); !why.isEmpty()) {
        m_workbench->sayOf(m_document, tr("%1 cannot run: %2").arg(designer->displayName(), why.constFirst()));
    }
}

} // namespace trainyard
