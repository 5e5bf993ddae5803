// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/controllers/secrets.h"
#include "app/gui/controllers/underway.h"
#include "engine/api/failurefacts.h"
#include "engine/api/values.h"
#include "model/base/result.h"
#include "model/protocol/capacity.h"
#include "model/protocol/jobdocument.h"
#include "model/runtime/rehearsal.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <QStringList>

#include <functional>
#include <optional>
#include <utility>

namespace trainyard
{

class ActionRegistry;
class DocumentChecks;
class DocumentTab;
class EarlyRun;
class EngineClient;
class FileController;
class HostController;
class Page;
class RunInMenu;
class RunTab;
class RunTabs;
class TargetBox;
class Workbench;
struct JobChange;
struct OpenDocument;
struct ShownCluster;

// Runs: how jobs are handed over to the engine, and done again.
// Large because each way to hand a job over ends in the same few steps, with what is offered when it is refused.
class RunController : public QObject
{
    Q_OBJECT
public:
    // Adds the actions "run", "runAgain", "retryWithText", "editAsNew", "submitOriginal", "rehearse" and "hello", and
    // the menu "Run in".
    RunController(Workbench *workbench, ActionRegistry *actions, EngineClient *client, HostController *hosts,
        FileController *files, RunTabs *runs, Secrets *secrets, TargetBox *target);

    void runCurrent(); // the document in front, or that it is about
    void runDocument(DocumentTab *tab); // brings it to the front
    void rehearse(DocumentTab *tab); // at the size that a dialog asks for
    void runAgain(const QString &uuid);
    void editAsNew(const QString &uuid); // the text of its newest attempt
    // The text that this attempt ran with. Where it is not known any more, that of the newest one, and it is said.
    void editAttemptAsNew(const QString &uuid, int attempt);
    // After the user has seen what it changes: a new run, or a new document.
    void changeAsNew(const QString &uuid, const JobChange &change);
    // One more attempt of the same job: of these tasks ("role/index"), else of those that failed, else of all.
    void askForRetry(const QString &uuid, bool failedOnly, const QStringList &tasks = {});
    void takeClusters(const QList<ShownCluster> &clusters); // and what was found out about their nodes
    // With the engine's data about a job; an error is reported.
    void withDetail(const QString &uuid, const std::function<void(const JobDetail &)> &use);
    void setDeleted(const QSet<QString> &uuids); // these can still be had back, and are not retried meanwhile
    RunInMenu *runInMenu() const { return m_runInMenu; }
    // Its open document, else the file on the disk, with the values of these secrets. Nothing: there are no secrets.
    std::optional<FileOfRun> fileOf(const JobDetail &detail, const QStringList &asked) const;

private:
    // The request, and the page that made it, which shows an error.
    struct Wish {
        ParseOutcome job;
        QString file;
        QString name;
        QString runIn;
        QPointer<Page> asker;
        QString jobName = {}; // that it was given at its submission, instead of the name in its text
        QString documentName = {}; // of a job that is submitted again; empty: that of its text
        QString target = {}; // likewise, where it ran before; empty: where the window says
        QString work = {}; // the folder that its submission named; empty: the text or the file says it
        UnderWay::Token token = {}; // as long as it lives, the same is not handed over again
        std::optional<FileOfRun> ofRun = std::nullopt; // of a stored run, whose secrets have no values
        std::optional<RehearsalWishes> rehearsal = std::nullopt; // it is rehearsed, and does not run as a whole
    };
    void makeActions(ActionRegistry *actions);
    void updateActions(ActionRegistry *actions);
    void makeRunInMenu();
    void connectTab(RunTab *tab);
    void tellTarget();
    void chooseTarget(const QString &id);
    void prepare(const Wish &wish);
    void runRehearsal(DocumentTab *tab, const RehearsalWishes &wishes);
    QString placeInWords(const QString &target) const; // in the middle of a sentence
    QString rehearsalTarget(const DocumentTab *tab) const; // not a cluster: it is to be seen here first
    // Of that job, which may be changed, as a new one.
    void runText(const JobDetail &detail, const QByteArray &yaml, const UnderWay::Token &token);
    // `wishes`: it is a rehearsal.
    void submit(const SubmitRequest &request, const QPointer<Page> &asker, const UnderWay::Token &token,
        const std::optional<RehearsalWishes> &wishes = std::nullopt);
    void hideWhenOver(RunTab *tab);
    void retry(const RetryRequest &request, const QPointer<Page> &asker, const UnderWay::Token &token);
    void offerFix(const Error &refusal, const QByteArray &yaml, const Page *asker);
    void offerFewerGpus(const Error &refusal, const RehearsalWishes &wishes, const Page *asker);
    // The run of this document: that was started from it last, here or in another window, or that its text came from.
    QString runOf(const DocumentTab *tab) const;
    // The run whose failed tasks the document can run again.
    std::optional<JobSummary> retriable(const DocumentTab *tab) const;
    QString whyNotRetried(const DocumentTab *tab) const;
    void retryWithText(DocumentTab *tab);
    void markWork(const Error &refusal, const Page *asker);
    void openOriginal(const QString &uuid); // of a rehearsal
    // After a look at what differs from its rehearsal.
    void confirmOriginal(const SubmitRequest &request, const std::function<void()> &go);
    // Of a job whose file is not there: to say where its files are, or to correct this place of it.
    void openText(const QString &uuid, bool toPlace, const JobPlace &place);
    void tellDocument(RunTab *tab); // of the text that its document has now
    // `note`: what is to be said of the text.
    DocumentTab *openAsNew(const JobDetail &detail, const QByteArray &yaml, const QString &note = {});
    void offerRetry(DocumentTab *tab, const JobSummary &job, const QString &note);
    // The pages that are documents, and the data that link them to their runs.
    std::pair<QList<DocumentTab *>, QList<OpenDocument>> openDocuments() const;
    QString freshName(const JobSummary &job) const; // for a job that is made from this one

    Workbench *m_workbench;
    EngineClient *m_client;
    HostController *m_hosts;
    FileController *m_files;
    RunTabs *m_runs;
    Secrets *m_secrets;
    TargetBox *m_target;
    DocumentChecks *m_checks;
    EarlyRun *m_early;
    RunInMenu *m_runInMenu = nullptr;
    UnderWay m_underWay;
    QSet<QString> m_deleted;
    QHash<QString, HostLimits> m_nodes; // of clusters that were checked, by target
    QString m_otherTarget; // chosen while no document is in front; empty: the usual one
};

} // namespace trainyard
