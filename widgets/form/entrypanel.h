// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/yaml/yamlpath.h"

#include <QHash>
#include <QWidget>

namespace trainyard
{

class EntryList;
class FormContext;
class FormGrid;

// A list of the document's entries, and below it the fields of the chosen one. Entries are removed, moved and
// duplicated here; a subclass defines the rows of the list and the fields.
class EntryPanel : public QWidget
{
    Q_OBJECT
public:
    void select(qsizetype index);

protected:
    // `listPath` is where the entries are in the document. Takes `list`.
    EntryPanel(FormContext *context, const YamlPath &listPath, EntryList *list, QWidget *parent);

    virtual void showEntry() = 0; // sets the fields to the chosen entry
    virtual void duplicate(int row);
    YamlPath item() const; // of the chosen entry; empty when there is none
    qsizetype count() const;
    QHash<qsizetype, Severity> worstOfEntries() const; // by index, of those that have problems

    FormContext *m_context;
    EntryList *m_list;
    QWidget *m_details;
    FormGrid *m_grid;

private:
    const YamlPath m_listPath;
};

} // namespace trainyard
