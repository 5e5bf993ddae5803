// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/clusteroffers.h"
#include "model/protocol/capacity.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/rename.h"
#include "model/yaml/yamledit.h"
#include "widgets/common/infobar.h"
#include "widgets/form/refusededits.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>
#include <optional>

QT_BEGIN_NAMESPACE
class QTimer;
QT_END_NAMESPACE

namespace trainyard
{

class DocumentController;
class FormField;
class SecretMemory;
class SecretVault;
class ShellLook;
class WorkFolderLook;

// Something the page says above the document, with what can be done about it.
struct FormNotice {
    using Kind = InfoBar::Kind;
    Kind kind = Kind::Info;
    QString text; // plain
    QList<std::pair<QString, std::function<void()>>> actions = {};
    bool stays = false; // also while the user types on in the text
};

// The context shared by the fields of a form: the snapshot that they show, the path of their edits, and which field
// belongs to which position of the document. Fields do not own data: they are refreshed from each snapshot. Large
// because it is the only access of all fields to the document: each kind of edit is a short method.
class FormContext : public QObject
{
    Q_OBJECT
public:
    explicit FormContext(DocumentController *controller, QObject *parent = nullptr);

    // The snapshot that the form shows: that of the newest readable text, whatever the present one is.
    const YamlDocument &document() const;
    const JobSpec *spec() const; // null when the text is not a job
    void takeSnapshot(); // the present text is shown; to be called before refresh()
    QString workFolder(const JobSpec &job) const; // where its tasks start, as far as that is known here
    // The findings of the present snapshot, and of it beside the hosts; by position.
    const QList<Diagnostic> &diagnostics() const { return m_diagnostics; }
    void updateDiagnostics(); // to be called for each snapshot, before refresh()
    const YamlNode *node(const YamlPath &path) const; // aliases followed; null when absent
    // The text of a scalar; nothing when the node is absent, null or no scalar.
    std::optional<QString> text(const YamlPath &path) const;
    QStringList keys(const YamlPath &map) const; // in file order
    QStringList texts(const YamlPath &list) const; // scalars of a list
    qsizetype count(const YamlPath &list) const;
    // As the document writes it, when that is on one line.
    std::optional<QString> source(const YamlPath &path) const;
    // Names of prerequisites of a type; all types when it is empty.
    QStringList prerequisiteNames(const QString &type = {}) const;
    YamlPath prerequisitePath(const QString &name, const QString &type = {}) const; // empty when there is none

    using Done = std::function<void(const Result<void> &)>;
    void edit(const QList<edit::Op> &wanted, const Done &done = {});
    // The document did not take an edit of the value there: its field says why, and shows what was typed.
    void setRefused(const YamlPath &path, const Error &why, const QVariant &typed);
    QVariant refused(const YamlPath &path) const { return m_refused.typed(path); } // what was typed; invalid: nothing
    void forgetRefused(const YamlPath &path);
    void forgetAllRefused() { m_refused.clear(); } // of another document
    // The name that the next edit changes: after it, the page says where else that name occurs.
    void expectRename(const RenamePlan &plan, const YamlPath &path) { m_renaming = {plan, path}; }
    void tell(const FormNotice &notice) { Q_EMIT noticeRequested(notice); }
    SecretVault *vault() const; // null when there is none
    void setVault(SecretVault *vault);
    SecretMemory *secretMemory() const; // null when there is none
    void setSecretMemory(SecretMemory *memory);
    // Virtual clusters, SKUs and storages that are known from elsewhere, for suggestions.
    ClusterOffers knownClusters() const { return m_clusters ? m_clusters() : ClusterOffers(); }
    void setKnownClusters(const std::function<ClusterOffers()> &clusters) { m_clusters = clusters; }
    // The folder that a work folder is relative to, and that is one where none is named; empty without a file.
    QString folder() const { return m_folder; }
    void setFolder(const QString &folder);
    // Whether the job would run on this computer, where one can look for its scripts.
    void setRunsHere(bool on);
    bool runsHere() const { return m_runsHere; }
    // Both at once: what is wrong in the place of before and in neither place is not said in between.
    void setPlace(bool runsHere, bool runsOnCluster, const HostLimits &nodes = {});
    // Whether it would run on a cluster, of whose nodes the hosts say nothing, and what is known of them.
    void setRunsOnCluster(bool on, const HostLimits &nodes = {})
    {
        m_runsOnCluster = on;
        m_nodes = nodes;
        updateLimits();
    }
    // Why the engine refused the work folder; this is shown at its field until the folder changes. Nothing: it accepts
    // the folder.
    void setWorkRefused(const std::optional<Error> &why);
    bool isWorkRefused() const { return m_workRefused.has_value(); }
    bool isReadOnly() const { return m_readOnly; }
    void setReadOnly(bool readOnly) { m_readOnly = readOnly; }

