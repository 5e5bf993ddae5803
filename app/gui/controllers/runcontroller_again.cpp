// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/documentchecks.h"
#include "app/gui/controllers/filecontroller.h"
#include "app/gui/controllers/runcontroller.h"
#include "app/gui/controllers/rundocument.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/controllers/secrets.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/session.h"
#include "app/gui/workbench/page.h"
#include "app/gui/workbench/workbench.h"
#include "engine/api/compare/parametertext.h"
#include "engine/api/documentname.h"
#include "engine/api/formertarget.h"
#include "engine/api/jobfacts.h"
#include "engine/client/engineclient.h"
#include "engine/client/secretmemory.h"
#include "model/protocol/shownsecrets.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamledit.h"
#include "widgets/common/labels.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/changedialog.h"
#include "widgets/tasks/diffdialog.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/changetexts.h"
#include "widgets/text/rehearsaltexts.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

// Jobs that ran already: once more, or as a new document.
namespace trainyard
{
namespace
{
QByteArray withText(const QByteArray &yaml, const YamlPath &path, const QString &text)
{
    const Result<TextEdits> edits = planEdit(YamlDocument::parse(yaml), edit::SetText{path, text});
    return edits ? applyEdits(yaml, *edits) : yaml;
}

QByteArray renamedJob(const QByteArray &yaml, const QString &name)
{
    return withText(yaml, {QStringLiteral("name")}, name);
}

// With the work folder that its submission named, where its file does not say the same.
QByteArray placedJob(const JobDetail &detail, const QByteArray &yaml)
{
    const QString &file = detail.summary.file;
    const bool isSaid = detail.work.isEmpty() || (!file.isEmpty() && detail.work == QFileInfo(file).path());
    return isSaid
        ? yaml
        : withText(yaml, {QStringLiteral("extras"), QStringLiteral("trainyard"), QStringLiteral("work")}, detail.work);
}
} // namespace

void RunController::runAgain(const QString &uuid)
{
    const UnderWay::Token token = m_underWay.begin(u"again "_s + uuid);
    if (!token) {
        return;
    }
    withDetail(uuid, [this, token](const JobDetail &detail) {
        // As it ran: what its submission has overridden is not in its text.
        runText(detail, yamlWithParameters(detail.yaml, detail.summary.parameters), token);
    });
}

void RunController::runText(const JobDetail &detail, const QByteArray &yaml, const UnderWay::Token &token)
{
    const ParseOutcome job = parseJob(yaml);
    const QStringList asked = job.spec ? job.spec->askedSecrets : QStringList();
    prepare({job, detail.summary.file, detail.summary.name, detail.runIn, m_runs->find(detail.summary.uuid),
        detail.summary.name, documentNameOf(detail), formerTarget(detail), detail.work, token, fileOf(detail, asked)});
}

std::optional<FileOfRun> RunController::fileOf(const JobDetail &detail, const QStringList &asked) const
{
    if (asked.isEmpty()) {
        return std::nullopt; // the file may be on a file server that does not answer
    }
    const auto [tabs, documents] = openDocuments();
    const qsizetype place = documentOfText(detail, documents);
    const QString file = fileOfText(detail);
    const QString name = place < 0           ? file
        : documents.at(place).file.isEmpty() ? tabs.at(place)->title()
                                             : documents.at(place).file;
    const ParseOutcome outcome = parseJob(place < 0 ? jobFileText(file) : documents.at(place).bytes);
    FileOfRun of{name, {}};
    const Value::Map *secrets = outcome.spec ? outcome.spec->secrets.asMap() : nullptr;
    for (const auto &[name, value] : secrets ? *secrets : Value::Map()) {
        const bool isText = !value.asMap() && !value.asList() && !value.isNull();
        if (isText && asked.contains(name) && !outcome.spec->askedSecrets.contains(name)) {
            of.values.insert(name, value.toText());
        }
    }
    return of;
}

void RunController::editAsNew(const QString &uuid)
{
    const UnderWay::Token token = m_underWay.begin(u"edit "_s + uuid);
    if (!token) {
        return;
    }
    withDetail(uuid, [this, token](const JobDetail &detail) {
        openAsNew(detail, yamlWithParameters(detail.yaml, detail.summary.parameters));
    });
}

void RunController::editAttemptAsNew(const QString &uuid, int attempt)
{
    const UnderWay::Token token = m_underWay.begin(u"edit "_s + uuid);
    if (!token) {
        return;
    }
    withDetail(uuid, [this, attempt, token](const JobDetail &detail) {
        const TextOfAttempt newest{detail.yaml, detail.summary.parameters};
        const std::optional<TextOfAttempt> text = textOfAttempt(detail.earlierTexts, newest, attempt);
        const TextOfAttempt &opened = text ? *text : newest;
        openAsNew(detail, yamlWithParameters(opened.yaml, opened.parameters),
            text ? QString()
                 : tr("The text of attempt %1 is not known any more: it was not kept when the job was tried again. "
                      "This is the text of the newest attempt.")
                       .arg(attempt + 1));
    });
}

// The file itself while it has the text that was rehearsed, since that has the values of secrets.
void RunController::openOriginal(const QString &uuid)
{
    const UnderWay::Token token = m_underWay.begin(u"original "_s + uuid);
    if (!token) {
        return;
    }
    withDetail(uuid, [this, token](const JobDetail &detail) {
        const QByteArray text = jobFileText(detail.summary.file);
        const Result<QByteArray> masked = maskSecrets(text);
        if (!text.isEmpty() && masked && *masked == detail.original) {
            if (DocumentTab *opened = m_files->openFile(detail.summary.file)) {
                opened->setRehearsal(detail.summary.uuid);
            }
            return;
        }
        const ParseOutcome outcome = parseJob(detail.original);
        const QString name = outcome.spec ? outcome.spec->name : detail.summary.name;
        DocumentTab *tab = m_files->newDocument(detail.original, name + QStringLiteral(".pai.yaml"));
        tab->designer()->setOriginFile(detail.summary.file); // its tasks start in the same folder
        tab->setRehearsal(detail.summary.uuid);
        m_workbench->refresh();
    });
}

void RunController::confirmOriginal(const SubmitRequest &request, const std::function<void()> &go)
{
    m_client->call<api::GetJob>({request.rehearsal}, this, [this, request, go](const Result<JobDetail> &rehearsal) {
        const QByteArray shown = shownBesideRun(request.yaml);
        if (!rehearsal || shown == rehearsal->yaml) { // it was removed meanwhile, or there is nothing to look at
            go();
            return;
        }
        const JobSummary &tried = rehearsal->summary;
        const QString place = placeInWords(request.target);
        const QString help = tr("What was rehearsed as #%1 is on the left, and what runs on %2 is on the right.")
                                 .arg(QString::number(tried.id), place);
        const QString doubt = rehearsalDoubt(tried);
        auto *dialog = new DiffDialog({tr("Submit the original"), tr("Run the whole job on %1?").arg(place),
                                          doubt.isEmpty() ? help : QString(doubt + u' ' + help)},
            rehearsal->yaml, shown, m_workbench->window());
        dialog->setObjectName(QStringLiteral("originalDialog"));
        dialog->addAnswer(tr("Submit"), QDialog::Accepted, true, "originalAccept");
        connect(dialog, &QDialog::accepted, this, go);
        dialog->open();
    });
}

std::pair<QList<DocumentTab *>, QList<OpenDocument>> RunController::openDocuments() const
{
    std::pair<QList<DocumentTab *>, QList<OpenDocument>> open;
    const QList<Page *> pages = m_workbench->pages();
    for (Page *page : pages) {
        if (DocumentTab *each = page->document(); each && each == page) {
            const DesignerPage *designer = each->designer();
            open.first.append(each);
            open.second.append({designer->filePath(), designer->runFile(),
                each->rehearsal().isEmpty() ? each->originRun() : each->rehearsal(), each->runs(), designer->bytes()});
        }
    }
    return open;
}

// A change that was made for a new run is in no document, and the file may have been changed since. The document that
// the run was submitted from is the right one to go on with, whatever it has become.
void RunController::tellDocument(RunTab *tab)
{
    RunPage *run = tab->run();
    const JobSummary &job = run->summary();
    if (job.file.isEmpty() || !run->showsFailure() || run->isRehearsal()) {
        m_checks->drop(run);
        run->setDocumentDiffers(false);
        return;
    }
    DocumentQuestion question;
    question.job.summary = job;
    question.job.yaml = run->maskedYaml();
    question.documents = openDocuments().second;
    m_checks->ask(run, question, [run](bool differs) { run->setDocumentDiffers(differs); });
}

// The document that a job came from whose file is not there: the one that is to be saved as that file, or that is open
// with the text of the job; else a new one of its text. A job that was never saved ran in a folder of its own, where
// none of the user's files are.
void RunController::openText(const QString &uuid, bool toPlace, const JobPlace &place)
{
    const UnderWay::Token token = m_underWay.begin(u"text "_s + uuid);
    if (!token) {
        return;
    }
    withDetail(uuid, [this, toPlace, place, token](const JobDetail &detail) {
        const auto [tabs, documents] = openDocuments();
        DocumentTab *tab = tabs.value(documentOf(detail, documents));
        if (tab) {
            m_workbench->show(tab);
            tab->focus();
        } else {
            tab = openAsNew(detail, yamlWithParameters(detail.yaml, detail.summary.parameters));
        }
        if (toPlace) {
            m_workbench->sayOf(tab,
                tr("The commands start in the work folder. Choose the folder that your files are in, or save this "
                   "document beside them."),
                false);
            tab->designer()->showInForm(
                {QStringLiteral("extras"), QStringLiteral("trainyard"), QStringLiteral("work")});
        } else if (!place.path.isEmpty()) {
            tab->designer()->jumpToValue(place.path, place.line);
        }
    });
}

DocumentTab *RunController::openAsNew(const JobDetail &detail, const QByteArray &yaml, const QString &note)
{
    const QString name = freshName(detail.summary);
    m_secrets->memory()->copy(documentNameOf(detail), name); // it is the same text under another name
    DocumentTab *tab
        = m_files->newDocument(placedJob(detail, renamedJob(yaml, name)), name + QStringLiteral(".pai.yaml"));
    tab->setOriginRun(detail.summary.uuid);
    tab->designer()->setOriginFile(detail.summary.file); // its tasks start in the same folder
    tab->setTarget(formerTarget(detail));
    m_workbench->refresh();
    if (retriable(tab) && detail.summary.counts.succeeded > 0) {
        offerRetry(tab, detail.summary, note);
    } else if (!note.isEmpty()) {
        m_workbench->sayOf(tab, note, false);
    }
    return tab;
}

void RunController::changeAsNew(const QString &uuid, const JobChange &change)
{
    const UnderWay::Token token = m_underWay.begin(u"change "_s + uuid);
    if (!token) {
        return;
    }
    withDetail(uuid, [this, uuid, change, token](const JobDetail &detail) {
        const QByteArray text = yamlWithParameters(detail.yaml, detail.summary.parameters);
        const QByteArray changed = changedText(YamlDocument::parse(text), change);
        if (changed.isEmpty()) {
            m_workbench->sayOf(
                m_runs->find(uuid), tr("The text of the job has changed meanwhile, so this change cannot be made."));
            return;
        }
        auto *dialog = new ChangeDialog(changeWords(change).title, text, changed, m_workbench->window());
        connect(dialog, &QDialog::finished, this, [this, detail, changed, token](int answer) {
            if (answer == ChangeDialog::Run) {
                runText(detail, changed, token);
            } else if (answer == ChangeDialog::EditAsNew) {
                openAsNew(detail, changed);
            }
        });
        dialog->open();
    });
}

// A copy under the name of its original would be saved over it, and be mistaken for it in the list of jobs.
QString RunController::freshName(const JobSummary &job) const
{
    constexpr qsizetype longestStem = 240;
    QSet<QString> taken;
    const QList<JobSummary> jobs = m_client->jobs();
    for (const JobSummary &each : jobs) {
        taken.insert(each.name);
    }
    const QList<Page *> pages = m_workbench->pages();
    for (const Page *page : pages) {
        taken.insert(page->title().section(QLatin1Char('.'), 0, 0));
    }
    static const QRegularExpression numbered(QStringLiteral("\\A(.+)-[0-9]{1,4}\\z"));
    const QString original = numbered.match(job.name).captured(1);
    const QString stem = (taken.contains(original) ? original : job.name).left(longestStem);
    const QDir folder = QFileInfo(job.file).dir();
    for (int number = 2;; ++number) {
        const QString name = stem + QLatin1Char('-') + QString::number(number);
        if (!taken.contains(name) && (job.file.isEmpty() || !folder.exists(name + QStringLiteral(".pai.yaml")))) {
            return name;
        }
    }
}

} // namespace trainyard
