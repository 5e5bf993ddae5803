// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/designerpage.h"

#include "engine/client/secretmemory.h"
#include "model/protocol/legacy.h"
#include "model/yaml/valueline.h"
#include "widgets/common/infobar.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/form/conversionreport.h"
#include "widgets/form/designerpage_p.h"
#include "widgets/form/documentcontroller.h"
#include "widgets/form/documentfile.h"
#include "widgets/form/mentionsbar.h"
#include "widgets/form/problemsview.h"
#include "widgets/form/secretmove.h"
#include "widgets/text/texts.h"

#include <QAction>
#include <QDataStream>
#include <QFileInfo>
#include <QMetaMethod>
#include <QPushButton>
#include <QRegularExpression>
#include <QSplitter>

namespace trainyard
{

DesignerPage::DesignerPage(QWidget *parent) : QWidget(parent), d(std::make_unique<Private>(this))
{
    setObjectName(QStringLiteral("designerPage"));
    setFocusProxy(d->editor);
    d->updateTitle();
}

DesignerPage::~DesignerPage()
{
    // A field that loses the focus commits what was typed: while everything is still there.
    if (QWidget *focused = QApplication::focusWidget(); focused && isAncestorOf(focused)) {
        focused->clearFocus();
    }
    delete d->form; // its fields sign off at the context, which goes with d
}

Result<void> DesignerPage::openFile(const QString &path)
{
    const Result<QByteArray> bytes = d->file->open(path);
    if (!bytes) {
        return tl::unexpected(bytes.error());
    }
    d->suggestedName.clear();
    d->load(*bytes);
    return {};
}

void DesignerPage::newDocument(const QByteArray &bytes, const QString &suggestedName)
{
    d->file->close();
    d->suggestedName = suggestedName;
    d->load(bytes);
}

void DesignerPage::newConverted(const JobImport &import, const QString &oldName)
{
    const QString stem = oldName.isEmpty() ? tr("job") : QFileInfo(oldName).completeBaseName();
    restore({}, import.yaml, stem + QStringLiteral(".pai.yaml"));
    d->conversion->setReport(QFileInfo(oldName).fileName(), import);
}

void DesignerPage::restore(const QString &path, const QByteArray &bytes, const QString &suggestedName)
{
    // A file that has become one that is only shown has no room for what was written here.
    if (path.isEmpty() || !openFile(path) || (d->editor->isReadOnly() && bytes != d->editor->bytes())) {
        newDocument(bytes, suggestedName.isEmpty() && !path.isEmpty() ? QFileInfo(path).fileName() : suggestedName);
        d->editor->setNeverSaved();
        return;
    }
    if (bytes != d->editor->bytes()) {
        d->editor->applyEdits({{{0, d->editor->byteCount()}, bytes}}, Origin::Disk);
    }
}

QByteArray DesignerPage::base() const { return d->file->digest(); }

void DesignerPage::setBase(const QByteArray &digest)
{
    if (!digest.isEmpty()) {
        d->file->setDigest(digest);
    }
}

Result<void> DesignerPage::save()
{
    if (d->file->path().isEmpty()) {
        Q_EMIT saveAsRequested();
        return fail(QStringLiteral("file.no-path"));
    }
    return saveAs(d->file->path());
}

Result<void> DesignerPage::saveAs(const QString &path)
{
    d->context->commitPending();
    d->controller->finishEdits();
    d->saving = true;
    const Result<void> saved = d->file->save(path, d->editor->bytes());
    d->saving = false;
    if (saved) {
        d->editor->setSaved();
        d->fileBar->hide();
        d->updateLimits();
        d->updateTitle();
        d->form->refreshWork(); // its work folder may be another one now
    }
    return saved;
}

void DesignerPage::takeSecretsOut()
{
    commit();
    TextEdits edits;
    const QList<SecretValue> values = secretValuesIn(YamlDocument::parse(d->editor->bytes()));
    for (const SecretValue &value : values) {
        edits.append(value.mask);
    }
    d->editor->applyEdits(edits, Origin::Form);
}

void DesignerPage::moveSecrets(const QStringList &names, const std::function<void()> &moved)
{
    auto *move = new SecretMove(d->context, YamlPath{QStringLiteral("secrets")}, this);
    connect(move, &SecretMove::moved, this, [move, moved] {
        move->deleteLater();
        moved();
    });
    move->move(names);
}

// The button is there when the user answers it.
void DesignerPage::connectNotify(const QMetaMethod &signal)
{
    if (d && signal == QMetaMethod::fromSignal(&DesignerPage::previewRequested)) {
        d->preview->show();
        d->previewAction->setEnabled(true);
    }
    if (d && signal == QMetaMethod::fromSignal(&DesignerPage::compareRequested)) {
        d->compareAnswered = true;
    }
}

QByteArray DesignerPage::bytes() const { return d->editor->bytes(); }

const YamlDocument &DesignerPage::document() const { return d->controller->document().outcome().document; }

QByteArray DesignerPage::bytes(bool flushForm)
{
    if (flushForm) {
        commit();
    }
    return d->editor->bytes();
}

ParseOutcome DesignerPage::committedOutcome()
{
    commit();
    return d->controller->currentOutcome();
}

void DesignerPage::commit()
{
    d->context->commitPending();
    d->controller->finishEdits();
    if (!isModified()) {
        d->file->look();
    }
}

void DesignerPage::commitTyped() { d->context->commitTyped(); }

// Another tab is in front: what was typed here is in the text, even where no field has lost the focus.
void DesignerPage::hideEvent(QHideEvent *event)
{
    d->context->commitPending();
    QWidget::hideEvent(event);
}

QString DesignerPage::filePath() const { return d->file->path(); }

QString DesignerPage::fileName() const
{
    const QString name = d->context->text({QStringLiteral("name")}).value_or(QString());
    static const QRegularExpression usable(QStringLiteral("^[A-Za-z0-9_][A-Za-z0-9_.-]{0,200}$"));
    return filePath().isEmpty() && usable.match(name).hasMatch() ? name + QStringLiteral(".pai.yaml") : displayName();
}

void DesignerPage::setOriginFile(const QString &file)
{
    d->originFile = file;
    d->updateTitle();
    d->form->refreshWork();
}

QString DesignerPage::originFile() const { return d->originFile; }

void DesignerPage::setRunsOnCluster(bool on, const HostLimits &nodes) { d->context->setRunsOnCluster(on, nodes); }

void DesignerPage::setRunsHere(bool on) { d->context->setRunsHere(on); }

void DesignerPage::setPlace(bool runsHere, bool runsOnCluster, const HostLimits &nodes)
{
    d->context->setPlace(runsHere, runsOnCluster, nodes);
}

QString DesignerPage::saveFolder() const
{
    const QString file = runFile();
    const JobSpec *job = d->context->spec();
    return !file.isEmpty() ? QFileInfo(file).absolutePath() : job ? d->context->workFolder(*job) : QString();
}

QString DesignerPage::runFile() const { return filePath().isEmpty() ? d->originFile : filePath(); }

QString DesignerPage::displayName() const
{
    if (!d->file->path().isEmpty()) {
        return QFileInfo(d->file->path()).fileName();
    }
    return d->suggestedName.isEmpty() ? tr("Untitled") : d->suggestedName;
}

bool DesignerPage::isModified() const { return d->editor->isModified(); }
bool DesignerPage::isReadOnly() const { return d->editor->isReadOnly(); }
bool DesignerPage::canRun() const { return d->runnable; }
QStringList DesignerPage::runBlockers() const { return d->runnable ? QStringList() : d->blockers; }
bool DesignerPage::isBeingChecked() const { return !d->controller->isCurrent() && d->controller->limit().isEmpty(); }
bool DesignerPage::showsChecking() const { return d->problems->isBeingChecked(); }
int DesignerPage::errorCount() const { return d->problems->errorCount(); }
int DesignerPage::warningCount() const { return d->problems->warningCount(); }
void DesignerPage::setHosts(const QList<HostInfo> &hosts) { d->context->setHosts(hosts); }
void DesignerPage::setMemoryReserve(qint64 mebibytes) { d->context->setMemoryReserve(mebibytes); }
qint64 DesignerPage::memoryReserve() const { return d->context->memoryReserve(); }
void DesignerPage::setStorages(const QStringList &names) { d->context->setStorages(names); }

void DesignerPage::setWorkRefused(const std::optional<Error> &why) { d->context->setWorkRefused(why); }
bool DesignerPage::isWorkRefused() const { return d->context->isWorkRefused(); }

void DesignerPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    d->arrangeHalves();
}

