// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/documentcontroller.h"

#include "engine/client/cataloguefolder.h"
#include "model/base/cancel.h"
#include "model/base/threads.h"
#include "widgets/common/aside.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/yamleditor.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

// Typed text shows in diagnostics and form about this long after the last key: a pause, in which nothing is done
// while the keys go on, then the reading on another thread, then the form. Half of what a person calls at once: the
// rest is room for painting, and for a machine that has other work too. Large texts are read between the keys as well;
// the next key ends that.
constexpr int typedToShownMs = 80;
constexpr int longestPauseMs = 60;
constexpr int shortestPauseMs = 10;
constexpr int parseLimitMs = 2000; // then the form is locked
constexpr int longestParseMs = 60'000; // then the reading ends
constexpr int catalogueMs = 2000; // how long a folder that was looked up holds
// Up to here parsing and planning take less than a frame: no need to leave the GUI thread.
// A small document with very many problems takes longer.
constexpr qint64 quickMs = 30;
constexpr qsizetype smallBytes = qsizetype(24) << 10;
const QLatin1StringView slowText("document.slow");

} // namespace

DocumentController::DocumentController(YamlEditor *editor, QObject *parent)
    : QObject(parent), m_editor(editor), m_delay(new QTimer(this)), m_limitTimer(new QTimer(this)),
      m_document(std::make_shared<JobDocument>()), m_origin(Origin::Disk)
{
    m_delay->setSingleShot(true);
    m_limitTimer->setSingleShot(true);
    // Typed text is read on another thread, however small it is, so that no key waits for it.
    connect(m_delay, &QTimer::timeout, this, [this] { startParse(m_origin != Origin::Text && isSmall()); });
    connect(m_limitTimer, &QTimer::timeout, this, [this] {
        // The machine may only have been busy: the reading goes on, and opens the form when it is done. The next key
        // ends it and tries again, so that such readings do not pile up in the pool.
        if (std::exchange(m_isLate, true)) {
            cancelParse();
            return;
        }
        m_limit = slowText;
        m_limitTimer->start(longestParseMs - parseLimitMs);
        takeSnapshot(std::make_shared<JobDocument>(YamlDocument::parse({}), m_editor->revision()));
    });
    connect(m_editor, &YamlEditor::bytesChanged, this, &DocumentController::handleBytesChanged);
}

DocumentController::~DocumentController() { cancelParse(); }

void DocumentController::cancelParse()
{
    if (m_cancel) {
        m_cancel->store(true);
    }
    m_parsing = 0;
    m_limitTimer->stop();
}

// The folder is a setting, which may change while the document is open.
const CatalogueLookup &DocumentController::catalogue()
{
    if (!m_catalogueAge.isValid() || m_catalogueAge.hasExpired(catalogueMs)) {
        m_catalogue = folderCatalogue(catalogueFolder());
        m_catalogueAge.start();
    }
    return m_catalogue;
}

bool DocumentController::isCurrent() const { return m_document->revision() == m_editor->revision(); }

ParseOutcome DocumentController::currentOutcome()
{
    if (!isCurrent()) {
        startParse(true);
    }
    return isCurrent() && m_limit.isEmpty() ? m_document->outcome() : parseJob(m_editor->bytes());
}

Diagnostic DocumentController::limitDiagnostic() const
{
    Diagnostic diagnostic;
    diagnostic.code = m_limit;
    diagnostic.severity = Severity::Error;
    if (m_limit == QLatin1StringView("document.too-large")) {
        diagnostic.code = QStringLiteral("yaml.too-large");
        diagnostic.args = {{QStringLiteral("what"), QStringLiteral("bytes")},
            {QStringLiteral("size"), m_editor->byteCount()}, {QStringLiteral("limit"), maxCheckedBytes}};
    }
    return diagnostic;
}

bool DocumentController::isSmall() const
{
    return m_finishing || (m_editor->byteCount() <= smallBytes && m_lastParseMs <= quickMs);
}

