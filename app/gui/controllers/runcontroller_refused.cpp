// SPDX-License-Identifier: GPL-3.0-or-later
// The offers when the engine refuses a job.
#include "app/gui/controllers/filecontroller.h"
#include "app/gui/controllers/runcontroller.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/workbench/page.h"
#include "app/gui/workbench/workbench.h"
#include "model/runtime/rehearsal.h"
#include "model/yaml/yamldocument.h"
#include "widgets/common/infobar.h"
#include "widgets/form/designerpage.h"
#include "widgets/text/texts.h"

#include <QJsonArray>
#include <QPushButton>

#include <algorithm>

namespace trainyard
{

// A job that asks for more than there is: the same figures as an edit of its document, while that is unchanged.
void RunController::offerFix(const Error &refusal, const QByteArray &yaml, const Page *asker)
{
    const QString text = refusalFixText(refusal);
    DocumentTab *tab = m_files->find(asker);
    if (text.isEmpty() || !tab || tab->designer()->bytes() != yaml) {
        return;
    }
    QList<edit::Op> ops;
    const QJsonArray edits = refusal.args.value(QStringLiteral("fix")).toArray();
    for (const QJsonValue &each : edits) {
        if (const Result<YamlPath> path = YamlPath::fromPointer(each[QStringLiteral("path")].toString())) {
            ops.append(edit::SetValue{*path, each[QStringLiteral("value")].toString().toUtf8()});
        }
    }
    InfoBar *bar = m_workbench->barOf(tab);
    QPushButton *button = bar->addAction(text);
    button->setObjectName(QStringLiteral("refusalFix"));
    connect(button, &QPushButton::clicked, tab, [tab, bar, ops] {
        bar->hide();
        tab->designer()->applyEdits(ops);
    });
    // The bar is about the refused figures: it disappears as soon as one of them changes.
    static const QString topic = QStringLiteral("refusedFigures");
    bar->setTopic(topic);
    auto *until = new QObject(button); // which goes with whatever is said next
    connect(tab, &DocumentTab::textParsed, until, [tab, bar, ops, until, before = YamlDocument::parse(yaml)] {
        const YamlDocument &now = tab->designer()->document();
        const auto isOther = [&before, &now](const edit::Op &op) {
            const auto *set = std::get_if<edit::SetValue>(&op);
            const YamlNode *old = set ? before.find(set->path) : nullptr;
            const YamlNode *node = set ? now.find(set->path) : nullptr;
            return old && now.isComplete() && (!node || node->scalar != old->scalar);
        };
        if (std::any_of(ops.cbegin(), ops.cend(), isOther)) {
            bar->hideIfOf(topic);
            until->deleteLater(); // the text is read for nothing from now on
        }
    });
}

// The document stays as it is, since the whole job is to run elsewhere: only the rehearsal has fewer.
void RunController::offerFewerGpus(const Error &refusal, const RehearsalWishes &wishes, const Page *asker)
{
    const std::optional<qint64> most = gpusThatFit(refusal.args.value(QStringLiteral("fix")).toArray());
    DocumentTab *tab = m_files->find(asker);
    if (!most || !tab) {
        return;
    }
    RehearsalWishes fewer = wishes;
    fewer.mostGpus = most;
    InfoBar *bar = m_workbench->barOf(tab);
    QPushButton *button = bar->addAction(*most == 0 ? tr("Rehearse without GPUs")
            : *most == 1                            ? tr("Rehearse with 1 GPU for each task")
                                                    : tr("Rehearse with %1 GPUs for each task").arg(*most));
    button->setObjectName(QStringLiteral("fewerGpus"));
    connect(button, &QPushButton::clicked, tab, [this, tab, bar, fewer] {
        bar->hide();
        runRehearsal(tab, fewer);
    });
}

// The field of a work folder that was refused says so too, until it names another one; so long stands the bar.
void RunController::markWork(const Error &refusal, const Page *asker)
{
    const DocumentTab *tab = m_files->find(asker);
    if (!tab || !refusal.code.startsWith(QLatin1String("job.work-"))) {
        return;
    }
    DesignerPage *designer = tab->designer();
    designer->setWorkRefused(refusal);
    InfoBar *bar = m_workbench->barOf(m_files->find(asker));
    static const QString topic = QStringLiteral("workFolder");
    bar->setTopic(topic);
    auto *until = new QObject(bar);
    connect(designer, &DesignerPage::problemsChanged, until, [designer, bar, until] {
        if (!designer->isWorkRefused()) {
            bar->hideIfOf(topic);
            until->deleteLater();
        }
    });
}

} // namespace trainyard
