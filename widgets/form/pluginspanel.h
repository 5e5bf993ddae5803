// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/entrypanel.h"

QT_BEGIN_NAMESPACE
class QPushButton;
QT_END_NAMESPACE

namespace trainyard
{

class CheckField;
class ChoiceField;
class CommandsField;
class FormContext;
class FormField;
class NumberField;
class RolesField;
class TextField;
class ValuesTable;
class WordField;

// The runtime plugins of a job: a list, and of the chosen one the fields that its plugin has. What a plugin has beside
// them, and all of a plugin that is not known, is a table of keys.
class PluginsPanel : public EntryPanel
{
    Q_OBJECT
public:
    explicit PluginsPanel(FormContext *context, QWidget *parent = nullptr);
    void refresh();
    static const YamlPath &listPath();

private:
    void build();
    void buildSsh();
    void buildOthers();
    void showEntry() override;
    void add(const QString &plugin);
    void chooseKey();
    QString summary(const YamlPath &item, const QString &plugin) const;
    YamlPath commands(const QString &event, const char *key) const;
    void row(const QString &plugins, const QString &label, FormField *field, const char *key);

    // A row that belongs to some plugins, with the place of its value under `parameters`.
    struct Row {
        QString plugins; // names with blanks around
        FormField *field;
        QWidget *line; // what is shown and hidden
        YamlPath below; // parameters
    };
    ChoiceField *m_plugin;
    RolesField *m_roles;
    WordField *m_policy;
    TextField *m_key;
    QPushButton *m_chooseKey;
    WordField *m_keyType;
    CommandsField *m_before;
    CommandsField *m_after;
    ValuesTable *m_logFolders;
    ValuesTable *m_parameters;
    QList<Row> m_rows;
};

} // namespace trainyard
