// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/protocol/jobspec.h"
#include "model/template/render.h"
#include "model/yaml/yamldocument.h"

#include <QHash>
#include <QPointer>
#include <QSet>
#include <QTime>
#include <QWidget>

#include <optional>

class QCheckBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedLayout;
class QTreeWidget;
class QTreeWidgetItem;

namespace trainyard
{

class CodeView;
class EmptyState;
class FactList;
class InfoBar;
class PageHead;
class PlacementView;
class ScriptSheet;
class SecretMemory;
class SearchField;
class SegmentedControl;

// Shows what Run would do, task by task: the host, the exact script, the environment, the ports, the order of the
// prerequisites. It is the answer to the same request that Run sends; the engine has masked the secrets. Large because
// each fact of the plan is shown by a separate method.
class PreviewPage : public QWidget
{
    Q_OBJECT
public:
    enum class EngineState { Starting, Gone };

    explicit PreviewPage(QWidget *parent = nullptr);
    void setJob(const QString &name);
    QString title() const;

    void setSecretMemory(const SecretMemory *memory); // what Run does not ask for; not owned
    void setPlanning(const QByteArray &yaml); // a plan of this text was asked for
    void setHosts(const QList<HostInfo> &hosts) { m_hosts = hosts; } // as they are when the next plan is made
    QByteArray planned() const { return m_yaml; }
    void setPlan(const PlanReply &plan, const QHash<QString, QString> &hostLabels, const QTime &at);
    // Why there is no plan, and what fixes the first problem, if there is a fix.
    void setErrors(const QStringList &sentences, const QString &fix = {});
    void setEngine(EngineState state, const QString &sentence); // there is no engine to ask
    bool isWaiting() const { return m_waiting; } // for a plan
    void setStale(); // the text is another one by now
    bool isStale() const { return m_stale; }
    void setRunText(const QString &text); // as the window's own Run says where to

    // For tests, and for code that shows more.
    QString shownScript() const;
    QStringList shownOrder() const { return m_order; }
    QTreeWidget *taskTree() const { return m_tasks; }
    QTreeWidget *environmentTree() const { return m_environment; }
    QTreeWidget *containerTree() const { return m_container; }
    PlacementView *places() const { return m_places; }
    FactList *endList() const { return m_end; }
    FactList *startList() const { return m_start; }
    QString textOfTask() const; // what "Copy everything" copies

Q_SIGNALS:
    void runRequested();
    void backRequested();
    void fixRequested();
    void refreshRequested();
    void engineRequested();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitNames();
    QWidget *makeHead();
    QWidget *makePlacement();
    QWidget *makeScript();
    QWidget *makeValues();
    void showTask(int number);
    void showOrder(const PlannedTask &task);
    void showScript();
    void showFacts();
    QStringList askedSecrets() const;
    const ComposedRole *composedOf(const QString &role);
    void selectTask(int number);
    void fillValues();
    void fillContainer(const PlannedTask &task);
    void showSubmission();
    void updateState();
    const PlannedTask *task() const;

    enum class Shows { Nothing, Plan, Errors, Engine };
    QString m_name;
    QByteArray m_yaml;
    PlanReply m_plan;
    YamlDocument m_document; // the text that was planned
    std::optional<JobSpec> m_spec; // of the same
    QHash<QString, ComposedRole> m_composed; // of its roles, as far as they were shown
    QList<HostInfo> m_hosts;
    QPointer<const SecretMemory> m_memory;
    QHash<QString, QString> m_labels;
    QSet<QString> m_differing; // names of variables that are not the same in all tasks
    QStringList m_order;
    QTime m_at;
    int m_current = -1;
    bool m_waiting = false;
    bool m_stale = false;
    PageHead *m_head;
    QLabel *m_state;
    QPushButton *m_refresh;
    QPushButton *m_run;
    QPushButton *m_back;
    QSplitter *m_ofTask;
    InfoBar *m_bar;
    QStackedLayout *m_stack = nullptr;
    EmptyState *m_empty;
    PlacementView *m_places;
    QLabel *m_together;
    QTreeWidget *m_tasks;
    FactList *m_end;
    FactList *m_start;
    QWidget *m_orderRow;
    QHBoxLayout *m_orderLayout;
    CodeView *m_script;
    ScriptSheet *m_sheet;
    QWidget *m_legend;
    QCheckBox *m_whole;
    SegmentedControl *m_which;
    SearchField *m_filter;
    QCheckBox *m_differs;
    QTreeWidget *m_environment;
    QTreeWidget *m_ports;
    QTreeWidget *m_container;
    CodeView *m_submission;
    QStackedLayout *m_values = nullptr;
    bool m_canStart = false;
};

} // namespace trainyard
