// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/clusteroffers.h"
#include "model/base/diagnostic.h"
#include "model/base/result.h"
#include "model/protocol/capacity.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamledit.h"

#include <QByteArray>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <memory>

QT_BEGIN_NAMESPACE
class QAction;
QT_END_NAMESPACE

namespace trainyard
{

struct JobImport;
struct ParseOutcome;
class SecretMemory;
class SecretVault;

// One job being designed: form and YAML side by side over one text, one undo stack, and the list of problems. The text
// in the editor is the truth; the form and the problems are views of its newest parsed snapshot. Lives on the GUI
// thread; parsing happens on a worker thread. Large because it is what the window sees of a document: most methods pass
// a call on to the part that does it.
class DesignerPage : public QWidget
{
    Q_OBJECT
public:
    enum class ViewMode { Form, Both, Yaml };
    Q_ENUM(ViewMode)

    explicit DesignerPage(QWidget *parent = nullptr);
    ~DesignerPage() override;

    // Replaces the document. Fails only when the file cannot be read ("file.*" codes); whatever is in it opens.
    Result<void> openFile(const QString &path);
    // An unsaved document. `suggestedName` is a file name for its title and for "Save as".
    void newDocument(const QByteArray &bytes, const QString &suggestedName = {});
    // The unsaved document that was made of a job of version 1, with what changed shown above it.
    void newConverted(const JobImport &import, const QString &oldName);
    // Writes the user's bytes exactly, through a temporary file beside it, keeping the permissions. save() fails with
    // "file.no-path" when there is no file yet: ask for one and use saveAs(). Changes of another program since the file
    // was read are not lost: then the error is "file.changed", and the page asks.
    Result<void> save();
    Result<void> saveAs(const QString &path);
    // Brings back an autosaved text over the file it belongs to (may be empty); the document is then modified.
    void restore(const QString &path, const QByteArray &bytes, const QString &suggestedName = {});
    // Digest of the file's content that this text was made from, empty without a file; a text that is brought back over
    // another content asks, as one does whose file is changed while it is open.
    QByteArray base() const;
    void setBase(const QByteArray &digest);

    QByteArray bytes() const;
    const YamlDocument &document() const; // of the text as it was parsed last
    QByteArray bytes(bool flushForm); // true: commits what is being typed in a field of the form first
    // The job that Run would run: what is being typed is committed, and what the form has parsed is not parsed again.
    ParseOutcome committedOutcome();
    // What can be seen in a field is in the text when this returns, and a document without changes of its own is what
    // its file has now. To be called before the text is saved, run, shown elsewhere or given up.
    void commit();
    void commitTyped(); // the same while the typing goes on: half-written names stay out
    QString filePath() const; // absolute, or empty
    // A document without a file that was made from a job of that file: it runs where that one did.
    void setOriginFile(const QString &file);
    QString originFile() const;
    // To which the limits of the hosts do not apply, but those of its nodes, where they are known.
    void setRunsOnCluster(bool on, const HostLimits &nodes = {});
    void setRunsHere(bool on); // on this computer, whose files can be looked at
    void setPlace(bool runsHere, bool runsOnCluster, const HostLimits &nodes = {}); // both at once
    QString runFile() const; // the file of the document, else of its origin, or empty
    QString saveFolder() const; // that of this file, else the work folder that the text names, or empty
    QString fileName() const; // to be proposed for "Save as": after the job when the document has no file
    QString displayName() const; // file name, or the suggested one
    bool isModified() const;
    bool isReadOnly() const;

    // Whether Run may be pressed, and if not why (sentences). A document that is being parsed keeps its last answer.
    bool canRun() const;
    QStringList runBlockers() const;
    // The text is newer than that answer. This is not emitted for a text that was too large or took too long, for which
    // nothing waits.
    bool isBeingChecked() const;
    bool showsChecking() const; // as checkingChanged() reported last
    // What fixes the first error of the text as it is, as a button says it; empty when nothing is known that does.
    QString firstErrorFix();
    void fixFirstError();
    int errorCount() const;
    int warningCount() const;

    // What the machines have: for "of 4" beside a field.
    void setHosts(const QList<HostInfo> &hosts);
    void setMemoryReserve(qint64 mebibytes); // of each host, that the engine gives to no task
    qint64 memoryReserve() const;
    void setStorages(const QStringList &names); // that the settings have a folder for
    // Why the engine did not take the work folder; nothing: it does. It is forgotten once the folder is another one.
    void setWorkRefused(const std::optional<Error> &why);
    bool isWorkRefused() const;
    // Where values of secrets go that are taken out of the text; none at first. Not owned.
    void setSecretVault(SecretVault *vault);
    void setSecretMemory(SecretMemory *memory); // the values entered for Run; none at first. Not owned.
    void takeSecretsOut(); // all values of the text, in one undo step; Run asks for them
    // The values of these secrets into the vault; `moved` is called once they are out of the text. If that is not
    // possible, the page says why.
    void moveSecrets(const QStringList &names, const std::function<void()> &moved);
    // Virtual clusters that other jobs name, and what clusters have said of themselves, for suggestions.
    void setKnownClusters(const std::function<ClusterOffers()> &clusters);

    void setViewMode(ViewMode mode);
    void setProblemsVisible(bool visible);
    bool problemsVisible() const;
    QByteArray saveLayout() const; // splitter sizes and folds, for the session
    void restoreLayout(const QByteArray &layout);

    // Actions of the page, enabled as they can be used; put them into menus. They have object names and shortcuts.
    QAction *undoAction() const;
    QAction *redoAction() const;
    QList<QAction *> pageActions() const; // find, next problem, quick fix, toggle comment, view modes, ...

public Q_SLOTS:
    void undo();
    void redo();
    void endTyping(); // something is done with the text: undo does not go beyond it in one step
    void applyEdits(const QList<trainyard::edit::Op> &ops); // one undo step; the page says why when they are refused
    void jumpTo(qint64 line, qint64 column); // from 1, columns in code points
    void jumpToValue(const trainyard::YamlPath &path, int line); // to a line, from 0, of a text; likewise
    void selectValue(const trainyard::YamlPath &path); // in the text, to be typed over; nothing where it is not there
    void showFind();
    void showInForm(const trainyard::YamlPath &path); // the field of a place, also where it is folded away
    void nextProblem();
    void previousProblem();
    void setTextWrapped(bool on); // long lines of the text go on in the next row

Q_SIGNALS:
    void modifiedChanged(bool modified);
    void textChanged();
    void textWrappedChanged(bool on);
    void titleChanged(const QString &displayName);
    void runnableChanged(bool canRun);
    void cursorMoved(qint64 line, qint64 column);
    void problemsChanged(int errors, int warnings);
    void checkingChanged(bool isBeingChecked); // not of a check that nobody has to wait for
    void runRequested();
    void previewRequested();
    void compareRequested(); // with the file on disk
    // Save was pressed on a document without a file: ask for a name, then saveAs().
    void saveAsRequested();
    void saveRequested(); // over what another program wrote

protected:
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void connectNotify(const QMetaMethod &signal) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace trainyard
