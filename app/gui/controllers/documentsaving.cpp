// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/documentsaving.h"

#include "app/gui/controllers/secretsaving.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/workbench/workbench.h"
#include "widgets/common/filedialog.h"
#include "widgets/common/infobar.h"
#include "widgets/form/designerpage.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QPushButton>

namespace trainyard
{
namespace
{

const QString ofSaving = QStringLiteral("saving"); // what a bar tells that is over when the document is saved

} // namespace

DocumentSaving::DocumentSaving(Workbench *workbench, Secrets *secrets, const OpenAt &openAt, QObject *parent)
    : QObject(parent), m_workbench(workbench), m_secretSaving(new SecretSaving(secrets, workbench->window())),
      m_openAt(openAt)
{
}

void DocumentSaving::save(DocumentTab *tab, bool as, const std::function<void()> &then)
{
    DesignerPage *designer = tab->designer();
    const auto done = [this, tab, designer, then](const Result<void> &result) {
        InfoBar *bar = m_workbench->barOf(tab);
        if (!result) {
            m_workbench->show(tab); // it may be closed from behind another one
            if (result.error().code != QStringLiteral("file.changed")) { // of that the page tells, with what to do
                m_workbench->sayOf(tab, errorText(result.error()));
                bar->setTopic(ofSaving);
                QPushButton *elsewhere = bar->addAction(tr("Save as…"));
                elsewhere->setObjectName(QStringLiteral("saveElsewhere"));
                connect(elsewhere, &QPushButton::clicked, tab, [this, tab, then] { save(tab, true, then); });
            }
            return;
        }
        bar->hideIfOf(ofSaving);
        if (!designer->filePath().isEmpty()) {
            Q_EMIT saved(designer->filePath());
        }
        Q_EMIT tab->changed();
        if (then) {
            then();
        }
    };
    if (!as && !designer->filePath().isEmpty()) {
        m_secretSaving->ask(designer, designer->filePath(), [designer, done] { done(designer->save()); });
        return;
    }
    designer->commit(); // its name may be one of them
    const QStringList suffixes{
        QStringLiteral(".pai.yaml"), QStringLiteral(".yaml"), QStringLiteral(".yml"), QStringLiteral(".json")};
    askWhereToSave(m_workbench->window(), tr("Save the job as"),
        QDir(designer->saveFolder()).filePath(designer->fileName()), {{tr("Jobs"), suffixes}, {tr("All files"), {}}},
        designer, [this, tab, done](const QString &path) { saveAs(tab, path, done); });
}

// Two tabs of one file would write over each other: the tab that has this file gives it up.
void DocumentSaving::saveAs(
    DocumentTab *tab, const QString &path, const std::function<void(const Result<void> &)> &done)
{
    const DocumentTab *before = m_openAt(path);
    if (before && before != tab) {
        before->designer()->commit(); // what is in a field counts
        if (before->isUnsaved()) {
            m_workbench->sayOf(tab,
                tr("The document is not saved: %1 is open in another tab, which has changes that are not saved. Save "
                   "or close that tab first, or choose another name.")
                    .arg(before->title()));
            m_workbench->barOf(tab)->setTopic(ofSaving);
            return;
        }
    }
    m_secretSaving->ask(tab->designer(), path, [this, tab, path, done] {
        const QPointer<DocumentTab> other = m_openAt(path);
        const Result<void> result = tab->designer()->saveAs(path);
        if (result) {
            Q_EMIT placed(QFileInfo(path).absolutePath());
        }
        if (result && other && other != tab) {
            m_workbench->close(other);
        }
        done(result);
    });
}

} // namespace trainyard
