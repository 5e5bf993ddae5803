// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QListWidget;
class QPushButton;
QT_END_NAMESPACE

namespace trainyard
{

class ChainField;
class ChoiceField;
class CommandsField;
class FormContext;
class FormGrid;
class TextField;
class WordField;

// The prerequisites of a job: a list, and the fields of the chosen one.
class PrerequisitesPanel : public QWidget
{
    Q_OBJECT
public:
    explicit PrerequisitesPanel(FormContext *context, QWidget *parent = nullptr);
    void refresh();
    void select(qsizetype index);

private:
    void point(); // the fields at the chosen item
    void add(const QString &type);
    void removeCurrent();
    void moveCurrent(int by);
    YamlPath item() const;
    YamlPath callback(const QString &event) const;

    FormContext *m_context;
    QListWidget *m_list;
    QWidget *m_details;
    FormGrid *m_grid;
    TextField *m_name;
    WordField *m_type;
    TextField *m_uri;
    CommandsField *m_uris;
    ChoiceField *m_plugin;
    ChainField *m_require;
    WordField *m_policy;
    CommandsField *m_starts;
    CommandsField *m_succeeds;
    TextField *m_user;
    TextField *m_password;
    TextField *m_registry;
    QPushButton *m_add;
    QPushButton *m_remove;
    QPushButton *m_up;
    QPushButton *m_down;
    QStringList m_shown;
    bool m_filling = false;
};

} // namespace trainyard