bool DocumentController::isGivenUp() const { return m_limit == slowText; }

void DocumentController::catchUp()
{
    finishEdits();
    if (!m_finishing && !m_showing && (!isCurrent() || isGivenUp())) {
        m_finishing = true;
        startParse(true);
        m_finishing = false;
    }
}

void DocumentController::finishEdits()
{
    // What shows a snapshot has that of the text as it is; edits that wait then follow it.
    if ((m_requests.isEmpty() && m_finished.isEmpty()) || m_finishing || m_showing) {
        return;
    }
    ++m_plan;
    m_planning = false;
    m_finishing = true;
    if (m_requests.isEmpty()) {
        startParse(true);
    } else {
        planNext(); // and all that follow
    }
    m_finishing = false;
}

bool DocumentController::isBusy() const
{
    return m_delay->isActive() || m_parsing != 0 || m_planning || !m_requests.isEmpty();
}

void DocumentController::handleBytesChanged(Origin origin)
{
    m_origin = origin;
    m_planned.reset();
    cancelParse(); // what was wrong with the text before no longer matters
    if (origin == Origin::Text) {
        const qint64 rest = typedToShownMs - m_lastAsideMs - m_lastShowMs;
        m_delay->start(int(std::clamp<qint64>(rest, shortestPauseMs, longestPauseMs)));
    } else {
        // Called from within the editor's change: parse when it is over.
        m_delay->start(0);
    }
}

void DocumentController::parseNow()
{
    if (!isCurrent()) {
        m_delay->stop();
        startParse(isSmall());
    }
}

void DocumentController::startParse(bool atOnce)
{
    m_delay->stop();
    const quint64 revision = m_editor->revision();
    const bool isRead = m_document->revision() == revision && !(atOnce && isGivenUp());
    if (isRead || (m_parsing == revision && !atOnce)) {
        return;
    }
    if (m_editor->byteCount() > maxCheckedBytes) {
        m_limit = QStringLiteral("document.too-large");
        cancelParse();
        takeSnapshot(std::make_shared<JobDocument>(YamlDocument::parse({}), revision));
        return;
    }
    const QByteArray bytes = m_editor->bytes();
    std::optional<YamlDocument> parsed = std::exchange(m_planned, std::nullopt);
    if (parsed && parsed->bytes() != bytes) {
        parsed.reset();
    }
    if (atOnce) {
        m_limit.clear();
        cancelParse();
        QElapsedTimer clock;
        clock.start();
        const auto document
            = std::make_shared<JobDocument>(parsed ? *parsed : YamlDocument::parse(bytes), revision, catalogue());
        m_lastParseMs = clock.elapsed();
        takeSnapshot(document);
        return;
    }
    cancelParse();
    m_parsing = revision;
    m_isLate = false;
    m_limitTimer->start(parseLimitMs);
    m_cancel = std::make_shared<std::atomic_bool>(false);
    runAside(
        this, [this, bytes, parsed, revision, catalogue = catalogue(), cancel = m_cancel]() -> std::function<void()> {
            const CancelScope scope(cancel.get());
            QElapsedTimer clock;
            clock.start();
            auto document
                = std::make_shared<JobDocument>(parsed ? *parsed : YamlDocument::parse(bytes), revision, catalogue);
            return [this, document, cancel, spent = clock.elapsed()] {
                if (cancel->load() || m_parsing != document->revision()) {
                    return; // a newer text is being parsed, or this one took too long
                }
                m_parsing = 0;
                m_lastAsideMs = spent;
                // In between, the machine may just have been busy.
                if (spent <= quickMs || spent > 4 * quickMs) {
                    m_lastParseMs = spent;
                }
                m_limitTimer->stop();
                m_limit.clear();
                // A text that has moved on meanwhile still gives a form; the timer brings the next snapshot.
                takeSnapshot(document);
            };
        });
}

