// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QComboBox;
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace trainyard
{

class ChoiceField;
class CommandsField;
class FormContext;
class FormGrid;
class NumberField;
class TextField;
class ValuesTable;

// Deployments: commands before and after those of a role, chosen for a run by name.
class DeploymentsPanel : public QWidget
{
    Q_OBJECT
public:
    explicit DeploymentsPanel(FormContext *context, QWidget *parent = nullptr);
    void refresh();
    void select(qsizetype deployment, const QString &role);

private:
    void point();
    void add();
    void removeCurrent();
    void duplicateCurrent();
    YamlPath deployment() const;

    FormContext *m_context;
    QComboBox *m_which;
    QComboBox *m_role;
    QWidget *m_details;
    FormGrid *m_grid;
    ChoiceField *m_active;
    TextField *m_name;
    CommandsField *m_before;
    CommandsField *m_after;
    QPushButton *m_add;
    QPushButton *m_duplicate;
    QPushButton *m_remove;
    QLabel *m_note;
    NumberField *m_protocol;
    ValuesTable *m_own;
    bool m_filling = false;
};

} // namespace trainyard
