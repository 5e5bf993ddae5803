// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QListWidget;
QT_END_NAMESPACE

namespace trainyard
{

class FormContext;
class FormGrid;
class Ground;
class ValuesTable;

// Notifications, Trainyard's own settings, storages, and what else is under extras; then every other key of the
// document that has no field, each with a jump to its line, so that nothing is in the file that the form hides.
class ExtrasPanel : public QWidget
{
    Q_OBJECT
public:
    explicit ExtrasPanel(FormContext *context, QWidget *parent = nullptr);
    void refresh();
    qsizetype count() const; // of keys under extras that are shown here, and of other keys

private:
    struct Line {
        QString text;
        YamlPath path;
        friend bool operator==(const Line &, const Line &) = default;
    };
    QList<Line> lines();
    FormContext *m_context;
    FormGrid *m_grid;
    ValuesTable *m_trainyard;
    ValuesTable *m_scheduler;
    ValuesTable *m_extras;
    QLabel *m_note;
    QListWidget *m_list;
    Ground *m_card; // around it
    QList<Line> m_shown;
};

} // namespace trainyard
