// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobimport.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QListWidget;
class QPushButton;
QT_END_NAMESPACE

namespace trainyard
{

class InfoBar;

// The changes that were made when a job of version 1, or a batch script, was converted into the document below: one
// line, and the list on request.
class ConversionReport : public QWidget
{
    Q_OBJECT
public:
    explicit ConversionReport(QWidget *parent = nullptr);
    void setReport(const QString &oldName, const JobImport &import);
    void dismiss();
    QListWidget *list() const { return m_list; }

Q_SIGNALS:
    void jumpRequested(const trainyard::YamlPath &path); // in the new document
    void warns(bool on); // whether it shows more than notes

private:
    void setOpen(bool open);
    InfoBar *m_bar;
    QPushButton *m_toggle = nullptr;
    QListWidget *m_list;
};

} // namespace trainyard
