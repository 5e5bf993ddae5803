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

class CheckField;
class FormContext;

// Plugins and notifications, and every other key of the document that has no field: each with a jump to its line, so
// that nothing is in the file that the form hides.
class ExtrasPanel : public QWidget
{
    Q_OBJECT
public:
    explicit ExtrasPanel(FormContext *context, QWidget *parent = nullptr);
    void refresh();
    int pluginCount() const { return m_plugins; }

private:
    struct Line {
        QString icon;
        QString text;
        YamlPath path;
        friend bool operator==(const Line &, const Line &) = default;
    };
    QList<Line> lines();
    FormContext *m_context;
    QList<CheckField *> m_notify;
    QListWidget *m_list;
    QLabel *m_note;
    QList<Line> m_shown;
    int m_plugins = 0;
};

} // namespace trainyard
