// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/exchangecontroller.h"

#include "app/gui/controllers/filecontroller.h"
#include "app/gui/dropmark.h"
#include "app/gui/importer.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/targetbox.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "model/base/shellquote.h"
#include "model/protocol/jobdocument.h"
#include "widgets/common/infobar.h"
#include "widgets/common/yamldrag.h"
#include "widgets/form/designerpage.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QWidget>

namespace trainyard
{
namespace
{
const QString ofFetching = QStringLiteral("fetching"); // what a bar tells that is over when all is fetched
}

ExchangeController::ExchangeController(
    Workbench *workbench, ActionRegistry *actions, FileController *files, TargetBox *target, DropMark *mark)
    : QObject(workbench->window()), m_workbench(workbench), m_files(files), m_target(target), m_mark(mark),
      m_importer(new Importer(this))
{
    makeActions(actions);
    followImporter();
    connect(workbench, &Workbench::refreshed, this, [this, actions] { enableActions(actions); });
    connect(workbench, &Workbench::dragRequested, this, [this](Page *page) {
        if (const auto job = page->exported(false)) {
            dragYaml(m_workbench->window(), job->yaml, job->name);
        }
    });
    qApp->installEventFilter(this);
}

ExchangeController::~ExchangeController() { qApp->removeEventFilter(this); }

void ExchangeController::makeActions(ActionRegistry *actions)
{
    actions->add({"newFromClipboard", QStringLiteral("copy"), tr("New from clip&board"),
                     tr("Open the YAML, the file or the address in the clipboard as a new document"),
                     {Qt::CTRL | Qt::SHIFT | Qt::Key_V}},
        this, [this] { newFromClipboard(); });
    actions->add({"copyYaml", QStringLiteral("copy"), tr("Copy as &YAML"),
                     tr("Copy the whole job to the clipboard; secrets are masked")},
        this, [this] { copyYaml(false); });
    actions->add({"copyYamlWithSecrets", {}, tr("Copy with &secrets"),
                     tr("Copy the whole job to the clipboard, secrets in plain text")},
        this, [this] { copyYaml(true); });
    actions->add({"copyRunCommand", QStringLiteral("terminal"), tr("Copy as trainyardctl &command"),
                     tr("Copy a command line that runs this job")},
        this, [this] { copyRunCommand(); });
}

void ExchangeController::enableActions(ActionRegistry *actions) const
{
    const Page *front = m_workbench->front();
    actions->setEnabled(
        {"copyYaml", "copyRunCommand"}, front && front->hasYaml(), tr("The tab in front has no YAML text."));
    actions->setEnabled({"copyYamlWithSecrets"}, m_files->current(), tr("The tab in front is not a document."));
}

void ExchangeController::takeContent(const QMimeData *mime)
{
    const Importer::Content content = Importer::contentOf(mime);
    if (!content.files.isEmpty()) {
        m_files->openFiles(content.files);
    }
    if (!content.urls.isEmpty()) {
        m_importer->fetch(content.urls);
    }
    if (!content.text.isEmpty()) {
        m_files->newDocument(content.text, {}, FileController::Kept::Nowhere);
    }
}

void ExchangeController::followImporter()
{
    connect(m_importer, &Importer::progress, this, &ExchangeController::showProgress);
    connect(m_importer, &Importer::fetched, this,
        [this](const QUrl &, const QByteArray &text, const QString &name) { m_files->newDocument(text, name); });
    connect(m_importer, &Importer::failed, this,
        [this](const QUrl &, const Error &error) { m_workbench->say(errorText(error)); });
    connect(m_importer, &Importer::finished, this, [this] { m_workbench->windowBar()->hideIfOf(ofFetching); });
}

void ExchangeController::showProgress(const QUrl &url, qint64 received, qint64 total, int waiting)
{
    const QString name = url.toDisplayString(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment);
    QString text = total > 0 ? tr("Fetching %1: %2 of %3.").arg(name, formatBytes(received), formatBytes(total))
        : received > 0       ? tr("Fetching %1: %2.").arg(name, formatBytes(received))
                             : tr("Fetching %1…").arg(name);
    if (waiting > 0) {
        text += QLatin1Char(' ') + tr("%n more to fetch.", nullptr, waiting);
    }
    InfoBar *bar = m_workbench->windowBar();
    if (bar->isOf(ofFetching)) {
        bar->setText(text.toHtmlEscaped()); // the button stays where the mouse is
        return;
    }
    bar->show(InfoBar::Kind::Info, text.toHtmlEscaped());
    bar->setClosable(false);
    bar->setTopic(ofFetching);
    QPushButton *cancel = bar->addAction(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("importCancel"));
    connect(cancel, &QPushButton::clicked, m_importer, &Importer::cancel);
}

void ExchangeController::newFromClipboard()
{
    const QMimeData *mime = QApplication::clipboard()->mimeData();
    if (mime && Importer::isAccepted(mime)) {
        takeContent(mime);
    } else if (mime && !mime->text().trimmed().isEmpty()) {
        // Whatever it is: the user asked for it.
        m_files->newDocument(mime->text().toUtf8(), {}, FileController::Kept::Nowhere);
    } else {
        m_workbench->say(errorText({QStringLiteral("import.nothing"), {}}));
    }
}

// Editors and fields would take drops themselves; what may be a document opens as one wherever it is dropped.
bool ExchangeController::eventFilter(QObject *watched, QEvent *event)
{
    const auto type = event->type();
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::DragLeave && type != QEvent::Drop) {
        return false;
    }
    const auto *widget = qobject_cast<QWidget *>(watched);
    if (!widget || widget->window() != m_workbench->window()) {
        return false;
    }
    if (type == QEvent::DragLeave) {
        m_mark->hide();
        return false;
    }
    return takeDrag(static_cast<QDropEvent *>(event), type != QEvent::Drop);
}

