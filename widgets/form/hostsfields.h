// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"

#include <QObject>

namespace trainyard
{

class Disclosure;
class FormContext;
class FormGrid;
class WordField;
class WordsField;

// The path of the hosts of roles in a job.
const YamlPath &hostRulesPath();

// On which hosts tasks may run: a line that says it, and below it, folded away, the fields to say it by. For one role,
// or for all roles (the entry "*").
class HostsFields : public QObject
{
    Q_OBJECT
public:
    // `name` begins the names of its widgets.
    HostsFields(FormContext *context, const QString &name, QObject *parent);
    void addTo(FormGrid *grid, const QString &label); // two rows
    void setRole(const QString &role); // "*" for all; empty for none
    void refresh(); // what the fields do not do themselves
    Disclosure *line() const { return m_line; }
    // Whether a problem of this place is shown here.
    bool covers(const YamlPath &place) const;

private:
    YamlPath base() const;
    QString summary() const;
    void updateFitting();
    void openForProblems();

    FormContext *m_context;
    QString m_role;
    Disclosure *m_line;
    FormGrid *m_grid;
    WordsField *m_names;
    WordsField *m_labels;
    WordField *m_arrange;
};

} // namespace trainyard
