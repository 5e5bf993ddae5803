// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/protocol/jobdocument.h"
#include "model/yaml/yamledit.h"

#include <QElapsedTimer>
#include <QObject>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

QT_BEGIN_NAMESPACE
class QTimer;
QT_END_NAMESPACE

namespace trainyard
{

enum class Origin;
class YamlEditor;

// Keeps text, snapshot and form together. The editor's text is the truth; a snapshot of it is parsed on a worker thread
// a moment after the last key. Form edits are planned against a snapshot of the very text they change, and come into
// the editor as one undo step. Small documents are parsed and planned at once, so that a form edit shows without delay.
//
// Threads: lives on the GUI thread; only reading and planning run elsewhere, on copies.
class DocumentController : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(const Result<void> &)>;

    explicit DocumentController(YamlEditor *editor, QObject *parent = nullptr);
    ~DocumentController() override;

    // The newest parsed text. Its revision is the editor's when isCurrent().
    const JobDocument &document() const { return *m_document; }
    std::shared_ptr<const JobDocument> snapshot() const { return m_document; } // the same, to be kept
    bool isCurrent() const;
    // The text of this moment as a job: the snapshot where it is current, else it is parsed here and now.
    ParseOutcome currentOutcome();
    // Where the change that led to the present snapshot came from.
    Origin origin() const { return m_origin; }
    // Why there is no form: empty, or a code ("document.too-large", "document.slow").
    QString limit() const { return m_limit; }
    // The same as an error of the text, at its beginning: as the parser says it of a text that it does not read.
    Diagnostic limitDiagnostic() const;

    // Plans `ops` on the newest text and applies them, all or none. Several requests are done in order. `done` is
    // called on the GUI thread, at once for small documents, never after this object is gone.
    void edit(const QList<edit::Op> &ops, const Done &done = {});
    // Applies a fix of the present snapshot; refused with "edit.outdated" when the text has moved on. What
    // has to be planned is an edit() like any other: a refusal comes as editRefused(). `done` is that of edit(), and is
    // not called where apply() itself refuses.
    Result<void> apply(const Fix &fix, const Done &done = {});
    // Parses now instead of a moment later; for small documents the snapshot is current afterwards.
    void parseNow();
    // Every edit that was asked for is in the text when this returns, however large that is and long it takes.
    void finishEdits();
    // The same, and the snapshot is that of the present text, unless the text is too large to be read at all.
    void catchUp();
    bool hasEdits() const { return !m_requests.isEmpty(); } // that are not in the text yet
    bool isBusy() const; // parsing, planning, or about to

Q_SIGNALS:
    void snapshotChanged();
    // A form edit could not be done: nothing was changed.
    void editRefused(const trainyard::Error &error);

private:
    struct Request {
        QList<edit::Op> ops;
        Done done;
    };

    void handleBytesChanged(Origin origin);
    void startParse(bool atOnce);
    void takeSnapshot(const std::shared_ptr<JobDocument> &document);
    void planNext();
    void finishPlan(const Result<PlannedChange> &change);
    bool isSmall() const; // so that parsing and planning may be done at once
    bool isGivenUp() const; // reading the text took too long

    YamlEditor *m_editor;
    QTimer *m_delay;
    QTimer *m_limitTimer;
    std::shared_ptr<JobDocument> m_document;
    std::optional<YamlDocument> m_planned; // the text as a form edit has left it, until it is read or changed
    struct Finished {
        quint64 revision = 0; // with the edit
        Done done;
    };
    QList<Request> m_requests;
    QList<Finished> m_finished; // edits that no snapshot shows yet: their callers would still see the text before them
    const CatalogueLookup &catalogue();
    QElapsedTimer m_catalogueAge;
    CatalogueLookup m_catalogue; // resolves marketplace:// names; may be called on any thread
    void cancelParse(); // of the one on the worker, if there is one

    std::shared_ptr<std::atomic_bool> m_cancel; // of the parse on the worker
    QString m_limit;
    Origin m_origin;
    quint64 m_parsing = 0; // revision being parsed on the worker, 0 when none
    bool m_isLate = false; // this parse: the form is locked until it is done
    qint64 m_lastParseMs = 0;
    qint64 m_lastAsideMs = 0; // on the worker
    qint64 m_lastShowMs = 0;
    bool m_planning = false;
    quint64 m_plan = 0; // that is awaited from the worker: others come too late
    bool m_finishing = false; // nothing is handed to the worker now
    bool m_showing = false; // a snapshot is being shown
};

} // namespace trainyard
