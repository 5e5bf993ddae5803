// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/entrypanel.h"

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

namespace trainyard
{

class ChainField;
class ChoiceField;
class CommandsField;
class Disclosure;
class FormContext;
class FormField;
class FormGrid;
class NumberField;
class TextAreaField;
class TextField;
class ValuesTable;
class WordField;

// The prerequisites of a job: a list, and the fields of the chosen one.
class PrerequisitesPanel : public EntryPanel
{
    Q_OBJECT
public:
    explicit PrerequisitesPanel(FormContext *context, QWidget *parent = nullptr);
    void refresh();
    // `reference` is set to the new name, in the same step.
    void add(const QString &type, const YamlPath &reference = {});

private:
    void build();
    void showEntry() override;
    void duplicate(int row) override;
    void updateOrder();
    YamlPath callback(const QString &event) const;
    bool hasOtherCallbacks() const;

    TextField *m_name;
    WordField *m_type;
    TextField *m_uri;
    CommandsField *m_uris;
    ChoiceField *m_plugin;
    ChainField *m_require;
    QLabel *m_order;
    WordField *m_policy;
    CommandsField *m_starts;
    CommandsField *m_succeeds;
    TextField *m_user;
    TextField *m_password;
    TextField *m_registry;
    Disclosure *m_more;
    FormGrid *m_moreGrid;
    TextAreaField *m_description;
    TextField *m_version;
    TextField *m_contributor;
    NumberField *m_protocol;
    ValuesTable *m_own;
    QList<FormField *> m_fields; // all of them
};

} // namespace trainyard
