// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QComboBox;
class QPushButton;
QT_END_NAMESPACE

namespace trainyard
{

class Disclosure;
class FormContext;
class FormGrid;
class KeyNameField;
class RolesField;
class TextField;
class ValuesTable;

// The path of the data in a job.
const YamlPath &dataPath();

// Folders and files that tasks find on their hosts: a line that says which, and below it, folded away, the fields of
// one of them.
class DataFields : public QObject
{
    Q_OBJECT
public:
    DataFields(FormContext *context, QObject *parent);
    void addTo(FormGrid *grid); // two rows
    void refresh(); // what the fields do not do themselves
    void select(const QString &name);

private:
    YamlPath chosen() const; // empty: there is none
    void point();
    void add(const QString &from, const QString &name);
    void chooseSource(bool isNew, bool isFolder);
    void removeChosen();
    QString summary() const;
    void openForProblems();

    FormContext *m_context;
    Disclosure *m_line;
    FormGrid *m_body;
    QWidget *m_details;
    QComboBox *m_which;
    QPushButton *m_add;
    QPushButton *m_remove;
    KeyNameField *m_name;
    TextField *m_from;
    ValuesTable *m_paths;
    RolesField *m_roles;
    TextField *m_sum;
    QString m_wanted; // is chosen as soon as it is there
    bool m_isRenamed = false; // what was chosen has this name now
    bool m_filling = false;
};

} // namespace trainyard
