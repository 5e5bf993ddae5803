// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/codecontroller.h"

#include "app/gui/codeeditors.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/guisettings.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "widgets/tasks/runpage.h"

#include <QInputDialog>

namespace trainyard
{

CodeController::CodeController(Workbench *workbench, ActionRegistry *actions, RunTabs *runs, GuiSettings *settings)
    : QObject(workbench->window()), m_workbench(workbench), m_settings(settings)
{
    actions->add({"codeEditor", {}, tr("Program for &code…"), tr("Which editor shows the code that a log names")}, this,
        [this] { choose(); });
    connect(runs, &RunTabs::opened, this, [this](RunTab *tab) {
        connect(tab->run(), &RunPage::codeRequested, this, [this, tab](const QString &path, int line) {
            if (const QString problem = openInEditor(m_settings->codeEditor(), path, line); !problem.isEmpty()) {
                m_workbench->sayOf(tab, problem);
            }
        });
    });
}

void CodeController::choose()
{
    auto *dialog = new QInputDialog(m_workbench->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("codeEditorDialog"));
    dialog->setWindowTitle(tr("Program for code"));
    dialog->setLabelText(tr("The command that shows a line of code, such as: code -g {file}:{line}\n"
                            "Empty: that of the variable VISUAL or EDITOR, or the first editor that is installed."));
    dialog->setTextValue(m_settings->codeEditor());
    connect(dialog, &QInputDialog::textValueSelected, this,
        [this](const QString &command) { m_settings->setCodeEditor(command.trimmed()); });
    dialog->open();
}

} // namespace trainyard
