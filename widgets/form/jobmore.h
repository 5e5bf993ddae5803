// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"

#include <QObject>
#include <QStringList>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace trainyard
{

class DataFields;
class Disclosure;
class FormContext;
class FormGrid;
class HostsFields;
class NumberField;
class ResultsFields;
class TextField;

// The properties of a job other than its name and its roles: one line that sums them up in a few words, and below it,
// folded, the rows to edit them. So the roles, which every job has, are on the first screen. Problems do not unfold it,
// because this would move the roles while the user types: the line counts them.
class JobMore : public QObject
{
    Q_OBJECT
public:
    JobMore(FormContext *context, QWidget *form);
    void addTo(FormGrid *grid); // two rows
    void refresh(); // what the fields do not do themselves
    void refreshWork(); // another folder may be the one of the file
    void refreshSummary(); // once all fields of the form have their places
    void showPlace(const YamlPath &path); // what is chosen where there are several
    Disclosure *line() const { return m_line; }

private:
    void buildWork();
    void buildTimeLimit();
    void buildQueue();
    void buildAbout();
    void chooseWork();
    void refreshHosts();
    QString text(const YamlPath &path) const;
    QString queueText() const;
    QString aboutText() const; // empty: nothing is said
    QString summary(int problems) const;

    FormContext *m_context;
    QWidget *m_form;
    Disclosure *m_line;
    FormGrid *m_grid;
    TextField *m_work = nullptr;
    NumberField *m_timeLimit = nullptr;
    Disclosure *m_queue = nullptr;
    HostsFields *m_hosts; // of all roles
    DataFields *m_data;
    ResultsFields *m_results;
    Disclosure *m_about = nullptr;
};

} // namespace trainyard