void DocumentController::takeSnapshot(const std::shared_ptr<JobDocument> &document)
{
    // A large tree takes a while to take down: not here.
    threads::runOnPool([old = std::exchange(m_document, document)]() mutable { old.reset(); });
    QElapsedTimer clock;
    clock.start();
    const bool wasShowing = std::exchange(m_showing, true);
    Q_EMIT snapshotChanged();
    m_showing = wasShowing;
    m_lastShowMs = clock.elapsed();
    while (!m_finished.isEmpty() && m_finished.first().revision <= m_document->revision()) {
        const Finished finished = m_finished.takeFirst();
        finished.done({});
    }
    if (!m_requests.isEmpty() && !m_planning) {
        planNext();
    }
}

void DocumentController::edit(const QList<edit::Op> &ops, const Done &done)
{
    m_requests.append({ops, done});
    if (!m_planning) {
        planNext();
    }
}

void DocumentController::planNext()
{
    if (m_requests.isEmpty()) {
        return;
    }
    if (m_editor->isReadOnly() || (!m_limit.isEmpty() && !isGivenUp())) {
        finishPlan(fail(QStringLiteral("edit.read-only")));
        return;
    }
    if (isSmall() && (!isCurrent() || isGivenUp())) {
        m_planning = true; // takeSnapshot() must not come back here
        startParse(true);
        m_planning = false;
    } else if (!isCurrent()) {
        startParse(false); // planNext() follows its snapshot
        return;
    }
    const quint64 revision = m_document->revision();
    m_planning = true;
    if (isSmall()) {
        finishPlan(planChange(m_document->outcome().document, m_requests.first().ops));
        return;
    }
    runAside(this,
        [this, plan = ++m_plan, revision, document = m_document,
            // The snapshot of a text that took too long is empty. What was typed into a field goes into the text all
            // the same: nothing but the form waits for this.
            unread = isGivenUp() ? std::optional(m_editor->bytes()) : std::nullopt,
            ops = m_requests.first().ops]() -> std::function<void()> {
            const Result<PlannedChange> change
                = planChange(unread ? YamlDocument::parse(*unread) : document->outcome().document, ops);
            return [this, plan, revision, change] {
                if (plan != m_plan) {
                    return; // it was planned and done at once meanwhile
                }
                if (revision != m_editor->revision()) {
                    m_planning = false; // typed meanwhile: plan it again on the new text
                    planNext();
                    return;
                }
                finishPlan(change);
            };
        });
}

void DocumentController::finishPlan(const Result<PlannedChange> &change)
{
    const Request request = m_requests.takeFirst();
    if (change && !change->edits.isEmpty()) {
        m_editor->applyEdits(change->edits, Origin::Form);
        m_planned = change->document;
        // The form sees its own edit at once where that is cheap.
        if (isSmall()) {
            startParse(true);
        }
    }
    m_planning = false;
    const Result<void> result = change ? Result<void>() : Result<void>(tl::unexpected(change.error()));
    if (!result) {
        Q_EMIT editRefused(result.error());
    }
    if (request.done && result && !isCurrent()) {
        m_finished.append({m_editor->revision(), request.done});
    } else if (request.done) {
        request.done(result);
    }
    if (!m_requests.isEmpty() && !m_planning) {
        planNext();
    }
}

Result<void> DocumentController::apply(const Fix &fix, const Done &done)
{
    if (!isCurrent() || m_editor->isReadOnly()) {
        return fail(QStringLiteral("edit.outdated"));
    }
    if (!fix.ops.isEmpty()) {
        edit(fix.ops, done);
        return {};
    }
    m_editor->applyEdits(fix.edits, Origin::Form);
    if (isSmall()) {
        startParse(true);
    }
    if (done && isCurrent()) {
        done({});
    } else if (done) {
        m_finished.append({m_editor->revision(), done});
    }
    return {};
}

} // namespace trainyard
