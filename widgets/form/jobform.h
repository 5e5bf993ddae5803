// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/base/lineindex.h"
#include "model/yaml/yamlops.h"
#include "model/yaml/yamlpath.h"

#include <QPointer>
#include <QScrollArea>

QT_BEGIN_NAMESPACE
class QLabel;
class QTabBar;
class QTimer;
class QToolButton;
QT_END_NAMESPACE

namespace trainyard
{

class DeploymentsPanel;
class ElidedLabel;
class EmptyState;
class ExtrasPanel;
class FormContext;
class FormField;
class InfoBar;
class JobMore;
class NumberField;
class PluginsPanel;
class PrerequisitesPanel;
class RoleCard;
class TextField;
class ValuesTable;

// Why there is no form for the text now: an error of the YAML with its position, or another reason that is already a
// sentence.
struct FormLock {
    QString error, why;
    LineColumn at;
    QList<Fix> fixes; // of the error
    bool isOn() const { return !error.isEmpty() || !why.isEmpty(); }
};

// The form of a job: one column, task roles as tabs, and below them the things that roles share. Large because each
// section of the form is built and refreshed by a separate method.
class JobForm : public QScrollArea
{
    Q_OBJECT
public:
    explicit JobForm(FormContext *context, QWidget *parent = nullptr);
    void refresh(); // from the newest snapshot
    void refreshWork(); // another folder may be the one of the file
    // It keeps the values of the text that could be read last, and why is said below them, where that moves nothing;
    // before there was one, it shows nothing but why.
    void setLock(const FormLock &lock);
    void showPlace(const YamlPath &path, bool scroll); // marks the field of a place
    void selectRole(const QString &role);
    QString currentRole() const;
    void addRole();
    QList<edit::Op> waitForTheOnlyRole() const;
    bool isMoreOpen() const; // the part between the name and the roles
    void setMoreOpen(bool open);

Q_SIGNALS:
    void placeWanted(const trainyard::LineColumn &at); // in the text

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    bool focusNextPrevChild(bool next) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    enum Tab { ParametersTab, SecretsTab, PrerequisitesTab, DeploymentsTab, PluginsTab, ExtrasTab, TabCount };
    void buildHead(class FormGrid *grid);
    void refreshRoles();
    void refreshTabs();
    void refreshFindings();
    void markRoles();
    void markTabs();
    static YamlPath pathOfTab(int tab);
    void fitTabs();
    QString roleTabText(const QString &name, qsizetype roles) const;
    void fitRoleTab();
    void fitContent();
    void layOutFoot();
    void keepScrolled(int bottom);
    int scrolledTo() const; // the end of what is in sight; 0: nothing is scrolled away
    void followFocus();
    void openRoleMenu(const QPoint &position);
    void duplicateRole(const QString &role);
    void removeRole(const QString &role);
    void moveRole(const QString &role, qsizetype to);
    void takeTabOrder();

    void showBrief(const YamlPath &path);
    FormContext *m_context;
    QWidget *m_content;
    QWidget *m_strip;
    ElidedLabel *m_brief;
    InfoBar *m_unavailable;
    QWidget *m_body;
    TextField *m_name;
    NumberField *m_retries;
    JobMore *m_more;
    QTabBar *m_roles;
    QToolButton *m_addRole;
    RoleCard *m_card;
    EmptyState *m_noRole;
    QTabBar *m_tabs;
    QList<QWidget *> m_pages;
    ValuesTable *m_parameters;
    ValuesTable *m_secrets;
    PrerequisitesPanel *m_prerequisites;
    DeploymentsPanel *m_deployments;
    PluginsPanel *m_plugins;
    ExtrasPanel *m_extras;
    FormField *m_marked = nullptr;
    QStringList m_roleNames;
    QString m_wantedRole; // to be chosen when it is there
    QTimer *m_fit;
    QPointer<QWidget> m_toFollow; // has got the focus, and may be out of sight
    bool m_filling = false;
    bool m_isFilled = false; // of a text that could be read
};

} // namespace trainyard
