// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/codecontroller.h"

#include "app/gui/codeeditors.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/guisettings.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "widgets/common/infobar.h"
#include "widgets/tasks/runpage.h"

#include <QInputDialog>
#include <QPointer>
#include <QPushButton>

namespace trainyard
{

CodeController::CodeController(Workbench *workbench, ActionRegistry *actions, RunTabs *runs, GuiSettings *settings)
    : QObject(workbench->window()), m_workbench(workbench), m_settings(settings)
{
    actions->add({"codeEditor", {}, tr("Program for &code…"), tr("Which editor shows the code that a log names")}, this,
        [this] { choose({}); });
    connect(runs, &RunTabs::opened, this, [this](RunTab *tab) {
        connect(tab->run(), &RunPage::codeRequested, this,
            [this, tab](const QString &path, int line) { open(tab, path, line); });
    });
}

void CodeController::open(RunTab *tab, const QString &path, int line)
{
    static const QString topic = QStringLiteral("codeEditor");
    InfoBar *bar = m_workbench->barOf(tab);
    const QString problem = openInEditor(m_settings->codeEditor(), path, line);
    if (problem.isEmpty()) {
        bar->hideIfOf(topic); // which a former try has left there
        return;
    }
    m_workbench->sayOf(tab, problem);
    bar->setTopic(topic);
    QPushButton *choose = bar->addAction(tr("Program for code…"));
    choose->setObjectName(QStringLiteral("codeEditorButton"));
    connect(choose, &QPushButton::clicked, this, [this, tab = QPointer(tab), path, line] {
        this->choose([tab, path, line] {
            if (tab) {
                Q_EMIT tab->run()->codeRequested(path, line); // with the program that is named now
            }
        });
    });
}

void CodeController::choose(const std::function<void()> &then)
{
    auto *dialog = new QInputDialog(m_workbench->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("codeEditorDialog"));
    dialog->setWindowTitle(tr("Program for code"));
    dialog->setLabelText(tr("The command that shows a line of code, such as: code -g {file}:{line}\n"
                            "Empty: that of the variable VISUAL or EDITOR, or the first editor that is installed."));
    dialog->setTextValue(m_settings->codeEditor());
    connect(dialog, &QInputDialog::textValueSelected, this, [this, then](const QString &command) {
        m_settings->setCodeEditor(command.trimmed());
        if (then) {
            then();
        }
    });
    dialog->open();
}

} // namespace trainyard