void DesignerPage::setViewMode(ViewMode mode)
{
    // The focus goes to the half that stays, and not to the next widget in the tab order.
    const QWidget *focus = window()->focusWidget(); // also of a window that is not shown yet
    const bool fromForm = mode == ViewMode::Yaml && d->form->isAncestorOf(focus);
    const bool fromText = mode == ViewMode::Form && d->editor->isAncestorOf(focus);
    d->form->setVisible(mode != ViewMode::Yaml);
    d->editor->setVisible(mode != ViewMode::Form);
    if (fromForm) {
        d->editor->setFocus();
    } else if (fromText) {
        d->form->setFocus();
    }
    setFocusProxy(mode == ViewMode::Form ? static_cast<QWidget *>(d->form) : d->editor);
    d->modes->setCurrentIndex(int(mode));
    d->mode = mode;
}

void DesignerPage::setProblemsVisible(bool visible)
{
    d->problemsWanted = visible;
    d->problems->setVisible(visible);
}

bool DesignerPage::problemsVisible() const { return d->problemsWanted; }

QByteArray DesignerPage::saveLayout() const
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_4);
    stream << qint32(3) << qint32(d->mode) << d->problemsWanted << d->halves->saveState() << d->rows->saveState()
           << d->problemsSized << d->form->isMoreOpen();
    return bytes;
}