    void setHosts(const QList<HostInfo> &hosts);
    const QList<HostInfo> &hosts() const { return m_hosts; }
    void setStorages(const QStringList &names); // that the settings have a folder for
    void setMemoryReserve(qint64 mebibytes); // of each host, that no task gets: the engine's setting
    qint64 memoryReserve() const { return m_memoryReserveMiB; }
    const HostLimits &limits() const { return m_limits; } // of the hosts and the storages

    void add(FormField *field);
    void remove(FormField *field);
    const QList<FormField *> &fields() const { return m_fields; }
    FormField *fieldAt(const YamlPath &path) const; // the one whose place is nearest above the path
    void commitPending();
    void commitTyped();
    // The fields show the present text, and no edit is on its way into it: what is written now can be told from it.
    bool isCurrent() const;
    void catchUp(); // so that they do when this returns, even where that takes a while
    void catchUpIfQuick(); // only for a text that is read at once
    bool hasEdits() const; // that were asked for and are not in the text yet
    // The value of the fields has moved to another place: what is being typed goes along.
    void setFollowing(bool follows)
    {
        m_follows = follows;
        m_followed += follows ? 1 : 0;
    }
    bool isFollowing() const { return m_follows; }
    int followed() const { return m_followed; } // how often a value has moved
    bool isTyping() const; // something is in a field that is not in the text
    void refresh(); // every field from the snapshot
    // Messages under fields move the widgets below, so they do not change while a mouse button is down or the pointer
    // moves, unless this has to happen at once.
    void refreshMessages(bool atOnce = false);
    void refreshFindings(); // only what is said of the snapshot; the values stay as they are shown
    // Fields of a form that shows another text than the present one have nothing to say.
    void setLocked(bool locked) { m_locked = locked; }
    bool isLocked() const { return m_locked; }
    bool holdsStill() const; // nothing may move in the form now
    void pointerMoved();
    void setPointerDown(bool down);

Q_SIGNALS:
    void hostsChanged();
    // The resources of the largest hosts, or the contents of the work folder, have changed, and so has diagnostics().
    void limitsChanged();
    void fieldFocused(const trainyard::YamlPath &path);
    void jumpRequested(const trainyard::YamlPath &path);
    void fixRequested(const trainyard::Fix &fix);
    void noticeRequested(const trainyard::FormNotice &notice);
    void renamed(const trainyard::RenamePlan &plan, const trainyard::YamlPath &path);

private:
    bool takeLimits(); // whether they are others
    void updateLimits();
    void addRefusal(const JobSpec &job);
    const ParseOutcome &shown() const;
    DocumentController *m_controller;
    std::shared_ptr<const JobDocument> m_shown; // null: no text could be read yet
    QTimer *m_messagesLater;
    QElapsedTimer m_pointer; // since it was moved
    bool m_pointerDown = false;
    QList<FormField *> m_fields;
    QList<HostInfo> m_hosts;
    HostLimits m_limits, m_nodes; // the second: of the cluster
    qint64 m_memoryReserveMiB = 0;
    QList<Diagnostic> m_diagnostics;
    RefusedEdits m_refused;
    std::optional<std::pair<RenamePlan, YamlPath>> m_renaming;
    QPointer<QObject> m_vault;
    QPointer<QObject> m_secretMemory;
    std::function<ClusterOffers()> m_clusters;
    QString m_folder;
    WorkFolderLook *m_workFolder;
    ShellLook *m_shell;
    std::optional<Error> m_workRefused;
    QString m_refusedWork; // the folder that it is about
    bool m_runsHere = true;
    bool m_runsOnCluster = false;
    bool m_readOnly = false;
    bool m_locked = false;
    bool m_follows = false;
    int m_followed = 0;
};

// A flow YAML list of texts, always strings: JSON's spelling is YAML's.
QByteArray flowList(const QStringList &texts);

} // namespace trainyard
