// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/textsizecontroller.h"

#include "app/gui/controllers/runtabs.h"
#include "app/gui/guisettings.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "widgets/common/textsize.h"

#include <QApplication>

namespace trainyard
{

TextSizeController::TextSizeController(
    Workbench *workbench, ActionRegistry *actions, const RunTabs *runs, GuiSettings *settings)
    : QObject(workbench->window()), m_runs(runs)
{
    TextSize::code()->setSteps(settings->codeZoom());
    TextSize::logs()->setSteps(settings->logZoom());
    connect(TextSize::code(), &TextSize::changed, this, [settings](int steps) { settings->setCodeZoom(steps); });
    connect(TextSize::logs(), &TextSize::changed, this, [settings](int steps) { settings->setLogZoom(steps); });
    actions->add({"zoomIn", {}, tr("Zoom &in"), tr("Show the text of the editors, or of the logs, larger"),
                     {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal}},
        this, [this] { meant()->setSteps(meant()->steps() + 1); });
    actions->add({"zoomOut", {}, tr("Zoom &out"), tr("Show the text of the editors, or of the logs, smaller"),
                     {Qt::CTRL | Qt::Key_Minus}},
        this, [this] { meant()->setSteps(meant()->steps() - 1); });
    actions->add({"zoomReset", {}, tr("&Reset zoom"), tr("Show the text of the editors, or of the logs, as usual"),
                     {Qt::CTRL | Qt::Key_0}},
        this, [this] { meant()->setSteps(0); });
}

TextSize *TextSizeController::meant() const
{
    if (TextSize *size = TextSize::of(QApplication::focusWidget())) {
        return size;
    }
    return m_runs->current() ? TextSize::logs() : TextSize::code();
}

} // namespace trainyard