void DesignerPage::restoreLayout(const QByteArray &layout)
{
    QDataStream stream(layout);
    stream.setVersion(QDataStream::Qt_6_4);
    qint32 version = 0;
    qint32 mode = 0;
    bool problemsWanted = true;
    QByteArray halves;
    QByteArray rows;
    bool sized = false;
    bool isMoreOpen = false;
    stream >> version >> mode >> problemsWanted >> halves >> rows;
    if (version >= 2) {
        stream >> sized;
    }
    if (version >= 3) {
        stream >> isMoreOpen;
    }
    if (stream.status() != QDataStream::Ok || version < 1 || version > 3 || mode < 0 || mode > int(ViewMode::Yaml)) {
        return;
    }
    d->halves->restoreState(halves);
    d->rows->restoreState(rows);
    d->halves->setHandleWidth(1);
    d->arrangeHalves();
    d->rows->setHandleWidth(1);
    d->form->setMoreOpen(isMoreOpen);
    d->problemsSized = sized;
    d->problemsFitted = true;
    setViewMode(ViewMode(mode));
    setProblemsVisible(problemsWanted);
}

QAction *DesignerPage::undoAction() const { return d->undo; }
QAction *DesignerPage::redoAction() const { return d->redo; }
QList<QAction *> DesignerPage::pageActions() const { return d->actions; }

void DesignerPage::setSecretVault(SecretVault *vault)
{
    d->context->setVault(vault);
    d->context->refresh();
}

void DesignerPage::setSecretMemory(SecretMemory *memory)
{
    d->context->setSecretMemory(memory);
    d->context->refresh();
    connect(memory, &SecretMemory::changed, d->context, &FormContext::refresh);
}

void DesignerPage::setKnownClusters(const std::function<ClusterOffers()> &clusters)
{
    d->context->setKnownClusters(clusters);
    d->context->refresh();
}

// It marks the field where something changed.
void DesignerPage::Private::step(void (YamlEditor::*undoOrRedo)())
{
    const bool inForm = formHasFocus();
    YamlEditor *const text = editor;
    moveCaret([text, undoOrRedo] { (text->*undoOrRedo)(); });
    movingCaret = movingCaret && !inForm;
    controller->parseNow();
}

void DesignerPage::endTyping() { d->editor->endTyping(); }

void DesignerPage::undo()
{
    d->context->commitPending(); // what is being typed is the newest step
    d->controller->finishEdits();
    d->editBar->hide();
    d->mentions->hide();
    d->step(&YamlEditor::undo);
}

void DesignerPage::redo()
{
    d->context->commitPending();
    d->step(&YamlEditor::redo);
}

void DesignerPage::jumpTo(qint64 line, qint64 column)
{
    const qsizetype offset = d->editor->offsetOf({qsizetype(line), qsizetype(column)});
    d->jump({offset, offset});
}

void DesignerPage::jumpToValue(const YamlPath &path, int line)
{
    const YamlDocument document = YamlDocument::parse(d->editor->bytes());
    if (const std::optional<qsizetype> offset = valueLineAt(document, path, line)) {
        d->jump({*offset, *offset});
    }
}

void DesignerPage::selectValue(const YamlPath &path)
{
    const YamlDocument document = YamlDocument::parse(d->editor->bytes());
    if (const YamlNode *node = document.find(path)) {
        d->editor->select(node->at);
        d->placedCaret = d->editor->caret();
    }
}

void DesignerPage::showInForm(const YamlPath &path)
{
    if (d->mode == ViewMode::Yaml) {
        setViewMode(ViewMode::Both);
    }
    d->form->showPlace(path, true);
}

void DesignerPage::showFind()
{
    if (d->mode == ViewMode::Form) {
        setViewMode(ViewMode::Both);
    }
    d->editor->showFind(false);
}

void DesignerPage::nextProblem() { d->problems->step(1, d->editor->caret()); }
void DesignerPage::setTextWrapped(bool on) { d->editor->setWrapped(on); }
void DesignerPage::previousProblem() { d->problems->step(-1, d->editor->caret()); }

QString DesignerPage::firstErrorFix()
{
    const std::optional<Fix> fix = d->firstFix();
    return fix ? fixTitle(*fix) : QString();
}

void DesignerPage::fixFirstError()
{
    if (const std::optional<Fix> fix = d->firstFix()) {
        d->applyFix(*fix);
    }
}

void DesignerPage::applyEdits(const QList<edit::Op> &ops)
{
    d->context->commitPending();
    d->context->edit(ops);
}

} // namespace trainyard
