// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"

#include <QObject>

namespace trainyard
{

class Disclosure;
class FormContext;
class FormGrid;
class NumberField;
class TextField;
class WordField;
class WordsField;

// The path of the results in a job.
const YamlPath &resultsPath();

// Which files of tasks come back to this computer: a line that says it, and below it, folded away, the patterns. How
// they come is asked as soon as there is one.
class ResultsFields : public QObject
{
    Q_OBJECT
public:
    ResultsFields(FormContext *context, QObject *parent);
    void addTo(FormGrid *grid); // two rows
    void refresh(); // what the fields do not do themselves
    Disclosure *line() const { return m_line; }

private:
    bool covers(const YamlPath &place) const;
    bool isInFull() const; // a map, not the patterns alone
    void chooseFolder();
    QString summary() const;
    void openForProblems();

    FormContext *m_context;
    Disclosure *m_line;
    FormGrid *m_grid;
    WordsField *m_files;
    TextField *m_to;
    QWidget *m_toRow;
    WordField *m_when;
    NumberField *m_largest;
    NumberField *m_most;
    QWidget *m_limits;
};

} // namespace trainyard
