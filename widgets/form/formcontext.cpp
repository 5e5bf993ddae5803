// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/formcontext.h"

#include "engine/api/hostlimits.h"
#include "engine/client/datafindings.h"
#include "engine/client/secretmemory.h"
#include "engine/client/secretvault.h"
#include "model/base/threads.h"
#include "model/base/utf8.h"
#include "model/protocol/oldnames.h"
#include "model/protocol/scriptfiles.h"
#include "model/protocol/shortforms.h"
#include "widgets/form/documentcontroller.h"
#include "widgets/form/formfield.h"
#include "widgets/form/shelllook.h"
#include "widgets/form/workfolderlook.h"

#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTimer>

#include <utility>

namespace trainyard
{
namespace
{
constexpr int pointerRestMs = 300; // on the way to what it is to press it seldom rests longer
constexpr int pointerLookMs = 60;
constexpr int longestPressMs = 3000; // of a press whose end was not seen
constexpr qsizetype mostCheckedRoles = 16; // whose scripts are made with each key
constexpr qsizetype mostCheckedBytes = qsizetype(256) << 10; // of the document

} // namespace

FormContext::FormContext(DocumentController *controller, QObject *parent)
    : QObject(parent), m_controller(controller), m_messagesLater(new QTimer(this)),
      m_workFolder(new WorkFolderLook(this)), m_shell(new ShellLook(this))
{
    const auto checkAgain = [this] {
        updateDiagnostics();
        Q_EMIT limitsChanged();
    };
    connect(m_workFolder, &WorkFolderLook::changed, this, checkAgain);
    connect(m_shell, &ShellLook::changed, this, checkAgain);
    m_messagesLater->setSingleShot(true);
    m_messagesLater->setInterval(pointerLookMs);
    connect(m_messagesLater, &QTimer::timeout, this, [this] { refreshMessages(); });
}

void FormContext::pointerMoved() { m_pointer.start(); }

void FormContext::setPointerDown(bool down) { m_pointerDown = down; }

const ParseOutcome &FormContext::shown() const
{
    return m_shown ? m_shown->outcome() : m_controller->document().outcome();
}

const YamlDocument &FormContext::document() const { return shown().document; }

const JobSpec *FormContext::spec() const
{
    const auto &spec = shown().spec;
    return spec ? &*spec : nullptr;
}

void FormContext::takeSnapshot()
{
    if (m_shown != m_controller->snapshot()) {
        // A large tree takes a while to take down: not here.
        threads::runOnPool([old = std::exchange(m_shown, m_controller->snapshot())]() mutable { old.reset(); });
    }
}

void FormContext::updateDiagnostics()
{
    // If a text was not read, nothing else is known of it, not even that there is no job in it.
    const ParseOutcome &present = m_controller->document().outcome();
    m_diagnostics
        = m_controller->limit().isEmpty() ? present.diagnostics : QList<Diagnostic>{m_controller->limitDiagnostic()};
    if (present.spec) {
        const JobSpec &job = *present.spec;
        m_diagnostics += checkCapacity(present.document, job, m_limits);
        if (m_runsHere) {
            m_diagnostics += checkScriptFiles(present.document, job, m_workFolder->place(workFolder(job)));
        }
        if (job.taskRoles.size() <= mostCheckedRoles && present.document.bytes().size() <= mostCheckedBytes) {
            m_diagnostics += checkShell(present.document, job, m_shell->faults());
        }
        addRefusal(job);
        std::stable_sort(m_diagnostics.begin(), m_diagnostics.end(),
            [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
    }
    if (m_controller->limit().isEmpty() && present.document.isWellFormed()) {
        m_refused.review(present.document);
    }
}

void FormContext::setWorkRefused(const std::optional<Error> &why)
{
    const JobSpec *job = spec();
    if (!job || (!why && !m_workRefused)) {
        return;
    }
    m_workRefused = why;
    m_refusedWork = workFolder(*job);
    updateDiagnostics();
    Q_EMIT limitsChanged();
}

void FormContext::addRefusal(const JobSpec &job)
{
    if (m_workRefused && workFolder(job) != m_refusedWork) {
        m_workRefused.reset();
    }
    if (m_workRefused) {
        Diagnostic refusal;
        refusal.code = m_workRefused->code;
        refusal.args = m_workRefused->args;
        refusal.severity = Severity::Warning; // the folder may be there by the next time
        refusal.path
            = YamlPath{QStringLiteral("extras")}.child(QStringLiteral("trainyard")).child(QStringLiteral("work"));
        const YamlNode *node = m_controller->document().outcome().document.find(refusal.path);
        refusal.at = node ? node->at : ByteRange{};
        m_diagnostics.append(refusal);
    }
}

QString FormContext::workFolder(const JobSpec &job) const { return workFolderOf(job, m_folder).value_or(QString()); }

void FormContext::setFolder(const QString &folder)
{
    if (m_folder != folder) {
        m_folder = folder;
        updateDiagnostics();
        Q_EMIT limitsChanged();
    }
}

void FormContext::setRunsHere(bool on)
{
    if (m_runsHere != on) {
        m_runsHere = on;
        updateDiagnostics();
        Q_EMIT limitsChanged();
    }
}

void FormContext::setPlace(bool runsHere, bool runsOnCluster, const HostLimits &nodes)
{
    const bool isOther = std::exchange(m_runsHere, runsHere) != runsHere;
    m_runsOnCluster = runsOnCluster;
    m_nodes = nodes;
    if (takeLimits() || isOther) {
        updateDiagnostics();
        Q_EMIT limitsChanged();
    }
}

// A field without a path stands for nothing; the whole document is not the value of a field.
const YamlNode *FormContext::node(const YamlPath &path) const
{
    if (path.isEmpty()) {
        return nullptr;
    }
    const YamlNode *found = document().find(writtenPath(document(), path));
    return found ? found->resolved() : nullptr;
}

std::optional<QString> FormContext::text(const YamlPath &path) const
{
    const YamlNode *found = node(path);
    if (!found || found->kind != YamlNode::Kind::Scalar || found->isNull()) {
        return {};
    }
    return textFromUtf8(found->scalar);
}

QStringList FormContext::keys(const YamlPath &map) const
{
    QStringList list;
    const YamlNode *found = map.isEmpty() ? document().root() : node(map);
    if (found && found->isMap()) {
        for (const YamlNode::Entry &entry : found->entries) {
            list.append(textFromUtf8(entry.key->scalar));
        }
    }
    return list;
}

QStringList FormContext::texts(const YamlPath &list) const
{
    QStringList all;
    if (const YamlNode *found = node(list); found && found->isSequence()) {
        for (const YamlNode::Entry &entry : found->entries) {
            all.append(textFromUtf8(entry.value->resolved()->scalar));
        }
    }
    return all;
}

qsizetype FormContext::count(const YamlPath &list) const
{
    const YamlNode *found = node(list);
    return found && found->kind != YamlNode::Kind::Scalar ? found->entries.size() : 0;
}

std::optional<QString> FormContext::source(const YamlPath &path) const
{
    const YamlNode *found = path.isEmpty() ? nullptr : document().find(writtenPath(document(), path));
    if (!found) {
        return {};
    }
    const QByteArray bytes = document().bytes().mid(found->at.begin, found->at.length());
    if (bytes.contains('\n') || bytes.contains('\r') || found->style == YamlNode::Style::Block
        || found->style == YamlNode::Style::Literal || found->style == YamlNode::Style::Folded) {
        return {};
    }
    return textFromUtf8(bytes);
}

QStringList FormContext::prerequisiteNames(const QString &type) const
{
    QStringList names;
    const YamlPath list{QStringLiteral("prerequisites")};
    for (qsizetype i = 0; i < count(list); ++i) {
        const YamlPath item = list.child(i);
        if (type.isEmpty() || text(item.child(QStringLiteral("type"))) == type) {
            if (const auto name = text(item.child(QStringLiteral("name")))) {
                names.append(*name);
            }
        }
    }
    names.removeDuplicates();
    return names;
}

YamlPath FormContext::prerequisitePath(const QString &name, const QString &type) const
{
    const YamlPath list{QStringLiteral("prerequisites")};
    YamlPath found;
    for (qsizetype i = 0; i < count(list); ++i) {
        const YamlPath item = list.child(i);
        if (text(item.child(QStringLiteral("name"))) == name
            && (type.isEmpty() || text(item.child(QStringLiteral("type"))) == type)) {
            found = item; // the later one wins
        }
    }
    return found;
}

void FormContext::edit(const QList<edit::Op> &wanted, const Done &done)
{
    const auto renaming = std::exchange(m_renaming, std::nullopt);
    if (wanted.isEmpty()) {
        return;
    }
    // One field has one name; several edits of a field rename it once.
    QList<edit::Op> ops;
    renameOldFields(document(), std::visit([](const auto &op) { return op.path; }, wanted.first()), ops);
    ops += writeInFull(document(), std::visit([](const auto &op) { return op.path; }, wanted.first()));
    ops += wanted;
    if (!renaming) {
        m_controller->edit(ops, done);
        return;
    }
    const QPointer<FormContext> guard(this);
    m_controller->edit(ops, [guard, renaming, done](const Result<void> &result) {
        if (done) {
            done(result);
        }
        if (guard && result) {
            Q_EMIT guard->renamed(renaming->first, renaming->second);
        }
    });
}

void FormContext::setRefused(const YamlPath &path, const Error &why, const QVariant &typed)
{
    m_refused.add(path, why, typed, document());
    for (FormField *field : std::as_const(m_fields)) {
        if (field->path() == path) {
            field->refresh();
        }
    }
    refreshMessages();
}

void FormContext::forgetRefused(const YamlPath &path)
{
    if (m_refused.remove(path)) {
        refreshMessages();
    }
}

SecretVault *FormContext::vault() const { return qobject_cast<SecretVault *>(m_vault.data()); }

void FormContext::setVault(SecretVault *vault) { m_vault = vault; }

SecretMemory *FormContext::secretMemory() const { return qobject_cast<SecretMemory *>(m_secretMemory.data()); }

void FormContext::setSecretMemory(SecretMemory *memory) { m_secretMemory = memory; }

void FormContext::setHosts(const QList<HostInfo> &hosts)
{
    if (m_hosts != hosts) {
        m_hosts = hosts;
        Q_EMIT hostsChanged();
        updateLimits();
    }
}

bool FormContext::takeLimits()
{
    HostLimits limits = m_runsOnCluster ? m_nodes : hostLimits(m_hosts, m_memoryReserveMiB);
    limits.storages = m_limits.storages;
    const bool isOther = m_limits != limits;
    m_limits = limits;
    return isOther;
}

void FormContext::updateLimits()
{
    if (takeLimits()) {
        updateDiagnostics();
        Q_EMIT limitsChanged();
    }
}

void FormContext::setMemoryReserve(qint64 mebibytes)
{
    m_memoryReserveMiB = mebibytes;
    updateLimits();
}

void FormContext::setStorages(const QStringList &names)
{
    if (m_limits.storages != names) {
        m_limits.storages = names;
        updateDiagnostics();
        Q_EMIT limitsChanged();
    }
}

void FormContext::add(FormField *field) { m_fields.append(field); }

void FormContext::remove(FormField *field) { m_fields.removeAll(field); }

FormField *FormContext::fieldAt(const YamlPath &path) const
{
    FormField *best = nullptr;
    for (FormField *field : m_fields) {
        if (field->covers(path) && (!best || field->path().size() > best->path().size())) {
            best = field;
        }
    }
    return best;
}

void FormContext::commitPending()
{
    const QList<FormField *> all = m_fields;
    for (FormField *field : all) {
        field->commitPending();
    }
}

bool FormContext::isCurrent() const
{
    return m_controller->isCurrent() && m_controller->limit().isEmpty() && !hasEdits();
}

void FormContext::catchUp() { m_controller->catchUp(); }

void FormContext::catchUpIfQuick() { m_controller->parseNow(); }

bool FormContext::hasEdits() const { return m_controller->hasEdits(); }

bool FormContext::isTyping() const
{
    return std::any_of(m_fields.begin(), m_fields.end(), [](const FormField *field) { return field->isTyping(); });
}

void FormContext::commitTyped()
{
    const QList<FormField *> all = m_fields;
    for (FormField *field : all) {
        field->commitTyped();
    }
}

void FormContext::refresh()
{
    const QList<FormField *> all = m_fields;
    for (FormField *field : all) {
        field->refresh();
    }
    refreshMessages();
}

void FormContext::refreshFindings()
{
    const QList<FormField *> all = m_fields;
    for (FormField *field : all) {
        field->refreshNote();
    }
    refreshMessages();
}

bool FormContext::holdsStill() const
{
    const bool onItsWay = m_pointer.isValid() && m_pointer.elapsed() < pointerRestMs;
    const bool isDown = m_pointerDown && m_pointer.elapsed() < longestPressMs;
    return isDown || onItsWay || QGuiApplication::mouseButtons() != Qt::NoButton;
}

void FormContext::refreshMessages(bool atOnce)
{
    if (!atOnce && holdsStill()) {
        m_messagesLater->start();
        return;
    }
    m_messagesLater->stop();
    if (m_locked) {
        for (FormField *field : std::as_const(m_fields)) {
            field->holdDiagnostics();
        }
        return;
    }
    // Each problem is shown by the field that is nearest to it, and by that one only.
    QHash<FormField *, QList<Diagnostic>> shown;
    const QList<Diagnostic> all = m_refused.diagnostics() + diagnostics();
    for (const Diagnostic &diagnostic : all) {
        // A problem of the text as a whole belongs to no field: the list and the bar above the form show it.
        const bool ofTheText = diagnostic.path.isEmpty() && diagnostic.code.startsWith(u"yaml.");
        if (diagnostic.severity == Severity::Note || ofTheText) {
            continue;
        }
        if (FormField *field = fieldAt(diagnostic.path)) {
            shown[field].append(diagnostic);
        }
    }
    for (FormField *field : std::as_const(m_fields)) {
        field->showDiagnostics(shown.value(field));
    }
}

QByteArray flowList(const QStringList &texts)
{
    return QJsonDocument(QJsonArray::fromStringList(texts)).toJson(QJsonDocument::Compact);
}

} // namespace trainyard