// A drop from this window itself (a tab that is released over it) changes nothing.
bool ExchangeController::takeDrag(QDropEvent *event, bool isOver)
{
    if (event->source() || !Importer::isAccepted(event->mimeData())) {
        return false;
    }
    // A program that proposes to move something removes it at its end.
    event->setDropAction(event->possibleActions().testFlag(Qt::CopyAction) ? Qt::CopyAction : event->proposedAction());
    event->accept();
    if (isOver) {
        m_mark->appear();
    } else {
        m_mark->hide();
        takeContent(event->mimeData());
    }
    return true;
}

void ExchangeController::copyToClipboard(const QByteArray &yaml)
{
    auto *mime = new QMimeData;
    mime->setText(QString::fromUtf8(yaml));
    mime->setData(QStringLiteral("application/yaml"), yaml);
    QApplication::clipboard()->setMimeData(mime);
}

void ExchangeController::copyYaml(bool withSecrets)
{
    Page *front = m_workbench->front();
    if (const auto job = front ? front->exported(withSecrets) : std::nullopt) {
        copyToClipboard(job->yaml);
    }
}

// A command that does what Run does. A document that is on disk as it stands is named; else it goes along, masked.
void ExchangeController::copyRunCommand()
{
    Page *front = m_workbench->front();
    const auto job = front ? front->exported(false) : std::nullopt;
    if (!job) {
        return;
    }
    const DocumentTab *document = m_files->current();
    const QString file = document && !document->isUnsaved() ? document->designer()->filePath() : QString();
    QByteArray command = "trainyardctl run ";
    command += file.isEmpty() ? QByteArray("-") : shellQuote(file.toUtf8());
    if (const QString host = m_target->target(); !host.isEmpty() && host != QLatin1String("local")) {
        command += " --on " + shellQuote(host.toUtf8());
    }
    if (document && !document->runIn().isEmpty()) {
        command += " --in " + shellQuote(document->runIn().toUtf8());
    }
    // The file says the values that it has; what goes along is masked.
    const ParseOutcome outcome = parseJob(file.isEmpty() ? job->yaml : document->designer()->bytes());
    if (outcome.spec) {
        for (const QString &name : outcome.spec->askedSecrets) {
            command += " --secret " + shellQuote(name.toUtf8());
        }
    }
    if (file.isEmpty()) {
        QByteArray mark = "JOB";
        while (job->yaml.contains(mark)) {
            mark += '_';
        }
        command += " <<'" + mark + "'\n" + job->yaml;
        if (!command.endsWith('\n')) {
            command += '\n';
        }
        command += mark;
    }
    command += '\n';
    QApplication::clipboard()->setText(QString::fromUtf8(command));
}

} // namespace trainyard
